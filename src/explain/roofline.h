// How close a kernel is to what the GPU can do: where nothing is wrong, that is the answer.
#pragma once
#include <string>
#include <vector>

#include "explain/facts.h"

namespace lockstep::explain {

// Sentences. `worst`: the cost of the finding that costs most.
std::vector<std::string> roofline_text(const Facts& facts, double worst);

}  // namespace lockstep::explain
