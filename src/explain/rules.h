// Each rule looks for one reason, and says nothing where there is none of it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "explain/facts.h"
#include "explain/finding.h"
#include "gpu/model.h"

namespace lockstep::explain {

// Costs below this are not worth a reader's time.
inline constexpr double least_cost = 0.02;

// Those whose cost is found by imagining the launch without it.
std::vector<Finding> imagined_findings(const Facts& facts);
std::vector<std::string> imagined_names();  // the ids of all that there are

// Those that follow from the launch's shape. `gpu`: null where its model is not at hand.
std::vector<Finding> launch_findings(const Facts& facts, const gpu::GpuModel* gpu);
std::vector<std::string> launch_names();

}  // namespace lockstep::explain
