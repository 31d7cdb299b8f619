// The frame of the driver API's functions. They stand on the runtime API, whose session they share; what
// differs are contexts, handles of functions and modules, and some error codes.
#pragma once
#include <utility>

#include "runtime/call.h"

#pragma GCC visibility push(default)
#include "cuda.h"
#pragma GCC visibility pop

namespace lockstep::runtime {

inline void* at(CUdeviceptr pointer) { return pointer_to(pointer); }

// Whether cuInit was called and a context is current in this thread: what most functions need.
CUresult driver_ready(const char* function = __builtin_FUNCTION());

bool is_context(CUcontext context);

// The driver's code for an error of the runtime API.
CUresult driver_result(cudaError_t error);

// What the driver API refuses by itself, with a sentence like the runtime API's.
CUresult refuse(cudaError_t error, const std::string& reason, const char* function = __builtin_FUNCTION());
CUresult refuse_uninitialised(const char* function = __builtin_FUNCTION());
CUresult refuse_context(const char* function = __builtin_FUNCTION());
CUresult refuse_null(const char* argument, const char* function = __builtin_FUNCTION());

// Runs a function of the runtime API on the driver API's behalf, whatever context is current.
template <class Body>
CUresult forward_anywhere(Body&& body, const char* function = __builtin_FUNCTION()) {
    if (!state().driver_initialised) return refuse_uninitialised(function);
    const LockstepScope lockstep;
    const NotedCall noted(process(), function);
    const DriverScope scope(function);
    const cudaError_t saved = exchange_last_error(cudaSuccess);
    const CUresult result = driver_result(body());
    exchange_last_error(saved);
    return result;
}

// The same in a context, which most functions need.
template <class Body>
CUresult forward(Body&& body, const char* function = __builtin_FUNCTION()) {
    if (const CUresult unready = driver_ready(function)) return unready;
    return forward_anywhere(std::forward<Body>(body), function);
}

template <class Body>
CUresult driver_call(const char* function, Waits waits, Body&& body) {
    return forward([&] { return call(function, waits, body); }, function);
}

}  // namespace lockstep::runtime
