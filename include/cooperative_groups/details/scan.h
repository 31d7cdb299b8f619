/* Each thread's value with those of lower ranks, its own included or not. */
#ifndef LOCKSTEP_COOPERATIVE_GROUPS_SCAN_H
#define LOCKSTEP_COOPERATIVE_GROUPS_SCAN_H
#include "coalesced_scan.h"
#include "functional.h"
#ifdef LOCKSTEP_CG_AVAILABLE

LOCKSTEP_CG_BEGIN
namespace details {

/* What a thread has with those of lower ranks. The thread of rank 0 has nothing before it: T(). */
template <class T>
struct scanned {
    T inclusive, exclusive;
};

template <class Group, class T, class Operation>
LOCKSTEP_CG scanned<T> scan_warp(const Group& group, T value, Operation& operation) {
    scanned<T> result = {scan_lanes(group, value, operation), T()};
    const T before = group.shfl_up(result.inclusive, 1);
    if (group.thread_rank() != 0) result.exclusive = before;
    return result;
}

template <class T, class Operation>
LOCKSTEP_CG scanned<T> scan(const coalesced_group& group, T value, Operation& operation) {
    return scan_warp(group, value, operation);
}
template <unsigned int Size, class T, class Operation>
LOCKSTEP_CG scanned<T> scan(const tile<Size, false>& group, T value, Operation& operation) {
    return scan_warp(group, value, operation);
}
/* First in the warps, then between them. */
template <unsigned int Size, class T, class Operation>
LOCKSTEP_CG scanned<T> scan(const tile<Size, true>& group, T value, Operation& operation) {
    scanned<T> result = scan_warp(lane_row<32>{0xffffffffu}, value, operation);
    const T before = group.gather(result.inclusive, [&](T of_warp, unsigned int lanes) {
        return scan_warp(lane_row<Size / 32>{lanes}, of_warp, operation).exclusive;
    });
    if (group.thread_rank() < 32) return result;
    result.inclusive = operation(result.inclusive, before);
    result.exclusive = lane() == 0 ? before : operation(result.exclusive, before);
    return result;
}

/* The same behind what an atomic variable held, to which the group's total is added. */
template <bool Inclusive, class Group, class Atomic, class T, class Operation>
LOCKSTEP_CG T scan_update(const Group& group, Atomic& atomic, T value, Operation& operation) {
    const scanned<T> own = scan(group, value, operation);
    const unsigned int last = group.num_threads() - 1;
    T old = T();
    if (group.thread_rank() == last) old = update_atomic(atomic, own.inclusive, operation);
    old = group.shfl(old, last);
    if (Inclusive) return operation(old, own.inclusive);
    return group.thread_rank() == 0 ? old : operation(old, own.exclusive);
}

}  // namespace details

template <class Group, class T, class Operation>
LOCKSTEP_CG auto inclusive_scan(const Group& group, T&& value, Operation&& operation)
    -> decltype(operation(value, value)) {
    return details::scan(group, static_cast<details::remove_qual<T>>(value), operation).inclusive;
}
template <class Group, class T>
LOCKSTEP_CG details::remove_qual<T> inclusive_scan(const Group& group, T&& value) {
    return inclusive_scan(group, value, plus<details::remove_qual<T>>());
}
template <class Group, class T, class Operation>
LOCKSTEP_CG auto exclusive_scan(const Group& group, T&& value, Operation&& operation)
    -> decltype(operation(value, value)) {
    return details::scan(group, static_cast<details::remove_qual<T>>(value), operation).exclusive;
}
template <class Group, class T>
LOCKSTEP_CG details::remove_qual<T> exclusive_scan(const Group& group, T&& value) {
    return exclusive_scan(group, value, plus<details::remove_qual<T>>());
}

template <class Group, class Atomic, class Value, class Operation, class T = details::value_of_atomic<Atomic>>
LOCKSTEP_CG T inclusive_scan_update(const Group& group, Atomic&& to, Value&& value, Operation&& operation) {
    return details::scan_update<true>(group, to, static_cast<T>(value), operation);
}
template <class Group, class Atomic, class Value, class T = details::value_of_atomic<Atomic>>
LOCKSTEP_CG T inclusive_scan_update(const Group& group, Atomic&& to, Value&& value) {
    return inclusive_scan_update(group, to, value, plus<T>());
}
template <class Group, class Atomic, class Value, class Operation, class T = details::value_of_atomic<Atomic>>
LOCKSTEP_CG T exclusive_scan_update(const Group& group, Atomic&& to, Value&& value, Operation&& operation) {
    return details::scan_update<false>(group, to, static_cast<T>(value), operation);
}
template <class Group, class Atomic, class Value, class T = details::value_of_atomic<Atomic>>
LOCKSTEP_CG T exclusive_scan_update(const Group& group, Atomic&& to, Value&& value) {
    return exclusive_scan_update(group, to, value, plus<T>());
}

LOCKSTEP_CG_END

#endif
#endif
