// What checks need to know of a kernel's sites beside where they are: how strong an access is, and what is
// known of the value that it stores.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/finding.h"
#include "kernel/kernel.h"

namespace lockstep::check {

struct SiteFacts {
    bool reads = false, writes = false, atomic = false;
    bool strong = false;        // may meet others of its kind without a race: atomics, volatile, relaxed
    bool acquires = false;      // strong, and its result is seen
    bool publishes = false;     // strong, and others see what it writes …
    bool releases = false;      // … with all that was done before: .release, .acq_rel
    bool block_scope = false;   // only with threads of its block
    bool system_scope = false;  // publishes for the host, too: volatile, .sys; other atomics are the device's
    bool async = false;         // cp.async
    // In the way of nobody who is looked at here: told by a barrier in another block's memory (st.async,
    // red.async), or into the parameters of a launch that the thread is about to make.
    bool told = false;
    bool product = false;  // wgmma
    // A load whose value is what a compare-and-swap then expects: what it read is looked at again there.
    bool verified = false;
    // What a store writes, where the code says it as a number.
    std::optional<std::uint64_t> value;
};

struct KernelCode {
    const kernel::Kernel* kernel = nullptr;
    std::string name;              // demangled
    std::vector<SiteFacts> sites;  // as kernel->sites
    bool calls = false;            // functions that may write a thread's memory and do not tell it
    bool tells = false;            // by printf or assert, what comes out

    const ptx::Instruction& instruction(std::uint32_t site) const;
    // A bulk copy from shared to global memory.
    bool copies_out(std::uint32_t site) const;
    // What it does to shared memory, which is done by itself: a bulk copy or a product; nothing else does.
    std::optional<SiteFacts> asynchronous(std::uint32_t site) const;
    // Where the site is in the source.
    Place place(std::uint32_t site, std::string role, std::string who = {}) const;
    // Adds the calls that it was inlined at, each once, the innermost first.
    void add_callers(std::vector<Place>& places, std::uint32_t site) const;
    // Of an instruction of a function, by its line's number in the module.
    Place place_of(const kernel::Function& function, int source, std::string role, std::string who) const;
    // The number of an instruction's line in the module, where it has one; else of one that is near.
    static int source_near(const kernel::Function& function, kernel::BlockId block, std::uint32_t instruction,
                           int source);

  private:
    int source(std::uint32_t site) const;
};

// Whether it was compiled so that it tells indices which are beyond their array.
bool tells_indices(const kernel::Kernel& kernel);

KernelCode describe(const kernel::Kernel& kernel, std::string name);

}  // namespace lockstep::check
