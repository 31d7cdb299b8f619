// The runs that all tests of this folder look at: each program runs once.
#pragma once
#include "suite.h"

namespace lockstep::validation {

const Suite& measured();  // the programs of h200.csv, at sizes whose times can be compared
const Suite& probes();    // of h200-probes.csv
// The same from our own compiler's code; the two above are from nvcc's.
const Suite& our_measured();
const Suite& our_probes();

}  // namespace lockstep::validation
