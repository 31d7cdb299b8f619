// Programs that are built with a default stream a thread call functions of their own (cudaLaunchKernel_ptsz),
// which differ in what the null stream means. C++ can make them from the types of the others, but not give
// what it makes a C name; so the name is bound to it when the library is loaded (an ifunc).
#pragma once
#include "runtime/call.h"

namespace lockstep::runtime {

template <auto function>
struct WithThreadStream;

template <class Result, class... Arguments, Result (*function)(Arguments...)>
struct WithThreadStream<function> {
    static Result call(Arguments... arguments) {
        const ThreadStreamScope scope;
        return function(arguments...);
    }
};

}  // namespace lockstep::runtime

// It runs before a sanitizer's library is ready.
#define LOCKSTEP_RESOLVER __attribute__((no_sanitize("address", "thread", "undefined")))

#define LOCKSTEP_PER_THREAD(function, suffix)                                         \
    extern "C" {                                                                      \
    LOCKSTEP_RESOLVER auto* function##suffix##_resolver() {                           \
        return &lockstep::runtime::WithThreadStream<&function>::call;                 \
    }                                                                                 \
    decltype(function) function##suffix                                               \
        __attribute__((ifunc(#function #suffix "_resolver"), visibility("default"))); \
    }                                                                                 \
    static_assert(true)
