// Functions that programs call and no PTX defines, because the device's own library has them.
#pragma once
#include <algorithm>
#include <array>
#include <string_view>

namespace lockstep::ptx {

inline constexpr std::array<std::string_view, 4> supplied_functions = {"vprintf", "__assertfail", "malloc",
                                                                       "free"};

// The math library's, those that device code launches kernels with and those of the C++ language have names
// that tell. Tables of virtual functions name the latter without anybody calling them.
inline bool is_supplied(std::string_view name) {
    if (std::find(supplied_functions.begin(), supplied_functions.end(), name) != supplied_functions.end())
        return true;
    for (const std::string_view beginning :
         {"__nv_", "cuda", "__cuda", "__lockstep", "__cxa_", "_Znw", "_Zna", "_Zdl", "_Zda"})
        if (name.starts_with(beginning)) return true;
    return false;
}

}  // namespace lockstep::ptx
