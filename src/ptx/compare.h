// Whether two trees say the same: everything but line and column numbers of the PTX text, and the order of
// Module::lines, which depends on the text too.
#pragma once
#include <string>

#include "ptx/ast.h"

namespace lockstep::ptx {

// Empty if they are the same; else the first difference, in words.
std::string difference(const Module& a, const Module& b);

}  // namespace lockstep::ptx
