// The races that were seen in a launch, and what is told of them.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "check/code.h"
#include "check/findings.h"

namespace lockstep::check {

class RaceLog {
  public:
    // "block (1,0,0), thread (3,0,0)" of the lane of a warp of a block.
    using Who = std::function<std::string(std::uint32_t block, std::uint32_t warp, int lane)>;
    // Between threads of …
    enum class Scope : std::uint8_t { thread, warp, block, grid };
    struct Side {
        std::uint32_t site = 0, block = 0, warp = 0;
        int lane = 0;
    };

    RaceLog(const KernelCode& code, Findings& findings, Who who, History history)
        : code_(code), findings_(findings), who_(std::move(who)), history_(std::move(history)) {}

    // Two accesses race, the first of which came first here. The address is that of global memory; 0: it is
    // shared memory.
    void note(const Side& first, const Side& second, std::uint64_t address);
    // A thread accesses what a copy writes (its own, or a bulk copy), for which it has not waited.
    void note_copy(const Side& copy, const Side& access);
    // Sites that race with another.
    std::set<std::uint32_t> racing() const;
    // What was seen becomes findings: one for two lines, with the widest scope in which they race.
    void finish();

  private:
    // Two sites whose accesses race, and the first such accesses of the widest scope.
    struct Seen {
        std::uint64_t count = 0;
        Scope scope = Scope::warp;
        bool same_value = true;
        Side first, second;
        std::uint64_t address = 0;
    };
    using Sites = std::tuple<std::uint32_t, std::uint32_t, bool>;  // and whether in shared memory

    void note(const Side& first, const Side& second, Scope scope, std::uint64_t address);
    Finding finding(const Seen& seen) const;

    const KernelCode& code_;
    Findings& findings_;
    Who who_;
    History history_;
    std::map<Sites, Seen> seen_;
};

}  // namespace lockstep::check
