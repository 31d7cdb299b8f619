/* Scans of the lanes of one warp: each thread's value with those of lower ranks. */
#ifndef LOCKSTEP_COOPERATIVE_GROUPS_COALESCED_SCAN_H
#define LOCKSTEP_COOPERATIVE_GROUPS_COALESCED_SCAN_H
#include "../../cooperative_groups.h"
#ifdef LOCKSTEP_CG_AVAILABLE

LOCKSTEP_CG_BEGIN
namespace details {

template <class Group, class T, class Operation>
LOCKSTEP_CG T scan_lanes(const Group& group, T value, Operation& operation) {
    const unsigned int rank = group.thread_rank(), threads = group.num_threads();
    for (unsigned int step = 1; step < threads; step *= 2) {
        const T before = group.shfl_up(value, step);
        if (step <= rank) value = operation(value, before);
    }
    return value;
}

/* `Size` neighbouring lanes, as scan_lanes wants its groups. */
template <unsigned int Size>
struct lane_row {
    unsigned int mask;
    static LOCKSTEP_CG unsigned int thread_rank() { return lane() & (Size - 1); }
    static LOCKSTEP_CG unsigned int num_threads() { return Size; }
    template <class T>
    LOCKSTEP_CG T shfl_up(T value, unsigned int delta) const {
        return shuffle_up(mask, value, delta, Size);
    }
};

}  // namespace details
LOCKSTEP_CG_END

#endif
#endif
