// The log of API calls that failed, which programs may read (cudaLogs…).
#pragma once
#include <string>

#include "runtime/api.h"

namespace lockstep::runtime {

// A call's failure: the reason, if there is one, and what the call returns.
void log_failure(const std::string& function, const std::string& reason, int code, const char* error);

}  // namespace lockstep::runtime
