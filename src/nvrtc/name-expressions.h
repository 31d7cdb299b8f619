// Name expressions of NVRTC's interface: `k<int>`, `&ns::table`. The compiler itself says what they are
// called in the PTX: each is the initialiser of a variable of ours, which also has templates instantiated.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace lockstep::nvrtc {

// The variable that holds the address of the i-th expression.
std::string expression_variable(std::size_t i);

// What stands behind the program's own text.
std::string instantiations(const std::vector<std::string>& expressions);

// Takes the variables out of the PTX again.
std::map<std::string, std::string> take_lowered_names(std::string& ptx,
                                                      const std::vector<std::string>& expressions);

// Programs ask the driver for variables and kernels that are `static` by name: there is one file, and
// NVIDIA's compiler calls them as if they were not.
std::string with_plain_statics(const std::string& ptx);

}  // namespace lockstep::nvrtc
