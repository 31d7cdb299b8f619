/* nvcuda::wmma: matrix products of a warp, over the compiler's own functions for them. */
#ifndef LOCKSTEP_MMA_H
#define LOCKSTEP_MMA_H
#ifdef __cplusplus
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#define LOCKSTEP_MMA __device__ __forceinline__

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };

/* The f32 whose low 13 bits do not count. */
LOCKSTEP_MMA float __float_to_tf32(float v) {
    unsigned r;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(v));
    return __uint_as_float(r);
}

namespace precision {
struct tf32;
}
namespace experimental {
namespace precision {
struct u4;
struct s4;
struct b1;
}  // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
}  // namespace experimental

namespace lockstep {

/* How elements of a type are stored: what a fragment's x has, and how many of them a register holds. */
template <class T>
struct element {
    using storage = T;
    static constexpr int in_register = sizeof(T) >= 4 ? 1 : 4 / sizeof(T);
};
template <>
struct element<precision::tf32> {
    using storage = float;
    static constexpr int in_register = 1;
};
struct packed_element {
    using storage = int;
    static constexpr int in_register = 1;
};
template <>
struct element<experimental::precision::u4> : packed_element {};
template <>
struct element<experimental::precision::s4> : packed_element {};
template <>
struct element<experimental::precision::b1> : packed_element {};

template <class Use, int m, int n, int k, class T>
struct functions; /* a specialisation for each fragment that there is */

template <class Layout>
struct layout_number;
template <>
struct layout_number<row_major> {
    static constexpr int value = 0;
};
template <>
struct layout_number<col_major> {
    static constexpr int value = 1;
};

template <class Functions, class Storage>
struct matrix {
    using element_type = Storage;
    static constexpr int num_elements = Functions::elements;
    static constexpr int num_storage_elements = Functions::elements;
    alignas(sizeof(Storage) < 4 ? 4 : sizeof(Storage)) Storage x[num_elements];
};

}  // namespace lockstep

template <class Use, int m, int n, int k, class T, class Layout = void>
class fragment
    : public lockstep::matrix<lockstep::functions<Use, m, n, k, T>, typename lockstep::element<T>::storage> {
};

namespace lockstep {

#define LOCKSTEP_FRAGMENT(use, m, n, k, type, registers) \
    template <>                                          \
    struct functions<use, m, n, k, type> {               \
        static constexpr int elements = (registers) * element<type>::in_register;

/* A matrix that is multiplied: what loads it. */
#define LOCKSTEP_INPUT(use, m, n, k, type, registers, word, function)            \
    LOCKSTEP_FRAGMENT(use, m, n, k, type, registers)                             \
    template <int layout>                                                        \
    static LOCKSTEP_MMA void load(void* to, const void* from, unsigned stride) { \
        function((word*)to, (const word*)from, stride, layout);                  \
    }                                                                            \
    }                                                                            \
    ;
/* One that is added to: what loads and stores it. */
#define LOCKSTEP_SUM(m, n, k, type, registers, word, load_function, store_function) \
    LOCKSTEP_FRAGMENT(accumulator, m, n, k, type, registers)                        \
    template <int layout>                                                           \
    static LOCKSTEP_MMA void load(void* to, const void* from, unsigned stride) {    \
        load_function((word*)to, (const word*)from, stride, layout);                \
    }                                                                               \
    template <int layout>                                                           \
    static LOCKSTEP_MMA void store(void* to, const void* from, unsigned stride) {   \
        store_function((word*)to, (const word*)from, stride, layout);               \
    }                                                                               \
    }                                                                               \
    ;

/* The product of these types: layouts are numbered row_row, row_col, col_row, col_col. */
template <int m, int n, int k, class A, class B, class C, class D>
struct product;
#define LOCKSTEP_PRODUCT(m, n, k, ta, tb, tc, td, word, c_word, d_word, may, call)                       \
    template <>                                                                                          \
    struct product<m, n, k, ta, tb, tc, td> {                                                            \
        static constexpr bool may_saturate = may;                                                        \
        template <int layouts, bool saturate>                                                            \
        static LOCKSTEP_MMA void multiply(void* d, const void* a, const void* b, const void* c) {        \
            call((d_word*)d, (const word*)a, (const word*)b, (const c_word*)c, layouts, saturate&& may); \
        }                                                                                                \
    };

#define LOCKSTEP_HALVES(m, n, k, shape)                                                          \
    LOCKSTEP_INPUT(matrix_a, m, n, k, __half, 8, int, __hmma_##shape##_ld_a)                     \
    LOCKSTEP_INPUT(matrix_b, m, n, k, __half, 8, int, __hmma_##shape##_ld_b)                     \
    LOCKSTEP_SUM(m, n, k, __half, 4, int, __hmma_##shape##_ld_c_f16, __hmma_##shape##_st_c_f16)  \
    LOCKSTEP_SUM(m, n, k, float, 8, float, __hmma_##shape##_ld_c_f32, __hmma_##shape##_st_c_f32) \
    LOCKSTEP_PRODUCT(m, n, k, __half, __half, __half, __half, int, int, int, false,              \
                     __hmma_##shape##_mma_f16f16)                                                \
    LOCKSTEP_PRODUCT(m, n, k, __half, __half, __half, float, int, int, float, false,             \
                     __hmma_##shape##_mma_f32f16)                                                \
    LOCKSTEP_PRODUCT(m, n, k, __half, __half, float, __half, int, float, int, false,             \
                     __hmma_##shape##_mma_f16f32)                                                \
    LOCKSTEP_PRODUCT(m, n, k, __half, __half, float, float, int, float, float, false,            \
                     __hmma_##shape##_mma_f32f32)
#define LOCKSTEP_BFLOATS(m, n, k, shape)                                                            \
    LOCKSTEP_INPUT(matrix_a, m, n, k, __nv_bfloat16, (m * k / 64), int, __mma_bf16_##shape##_ld_a)  \
    LOCKSTEP_INPUT(matrix_b, m, n, k, __nv_bfloat16, (n * k / 64), int, __mma_bf16_##shape##_ld_b)  \
    LOCKSTEP_PRODUCT(m, n, k, __nv_bfloat16, __nv_bfloat16, float, float, int, float, float, false, \
                     __mma_bf16_##shape##_mma_f32)
#define LOCKSTEP_BYTES(m, n, k, shape)                                                             \
    LOCKSTEP_INPUT(matrix_a, m, n, k, signed char, (m * k / 128), int, __imma_##shape##_ld_a_s8)   \
    LOCKSTEP_INPUT(matrix_a, m, n, k, unsigned char, (m * k / 128), int, __imma_##shape##_ld_a_u8) \
    LOCKSTEP_INPUT(matrix_b, m, n, k, signed char, (n * k / 128), int, __imma_##shape##_ld_b_s8)   \
    LOCKSTEP_INPUT(matrix_b, m, n, k, unsigned char, (n * k / 128), int, __imma_##shape##_ld_b_u8) \
    LOCKSTEP_SUM(m, n, k, int, 8, int, __imma_##shape##_ld_c, __imma_##shape##_st_c_i32)           \
    LOCKSTEP_PRODUCT(m, n, k, signed char, signed char, int, int, int, int, int, true,             \
                     __imma_##shape##_mma_s8)                                                      \
    LOCKSTEP_PRODUCT(m, n, k, unsigned char, unsigned char, int, int, int, int, int, true,         \
                     __imma_##shape##_mma_u8)

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700
/* The compiler has no such functions there, nor has the GPU the instructions. */
#else
LOCKSTEP_HALVES(16, 16, 16, m16n16k16)
LOCKSTEP_HALVES(32, 8, 16, m32n8k16)
LOCKSTEP_HALVES(8, 32, 16, m8n32k16)
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750
LOCKSTEP_BYTES(16, 16, 16, m16n16k16)
LOCKSTEP_BYTES(32, 8, 16, m32n8k16)
LOCKSTEP_BYTES(8, 32, 16, m8n32k16)
using experimental::precision::b1;
using experimental::precision::s4;
using experimental::precision::u4;
LOCKSTEP_INPUT(matrix_a, 8, 8, 32, s4, 1, int, __imma_m8n8k32_ld_a_s4)
LOCKSTEP_INPUT(matrix_a, 8, 8, 32, u4, 1, int, __imma_m8n8k32_ld_a_u4)
LOCKSTEP_INPUT(matrix_b, 8, 8, 32, s4, 1, int, __imma_m8n8k32_ld_b_s4)
LOCKSTEP_INPUT(matrix_b, 8, 8, 32, u4, 1, int, __imma_m8n8k32_ld_b_u4)
LOCKSTEP_SUM(8, 8, 32, int, 2, int, __imma_m8n8k32_ld_c, __imma_m8n8k32_st_c_i32)
LOCKSTEP_PRODUCT(8, 8, 32, s4, s4, int, int, int, int, int, true, __imma_m8n8k32_mma_s4)
LOCKSTEP_PRODUCT(8, 8, 32, u4, u4, int, int, int, int, int, true, __imma_m8n8k32_mma_u4)
LOCKSTEP_INPUT(matrix_a, 8, 8, 128, b1, 1, int, __bmma_m8n8k128_ld_a_b1)
LOCKSTEP_INPUT(matrix_b, 8, 8, 128, b1, 1, int, __bmma_m8n8k128_ld_b_b1)
LOCKSTEP_SUM(8, 8, 128, int, 2, int, __bmma_m8n8k128_ld_c, __bmma_m8n8k128_st_c_i32)
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
LOCKSTEP_BFLOATS(16, 16, 16, m16n16k16)
LOCKSTEP_BFLOATS(32, 8, 16, m32n8k16)
LOCKSTEP_BFLOATS(8, 32, 16, m8n32k16)
using precision::tf32;
LOCKSTEP_INPUT(matrix_a, 16, 16, 8, tf32, 4, int, __mma_tf32_m16n16k8_ld_a)
LOCKSTEP_INPUT(matrix_b, 16, 16, 8, tf32, 4, int, __mma_tf32_m16n16k8_ld_b)
LOCKSTEP_SUM(16, 16, 8, float, 8, float, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
LOCKSTEP_PRODUCT(16, 16, 8, tf32, tf32, float, float, int, float, float, false, __mma_tf32_m16n16k8_mma_f32)
LOCKSTEP_INPUT(matrix_a, 8, 8, 4, double, 1, double, __dmma_m8n8k4_ld_a)
LOCKSTEP_INPUT(matrix_b, 8, 8, 4, double, 1, double, __dmma_m8n8k4_ld_b)
LOCKSTEP_SUM(8, 8, 4, double, 2, double, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
LOCKSTEP_PRODUCT(8, 8, 4, double, double, double, double, double, double, double, false,
                 __dmma_m8n8k4_mma_f64)
#endif
#undef LOCKSTEP_HALVES
#undef LOCKSTEP_BFLOATS
#undef LOCKSTEP_BYTES
#undef LOCKSTEP_PRODUCT
#undef LOCKSTEP_SUM
#undef LOCKSTEP_INPUT
#undef LOCKSTEP_FRAGMENT

}  // namespace lockstep

/* A pointer to what stands in memory: elements, or words where several are in one. */
template <class Use, int m, int n, int k, class T, class Layout, class Memory>
LOCKSTEP_MMA void load_matrix_sync(fragment<Use, m, n, k, T, Layout>& a, const Memory* p, unsigned ldm) {
    lockstep::functions<Use, m, n, k, T>::template load<lockstep::layout_number<Layout>::value>(a.x, p, ldm);
}
template <int m, int n, int k, class T>
LOCKSTEP_MMA void load_matrix_sync(fragment<accumulator, m, n, k, T>& a, const T* p, unsigned ldm,
                                   layout_t layout) {
    if (layout == mem_row_major)
        lockstep::functions<accumulator, m, n, k, T>::template load<0>(a.x, p, ldm);
    else
        lockstep::functions<accumulator, m, n, k, T>::template load<1>(a.x, p, ldm);
}
template <int m, int n, int k, class T>
LOCKSTEP_MMA void store_matrix_sync(T* p, const fragment<accumulator, m, n, k, T>& a, unsigned ldm,
                                    layout_t layout) {
    if (layout == mem_row_major)
        lockstep::functions<accumulator, m, n, k, T>::template store<0>(p, a.x, ldm);
    else
        lockstep::functions<accumulator, m, n, k, T>::template store<1>(p, a.x, ldm);
}

template <class Use, int m, int n, int k, class T, class Layout, class Value>
LOCKSTEP_MMA void fill_fragment(fragment<Use, m, n, k, T, Layout>& a, const Value& value) {
    for (int i = 0; i < a.num_elements; ++i) a.x[i] = value;
}

template <int m, int n, int k, class A, class LayoutA, class B, class LayoutB, class C, class D>
LOCKSTEP_MMA void mma_sync(fragment<accumulator, m, n, k, D>& d,
                           const fragment<matrix_a, m, n, k, A, LayoutA>& a,
                           const fragment<matrix_b, m, n, k, B, LayoutB>& b,
                           const fragment<accumulator, m, n, k, C>& c, bool satf = false) {
    constexpr int layouts =
        lockstep::layout_number<LayoutA>::value * 2 + lockstep::layout_number<LayoutB>::value;
    using product = lockstep::product<m, n, k, A, B, C, D>;
    if (satf && !product::may_saturate) __trap(); /* PTX no longer has that for floats */
    if (satf)
        product::template multiply<layouts, true>(d.x, a.x, b.x, c.x);
    else
        product::template multiply<layouts, false>(d.x, a.x, b.x, c.x);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 750
template <class LayoutA, class LayoutB>
LOCKSTEP_MMA void bmma_sync(fragment<accumulator, 8, 8, 128, int>& d,
                            const fragment<matrix_a, 8, 8, 128, experimental::precision::b1, LayoutA>& a,
                            const fragment<matrix_b, 8, 8, 128, experimental::precision::b1, LayoutB>& b,
                            const fragment<accumulator, 8, 8, 128, int>& c,
                            experimental::bmmaBitOp op = experimental::bmmaBitOpXOR,
                            experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    if (op == experimental::bmmaBitOpAND) return __bmma_m8n8k128_mma_and_popc_b1(d.x, a.x, b.x, c.x, 1);
#endif
    __bmma_m8n8k128_mma_xor_popc_b1(d.x, a.x, b.x, c.x, 1);
}
namespace experimental {
using wmma::bmma_sync;
}
#endif

}  // namespace wmma
}  // namespace nvcuda

#undef LOCKSTEP_MMA
#endif
#endif
