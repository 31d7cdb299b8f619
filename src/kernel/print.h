// What the passes have made, for people: listings with the names of the PTX.
#pragma once
#include <string>
#include <string_view>

#include "kernel/inline.h"
#include "kernel/ir.h"
#include "kernel/kernel.h"
#include "kernel/shapes.h"

namespace lockstep::kernel {

// The function as ptx::print needs it for names: inlining added registers and variables. A register whose
// name is that of another has a tick behind it.
ptx::Function names_of(const Function& function);

std::string print(const Flat& flat, const Function& function);
std::string print(const Function& function);
std::string print(const Shapes& shapes, const Function& function);
std::string_view name_of(SiteKind kind);
std::string print_numbers(const Kernel& kernel);  // blocks and sites

}  // namespace lockstep::kernel
