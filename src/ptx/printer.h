// Syntax tree to PTX text. parse(print(module)) is the same tree; comments, scopes, pragmas and debug
// sections are not in the tree, so they are not in the text either.
#pragma once
#include <string>

#include "ptx/ast.h"

namespace lockstep::ptx {

std::string print(const Module& module);

// For messages and listings: "@%p1 add.s32 %r1, %r2, 5;"
std::string print(const Instruction& instruction, const Module& module, const Function& function);

}  // namespace lockstep::ptx
