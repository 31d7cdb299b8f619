/* Waiting with an end: for as long as a duration, or until a point in time. */
#ifndef LOCKSTEP_BARRIER_WAIT_H
#define LOCKSTEP_BARRIER_WAIT_H
#include "cuda/std/chrono"
#include "lockstep/atomic-ptx.h"

namespace cuda {
namespace lockstep {

template <class Condition>
LOCKSTEP_STD void wait_until_true(Condition condition) {
    while (!condition()) pause();
}
template <class Condition, class Rep, class Period>
LOCKSTEP_STD bool wait_for_true(Condition condition, const std::chrono::duration<Rep, Period>& longest) {
    const auto begin = std::chrono::steady_clock::now();
    for (;;) {
        if (condition()) return true;
        if (std::chrono::steady_clock::now() - begin >= longest) return condition();
        pause();
    }
}
template <class Condition, class Clock, class Duration>
LOCKSTEP_STD bool wait_until_time(Condition condition, const std::chrono::time_point<Clock, Duration>& end) {
    return lockstep::wait_for_true(condition, end - Clock::now());
}

}  // namespace lockstep
}  // namespace cuda

#endif
