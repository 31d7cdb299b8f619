// What checks need to know of a kernel's sites beside where they are: how strong an access is, what is known
// of the value that it stores, and of which variable its address was made.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/finding.h"
#include "kernel/kernel.h"

namespace lockstep::check {

struct SiteFacts {
    bool reads = false, writes = false, atomic = false;
    bool strong = false;       // may meet others of its kind without a race: atomics, volatile, relaxed
    bool acquires = false;     // strong, and its result is seen
    bool publishes = false;    // strong, and others see what it writes …
    bool releases = false;     // … with all that was done before: .release, .acq_rel
    bool block_scope = false;  // only with threads of its block
    bool async = false;        // cp.async
    // A load whose value is what a compare-and-swap then expects: what it read is looked at again there.
    bool verified = false;
    // What a store writes, where the code says it as a number.
    std::optional<std::uint64_t> value;
    int variable = -1;  // of shared memory, into KernelCode::variables, from which the address is counted
};

struct SharedVariable {
    std::string name;
    std::uint64_t offset = 0, size = 0;  // in the block's shared memory; 0: as much as the launch says
};

struct KernelCode {
    const kernel::Kernel* kernel = nullptr;
    std::string name;              // demangled
    std::vector<SiteFacts> sites;  // as kernel->sites
    std::vector<SharedVariable> variables;

    const ptx::Instruction& instruction(std::uint32_t site) const;
    // Where the site is in the source.
    Place place(std::uint32_t site, std::string role, std::string who = {}) const;
};

// `shared_offsets`: where the kernel's shared variables lie, by name.
KernelCode describe(const kernel::Kernel& kernel, std::string name,
                    const std::map<std::string, std::uint64_t>& shared_offsets);

}  // namespace lockstep::check
