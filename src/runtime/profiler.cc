// What a program says of when it is to be profiled, for --profile-from-start off.
#include "runtime/call.h"

using namespace lockstep::runtime;

extern "C" {

cudaError_t cudaProfilerStart(void) {
    return call("cudaProfilerStart", Waits::no, [](Device& current) {
        current.process().set_profiling(true);
        return Outcome();
    });
}

cudaError_t cudaProfilerStop(void) {
    return call("cudaProfilerStop", Waits::no, [](Device& current) {
        current.process().set_profiling(false);
        return Outcome();
    });
}
}
