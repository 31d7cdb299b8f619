// How the lanes of scattered accesses lie, in words, and what helps against just that.
#pragma once
#include "explain/facts.h"
#include "explain/finding.h"

namespace lockstep::explain {

// The pattern that moves most in vain, whose advice replaces the finding's, and how much that is.
void prove_scattered(const Facts& facts, Finding& finding);

}  // namespace lockstep::explain
