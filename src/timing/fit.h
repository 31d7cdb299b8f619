// The figures of the model of time that are no GPU's (fit.def).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/figure.h"

namespace lockstep::timing::fit {

#define LOCKSTEP_FIT(type, name, value, meaning, source) inline constexpr type name = value;
#include "timing/fit.def"
#undef LOCKSTEP_FIT

inline constexpr auto figures = std::to_array<Figure>({
#define LOCKSTEP_FIT(type, name, value, meaning, source) {#name, #value, meaning, source},
#include "timing/fit.def"
#undef LOCKSTEP_FIT
});

}  // namespace lockstep::timing::fit
