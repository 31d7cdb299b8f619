// Whether this is compiled for AddressSanitizer or ThreadSanitizer, which GCC and clang say differently.
#pragma once

#ifdef __has_feature
#define LOCKSTEP_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#define LOCKSTEP_THREAD_SANITIZER __has_feature(thread_sanitizer)
#else
#ifdef __SANITIZE_ADDRESS__
#define LOCKSTEP_ADDRESS_SANITIZER 1
#else
#define LOCKSTEP_ADDRESS_SANITIZER 0
#endif
#ifdef __SANITIZE_THREAD__
#define LOCKSTEP_THREAD_SANITIZER 1
#else
#define LOCKSTEP_THREAD_SANITIZER 0
#endif
#endif
