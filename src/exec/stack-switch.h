// What AddressSanitizer and ThreadSanitizer must be told when execution goes on on another stack: the one
// keeps the bounds of the running stack, the other its calls. Nothing without them.
#pragma once
#include <cstddef>

#include "base/sanitizers.h"
#if LOCKSTEP_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#elif LOCKSTEP_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace lockstep::exec {

// One for each stack between which execution switches.
class KnownStack {
  public:
#if LOCKSTEP_ADDRESS_SANITIZER
    // A stack of our own, with nothing on it. What frames left behind that never returned is forgotten.
    void create(void* begin, std::size_t bytes) {
        begin_ = begin, bytes_ = bytes, frames_ = nullptr;
        __asan_unpoison_memory_region(begin, bytes);
    }
    void destroy() { __asan_unpoison_memory_region(begin_, bytes_); }
    // The last thing on this stack before the switch; `for_good`: it will not be gone on with.
    void leave_for(KnownStack& next, bool for_good) {
        __sanitizer_start_switch_fiber(for_good ? nullptr : &frames_, next.begin_, next.bytes_);
    }
    // The first thing after it, on this stack. A thread's own stack is known from here on.
    void arrive_from(KnownStack* left) {
        if (left)
            __sanitizer_finish_switch_fiber(frames_, &left->begin_, &left->bytes_);
        else
            __sanitizer_finish_switch_fiber(frames_, nullptr, nullptr);
    }

  private:
    const void* begin_ = nullptr;
    std::size_t bytes_ = 0;
    void* frames_ = nullptr;  // those that AddressSanitizer keeps elsewhere
#elif LOCKSTEP_THREAD_SANITIZER
    void create(void*, std::size_t) {
        if (fiber_) __tsan_destroy_fiber(fiber_);
        fiber_ = __tsan_create_fiber(0);
    }
    void destroy() { __tsan_destroy_fiber(fiber_); }
    void leave_for(KnownStack& next, bool) {
        fiber_ = __tsan_get_current_fiber();
        __tsan_switch_to_fiber(next.fiber_, 0);
    }
    void arrive_from(KnownStack*) {}

  private:
    void* fiber_ = nullptr;
#else
    void create(void*, std::size_t) {}
    void destroy() {}
    void leave_for(KnownStack&, bool) {}
    void arrive_from(KnownStack*) {}
#endif
};

}  // namespace lockstep::exec
