// Our libraries are compiled for the plainest CPU of a family, so that one build runs on all of them. On
// arm64 that has vector units worth using; on x86-64 it has not (no 32-bit products, no wide registers). A
// hot loop over lanes is therefore compiled there for newer CPUs as well, and the loader picks. The code of
// kernels needs none of this: the JIT knows the CPU.
#pragma once

// Sanitizers are not up yet when the loader picks. (GCC and clang name them differently.)
#ifdef __has_feature
#define LOCKSTEP_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LOCKSTEP_SANITIZED 1
#else
#define LOCKSTEP_SANITIZED 0
#endif

#if defined(__x86_64__) && !LOCKSTEP_SANITIZED
#define LOCKSTEP_CPU_CLONES __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define LOCKSTEP_CPU_CLONES
#endif
