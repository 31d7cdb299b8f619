#include "timing/units.h"

#include <algorithm>

namespace lockstep::timing {

int latency_of(machine::Unit unit, const gpu::TimingFigures& t) {
    switch (unit) {
#define LOCKSTEP_UNIT(name, latency_class, latency, interval) \
    case machine::Unit::name: return latency;
#include "machine/units.def"
#undef LOCKSTEP_UNIT
    }
    return 0;
}

double issue_interval(machine::Unit unit, const gpu::GpuModel& gpu) {
    const gpu::TimingFigures& t = gpu.timing;
    const auto threads = [&](int in_a_cycle) {
        return std::max(1.0 / t.issues_per_cycle,
                        static_cast<double>(gpu.warp_size) * t.schedulers / in_a_cycle);
    };
    switch (unit) {
#define LOCKSTEP_UNIT(name, latency_class, latency, interval) \
    case machine::Unit::name: return interval;
#include "machine/units.def"
#undef LOCKSTEP_UNIT
    }
    return 0;
}

}  // namespace lockstep::timing
