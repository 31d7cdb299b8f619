// CUDA's device math library: the __nv_* functions that compilers leave as calls in PTX when NVIDIA's bitcode
// is not linked in. Results lie within the error bounds that the CUDA C++ programming guide gives; special
// values are its own.
#pragma once
#include <string_view>
#include <vector>

#include "exec/scalar/scalar-function.h"

namespace lockstep::exec {

using LibFunction = ScalarFunction;

const LibFunction* find_lib_function(std::string_view name);
std::vector<std::string_view> lib_function_names();  // sorted

}  // namespace lockstep::exec
