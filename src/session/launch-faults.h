// Faults of a checked launch, as findings: what a kernel goes on behind, and what ends it.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <optional>

#include "check/code.h"
#include "check/findings.h"
#include "check/launch-checker.h"
#include "exec/engine.h"
#include "session/host-checks.h"
#include "session/options.h"

namespace lockstep::session {

class Device;

class LaunchFaults : public exec::BadAccesses {
  public:
    LaunchFaults(Device& device, const CheckOptions& options, const HostChecks& host,
                 check::Findings& findings, check::LaunchChecker& checker, const check::KernelCode& code,
                 events::Wants wants)
        : device_(device),
          options_(options),
          host_(host),
          findings_(findings),
          checker_(checker),
          code_(code),
          records_(wants.has(events::Wants::accesses)) {}

    bool wants(std::uint32_t site, exec::FaultKind kind) override;
    void bad_access(std::uint64_t block, std::uint32_t warp, std::uint32_t lanes,
                    const exec::Fault& fault) override;
    void ended_by(const exec::Fault& fault);
    // Whether some access may not be.
    bool any() const { return !places_.empty(); }
    // Tells how often there was what was told.
    void finish();

  private:
    struct Told {
        check::Finding finding;
        bool told = false;
        std::uint64_t more = 0;
    };
    // None: it is not looked for, or not the program's.
    std::optional<check::Finding> finding_of(const exec::Fault& fault) const;
    std::optional<exec::Allocation> nearest(std::uint64_t address) const;
    void count(Told& told, std::uint64_t times);
    // As few words as possible for faults of one place.
    struct Place {
        std::uint32_t worded = 0;
        std::deque<Told> told;  // by kind; pointed to
    };

    Device& device_;
    const CheckOptions& options_;
    const HostChecks& host_;
    check::Findings& findings_;
    check::LaunchChecker& checker_;
    const check::KernelCode& code_;
    const bool records_;  // whether accesses have records
    std::map<std::pair<std::uint32_t, exec::FaultKind>, Place> places_;
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t>
        have_read_zeros_;   // lanes by block and warp, where accesses have no records
    bool made_up_ = false;  // some thread has gone on with a value that is not the program's
};

}  // namespace lockstep::session
