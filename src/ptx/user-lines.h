// Instructions of intrinsics carry lines of headers that the user did not write; people want the line that
// called them.
#pragma once
#include "ptx/ast.h"

namespace lockstep::ptx {

// Moves each such instruction to the user's line: through `inlined_at` where the compiler wrote it (nvcc),
// else to the user's line that stands before it in the function (clang 19 writes no call chain).
void attribute_to_user_lines(Module& module);

}  // namespace lockstep::ptx
