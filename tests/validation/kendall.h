// Whether two lists put the same things in the same order.
#pragma once
#include <span>

namespace lockstep::validation {

// Kendall's tau-b of two lists of one length: 1 for the same order, -1 for the opposite one. A pair that is
// tied in one list counts for nothing, and less is asked of the other. 0 where a list does not order
// anything.
double kendall_tau(std::span<const double> a, std::span<const double> b);

}  // namespace lockstep::validation
