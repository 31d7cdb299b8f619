// Profiles launches: chooses those that are watched, and keeps what they did in the run file.
#pragma once
#include <sys/types.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "exec/engine.h"
#include "gpu/model.h"
#include "metrics/launch.h"
#include "report/run-writer.h"
#include "session/launch-selection.h"
#include "session/modules.h"
#include "session/options.h"

namespace lockstep::session {

struct NestedParent;

class Profiler {
  public:
    using Report = std::function<void(const std::string&)>;

    // A run file that cannot be written is an error: better now than after hours.
    static Result<std::unique_ptr<Profiler>> create(const ProfileOptions& options,
                                                    std::span<const gpu::GpuModel* const> gpus,
                                                    Report report);

    // Whether the next launch, of this kernel (by its mangled name), is to be profiled. Ask once a launch.
    // `in_ranges`: it was made in NVTX ranges that are to be profiled.
    bool wants(const std::string& kernel, StreamId stream, bool in_ranges);
    // What is not active wants nothing.
    void set_active(bool active) { active_ = active; }

    // `parent`: who launched it; null: the host.
    void keep(Function& function, int device, StreamId stream, const metrics::Launch& counts,
              const std::optional<exec::Fault>& fault, const NestedParent* parent);
    // What was done in simulated time.
    void keep(const report::TimeRecords& records);

    // A launch of this kernel has failed: the run file tells why, whether it was to be profiled or not.
    void failed(const std::string& kernel, report::FailureKind kind, const std::string& reason);

    void finish();

  private:
    Profiler(const ProfileOptions& options, Report report);
    void stop(const Error& error);
    void leave_out(const std::string& kernel);

    Report report_;
    LaunchSelection selection_;
    bool active_;
    // Launches, by the kernel's mangled name. The first of each is in the file at once, the others at the
    // end.
    struct LeftOut {
        std::uint64_t launches = 0, written = 0;
    };
    std::map<std::string, LeftOut> left_out_;
    pid_t process_ = 0;  // whose launches these are: a forked one begins anew
    std::unique_ptr<report::RunWriter> writer_;
    bool stopped_ = false;  // the run file cannot be written any more
};

}  // namespace lockstep::session
