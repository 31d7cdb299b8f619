// Functions that programs call and no PTX defines, because the device's own library has them.
#pragma once
#include <algorithm>
#include <array>
#include <string_view>

namespace lockstep::ptx {

inline constexpr std::array<std::string_view, 4> supplied_functions = {"vprintf", "__assertfail", "malloc",
                                                                       "free"};

// The math library's, and those that device code launches kernels with, have names that tell.
inline bool is_supplied(std::string_view name) {
    return std::find(supplied_functions.begin(), supplied_functions.end(), name) !=
               supplied_functions.end() ||
           name.starts_with("__nv_") || name.starts_with("cuda") || name.starts_with("__cuda") ||
           name.starts_with("__lockstep");
}

}  // namespace lockstep::ptx
