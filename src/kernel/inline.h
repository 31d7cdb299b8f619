// Flattening: one linear instruction list for a function with the bodies of its callees in place of the
// calls.
#pragma once
#include <cstdint>
#include <vector>

#include "kernel/ir.h"

namespace lockstep::kernel {

struct Flat {
    std::vector<ptx::Instruction> code;
    std::vector<std::uint32_t> labels;                      // label -> position in code
    std::vector<std::vector<std::uint32_t>> branch_tables;  // table -> labels
};

// Fills `function`'s registers, variables, params and returns.
Result<Flat> flatten(const ptx::Module& module, std::uint32_t index, ExternalTest is_external,
                     Function& function);

// Turns st.param/ld.param on call parameters into moves between registers where all accesses of a variable
// agree on its layout, and into local memory where they do not.
void promote_call_params(Flat& flat, Function& function);

}  // namespace lockstep::kernel
