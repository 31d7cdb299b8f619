// Where the lanes that run may change: between the segments of a kernel's code.
#pragma once
#include <vector>

#include "gcn/module.h"

namespace lockstep::gcn {

bool writes_exec(const Instruction& instruction);
// The code in its order, cut at labels, behind branches and behind writes of the exec mask.
std::vector<Segment> segments_of(const Code& code);

}  // namespace lockstep::gcn
