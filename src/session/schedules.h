// Runs launches again in other orders of their blocks and warps, each from the memory that it began with, and
// tells whose results are others then (lockstep check --schedules).
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "check/byte-set.h"
#include "check/findings.h"
#include "check/last-write.h"
#include "check/launch-checker.h"
#include "exec/engine.h"
#include "session/host-checks.h"
#include "session/memory-image.h"
#include "session/modules.h"
#include "session/options.h"

namespace lockstep::session {

class Process;

class Schedules {
  public:
    Schedules(Process& process, const CheckOptions& options, check::Findings& findings, HostChecks& host);

    // Runs a launch as `run` does, and then in other orders. Its results are those of the first.
    using Run = std::function<std::optional<exec::Fault>(const exec::Launch&)>;
    struct Watched {
        const check::KernelCode& code;
        const check::LaunchChecker& checker;
        const check::ByteSet* written = nullptr;  // by the first run; null: that is not known
        bool faults = false;                      // it went on behind accesses that may not be
    };
    // `watched` is asked behind the first run.
    std::optional<exec::Fault> run(Function& function, const exec::Launch& launch, const Run& run,
                                   const std::function<Watched()>& watched);

  private:
    // What is compared: the memory before the first run and behind it.
    struct Compared {
        const Function& function;
        exec::Launch launch;
        const MemoryImage& before;
        const MemoryImage& after;
        const Watched& watched;
    };
    struct Rerun {
        std::optional<exec::Fault> fault;
        check::ByteSet different;
    };
    Rerun again(const Compared& compared, const std::optional<exec::Schedule>& schedule,
                check::LastWrite* watcher = nullptr) const;
    void tell(const Compared& compared, int number, const check::ByteSet& different);
    void tell_fault(const Compared& compared, int number, const exec::Fault& fault);
    void skip(const std::string& kernel, const char* why);

    Process& process_;
    const CheckOptions options_;
    check::Findings& findings_;
    HostChecks& host_;
    std::set<std::string> told_;  // kernels: more launches of them would say no more
};

}  // namespace lockstep::session
