// A symbol for every function of the driver API that lockstep lacks. They are weak: what another file defines
// stands in their place, so that the list need not say which those are. As in missing.cc, arguments are not
// looked at.

namespace lockstep::runtime {
int missing(const char* function);
}

#define NAME(function)                                                                                    \
    extern "C" __attribute__((visibility("default"), weak, section("lockstep_missing"))) int function() { \
        return lockstep::runtime::missing(#function);                                                     \
    }
#include "runtime/driver-names.def"
