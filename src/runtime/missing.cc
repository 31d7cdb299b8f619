// A symbol for every function that api.def lists as missing. The public header is not included: arguments are
// not looked at, so one shape fits all of them.

namespace lockstep::runtime {
int missing(const char* function);
}

#define GROUP(title)
#define IMPLEMENTED(function)
#define IMPLEMENTED_13(function)
#define MISSING(function)                                              \
    extern "C" __attribute__((visibility("default"))) int function() { \
        return lockstep::runtime::missing(#function);                  \
    }
#define MISSING_FORM(symbol) MISSING(symbol)
#include "runtime/api.def"
