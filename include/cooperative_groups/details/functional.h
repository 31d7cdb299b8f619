/* Operations for reduce and scan, and what they do to an atomic variable. */
#ifndef LOCKSTEP_COOPERATIVE_GROUPS_FUNCTIONAL_H
#define LOCKSTEP_COOPERATIVE_GROUPS_FUNCTIONAL_H
#include "info.h"
#ifdef LOCKSTEP_CG_AVAILABLE

LOCKSTEP_CG_BEGIN

template <class T>
struct plus {
    LOCKSTEP_CG T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
    LOCKSTEP_CG T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
    LOCKSTEP_CG T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
    LOCKSTEP_CG T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
    LOCKSTEP_CG T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
    LOCKSTEP_CG T operator()(T a, T b) const { return a ^ b; }
};

namespace details {

/* What a cuda::atomic or cuda::atomic_ref holds. */
template <class Atomic>
using value_of_atomic = remove_qual<decltype(some<Atomic&>().load())>;

/* Sums have an operation of their own; all others are compared and exchanged. The answer is the value before.
 */
template <class Atomic, class T, class Operation>
LOCKSTEP_CG T update_atomic(Atomic& atomic, T value, Operation& operation, std::false_type) {
    T old = atomic.load();
    while (!atomic.compare_exchange_weak(old, operation(old, value))) {
    }
    return old;
}
template <class Atomic, class T, class Operation>
LOCKSTEP_CG T update_atomic(Atomic& atomic, T value, Operation&, std::true_type) {
    return atomic.fetch_add(value);
}
template <class Atomic, class T, class Operation>
LOCKSTEP_CG T update_atomic(Atomic& atomic, T value, Operation& operation) {
    return update_atomic(
        atomic, value, operation,
        std::integral_constant<bool, std::is_same<remove_qual<Operation>, plus<T>>::value &&
                                         std::is_integral<T>::value && (sizeof(T) == 4 || sizeof(T) == 8)>());
}

}  // namespace details
LOCKSTEP_CG_END

#endif
#endif
