// Prints docs/hip-api.md: what of HIP's API is there.
#include <cstdio>

#define LOCKSTEP_OR(value)
int main() {
    int there = 0, all = 0;
#define LOCKSTEP_HIP_GROUP(title)
#define LOCKSTEP_HIP_SAME(function, cuda, parameters, arguments) ++there, ++all;
#define LOCKSTEP_HIP_OWN(function, parameters) ++there, ++all;
#define LOCKSTEP_HIP_MISSING(function) ++all;
#include "lockstep/hip/functions.def"
#undef LOCKSTEP_HIP_GROUP
#undef LOCKSTEP_HIP_SAME
#undef LOCKSTEP_HIP_OWN
#undef LOCKSTEP_HIP_MISSING
    std::printf(
        "# HIP's API in lockstep\n\n"
        "Generated from `include/lockstep/hip/functions.def`. %d of %d functions are there. A program that "
        "calls a "
        "missing one gets\n"
        "`hipErrorNotSupported` and a line on stderr that names it. What [the CUDA API's list](cuda-api.md) "
        "says of "
        "streams, time and\n"
        "memory is true here, too: both stand on the same session.\n",
        there, all);
#define LOCKSTEP_HIP_GROUP(title) std::printf("\n## %s\n\n| function | |\n|---|---|\n", title);
#define LOCKSTEP_HIP_SAME(function, cuda, parameters, arguments) \
    std::printf("| `%s` | as `%s` |\n", #function, #cuda);
#define LOCKSTEP_HIP_OWN(function, parameters) std::printf("| `%s` | yes |\n", #function);
#define LOCKSTEP_HIP_MISSING(function) std::printf("| `%s` | missing |\n", #function);
#include "lockstep/hip/functions.def"
    return 0;
}
