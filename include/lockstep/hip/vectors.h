/* HIP_vector_type<T, n>: what float4 and the others are in C++. */
#ifndef LOCKSTEP_HIP_VECTORS_H
#define LOCKSTEP_HIP_VECTORS_H
#include "hip/hip_common.h"

#define LOCKSTEP_HD __host__ __device__ __forceinline__

/* Two and four components are aligned as a whole, four of 8 bytes to 32 (CUDA: 16). `data` is clang's own
   vector of the same numbers. */
template <class T, unsigned int n>
using lockstep_native_vector = T __attribute__((ext_vector_type(n)));
template <class T, unsigned int n>
struct HIP_vector_base;
template <class T>
struct HIP_vector_base<T, 1> {
    union {
        struct {
            T x;
        };
        lockstep_native_vector<T, 1> data;
    };
    static constexpr unsigned int size = 1;
};
template <class T>
struct alignas(2 * sizeof(T)) HIP_vector_base<T, 2> {
    union {
        struct {
            T x, y;
        };
        lockstep_native_vector<T, 2> data;
    };
    static constexpr unsigned int size = 2;
};
template <class T>
struct HIP_vector_base<T, 3> {
    T x, y, z;
    static constexpr unsigned int size = 3;
};
template <class T>
struct alignas(4 * sizeof(T)) HIP_vector_base<T, 4> {
    union {
        struct {
            T x, y, z, w;
        };
        lockstep_native_vector<T, 4> data;
    };
    static constexpr unsigned int size = 4;
};

template <class T, unsigned int n>
struct HIP_vector_type : HIP_vector_base<T, n> {
    typedef T value_type;

    HIP_vector_type() = default;
    /* One number for all components. */
    LOCKSTEP_HD HIP_vector_type(T v) {
        for (unsigned int i = 0; i < n; ++i) (*this)[i] = v;
    }
    template <class... U>
    LOCKSTEP_HD HIP_vector_type(T first, T second, U... rest) {
        static_assert(sizeof...(rest) + 2 == n, "as many numbers as the vector has components, or one");
        const T all[] = {first, second, T(rest)...};
        for (unsigned int i = 0; i < n; ++i) (*this)[i] = all[i];
    }
    template <class U>
    LOCKSTEP_HD explicit HIP_vector_type(const HIP_vector_type<U, n>& other) {
        for (unsigned int i = 0; i < n; ++i) (*this)[i] = T(other[i]);
    }

    LOCKSTEP_HD T& operator[](unsigned int i) { return (&this->x)[i]; }
    LOCKSTEP_HD const T& operator[](unsigned int i) const { return (&this->x)[i]; }

#define LOCKSTEP_COMPOUND(op)                                                 \
    LOCKSTEP_HD HIP_vector_type& operator op(const HIP_vector_type & other) { \
        for (unsigned int i = 0; i < n; ++i) (*this)[i] op other[i];          \
        return *this;                                                         \
    }                                                                         \
    LOCKSTEP_HD HIP_vector_type& operator op(T other) {                       \
        for (unsigned int i = 0; i < n; ++i) (*this)[i] op other;             \
        return *this;                                                         \
    }
    LOCKSTEP_COMPOUND(+=)
    LOCKSTEP_COMPOUND(-=)
    LOCKSTEP_COMPOUND(*=)
    LOCKSTEP_COMPOUND(/=)
    LOCKSTEP_COMPOUND(%=)
    LOCKSTEP_COMPOUND(&=)
    LOCKSTEP_COMPOUND(|=)
    LOCKSTEP_COMPOUND(^=)
    LOCKSTEP_COMPOUND(<<=)
    LOCKSTEP_COMPOUND(>>=)
#undef LOCKSTEP_COMPOUND
    LOCKSTEP_HD HIP_vector_type& operator++() { return *this += T(1); }
    LOCKSTEP_HD HIP_vector_type& operator--() { return *this -= T(1); }
    LOCKSTEP_HD HIP_vector_type operator++(int) {
        HIP_vector_type before = *this;
        *this += T(1);
        return before;
    }
    LOCKSTEP_HD HIP_vector_type operator--(int) {
        HIP_vector_type before = *this;
        *this -= T(1);
        return before;
    }
    LOCKSTEP_HD HIP_vector_type operator-() const {
        HIP_vector_type r;
        for (unsigned int i = 0; i < n; ++i) r[i] = -(*this)[i];
        return r;
    }
    LOCKSTEP_HD HIP_vector_type operator~() const {
        HIP_vector_type r;
        for (unsigned int i = 0; i < n; ++i) r[i] = ~(*this)[i];
        return r;
    }
};

/* A number beside a vector stands for a vector of it; any arithmetic type will do. */
template <bool condition, class T>
struct __lockstep_if {};
template <class T>
struct __lockstep_if<true, T> {
    typedef T type;
};
template <class U>
struct __lockstep_is_number {
    static constexpr bool value = false;
};
#define LOCKSTEP_NUMBER(type)               \
    template <>                             \
    struct __lockstep_is_number<type> {     \
        static constexpr bool value = true; \
    };
LOCKSTEP_NUMBER(bool)
LOCKSTEP_NUMBER(char)
LOCKSTEP_NUMBER(signed char)
LOCKSTEP_NUMBER(unsigned char)
LOCKSTEP_NUMBER(short)
LOCKSTEP_NUMBER(unsigned short)
LOCKSTEP_NUMBER(int)
LOCKSTEP_NUMBER(unsigned int)
LOCKSTEP_NUMBER(long)
LOCKSTEP_NUMBER(unsigned long)
LOCKSTEP_NUMBER(long long)
LOCKSTEP_NUMBER(unsigned long long)
LOCKSTEP_NUMBER(float)
LOCKSTEP_NUMBER(double)
#undef LOCKSTEP_NUMBER
/* clang-format off */
#define LOCKSTEP_OPERATOR(op, compound)                                                                        \
    template <class T, unsigned int n>                                                                         \
    LOCKSTEP_HD HIP_vector_type<T, n> operator op(const HIP_vector_type<T, n>& a,                              \
                                                  const HIP_vector_type<T, n>& b) {                            \
        HIP_vector_type<T, n> r = a;                                                                           \
        return r compound b;                                                                                   \
    }                                                                                                          \
    template <class T, unsigned int n, class U>                                                                \
    LOCKSTEP_HD typename __lockstep_if<__lockstep_is_number<U>::value, HIP_vector_type<T, n> >::type           \
    operator op(const HIP_vector_type<T, n>& a, U b) {                                                         \
        HIP_vector_type<T, n> r = a;                                                                           \
        return r compound T(b);                                                                                \
    }                                                                                                          \
    template <class T, unsigned int n, class U>                                                                \
    LOCKSTEP_HD typename __lockstep_if<__lockstep_is_number<U>::value, HIP_vector_type<T, n> >::type           \
    operator op(U a, const HIP_vector_type<T, n>& b) {                                                         \
        HIP_vector_type<T, n> r = HIP_vector_type<T, n>(T(a));                                                 \
        return r compound b;                                                                                   \
    }
LOCKSTEP_OPERATOR(+, +=)
LOCKSTEP_OPERATOR(-, -=)
LOCKSTEP_OPERATOR(*, *=)
LOCKSTEP_OPERATOR(/, /=)
LOCKSTEP_OPERATOR(%, %=)
LOCKSTEP_OPERATOR(&, &=)
LOCKSTEP_OPERATOR(|, |=)
LOCKSTEP_OPERATOR(^, ^=)
LOCKSTEP_OPERATOR(<<, <<=)
LOCKSTEP_OPERATOR(>>, >>=)
#undef LOCKSTEP_OPERATOR
/* clang-format on */

template <class T, unsigned int n>
LOCKSTEP_HD bool operator==(const HIP_vector_type<T, n>& a, const HIP_vector_type<T, n>& b) {
    for (unsigned int i = 0; i < n; ++i)
        if (a[i] != b[i]) return false;
    return true;
}
template <class T, unsigned int n>
LOCKSTEP_HD bool operator!=(const HIP_vector_type<T, n>& a, const HIP_vector_type<T, n>& b) {
    return !(a == b);
}

#define LOCKSTEP_VECTORS(name, type)          \
    typedef HIP_vector_type<type, 1> name##1; \
    typedef HIP_vector_type<type, 2> name##2; \
    typedef HIP_vector_type<type, 3> name##3; \
    typedef HIP_vector_type<type, 4> name##4;
LOCKSTEP_VECTORS(char, char)
LOCKSTEP_VECTORS(uchar, unsigned char)
LOCKSTEP_VECTORS(short, short)
LOCKSTEP_VECTORS(ushort, unsigned short)
LOCKSTEP_VECTORS(int, int)
LOCKSTEP_VECTORS(uint, unsigned int)
LOCKSTEP_VECTORS(long, long)
LOCKSTEP_VECTORS(ulong, unsigned long)
LOCKSTEP_VECTORS(longlong, long long)
LOCKSTEP_VECTORS(ulonglong, unsigned long long)
LOCKSTEP_VECTORS(float, float)
LOCKSTEP_VECTORS(double, double)
#undef LOCKSTEP_VECTORS
#undef LOCKSTEP_HD

#include "lockstep/make-vectors.h"

#endif
