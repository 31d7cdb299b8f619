// What `ptxas -v` would tell of device code, in its words: registers, stack and spills are lockstep's own
// estimate, and the report says so.
#pragma once
#include <string>
#include <vector>

#include "compile/fatbin.h"

namespace lockstep::cli {

std::string assembler_report(const std::vector<compile::FatbinPtx>& code);

}  // namespace lockstep::cli
