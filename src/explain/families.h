// What instructions are for, to tell two codes of the same work apart.
#pragma once
#include <string>

#include "explain/facts.h"

namespace lockstep::explain {

double launches_of(const Facts& facts);  // at least 1

// "arithmetic -1.34 million, loads, stores and atomics +0.20 million": what warps execute more or less of in
// a launch, the three that differ most, as far as they differ by more than `least`.
std::string family_changes(const Facts& from, const Facts& to, double least);

}  // namespace lockstep::explain
