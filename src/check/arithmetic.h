// Operations that C++ leaves undefined, and NaNs that are born: what execution tells of them, as findings.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "check/code.h"
#include "check/findings.h"
#include "check/lanes.h"

namespace lockstep::check {

class Arithmetic {
  public:
    // An instruction by its basic block, of all of the kernel's, and its place there.
    struct At {
        std::uint32_t block = 0, instruction = 0;
        auto operator<=>(const At&) const = default;
    };
    Arithmetic(const KernelCode& code, Findings& findings) : code_(code), findings_(findings) {}

    // What a finding of it would say; the kinds are events::ArithmeticRecord's.
    Finding finding(std::uint32_t kind, const At& at, const std::string& who) const;
    // Lanes have done it. `who` is asked for the first time only.
    void add(std::uint32_t kind, const At& at, Lanes lanes, const std::function<std::string()>& who);
    // Tells how often.
    void finish();

  private:
    struct Told {
        Finding finding;
        std::uint64_t more = 0;
    };
    const KernelCode& code_;
    Findings& findings_;
    std::map<std::pair<std::uint32_t, At>, Told> told_;
};

}  // namespace lockstep::check
