/* One value of all threads of a group. The order is that of CUDA's shuffles, so that sums of floats have its
 * rounding. */
#ifndef LOCKSTEP_COOPERATIVE_GROUPS_REDUCE_H
#define LOCKSTEP_COOPERATIVE_GROUPS_REDUCE_H
#include "coalesced_scan.h"
#include "functional.h"
#ifdef LOCKSTEP_CG_AVAILABLE

LOCKSTEP_CG_BEGIN
namespace details {

/* 16 or 32 lanes, or any that are coalesced, have an instruction for integers of up to 32 bits. */
#if LOCKSTEP_ARCH >= 800
template <class T>
struct redux_type {
    static_assert(sizeof(T) <= 4, "");
    using type = typename std::conditional<std::is_unsigned<T>::value, unsigned int, int>::type;
};
template <class T>
LOCKSTEP_CG T redux(unsigned int mask, T value, const plus<T>&) {
    return (T)__reduce_add_sync(mask, (typename redux_type<T>::type)value);
}
template <class T>
LOCKSTEP_CG T redux(unsigned int mask, T value, const less<T>&) {
    return (T)__reduce_min_sync(mask, (typename redux_type<T>::type)value);
}
template <class T>
LOCKSTEP_CG T redux(unsigned int mask, T value, const greater<T>&) {
    return (T)__reduce_max_sync(mask, (typename redux_type<T>::type)value);
}
template <class T>
LOCKSTEP_CG T redux(unsigned int mask, T value, const bit_and<T>&) {
    return (T)__reduce_and_sync(mask, (unsigned int)(typename redux_type<T>::type)value);
}
template <class T>
LOCKSTEP_CG T redux(unsigned int mask, T value, const bit_or<T>&) {
    return (T)__reduce_or_sync(mask, (unsigned int)(typename redux_type<T>::type)value);
}
template <class T>
LOCKSTEP_CG T redux(unsigned int mask, T value, const bit_xor<T>&) {
    return (T)__reduce_xor_sync(mask, (unsigned int)(typename redux_type<T>::type)value);
}
template <class T, class Operation>
struct has_redux : std::false_type {};
#define LOCKSTEP_REDUX(operation)     \
    template <class T>                \
    struct has_redux<T, operation<T>> \
        : std::integral_constant<bool, std::is_integral<T>::value && sizeof(T) <= 4> {};
LOCKSTEP_REDUX(plus)
LOCKSTEP_REDUX(less)
LOCKSTEP_REDUX(greater)
LOCKSTEP_REDUX(bit_and)
LOCKSTEP_REDUX(bit_or)
LOCKSTEP_REDUX(bit_xor)
#undef LOCKSTEP_REDUX
#else
template <class T, class Operation>
struct has_redux : std::false_type {};
template <class T, class Operation>
LOCKSTEP_CG T redux(unsigned int mask, T value, const Operation&);
#endif

/* Of `size` neighbouring lanes, all of them in `mask`. */
template <class T, class Operation>
LOCKSTEP_CG T butterfly(unsigned int mask, unsigned int size, T value, Operation& operation) {
    for (unsigned int step = size / 2; step > 0; step /= 2)
        value = operation(value, shuffle_xor(mask, value, step, (int)size));
    return value;
}

template <class T, class Operation>
LOCKSTEP_CG T reduce_tile(unsigned int mask, unsigned int, T value, Operation& operation, std::true_type) {
    return redux(mask, value, operation);
}
template <class T, class Operation>
LOCKSTEP_CG T reduce_tile(unsigned int mask, unsigned int size, T value, Operation& operation,
                          std::false_type) {
    return butterfly(mask, size, value, operation);
}
template <unsigned int Size, class T, class Operation>
LOCKSTEP_CG T reduce_tile(unsigned int mask, T value, Operation& operation) {
    return reduce_tile(
        mask, Size, value, operation,
        std::integral_constant<bool, (Size >= 16) && has_redux<T, remove_qual<Operation>>::value>());
}

template <class T, class Operation>
LOCKSTEP_CG T reduce_lanes(const coalesced_group& group, T value, Operation& operation, std::true_type) {
    return redux(group_access::mask(group), value, operation);
}
template <class T, class Operation>
LOCKSTEP_CG T reduce_lanes(const coalesced_group& group, T value, Operation& operation, std::false_type) {
    const unsigned int mask = group_access::mask(group);
    if (mask == 0xffffffffu) return butterfly(mask, 32, value, operation);
    return shuffle(mask, scan_lanes(group, value, operation), 31 - __clz((int)mask));
}

template <class T, class Operation>
LOCKSTEP_CG T reduce(const coalesced_group& group, T value, Operation& operation) {
    return reduce_lanes(group, value, operation,
                        std::integral_constant<bool, has_redux<T, remove_qual<Operation>>::value>());
}
template <unsigned int Size, class T, class Operation>
LOCKSTEP_CG T reduce(const tile<Size, false>& group, T value, Operation& operation) {
    return reduce_tile<Size>(group_access::mask(group), value, operation);
}
/* First in the warps, then between them. */
template <unsigned int Size, class T, class Operation>
LOCKSTEP_CG T reduce(const tile<Size, true>& group, T value, Operation& operation) {
    return group.gather(reduce_tile<32>(0xffffffffu, value, operation), [&](T of_warp, unsigned int lanes) {
        return reduce_tile<Size / 32>(lanes, of_warp, operation);
    });
}

}  // namespace details

template <class Group, class T, class Operation>
LOCKSTEP_CG auto reduce(const Group& group, T&& value, Operation&& operation)
    -> decltype(operation(value, value)) {
    using Value = details::remove_qual<T>;
    static_assert(std::is_same<details::remove_qual<decltype(operation(value, value))>, Value>::value,
                  "the operation gives a value of another type");
    return details::reduce<>(group, static_cast<Value>(value), operation);
}

/* One thread of the group stores the sum, or adds it to an atomic variable; the others need not wait for it.
 */
template <class Group, class T, class Value, class Operation>
LOCKSTEP_CG void reduce_store_async(const Group& group, T* to, Value&& value, Operation&& operation) {
    const T result = reduce(group, static_cast<T>(value), operation);
    if (group.thread_rank() == 0) *to = result;
}
template <class Group, class Atomic, class Value, class Operation, class T = details::value_of_atomic<Atomic>>
LOCKSTEP_CG void reduce_store_async(const Group& group, Atomic&& to, Value&& value, Operation&& operation) {
    const T result = reduce(group, static_cast<T>(value), operation);
    if (group.thread_rank() == 0) to.store(result);
}
template <class Group, class Atomic, class Value, class Operation, class T = details::value_of_atomic<Atomic>>
LOCKSTEP_CG void reduce_update_async(const Group& group, Atomic&& to, Value&& value, Operation&& operation) {
    const T result = reduce(group, static_cast<T>(value), operation);
    if (group.thread_rank() == 0) details::update_atomic(to, result, operation);
}

LOCKSTEP_CG_END

#endif
#endif
