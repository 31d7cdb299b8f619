// What a program says of when it is to be profiled, for --profile-from-start off.
#include "runtime/driver.h"

#pragma GCC visibility push(default)
#include "cudaProfiler.h"
#pragma GCC visibility pop

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

CUresult cuProfilerStart(void) { return forward(cudaProfilerStart); }
CUresult cuProfilerStop(void) { return forward(cudaProfilerStop); }
}
