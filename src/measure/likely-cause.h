// Which part of the model makes a predicted time differ from a measured one: the first in the order in which
// one follows from another (registers, code, accesses, caches, memory, residence, clock, waiting) that is off
// by more than it should, in the direction that the time is off.
#pragma once
#include <string>

#include "measure/difference.h"

namespace lockstep::measure {

// A sentence; empty where the times agree, or are not known.
std::string likely_cause(const KernelDifference& kernel);

}  // namespace lockstep::measure
