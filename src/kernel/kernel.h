// A kernel as one value: its functions ready to compile, what is known of their registers, and the numbers by
// which everything else speaks of its blocks and memory instructions. Derived once, from PTX alone; what
// compiles, counts, times or prints the kernel reads it from here.
#pragma once
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "kernel/ir.h"
#include "kernel/passes.h"
#include "kernel/shapes.h"
#include "kernel/site.h"
#include "kernel/slow-ways.h"

namespace lockstep::kernel {

// A basic block of one of the functions, by its number among all of them.
struct NumberedBlock {
    std::uint32_t function = 0;      // into Kernel::functions
    std::uint32_t block = 0;         // of that function
    std::uint32_t instructions = 0;  // of PTX, executed once on every entry
    // The block whose entry tells of this one's too: itself, or one that it always follows with the same
    // lanes.
    std::uint32_t entered_with = 0;
};

struct Kernel {
    std::vector<Function> functions;    // the entry first, then those that calls reach
    std::vector<Shapes> shapes;         // by function
    std::vector<NumberedBlock> blocks;  // function by function
    std::vector<Site> sites;            // accesses, barriers, divisions and others: in the order of the code
    int row_lanes = warp_lanes;         // see find_shapes: what the shapes hold for

    // The number of a function's block 0; the others follow.
    std::uint32_t first_block(std::uint32_t function) const;
    // The number of an instruction's first site; the others follow.
    std::uint32_t first_site(std::uint32_t function, BlockId block, std::uint32_t instruction) const;
    const ptx::Instruction& instruction_of(const Site& site) const {
        return functions[site.function].blocks[site.block].instructions[site.instruction];
    }
    // None: the site is no division or root that has one.
    SlowWay slow_way(const Site& site) const;
};

// Of one kernel for one kind of block.
struct Source {
    const ptx::Module* module = nullptr;
    std::uint32_t entry = 0;          // into module->functions
    int row_lanes = warp_lanes;       // see find_shapes
    ExternalTest is_external{};       // see build
    std::vector<bool> address_taken;  // ptx::address_taken of the module
};

// For those who do not run it: functions without a body are the engine's own, or another module's.
Source source_of(const ptx::Module& module, std::uint32_t entry);

// The passes, a call each. Fails on calls to functions that exist nowhere, and on what is too large.
Result<Kernel> analyse(const Source& source, const PassTap& tap = {});

// The functions that a call may reach, but for those without a body, which the engine has itself: one, or
// where the call is through a pointer all whose address is taken and whose parameters match.
std::vector<std::uint32_t> callees(const Function& function, const ptx::Instruction& call,
                                   const std::vector<bool>& address_taken);
// Whether the call's values have the sizes that `callee` expects.
bool call_fits(const Function& function, const ptx::Instruction& call, const ptx::Function& callee);

}  // namespace lockstep::kernel
