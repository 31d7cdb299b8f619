// Prints docs/cuda-api.md: what of the CUDA runtime API is there.
#include <cstdio>

int main() {
    int there = 0, all = 0;
#define GROUP(title)
#define IMPLEMENTED(function) ++there, ++all;
#define IMPLEMENTED_13(function) ++there, ++all;
#define MISSING(function) ++all;
#define MISSING_FORM(symbol)
#include "runtime/api.def"
#undef GROUP
#undef IMPLEMENTED
#undef IMPLEMENTED_13
#undef MISSING
    std::printf(
        "# The CUDA runtime API in lockstep\n\n"
        "Generated from `src/runtime/api.def`. %d of %d functions are there. A program that calls a missing "
        "one gets\n"
        "`cudaErrorNotSupported` and a line on stderr that names it.\n\n"
        "- Work runs when it is submitted, in the order of submission, unless it waits for a host function: "
        "these run on a\n"
        "  thread of their own. Streams, events and callbacks keep their meaning; a kernel that waits for "
        "the "
        "host to do\n"
        "  something after the launch would wait for ever.\n"
        "- `cudaEventElapsedTime` gives the simulated GPU's time, as the host's clocks do, and queries say "
        "`cudaErrorNotReady`\n"
        "  ([docs](timing.md#what-a-programs-clocks-tell)). With `--clock wall` it is how long the "
        "simulation took.\n"
        "- A host function or callback that calls CUDA's functions gets `cudaErrorNotPermitted`.\n"
        "- Device memory is host memory. Host code that reads a `cudaMalloc` pointer by mistake is not "
        "stopped, as it would be\n"
        "  on a machine with a GPU.\n"
        "- `cudaMemGetInfo` gives as free what can be allocated: the rest of the GPU's memory, or less where "
        "the machine has less.\n"
        "- There is one device, number 0, unless `--devices` or `LOCKSTEP_DEVICES` asks for more "
        "([docs](programs.md#several-devices)).\n"
        "- The driver API is there as far as `include/cuda.h` declares it; what it does not declare fails to "
        "link.\n",
        there, all);
#define GROUP(title) std::printf("\n## %s\n\n| function | |\n|---|---|\n", title);
#define IMPLEMENTED(function) std::printf("| `%s` | yes |\n", #function);
#define IMPLEMENTED_13(function) std::printf("| `%s` | yes |\n", #function);
#define MISSING(function) std::printf("| `%s` | missing |\n", #function);
#include "runtime/api.def"
    return 0;
}
