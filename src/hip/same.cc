// The functions of HIP that CUDA has, too, from the list of all.
#include "hip/same.h"

#define LOCKSTEP_HIP_UNPACKED(...) __VA_OPT__(, ) __VA_ARGS__
#define LOCKSTEP_OR(value)
#define LOCKSTEP_HIP_GROUP(title)
#define LOCKSTEP_HIP_OWN(function, parameters)
#define LOCKSTEP_HIP_MISSING(function)
#define LOCKSTEP_HIP_SAME(function, cuda, parameters, arguments) \
    hipError_t function parameters { return lockstep::hip::same(cuda LOCKSTEP_HIP_UNPACKED arguments); }

extern "C" {
#include "lockstep/hip/functions.def"
}
