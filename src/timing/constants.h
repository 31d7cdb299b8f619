// An SM's cache of constant memory. Lanes that want different words are served one after the other.
#pragma once
#include "gpu/timing-figures.h"
#include "timing/cache.h"
#include "timing/memory.h"
#include "timing/trace.h"

namespace lockstep::timing {

class Constants {
  public:
    explicit Constants(const gpu::ConstantFigures& figures)
        : figures_(figures), cache_(figures.cache_bytes / counters::constant_line_bytes) {}

    struct Served {
        double begun = 0;  // when the request's turn came
        double more = 0;   // latency than of one word that is there
        double cost = 0;   // cycles for which it keeps the cache busy
        bool missed = false;
    };
    Served load(const Access& access, const BlockTrace& block, double now);
    // Until when it is busy with what it has taken in.
    double free() const { return server_.free; }

  private:
    const gpu::ConstantFigures& figures_;
    Cache cache_;
    Server server_;
};

}  // namespace lockstep::timing
