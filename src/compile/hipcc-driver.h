// `lockstep hipcc ARGS`: takes hipcc's command line, makes what hipcc would make, to run on the simulated
// GPU.
#pragma once
#include <string>
#include <vector>

namespace lockstep::compile {

// Returns the exit status. Messages go to stderr, as a compiler's do. `target`: of the GPU that is compiled
// for where the arguments do not say.
int hipcc_main(const std::vector<std::string>& arguments, const std::string& target);
// hipconfig: where things are.
int hipconfig_main(const std::vector<std::string>& arguments);

// The release of HIP whose place we take (include/hip/hip_version.h).
constexpr const char* hip_version = "6.2.41133";

}  // namespace lockstep::compile
