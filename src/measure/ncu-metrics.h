// Which of ncu's metrics have lockstep's numbers on a GPU of NVIDIA's.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "measure/formula.h"

namespace lockstep::measure {

// ncu's names for what is needed of these, each once; metrics that no GPU has are left out.
std::vector<std::string> ncu_names(std::span<const metrics::Selected> selected);

// nvprof's metrics that newer GPUs have under no name of their own.
std::span<const Formula> ncu_formulas();

}  // namespace lockstep::measure
