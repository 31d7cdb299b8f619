// Does what a graph's plan says, step by step.
#pragma once
#include "session/command.h"

namespace lockstep::session {

// Each step's command is done, and told to who watches, as if it had been submitted alone.
Done run_graph(Device& device, const std::shared_ptr<const GraphPlan>& plan);

}  // namespace lockstep::session
