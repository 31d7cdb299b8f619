// PTX written by hand: carry chains, bit fields, special registers, predicates, labels, vector and
// shared-memory forms.
// ALSO: nvcc
// RUN: lockstep run %s
// OUT: ^inline-ptx ok$
#include "support/check.h"

__device__ void add128(unsigned* result, const unsigned* a, const unsigned* b) {
    asm("add.cc.u32 %0, %4, %8;\n\t"
        "addc.cc.u32 %1, %5, %9;\n\t"
        "addc.cc.u32 %2, %6, %10;\n\t"
        "addc.u32 %3, %7, %11;"
        : "=r"(result[0]), "=r"(result[1]), "=r"(result[2]), "=r"(result[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]));
}

__device__ unsigned special(int which) {
    unsigned value = 0;
    if (which == 0) asm("mov.u32 %0, %%tid.x;" : "=r"(value));
    if (which == 1) asm("mov.u32 %0, %%ntid.x;" : "=r"(value));
    if (which == 2) asm("mov.u32 %0, %%ctaid.x;" : "=r"(value));
    if (which == 3) asm("mov.u32 %0, %%nctaid.x;" : "=r"(value));
    if (which == 4) asm volatile("mov.u32 %0, %%laneid;" : "=r"(value));
    if (which == 5) asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(value));
    if (which == 6) asm volatile("mov.u32 %0, %%lanemask_eq;" : "=r"(value));
    if (which == 7) asm volatile("mov.u32 %0, WARP_SZ;" : "=r"(value));
    return value;
}

__global__ void by_hand(unsigned* out, const uint4* in, unsigned* copied) {
    int t = threadIdx.x;
    unsigned* o = out + t * 20;
    unsigned a[4] = {0xFFFFFFFFu, 0xFFFFFFFFu, static_cast<unsigned>(t), 5},
             b[4] = {static_cast<unsigned>(t), 0, 0xFFFFFFF0u, 7};
    add128(o, a, b);
    for (int k = 0; k < 8; ++k) o[4 + k] = special(k);
    asm("bfe.u32 %0, %1, 8, 12;" : "=r"(o[12]) : "r"(0xABCDEF12u + t));
    asm("bfi.b32 %0, %1, %2, 4, 8;" : "=r"(o[13]) : "r"(static_cast<unsigned>(t)), "r"(0xFFFFFFFFu));
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(o[14]) : "r"(t), "r"(0xF0F0u), "r"(0x1234u));
    asm("{\n\t"
        ".reg .pred p;\n\t"
        "setp.gt.u32 p, %1, 10;\n\t"
        "selp.u32 %0, 111, 222, p;\n\t"
        "@p add.u32 %0, %0, 1000;\n\t"
        "}"
        : "=r"(o[15])
        : "r"(static_cast<unsigned>(t)));
    unsigned count = 0;
    asm volatile(
        "{\n\t"
        ".reg .pred p;\n\t"
        ".reg .u32 i;\n\t"
        "mov.u32 i, %1;\n"
        "$again%=:\n\t"
        "add.u32 %0, %0, i;\n\t"
        "sub.u32 i, i, 1;\n\t"
        "setp.ne.u32 p, i, 0;\n\t"
        "@p bra $again%=;\n\t"
        "}"
        : "+r"(count)
        : "r"(static_cast<unsigned>(t + 1)));
    o[16] = count;
    asm("mad.wide.u32 %0, %1, %2, %3;"
        : "=l"(*reinterpret_cast<unsigned long long*>(o + 18))
        : "r"(0x80000000u), "r"(static_cast<unsigned>(t)), "l"(7ull));
    unsigned x, y, z, w;
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                 : "l"(in + t));
    o[17] = x + y + z + w;

    __shared__ unsigned shared[64];
    unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&shared[t]));
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(o[17]) : "memory");
    __syncthreads();
    unsigned neighbour = static_cast<unsigned>(__cvta_generic_to_shared(&shared[(t + 1) % blockDim.x]));
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(x) : "r"(neighbour) : "memory");
    copied[t] = x;
}

int main() {
    const int n = 64;
    std::vector<uint4> in(n);
    for (unsigned i = 0; i < n; ++i) in[i] = make_uint4(i, i * 2, i * 3, 1);
    unsigned *out = device_zeros<unsigned>(n * 20), *copied = device_zeros<unsigned>(n);
    by_hand<<<1, n>>>(out, to_device(in), copied);
    auto h = to_host(out, n * 20);
    auto c = to_host(copied, n);
    for (unsigned t = 0; t < n; ++t) {
        const unsigned* o = &h[t * 20];
        unsigned long long carry = 0, a[4] = {0xFFFFFFFFu, 0xFFFFFFFFu, t, 5}, b[4] = {t, 0, 0xFFFFFFF0u, 7};
        for (int k = 0; k < 4; ++k) {
            carry += a[k] + b[k];
            EXPECT_AT(t, o[k], static_cast<unsigned>(carry));
            carry >>= 32;
        }
        unsigned registers[8] = {t, n, 0, 1, t % 32, (1u << (t % 32)) - 1, 1u << (t % 32), 32};
        for (int k = 0; k < 8; ++k) EXPECT_AT(t, o[4 + k], registers[k]);
        EXPECT_AT(t, o[12], (0xABCDEF12u + t) >> 8 & 0xFFF);
        EXPECT_AT(t, o[13], (0xFFFFFFFFu & ~0xFF0u) | (t & 0xFF) << 4);
        EXPECT_AT(t, o[14], t ^ 0xF0F0u ^ 0x1234u);
        EXPECT_AT(t, o[15], t > 10 ? 1111 : 222);
        EXPECT_AT(t, o[16], (t + 1) * (t + 2) / 2);
        EXPECT_AT(t, o[17], 6 * t + 1);
        EXPECT_AT(t, o[18] | static_cast<unsigned long long>(o[19]) << 32, 0x80000000ull * t + 7);
        EXPECT_AT(t, c[t], 6 * ((t + 1) % n) + 1);
    }
    return finish("inline-ptx");
}
