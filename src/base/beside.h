// Work that somebody needs later.
#pragma once
#include <future>
#include <system_error>

#include "base/own-work.h"

namespace lockstep::base {

// On a thread of its own, if it is worth one and there is one to be had; otherwise when the result is asked
// for.
template <class Work>
auto beside(bool worth, Work work) {
    const auto own_work = [work] {
        const OwnWork own;
        return work();
    };
    if (worth) try {
            return std::async(std::launch::async, own_work);
        } catch (const std::system_error&) {
        }
    return std::async(std::launch::deferred, own_work);
}

}  // namespace lockstep::base
