// Profiles launches: chooses those that are watched, and keeps what they did in the run file.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "base/result.h"
#include "exec/engine.h"
#include "gpu/model.h"
#include "metrics/launch.h"
#include "report/run-writer.h"
#include "session/kernel-selection.h"
#include "session/modules.h"
#include "session/options.h"

namespace lockstep::session {

struct NestedParent;

class Profiler {
  public:
    using Report = std::function<void(const std::string&)>;

    // A run file that cannot be written is an error: better now than after hours.
    static Result<std::unique_ptr<Profiler>> create(const ProfileOptions& options, const gpu::GpuModel& gpu,
                                                    Report report);

    // Whether the next launch, of this kernel (by its mangled name), is to be profiled. Ask once a launch.
    bool wants(const std::string& kernel);

    // `parent`: who launched it; null: the host.
    void keep(Function& function, const metrics::Launch& counts, const std::optional<exec::Fault>& fault,
              const NestedParent* parent);

    // A launch of this kernel has failed: the run file tells why, whether it was to be profiled or not.
    void failed(const std::string& kernel, report::FailureKind kind, const std::string& reason);

    void finish();

  private:
    Profiler(const ProfileOptions& options, const gpu::GpuModel& gpu, Report report);
    void stop(const Error& error);
    void leave_out(const std::string& kernel);

    ProfileOptions options_;
    const gpu::GpuModel& gpu_;
    Report report_;
    KernelSelection selection_;
    std::set<std::string> left_out_;  // kernels, by mangled name
    std::uint64_t matching_ = 0;      // launches so far
    std::unique_ptr<report::RunWriter> writer_;
    bool stopped_ = false;  // the run file cannot be written any more
};

}  // namespace lockstep::session
