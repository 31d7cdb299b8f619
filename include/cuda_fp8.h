/* 8-bit floating point, e4m3 and e5m2, alone and in twos and fours: storage and conversions. */
#ifndef LOCKSTEP_CUDA_FP8_H
#define LOCKSTEP_CUDA_FP8_H
/* Programs ask for CUDA's own include guard, too. */
#define __CUDA_FP8_H__
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "lockstep/fp8-bits.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short int __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#ifdef __cplusplus
#define LOCKSTEP_FP8 static __host__ __device__ __forceinline__

LOCKSTEP_FP8 __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double x, const __nv_saturation_t saturate,
                                                       const __nv_fp8_interpretation_t kind) {
    return lockstep_double_to_fp8(x, kind == __NV_E4M3 ? 3 : 2, kind == __NV_E4M3,
                                  saturate == __NV_SATFINITE);
}
LOCKSTEP_FP8 __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(const float2 x, const __nv_saturation_t saturate,
                                                           const __nv_fp8_interpretation_t kind) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
    if (saturate == __NV_SATFINITE) {
        unsigned short r;
        if (kind == __NV_E4M3)
            asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(r) : "f"(x.y), "f"(x.x));
        else
            asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(r) : "f"(x.y), "f"(x.x));
        return r;
    }
#endif
    /* A NaN loses its sign; a double's keeps it. */
    const unsigned int low = x.x != x.x ? 0x7f : __nv_cvt_double_to_fp8(x.x, saturate, kind),
                       high = x.y != x.y ? 0x7f : __nv_cvt_double_to_fp8(x.y, saturate, kind);
    return (__nv_fp8x2_storage_t)(low | high << 8);
}
LOCKSTEP_FP8 __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float x, const __nv_saturation_t saturate,
                                                      const __nv_fp8_interpretation_t kind) {
    float2 both;
    both.x = x;
    both.y = 0.0f;
    return (__nv_fp8_storage_t)__nv_cvt_float2_to_fp8x2(both, saturate, kind);
}
LOCKSTEP_FP8 __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(const double2 x, const __nv_saturation_t saturate,
                                                            const __nv_fp8_interpretation_t kind) {
    return (__nv_fp8x2_storage_t)(__nv_cvt_double_to_fp8(x.x, saturate, kind) |
                                  __nv_cvt_double_to_fp8(x.y, saturate, kind) << 8);
}
LOCKSTEP_FP8 float lockstep_float_of(const __half_raw x) { return __lockstep_half_to_float(x.x); }
LOCKSTEP_FP8 float lockstep_float_of(const __nv_bfloat16_raw x) {
    return lockstep_bits_float((unsigned int)x.x << 16);
}
LOCKSTEP_FP8 __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw x, const __nv_saturation_t saturate,
                                                        const __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float_to_fp8(lockstep_float_of(x), saturate, kind);
}
LOCKSTEP_FP8 __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(const __half2_raw x,
                                                             const __nv_saturation_t saturate,
                                                             const __nv_fp8_interpretation_t kind) {
    float2 both;
    both.x = __lockstep_half_to_float(x.x);
    both.y = __lockstep_half_to_float(x.y);
    return __nv_cvt_float2_to_fp8x2(both, saturate, kind);
}
LOCKSTEP_FP8 __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw x,
                                                            const __nv_saturation_t saturate,
                                                            const __nv_fp8_interpretation_t kind) {
    return __nv_cvt_float_to_fp8(lockstep_float_of(x), saturate, kind);
}
LOCKSTEP_FP8 __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(const __nv_bfloat162_raw x,
                                                                 const __nv_saturation_t saturate,
                                                                 const __nv_fp8_interpretation_t kind) {
    float2 both;
    both.x = lockstep_bits_float((unsigned int)x.x << 16);
    both.y = lockstep_bits_float((unsigned int)x.y << 16);
    return __nv_cvt_float2_to_fp8x2(both, saturate, kind);
}
LOCKSTEP_FP8 __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x,
                                                    const __nv_fp8_interpretation_t kind) {
    __half2_raw r;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
    unsigned int both;
    if (kind == __NV_E4M3)
        asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(both) : "h"(x));
    else
        asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(both) : "h"(x));
    r.x = (unsigned short)both;
    r.y = (unsigned short)(both >> 16);
#else
    r.x = lockstep_fp8_to_half((unsigned char)x, kind == __NV_E4M3);
    r.y = lockstep_fp8_to_half((unsigned char)(x >> 8), kind == __NV_E4M3);
#endif
    return r;
}
LOCKSTEP_FP8 __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x,
                                                const __nv_fp8_interpretation_t kind) {
    __half_raw r;
    r.x = __nv_cvt_fp8x2_to_halfraw2(x, kind).x;
    return r;
}

/* Towards zero, held at the ends of the type; a NaN is zero, or the least of 64 bits. */
template <class T>
LOCKSTEP_FP8 T lockstep_fp8_integer(float v, T least, T most) {
    if (v != v) return sizeof(T) == 8 ? (T)(1ull << 63) : (T)0;
    return v >= (float)most ? most : v <= (float)least ? least : (T)v;
}

#define LOCKSTEP_FP8_FROM_INTEGER(name, kind, type)                 \
    explicit __host__ __device__ __forceinline__ name(const type v) \
        : __x(__nv_cvt_double_to_fp8((double)(float)v, __NV_SATFINITE, kind)) {}
#define LOCKSTEP_FP8_TO_INTEGER(type, least, most)                       \
    explicit __host__ __device__ __forceinline__ operator type() const { \
        return lockstep_fp8_integer<type>(float(*this), least, most);    \
    }

#define LOCKSTEP_FP8_TYPES(suffix, kind)                                                                    \
    struct __attribute__((aligned(1))) __nv_fp8_##suffix {                                                  \
        __nv_fp8_storage_t __x;                                                                             \
        __nv_fp8_##suffix() = default;                                                                      \
        explicit __host__ __device__ __forceinline__ __nv_fp8_##suffix(const __half f)                      \
            : __x(__nv_cvt_halfraw_to_fp8(static_cast<__half_raw>(f), __NV_SATFINITE, kind)) {}             \
        explicit __host__ __device__ __forceinline__ __nv_fp8_##suffix(const __nv_bfloat16 f)               \
            : __x(__nv_cvt_bfloat16raw_to_fp8(static_cast<__nv_bfloat16_raw>(f), __NV_SATFINITE, kind)) {}  \
        explicit __host__ __device__ __forceinline__ __nv_fp8_##suffix(const float f)                       \
            : __x(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, kind)) {}                                        \
        explicit __host__ __device__ __forceinline__ __nv_fp8_##suffix(const double f)                      \
            : __x(__nv_cvt_double_to_fp8(f, __NV_SATFINITE, kind)) {}                                       \
        LOCKSTEP_FP8_FROM_INTEGER(__nv_fp8_##suffix, kind, unsigned short)                                  \
        LOCKSTEP_FP8_FROM_INTEGER(__nv_fp8_##suffix, kind, unsigned int)                                    \
        LOCKSTEP_FP8_FROM_INTEGER(__nv_fp8_##suffix, kind, unsigned long)                                   \
        LOCKSTEP_FP8_FROM_INTEGER(__nv_fp8_##suffix, kind, unsigned long long)                              \
        LOCKSTEP_FP8_FROM_INTEGER(__nv_fp8_##suffix, kind, short)                                           \
        LOCKSTEP_FP8_FROM_INTEGER(__nv_fp8_##suffix, kind, int)                                             \
        LOCKSTEP_FP8_FROM_INTEGER(__nv_fp8_##suffix, kind, long)                                            \
        LOCKSTEP_FP8_FROM_INTEGER(__nv_fp8_##suffix, kind, long long)                                       \
        explicit __host__ __device__ __forceinline__ operator __half() const {                              \
            return static_cast<__half>(__nv_cvt_fp8_to_halfraw(__x, kind));                                 \
        }                                                                                                   \
        explicit __host__ __device__ __forceinline__ operator float() const {                               \
            return lockstep_float_of(__nv_cvt_fp8_to_halfraw(__x, kind));                                   \
        }                                                                                                   \
        explicit __host__ __device__ __forceinline__ operator __nv_bfloat16() const {                       \
            return __float2bfloat16_rz(float(*this));                                                       \
        }                                                                                                   \
        explicit __host__ __device__ __forceinline__ operator double() const { return float(*this); }       \
        LOCKSTEP_FP8_TO_INTEGER(unsigned char, 0, 0xff)                                                     \
        LOCKSTEP_FP8_TO_INTEGER(unsigned short, 0, 0xffff)                                                  \
        LOCKSTEP_FP8_TO_INTEGER(unsigned int, 0, 0xffffffff)                                                \
        LOCKSTEP_FP8_TO_INTEGER(unsigned long, 0, ~0ul)                                                     \
        LOCKSTEP_FP8_TO_INTEGER(unsigned long long, 0, ~0ull)                                               \
        LOCKSTEP_FP8_TO_INTEGER(signed char, -128, 127)                                                     \
        LOCKSTEP_FP8_TO_INTEGER(char, (char)-1 < 0 ? (char)-128 : (char)0,                                  \
                                (char)-1 < 0 ? (char)127 : (char)-1)                                        \
        LOCKSTEP_FP8_TO_INTEGER(short, -32768, 32767)                                                       \
        LOCKSTEP_FP8_TO_INTEGER(int, -0x7fffffff - 1, 0x7fffffff)                                           \
        LOCKSTEP_FP8_TO_INTEGER(long, (long)(1ul << 63), (long)~(1ul << 63))                                \
        LOCKSTEP_FP8_TO_INTEGER(long long, (long long)(1ull << 63), (long long)~(1ull << 63))               \
        explicit __host__ __device__ __forceinline__ operator bool() const { return (__x & 0x7f) != 0; }    \
    };                                                                                                      \
    struct __attribute__((aligned(2))) __nv_fp8x2_##suffix {                                                \
        __nv_fp8x2_storage_t __x;                                                                           \
        __nv_fp8x2_##suffix() = default;                                                                    \
        explicit __host__ __device__ __forceinline__ __nv_fp8x2_##suffix(const __half2 f)                   \
            : __x(__nv_cvt_halfraw2_to_fp8x2(static_cast<__half2_raw>(f), __NV_SATFINITE, kind)) {}         \
        explicit __host__ __device__ __forceinline__ __nv_fp8x2_##suffix(const __nv_bfloat162 f)            \
            : __x(__nv_cvt_bfloat16raw2_to_fp8x2(static_cast<__nv_bfloat162_raw>(f), __NV_SATFINITE,        \
                                                 kind)) {}                                                  \
        explicit __host__ __device__ __forceinline__ __nv_fp8x2_##suffix(const float2 f)                    \
            : __x(__nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, kind)) {}                                     \
        explicit __host__ __device__ __forceinline__ __nv_fp8x2_##suffix(const double2 f)                   \
            : __x(__nv_cvt_double2_to_fp8x2(f, __NV_SATFINITE, kind)) {}                                    \
        explicit __host__ __device__ __forceinline__ operator __half2() const {                             \
            return static_cast<__half2>(__nv_cvt_fp8x2_to_halfraw2(__x, kind));                             \
        }                                                                                                   \
        explicit __host__ __device__ __forceinline__ operator float2() const {                              \
            const __half2_raw h = __nv_cvt_fp8x2_to_halfraw2(__x, kind);                                    \
            float2 r;                                                                                       \
            r.x = __lockstep_half_to_float(h.x);                                                            \
            r.y = __lockstep_half_to_float(h.y);                                                            \
            return r;                                                                                       \
        }                                                                                                   \
    };                                                                                                      \
    struct __attribute__((aligned(4))) __nv_fp8x4_##suffix {                                                \
        __nv_fp8x4_storage_t __x;                                                                           \
        __nv_fp8x4_##suffix() = default;                                                                    \
        explicit __host__ __device__ __forceinline__ __nv_fp8x4_##suffix(const __half2 low,                 \
                                                                         const __half2 high)                \
            : __x(__nv_fp8x2_##suffix(low).__x | (unsigned int)__nv_fp8x2_##suffix(high).__x << 16) {}      \
        explicit __host__ __device__ __forceinline__ __nv_fp8x4_##suffix(const __nv_bfloat162 low,          \
                                                                         const __nv_bfloat162 high)         \
            : __x(__nv_fp8x2_##suffix(low).__x | (unsigned int)__nv_fp8x2_##suffix(high).__x << 16) {}      \
        explicit __host__ __device__ __forceinline__ __nv_fp8x4_##suffix(const float4 f)                    \
            : __x(four(__nv_cvt_float2_to_fp8x2(make_float2(f.x, f.y), __NV_SATFINITE, kind),               \
                       __nv_cvt_float2_to_fp8x2(make_float2(f.z, f.w), __NV_SATFINITE, kind))) {}           \
        explicit __host__ __device__ __forceinline__ __nv_fp8x4_##suffix(const double4 f)                   \
            : __x(four(__nv_cvt_double2_to_fp8x2(make_double2(f.x, f.y), __NV_SATFINITE, kind),             \
                       __nv_cvt_double2_to_fp8x2(make_double2(f.z, f.w), __NV_SATFINITE, kind))) {}         \
        explicit __host__ __device__ __forceinline__ operator float4() const {                              \
            __nv_fp8x2_##suffix low, high;                                                                  \
            low.__x = (__nv_fp8x2_storage_t)__x;                                                            \
            high.__x = (__nv_fp8x2_storage_t)(__x >> 16);                                                   \
            const float2 a = float2(low), b = float2(high);                                                 \
            return make_float4(a.x, a.y, b.x, b.y);                                                         \
        }                                                                                                   \
                                                                                                            \
      private:                                                                                              \
        static __host__ __device__ __forceinline__ unsigned int four(unsigned int low, unsigned int high) { \
            return low | high << 16;                                                                        \
        }                                                                                                   \
    };
LOCKSTEP_FP8_TYPES(e5m2, __NV_E5M2)
LOCKSTEP_FP8_TYPES(e4m3, __NV_E4M3)
#undef LOCKSTEP_FP8_TYPES
#undef LOCKSTEP_FP8_FROM_INTEGER
#undef LOCKSTEP_FP8_TO_INTEGER
#undef LOCKSTEP_FP8
#endif

#endif
