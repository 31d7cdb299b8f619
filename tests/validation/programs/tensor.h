// What the programs of matrix instructions share: inputs, the results' hash, and the instructions themselves.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

#include "program.h"

// Bytes that are no NaN in any format: small numbers of both signs as f16, bf16, tf32 or integers.
template <class T>
std::vector<T> small_numbers(std::size_t count, std::uint32_t seed) {
    std::vector<T> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t bits = (static_cast<std::uint32_t>(i) + seed) * 0x9e3779b1u;
        bits = (bits ^ bits >> 15) * 0x85ebca6bu;
        values[i] = T(static_cast<float>(static_cast<int>(bits >> 27) - 16) / 4);
    }
    return values;
}

template <class T>
void print_hash(const char* name, const T* device, std::size_t count) {
    const std::vector<T> values = to_host(device, count);
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (std::size_t i = 0; i < count * sizeof(T); ++i)
        hash = (hash ^ reinterpret_cast<const unsigned char*>(values.data())[i]) * 0x100000001b3u;
    std::printf("%-24s %016llx\n", name, static_cast<unsigned long long>(hash));
}

__device__ __forceinline__ std::uint32_t shared_address(const void* p) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}
__device__ __forceinline__ void load_matrices(std::uint32_t (&r)[4], const void* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(shared_address(row)));
}
__device__ __forceinline__ void load_turned(std::uint32_t (&r)[4], const void* row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(shared_address(row)));
}

// d += a b
#define MMA(name, shape, T, constraint)                                                                 \
    __device__ __forceinline__ void name(T(&d)[4], const std::uint32_t(&a)[4], std::uint32_t b0,        \
                                         std::uint32_t b1) {                                            \
        asm volatile("mma.sync.aligned." shape " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
                     : "+" constraint(d[0]), "+" constraint(d[1]), "+" constraint(d[2]),                \
                       "+" constraint(d[3])                                                             \
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));                   \
    }
MMA(mma_f16, "m16n8k16.row.col.f32.f16.f16.f32", float, "f")
MMA(mma_bf16, "m16n8k16.row.col.f32.bf16.bf16.f32", float, "f")
MMA(mma_tf32, "m16n8k8.row.col.f32.tf32.tf32.f32", float, "f")
MMA(mma_s8, "m16n8k32.row.col.s32.s8.s8.s32", int, "r")
#undef MMA
__device__ __forceinline__ void mma_f16_short(float (&d)[4], std::uint32_t a0, std::uint32_t a1,
                                              std::uint32_t b) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a0), "r"(a1), "r"(b));
}
__device__ __forceinline__ void mma_f64(double (&d)[2], double a, double b) {
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(d[0]), "+d"(d[1])
                 : "d"(a), "d"(b));
}
