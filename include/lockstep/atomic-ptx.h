/* Atomic operations with an order and a scope on words of memory: PTX's qualified instructions on the device,
 * the compiler's builtins on the host. GPUs before 7.0 have no orders, and those before 6.0 no scopes: fences
 * stand around their instructions. */
#ifndef LOCKSTEP_ATOMIC_PTX_H
#define LOCKSTEP_ATOMIC_PTX_H
#include <atomic>

#include "cuda/std/cstdint"
#include "cuda/std/type_traits"
#ifndef __CUDA_ARCH__
#include <sched.h>
#endif

namespace cuda {

enum thread_scope {
    thread_scope_system = 0,
    thread_scope_device = 1,
    thread_scope_block = 2,
    thread_scope_thread = 10
};

namespace std {
using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;
}  // namespace std
using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

namespace lockstep {

/* The word that has the bits of a value. */
template <unsigned N>
struct Word {
    static_assert(N == 0, "atomic operations are for types of 1, 2, 4 or 8 bytes");
};
template <>
struct Word<1> {
    using type = unsigned char;
};
template <>
struct Word<2> {
    using type = unsigned short;
};
template <>
struct Word<4> {
    using type = unsigned int;
};
template <>
struct Word<8> {
    using type = unsigned long long;
};
template <class T>
using WordOf = typename Word<sizeof(T)>::type;
template <class To, class From>
LOCKSTEP_STD __forceinline__ To bits(const From& v) {
    static_assert(sizeof(To) == sizeof(From), "");
    To r;
    __builtin_memcpy(&r, &v, sizeof r);
    return r;
}

LOCKSTEP_STD __forceinline__ bool acquires(memory_order o) {
    return o == memory_order_acquire || o == memory_order_consume || o == memory_order_acq_rel ||
           o == memory_order_seq_cst;
}
LOCKSTEP_STD __forceinline__ bool releases(memory_order o) {
    return o == memory_order_release || o == memory_order_acq_rel || o == memory_order_seq_cst;
}

/* Somebody else should run. */
LOCKSTEP_STD __forceinline__ void pause() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
    asm volatile("nanosleep.u32 32;" ::: "memory");
#elif !defined(__CUDA_ARCH__)
    sched_yield();
#endif
}

#ifdef __CUDA_ARCH__

template <thread_scope S>
__device__ __forceinline__ void fence(memory_order o) {
    if (S == thread_scope_thread || o == memory_order_relaxed) {
        asm volatile("" ::: "memory");
        return;
    }
#if __CUDA_ARCH__ >= 700
    if (o == memory_order_seq_cst) {
        if (S == thread_scope_system) asm volatile("fence.sc.sys;" ::: "memory");
        if (S == thread_scope_device) asm volatile("fence.sc.gpu;" ::: "memory");
        if (S == thread_scope_block) asm volatile("fence.sc.cta;" ::: "memory");
        return;
    }
    if (S == thread_scope_system) asm volatile("fence.acq_rel.sys;" ::: "memory");
    if (S == thread_scope_device) asm volatile("fence.acq_rel.gpu;" ::: "memory");
    if (S == thread_scope_block) asm volatile("fence.acq_rel.cta;" ::: "memory");
#else
    if (S == thread_scope_system) asm volatile("membar.sys;" ::: "memory");
    if (S == thread_scope_device) asm volatile("membar.gl;" ::: "memory");
    if (S == thread_scope_block) asm volatile("membar.cta;" ::: "memory");
#endif
}

/* What of an order the instruction cannot say itself. A sequentially consistent one is a fence, then an
 * acquiring one. */
template <thread_scope S>
__device__ __forceinline__ void fence_before(memory_order o) {
#if __CUDA_ARCH__ >= 700
    if (o == memory_order_seq_cst) fence<S>(o);
#else
    if (releases(o)) fence<S>(o);
#endif
}
template <thread_scope S>
__device__ __forceinline__ void fence_after(memory_order o) {
#if __CUDA_ARCH__ < 700
    if (acquires(o)) fence<S>(o);
#else
    (void)o;
#endif
}

#if __CUDA_ARCH__ >= 700
#define LOCKSTEP_ATOM_SCOPED(emit, sem)    \
    do {                                   \
        if (S == thread_scope_system)      \
            emit(sem ".sys");              \
        else if (S == thread_scope_device) \
            emit(sem ".gpu");              \
        else                               \
            emit(sem ".cta");              \
    } while (0)
#define LOCKSTEP_ATOM_ORDERED(emit)                 \
    do {                                            \
        if (o == memory_order_relaxed)              \
            LOCKSTEP_ATOM_SCOPED(emit, ".relaxed"); \
        else if (o == memory_order_release)         \
            LOCKSTEP_ATOM_SCOPED(emit, ".release"); \
        else if (o == memory_order_acq_rel)         \
            LOCKSTEP_ATOM_SCOPED(emit, ".acq_rel"); \
        else                                        \
            LOCKSTEP_ATOM_SCOPED(emit, ".acquire"); \
    } while (0)
#define LOCKSTEP_LOAD_ORDERED(emit)                 \
    do {                                            \
        if (o == memory_order_relaxed)              \
            LOCKSTEP_ATOM_SCOPED(emit, ".relaxed"); \
        else                                        \
            LOCKSTEP_ATOM_SCOPED(emit, ".acquire"); \
    } while (0)
#define LOCKSTEP_STORE_ORDERED(emit)                \
    do {                                            \
        if (o == memory_order_release)              \
            LOCKSTEP_ATOM_SCOPED(emit, ".release"); \
        else                                        \
            LOCKSTEP_ATOM_SCOPED(emit, ".relaxed"); \
    } while (0)
#elif __CUDA_ARCH__ >= 600
#define LOCKSTEP_ATOM_ORDERED(emit)        \
    do {                                   \
        if (S == thread_scope_system)      \
            emit(".sys");                  \
        else if (S == thread_scope_device) \
            emit("");                      \
        else                               \
            emit(".cta");                  \
    } while (0)
#define LOCKSTEP_LOAD_ORDERED(emit) emit(".volatile")
#define LOCKSTEP_STORE_ORDERED(emit) emit(".volatile")
#else
#define LOCKSTEP_ATOM_ORDERED(emit) emit("")
#define LOCKSTEP_LOAD_ORDERED(emit) emit(".volatile")
#define LOCKSTEP_STORE_ORDERED(emit) emit(".volatile")
#endif

/* `held`: the type of the register. */
#define LOCKSTEP_ATOM_LOAD(type, held, ptx, constraint)                        \
    template <thread_scope S>                                                  \
    __device__ __forceinline__ type load(const type* p, memory_order o) {      \
        held r;                                                                \
        fence_before<S>(o == memory_order_seq_cst ? o : memory_order_relaxed); \
        LOCKSTEP_LOAD_ORDERED(LOCKSTEP_EMIT_##ptx##_LOAD);                     \
        fence_after<S>(o);                                                     \
        return (type)r;                                                        \
    }                                                                          \
    template <thread_scope S>                                                  \
    __device__ __forceinline__ void store(type* p, type v, memory_order o) {   \
        held r = v;                                                            \
        fence_before<S>(o);                                                    \
        LOCKSTEP_STORE_ORDERED(LOCKSTEP_EMIT_##ptx##_STORE);                   \
        fence_after<S>(o == memory_order_seq_cst ? o : memory_order_relaxed);  \
    }
#define LOCKSTEP_EMIT_u8_LOAD(q) asm volatile("ld" q ".u8 %0, [%1];" : "=r"(r) : "l"(p) : "memory")
#define LOCKSTEP_EMIT_u16_LOAD(q) asm volatile("ld" q ".u16 %0, [%1];" : "=h"(r) : "l"(p) : "memory")
#define LOCKSTEP_EMIT_u32_LOAD(q) asm volatile("ld" q ".u32 %0, [%1];" : "=r"(r) : "l"(p) : "memory")
#define LOCKSTEP_EMIT_u64_LOAD(q) asm volatile("ld" q ".u64 %0, [%1];" : "=l"(r) : "l"(p) : "memory")
#define LOCKSTEP_EMIT_u8_STORE(q) asm volatile("st" q ".u8 [%0], %1;" ::"l"(p), "r"(r) : "memory")
#define LOCKSTEP_EMIT_u16_STORE(q) asm volatile("st" q ".u16 [%0], %1;" ::"l"(p), "h"(r) : "memory")
#define LOCKSTEP_EMIT_u32_STORE(q) asm volatile("st" q ".u32 [%0], %1;" ::"l"(p), "r"(r) : "memory")
#define LOCKSTEP_EMIT_u64_STORE(q) asm volatile("st" q ".u64 [%0], %1;" ::"l"(p), "l"(r) : "memory")
LOCKSTEP_ATOM_LOAD(unsigned char, unsigned int, u8, "r")
LOCKSTEP_ATOM_LOAD(unsigned short, unsigned short, u16, "h")
LOCKSTEP_ATOM_LOAD(unsigned int, unsigned int, u32, "r")
LOCKSTEP_ATOM_LOAD(unsigned long long, unsigned long long, u64, "l")

#define LOCKSTEP_EMIT_ATOM_r(ptx, q) \
    asm volatile("atom" q "." ptx " %0, [%1], %2;" : "=r"(r) : "l"(p), "r"(v) : "memory")
#define LOCKSTEP_EMIT_ATOM_l(ptx, q) \
    asm volatile("atom" q "." ptx " %0, [%1], %2;" : "=l"(r) : "l"(p), "l"(v) : "memory")
#define LOCKSTEP_EMIT_ATOM_f(ptx, q) \
    asm volatile("atom" q "." ptx " %0, [%1], %2;" : "=f"(r) : "l"(p), "f"(v) : "memory")
#define LOCKSTEP_EMIT_ATOM_d(ptx, q) \
    asm volatile("atom" q "." ptx " %0, [%1], %2;" : "=d"(r) : "l"(p), "d"(v) : "memory")
#define LOCKSTEP_ATOM(name, type, op, register_)                            \
    template <thread_scope S>                                               \
    __device__ __forceinline__ type name(type* p, type v, memory_order o) { \
        type r;                                                             \
        fence_before<S>(o);                                                 \
        LOCKSTEP_ATOM_ORDERED(LOCKSTEP_EMIT_##op);                          \
        fence_after<S>(o);                                                  \
        return r;                                                           \
    }
#define LOCKSTEP_EMIT_exch_b32(q) LOCKSTEP_EMIT_ATOM_r("exch.b32", q)
#define LOCKSTEP_EMIT_exch_b64(q) LOCKSTEP_EMIT_ATOM_l("exch.b64", q)
#define LOCKSTEP_EMIT_add_u32(q) LOCKSTEP_EMIT_ATOM_r("add.u32", q)
#define LOCKSTEP_EMIT_add_u64(q) LOCKSTEP_EMIT_ATOM_l("add.u64", q)
#define LOCKSTEP_EMIT_add_f32(q) LOCKSTEP_EMIT_ATOM_f("add.f32", q)
#define LOCKSTEP_EMIT_add_f64(q) LOCKSTEP_EMIT_ATOM_d("add.f64", q)
#define LOCKSTEP_EMIT_and_b32(q) LOCKSTEP_EMIT_ATOM_r("and.b32", q)
#define LOCKSTEP_EMIT_and_b64(q) LOCKSTEP_EMIT_ATOM_l("and.b64", q)
#define LOCKSTEP_EMIT_or_b32(q) LOCKSTEP_EMIT_ATOM_r("or.b32", q)
#define LOCKSTEP_EMIT_or_b64(q) LOCKSTEP_EMIT_ATOM_l("or.b64", q)
#define LOCKSTEP_EMIT_xor_b32(q) LOCKSTEP_EMIT_ATOM_r("xor.b32", q)
#define LOCKSTEP_EMIT_xor_b64(q) LOCKSTEP_EMIT_ATOM_l("xor.b64", q)
#define LOCKSTEP_EMIT_min_u32(q) LOCKSTEP_EMIT_ATOM_r("min.u32", q)
#define LOCKSTEP_EMIT_min_s32(q) LOCKSTEP_EMIT_ATOM_r("min.s32", q)
#define LOCKSTEP_EMIT_min_u64(q) LOCKSTEP_EMIT_ATOM_l("min.u64", q)
#define LOCKSTEP_EMIT_min_s64(q) LOCKSTEP_EMIT_ATOM_l("min.s64", q)
#define LOCKSTEP_EMIT_max_u32(q) LOCKSTEP_EMIT_ATOM_r("max.u32", q)
#define LOCKSTEP_EMIT_max_s32(q) LOCKSTEP_EMIT_ATOM_r("max.s32", q)
#define LOCKSTEP_EMIT_max_u64(q) LOCKSTEP_EMIT_ATOM_l("max.u64", q)
#define LOCKSTEP_EMIT_max_s64(q) LOCKSTEP_EMIT_ATOM_l("max.s64", q)
LOCKSTEP_ATOM(exch, unsigned int, exch_b32, r)
LOCKSTEP_ATOM(exch, unsigned long long, exch_b64, l)
LOCKSTEP_ATOM(add, unsigned int, add_u32, r)
LOCKSTEP_ATOM(add, unsigned long long, add_u64, l)
LOCKSTEP_ATOM(add, float, add_f32, f)
#if __CUDA_ARCH__ >= 600
LOCKSTEP_ATOM(add, double, add_f64, d)
#endif
LOCKSTEP_ATOM(and_, unsigned int, and_b32, r)
LOCKSTEP_ATOM(and_, unsigned long long, and_b64, l)
LOCKSTEP_ATOM(or_, unsigned int, or_b32, r)
LOCKSTEP_ATOM(or_, unsigned long long, or_b64, l)
LOCKSTEP_ATOM(xor_, unsigned int, xor_b32, r)
LOCKSTEP_ATOM(xor_, unsigned long long, xor_b64, l)
LOCKSTEP_ATOM(min, unsigned int, min_u32, r)
LOCKSTEP_ATOM(min, int, min_s32, r)
LOCKSTEP_ATOM(min, unsigned long long, min_u64, l)
LOCKSTEP_ATOM(min, long long, min_s64, l)
LOCKSTEP_ATOM(max, unsigned int, max_u32, r)
LOCKSTEP_ATOM(max, int, max_s32, r)
LOCKSTEP_ATOM(max, unsigned long long, max_u64, l)
LOCKSTEP_ATOM(max, long long, max_s64, l)

/* The old value. */
#define LOCKSTEP_ATOM_CAS(type, emit)                                                     \
    template <thread_scope S>                                                             \
    __device__ __forceinline__ type cas(type* p, type expected, type v, memory_order o) { \
        type r;                                                                           \
        fence_before<S>(o);                                                               \
        LOCKSTEP_ATOM_ORDERED(emit);                                                      \
        fence_after<S>(o);                                                                \
        return r;                                                                         \
    }
#define LOCKSTEP_EMIT_CAS16(q) \
    asm volatile("atom" q ".cas.b16 %0, [%1], %2, %3;" : "=h"(r) : "l"(p), "h"(expected), "h"(v) : "memory")
#define LOCKSTEP_EMIT_CAS32(q) \
    asm volatile("atom" q ".cas.b32 %0, [%1], %2, %3;" : "=r"(r) : "l"(p), "r"(expected), "r"(v) : "memory")
#define LOCKSTEP_EMIT_CAS64(q) \
    asm volatile("atom" q ".cas.b64 %0, [%1], %2, %3;" : "=l"(r) : "l"(p), "l"(expected), "l"(v) : "memory")
#if __CUDA_ARCH__ >= 700
LOCKSTEP_ATOM_CAS(unsigned short, LOCKSTEP_EMIT_CAS16)
#endif
LOCKSTEP_ATOM_CAS(unsigned int, LOCKSTEP_EMIT_CAS32)
LOCKSTEP_ATOM_CAS(unsigned long long, LOCKSTEP_EMIT_CAS64)

/* What is smaller than the smallest instruction is part of a larger word. */
template <thread_scope S, class Large, class Small>
__device__ __forceinline__ Small cas_part(Small* p, Small expected, Small v, memory_order o) {
    unsigned long long at = (unsigned long long)p, offset = at % sizeof(Large);
    Large* whole = (Large*)(at - offset);
    unsigned int shift = (unsigned int)offset * 8;
    Large mask = (Large)((Large)(Small) ~(Small)0 << shift);
    Large old = load<S>(whole, memory_order_relaxed);
    for (;;) {
        Small now = (Small)(old >> shift);
        if (now != expected) {
            fence<S>(acquires(o) ? o : memory_order_relaxed);
            return now;
        }
        Large seen = cas<S>(whole, old, (Large)((old & ~mask) | (Large)((Large)v << shift)), o);
        if (seen == old) return expected;
        old = seen;
    }
}
#if __CUDA_ARCH__ >= 700
template <thread_scope S>
__device__ __forceinline__ unsigned char cas(unsigned char* p, unsigned char expected, unsigned char v,
                                             memory_order o) {
    return cas_part<S, unsigned short>(p, expected, v, o);
}
#else
template <thread_scope S>
__device__ __forceinline__ unsigned short cas(unsigned short* p, unsigned short expected, unsigned short v,
                                              memory_order o) {
    return cas_part<S, unsigned int>(p, expected, v, o);
}
template <thread_scope S>
__device__ __forceinline__ unsigned char cas(unsigned char* p, unsigned char expected, unsigned char v,
                                             memory_order o) {
    return cas_part<S, unsigned int>(p, expected, v, o);
}
#endif
template <thread_scope S, class W>
__device__ __forceinline__ W exch_by_cas(W* p, W v, memory_order o) {
    W old = load<S>(p, memory_order_relaxed);
    for (;;) {
        W seen = cas<S>(p, old, v, o);
        if (seen == old) return old;
        old = seen;
    }
}
template <thread_scope S>
__device__ __forceinline__ unsigned short exch(unsigned short* p, unsigned short v, memory_order o) {
    return exch_by_cas<S>(p, v, o);
}
template <thread_scope S>
__device__ __forceinline__ unsigned char exch(unsigned char* p, unsigned char v, memory_order o) {
    return exch_by_cas<S>(p, v, o);
}

#undef LOCKSTEP_ATOM_SCOPED
#undef LOCKSTEP_ATOM_ORDERED
#undef LOCKSTEP_LOAD_ORDERED
#undef LOCKSTEP_STORE_ORDERED
#undef LOCKSTEP_ATOM_LOAD
#undef LOCKSTEP_ATOM
#undef LOCKSTEP_ATOM_CAS

#else

template <thread_scope S>
LOCKSTEP_STD __forceinline__ void fence(memory_order o) {
    if (S == thread_scope_thread)
        __atomic_signal_fence((int)o);
    else
        __atomic_thread_fence((int)o);
}
template <thread_scope S, class W>
LOCKSTEP_STD __forceinline__ W load(const W* p, memory_order o) {
    return __atomic_load_n(p, (int)o);
}
template <thread_scope S, class W>
LOCKSTEP_STD __forceinline__ void store(W* p, W v, memory_order o) {
    __atomic_store_n(p, v, (int)o);
}
template <thread_scope S, class W>
LOCKSTEP_STD __forceinline__ W exch(W* p, W v, memory_order o) {
    return __atomic_exchange_n(p, v, (int)o);
}
template <thread_scope S, class W>
LOCKSTEP_STD __forceinline__ W cas(W* p, W expected, W v, memory_order o) {
    __atomic_compare_exchange_n(p, &expected, v, false, (int)o,
                                o == memory_order_release   ? __ATOMIC_RELAXED
                                : o == memory_order_acq_rel ? __ATOMIC_ACQUIRE
                                                            : (int)o);
    return expected;
}
template <thread_scope S, class W>
LOCKSTEP_STD __forceinline__ W add(W* p, W v, memory_order o) {
    return __atomic_fetch_add(p, v, (int)o);
}
template <thread_scope S, class W>
LOCKSTEP_STD __forceinline__ W and_(W* p, W v, memory_order o) {
    return __atomic_fetch_and(p, v, (int)o);
}
template <thread_scope S, class W>
LOCKSTEP_STD __forceinline__ W or_(W* p, W v, memory_order o) {
    return __atomic_fetch_or(p, v, (int)o);
}
template <thread_scope S, class W>
LOCKSTEP_STD __forceinline__ W xor_(W* p, W v, memory_order o) {
    return __atomic_fetch_xor(p, v, (int)o);
}

#endif

/* Any function of the old value. */
template <thread_scope S, class T, class F>
LOCKSTEP_STD __forceinline__ T update(T* p, F f, memory_order o) {
    using W = WordOf<T>;
    W* word = reinterpret_cast<W*>(p);
    W old = load<S>(word, memory_order_relaxed);
    for (;;) {
        W seen = cas<S>(word, old, bits<W>(static_cast<T>(f(bits<T>(old)))), o);
        if (seen == old) return bits<T>(old);
        old = seen;
    }
}

/* An instruction where there is one for the type, else `update`. */
template <class T>
struct IsPlainInteger : std::bool_constant<std::is_integral<T>::value && (sizeof(T) == 4 || sizeof(T) == 8)> {
};
template <class T>
struct HasFloatAdd
#if !defined(__CUDA_ARCH__)
    : std::false_type
#elif __CUDA_ARCH__ >= 600
    : std::bool_constant<std::is_same<T, float>::value || std::is_same<T, double>::value>
#else
    : std::is_same<T, float>
#endif
{
};
template <class T>
struct HasMinMax
#ifdef __CUDA_ARCH__
    : IsPlainInteger<T>
#else
    : std::false_type
#endif
{
};
/* int or unsigned int, long long or unsigned long long: what the instructions are declared for. */
template <class T>
using Plain = std::conditional_t<std::is_signed<T>::value, std::conditional_t<sizeof(T) == 4, int, long long>,
                                 std::conditional_t<sizeof(T) == 4, unsigned int, unsigned long long>>;

template <thread_scope S, class T, std::enable_if_t<IsPlainInteger<T>::value, int> = 0>
LOCKSTEP_STD __forceinline__ T fetch_add(T* p, T v, memory_order o) {
    using W = WordOf<T>;
    return (T)add<S>(reinterpret_cast<W*>(p), (W)v, o);
}
template <thread_scope S, class T, std::enable_if_t<HasFloatAdd<T>::value, int> = 0>
LOCKSTEP_STD __forceinline__ T fetch_add(T* p, T v, memory_order o) {
#ifdef __CUDA_ARCH__
    return add<S>(p, v, o);
#else
    (void)p;
    (void)o;
    return v;
#endif
}
template <thread_scope S, class T,
          std::enable_if_t<!IsPlainInteger<T>::value && !HasFloatAdd<T>::value, int> = 0>
LOCKSTEP_STD __forceinline__ T fetch_add(T* p, T v, memory_order o) {
    return update<S>(p, [v](T old) { return static_cast<T>(old + v); }, o);
}
#define LOCKSTEP_FETCH(name, op, symbol)                                                     \
    template <thread_scope S, class T, std::enable_if_t<IsPlainInteger<T>::value, int> = 0>  \
    LOCKSTEP_STD __forceinline__ T name(T* p, T v, memory_order o) {                         \
        using W = WordOf<T>;                                                                 \
        return (T)op<S>(reinterpret_cast<W*>(p), (W)v, o);                                   \
    }                                                                                        \
    template <thread_scope S, class T, std::enable_if_t<!IsPlainInteger<T>::value, int> = 0> \
    LOCKSTEP_STD __forceinline__ T name(T* p, T v, memory_order o) {                         \
        return update<S>(p, [v](T old) { return static_cast<T>(old symbol v); }, o);         \
    }
LOCKSTEP_FETCH(fetch_and, and_, &)
LOCKSTEP_FETCH(fetch_or, or_, |)
LOCKSTEP_FETCH(fetch_xor, xor_, ^)
#undef LOCKSTEP_FETCH
#ifdef __CUDA_ARCH__
#define LOCKSTEP_FETCH_INSTRUCTION(name) return (T)name<S>(reinterpret_cast<Plain<T>*>(p), (Plain<T>)v, o)
#else
#define LOCKSTEP_FETCH_INSTRUCTION(name) return (void)p, (void)o, v
#endif
#define LOCKSTEP_FETCH(name, op, symbol)                                                \
    template <thread_scope S, class T, std::enable_if_t<HasMinMax<T>::value, int> = 0>  \
    LOCKSTEP_STD __forceinline__ T name(T* p, T v, memory_order o) {                    \
        LOCKSTEP_FETCH_INSTRUCTION(op);                                                 \
    }                                                                                   \
    template <thread_scope S, class T, std::enable_if_t<!HasMinMax<T>::value, int> = 0> \
    LOCKSTEP_STD __forceinline__ T name(T* p, T v, memory_order o) {                    \
        return update<S>(p, [v](T old) { return v symbol old ? v : old; }, o);          \
    }
LOCKSTEP_FETCH(fetch_min, min, <)
LOCKSTEP_FETCH(fetch_max, max, >)
#undef LOCKSTEP_FETCH
#undef LOCKSTEP_FETCH_INSTRUCTION

}  // namespace lockstep
}  // namespace cuda

#endif
