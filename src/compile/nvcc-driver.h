// `lockstep nvcc ARGS`: takes nvcc's command line, makes what nvcc would make, to run on the simulated GPU.
#pragma once
#include <string>
#include <vector>

namespace lockstep::compile {

// Returns the exit status. Messages go to stderr, as a compiler's do. `capability`: of the GPU that is
// compiled for where the arguments do not say, 90 for 9.0.
int nvcc_main(const std::vector<std::string>& arguments, int capability);

}  // namespace lockstep::compile
