// The figures of ptxas's that the machine view and the order of its instructions go by (ptxas.def).
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/figure.h"

namespace lockstep::machine::ptxas {

#define LOCKSTEP_PTXAS(type, name, value, meaning, source) inline constexpr type name = value;
#include "machine/ptxas.def"
#undef LOCKSTEP_PTXAS

inline constexpr auto figures = std::to_array<Figure>({
#define LOCKSTEP_PTXAS(type, name, value, meaning, source) {#name, #value, meaning, source},
#include "machine/ptxas.def"
#undef LOCKSTEP_PTXAS
});

}  // namespace lockstep::machine::ptxas
