// What serves one request after the other.
#pragma once
#include <algorithm>

namespace lockstep::timing {

struct Server {
    double free = 0;
    double busy = 0;
    // When a request that comes at `now` and takes `cost` is begun.
    double take(double now, double cost) {
        const double begin = std::max(now, free);
        free = begin + cost;
        busy += cost;
        return begin;
    }
};

}  // namespace lockstep::timing
