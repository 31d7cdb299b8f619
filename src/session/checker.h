// Looks for bugs while a program runs (lockstep check): it watches what the program does with its devices,
// and runs its kernels watched. What it finds goes to a file, which the command reads.
#pragma once
#include <memory>
#include <mutex>
#include <optional>

#include "base/result.h"
#include "check/findings.h"
#include "exec/engine.h"
#include "session/host-checks.h"
#include "session/modules.h"
#include "session/observer.h"
#include "session/options.h"
#include "session/schedules.h"

namespace lockstep::session {

class Process;

class Checker : public Observer {
  public:
    // A file that cannot be written is an error: better now than after hours.
    static Result<std::unique_ptr<Checker>> create(Process& process, const CheckOptions& options);

    // Runs a kernel watched.
    std::optional<exec::Fault> run(Device& device, Function& function, const exec::Launch& launch);

    void done(const Command& command, const Done& done) override;
    void allocated(const exec::Allocation& allocation) override;
    void released(const exec::Allocation& allocation) override;

    const CheckOptions& options() const { return options_; }
    check::Findings& findings() { return *findings_; }

    HostChecks& host() { return host_; }
    ~Checker() override;

    // The program ends with this status: what it has left is told.
    void finish(int status);

  private:
    std::optional<exec::Fault> run_without_records(Device& device, const Function& function,
                                                   const exec::Launch& launch);
    Checker(Process& process, const CheckOptions& options, std::unique_ptr<check::Findings> findings);
    void tell_heap_leaks();

    struct Launches;  // what is known from one launch to the next

    Process& process_;
    CheckOptions options_;
    std::unique_ptr<check::Findings> findings_;
    HostChecks host_;
    Schedules schedules_;
    std::recursive_mutex mutex_;  // of what follows; a kernel may wait for one that it has launched
    std::unique_ptr<Launches> launches_;
};

}  // namespace lockstep::session
