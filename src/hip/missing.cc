// A symbol for every function that the list has as missing. The public header is not included: arguments are
// not looked at, so one shape fits all of them.

// It gives a few functions the names that programs call them by.
#include "lockstep/hip/device-prop.h"

namespace lockstep::runtime {
int missing(const char* function);
}

#define LOCKSTEP_OR(value)
#define LOCKSTEP_HIP_GROUP(title)
#define LOCKSTEP_HIP_OWN(function, parameters)
#define LOCKSTEP_HIP_SAME(function, cuda, parameters, arguments)
#define LOCKSTEP_HIP_MISSING(function)                                 \
    extern "C" __attribute__((visibility("default"))) int function() { \
        return lockstep::runtime::missing(#function);                  \
    }
#include "lockstep/hip/functions.def"
