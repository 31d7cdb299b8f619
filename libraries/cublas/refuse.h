// What cuBLAS and cuBLASLt say of calls that they refuse.
#pragma once
#include <cublas_v2.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace lockstep::cublas {

using Status = cublasStatus_t;

// On stderr, the first of each kind (LOCKSTEP_VERBOSE says otherwise).
inline Status refuse(Status status, const char* function, const char* reason, bool& told) {
    const char* verbose = std::getenv("LOCKSTEP_VERBOSE");
    const bool always = verbose && std::strcmp(verbose, "1") == 0,
               never = verbose && std::strcmp(verbose, "0") == 0;
    if (always || (status == CUBLAS_STATUS_NOT_SUPPORTED ? !told : !told && !never))
        std::fprintf(
            stderr, "lockstep: cublas %s: %s: %s\n", function, cublasGetStatusName(status),
            status == CUBLAS_STATUS_NOT_SUPPORTED ? reason : (std::string("must hold: ") + reason).c_str());
    told = true;
    return status;
}

}  // namespace lockstep::cublas
