// What an instruction does to memory, as far as it says itself.
#pragma once
#include <cstddef>
#include <vector>

#include "kernel/ir.h"
#include "kernel/site.h"

namespace lockstep::kernel {

struct Access {
    SiteKind kind = SiteKind::none;
    ptx::Space space = ptx::Space::none;  // none: generic, the address decides
    int bytes = 0;                        // of a lane, a vector access all of them together
    std::size_t operand = 0;              // that holds the address
};

// The memory that the instruction's modifiers name.
ptx::Space space_of(const ptx::Instruction& instruction);

// A load from inside one of the kernel's own parameters, known to be good when it is compiled.
bool is_plain_parameter_load(const Function& function, const ptx::Instruction& instruction);

// A copy that a thread starts for as many bytes as it likes, or a box of a tensor: cp.async.bulk,
// cp.reduce.async.bulk.
bool is_bulk_copy(const ptx::Instruction& instruction);

// Every access of the instruction, in the order in which they happen; none for plain parameter loads.
std::vector<Access> accesses_of(const Function& function, const ptx::Instruction& instruction);

}  // namespace lockstep::kernel
