// HIP's functions over CUDA's: values that are laid out the same are handed on as they are.
#pragma once
#include <cstring>
#include <type_traits>

#include "runtime/driver.h"

// Behind CUDA's headers, whose dim3 it takes.
#pragma GCC visibility push(default)
#include "hip/hip_runtime_api.h"
#pragma GCC visibility pop

namespace lockstep::hip {

hipError_t error_of(cudaError_t error);
inline hipError_t error_of(CUresult result) { return error_of(static_cast<cudaError_t>(result)); }

// CUDA's driver asks for cuInit and a context first; HIP has one API, where neither is needed.
inline void use_driver() { runtime::note_call(); }

template <class To, class From>
To converted(From from) {
    if constexpr (std::is_same_v<To, cudaMemcpyKind> && std::is_same_v<From, hipMemcpyKind>) {
        return from == hipMemcpyDeviceToDeviceNoCU ? cudaMemcpyDeviceToDevice
                                                   : static_cast<cudaMemcpyKind>(from);
    } else if constexpr (std::is_convertible_v<From, To> && std::is_arithmetic_v<To>) {
        return static_cast<To>(from);
    } else {
        static_assert(sizeof(To) == sizeof(From));
        To to;
        std::memcpy(static_cast<void*>(&to), &from, sizeof to);
        return to;
    }
}

// `function` is of CUDA's runtime or its driver.
template <class Result, class... Parameters, class... Arguments>
hipError_t same(Result (*function)(Parameters...), Arguments... arguments) {
    if constexpr (std::is_same_v<Result, CUresult>) use_driver();
    return error_of(function(converted<Parameters>(arguments)...));
}

}  // namespace lockstep::hip
