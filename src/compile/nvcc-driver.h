// `lockstep nvcc ARGS`: takes nvcc's command line, makes what nvcc would make, to run on the simulated GPU.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "compile/fatbin.h"

namespace lockstep::compile {

// What `ptxas -v` would tell of device code, for stderr: the caller's, who knows what a GPU makes of PTX.
using AssemblerReport = std::function<std::string(const std::vector<FatbinPtx>& code)>;

// Returns the exit status. Messages go to stderr, as a compiler's do. `capability`: of the GPU that is
// compiled for where the arguments do not say, 90 for 9.0.
int nvcc_main(const std::vector<std::string>& arguments, int capability, const AssemblerReport& report);

}  // namespace lockstep::compile
