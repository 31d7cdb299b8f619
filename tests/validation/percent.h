// Ratios as the report writes them.
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <string>

namespace lockstep::validation {

inline std::string percent(double ratio) {
    return std::isinf(ratio) ? std::string("∞") : fmt::format("{:.1f} %", 100 * ratio);
}
inline std::string signed_percent(double ratio) {
    return std::isinf(ratio) ? std::string("∞") : fmt::format("{:+.1f} %", 100 * ratio);
}

}  // namespace lockstep::validation
