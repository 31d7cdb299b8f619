// wgmma: a warpgroup's products of matrices in shared memory, described by descriptors, or with a in registers.
// `in` has a warp's share of 16 KiB of shared memory (a at 0, b at 8 KiB), its registers of a, and its accumulators.
#define KERNEL extern "C" __global__ void

__device__ unsigned long long descriptor(const void* p, unsigned start, unsigned leading, unsigned stride, unsigned swizzle) {
    unsigned long long address = (__cvta_generic_to_shared(p) + start) & 0x3ffff;
    return address >> 4 | static_cast<unsigned long long>(leading >> 4) << 16 |
           static_cast<unsigned long long>(stride >> 4) << 32 | static_cast<unsigned long long>(swizzle) << 62;
}

#define IN4(c, x, i) c(x[i]), c(x[i + 1]), c(x[i + 2]), c(x[i + 3])
#define IN8(c, x, i) IN4(c, x, i), IN4(c, x, i + 4)
#define IN12(c, x, i) IN8(c, x, i), IN4(c, x, i + 8)
#define IN16(c, x, i) IN8(c, x, i), IN8(c, x, i + 8)
#define IN32(c, x, i) IN16(c, x, i), IN16(c, x, i + 16)
#define LIST4 "{%0,%1,%2,%3}"
#define AB4 "%4, %5"
#define RB4 "{%4, %5, %6, %7}, %8"
#define LIST8 "{%0,%1,%2,%3,%4,%5,%6,%7}"
#define AB8 "%8, %9"
#define RB8 "{%8, %9, %10, %11}, %12"
#define LIST12 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11}"
#define AB12 "%12, %13"
#define RB12 "{%12, %13, %14, %15}, %16"
#define LIST16 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15}"
#define AB16 "%16, %17"
#define RB16 "{%16, %17, %18, %19}, %20"
#define LIST32 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}"
#define AB32 "%32, %33"
#define RB32 "{%32, %33, %34, %35}, %36"

#define PROLOGUE(n)                                                                                          \
    __shared__ __align__(1024) unsigned memory[4096];                                                        \
    unsigned d[n], warp = threadIdx.x / 32, lane = threadIdx.x % 32;                                         \
    in += (blockIdx.x * 4 + warp) * 32 * (32 + 4 + n);                                                       \
    _Pragma("unroll 1") for (int i = 0; i < 32; ++i) memory[warp * 1024 + i * 32 + lane] = in[i * 32 + lane];                    \
    for (int i = 0; i < n; ++i) d[i] = in[1024 + 128 + lane * n + i];                                        \
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");                                             \
    __syncthreads();                                                                                         \
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define EPILOGUE(n)                                                                                          \
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");                                           \
    asm volatile("wgmma.wait_group.sync.aligned 0;" : IN##n("+r", d, 0)::"memory");                          \
    for (int i = 0; i < n; ++i) out[(blockIdx.x * 128 + threadIdx.x) * n + i] = d[i]

// WGMMA(kernel, shape and types, registers of d, the immediate operands, descriptors of a and b)
#define WGMMA(name, op, n, more, da, db)                                                                     \
    KERNEL name(unsigned* out, const unsigned* in) {                                                         \
        PROLOGUE(n);                                                                                         \
        asm volatile("wgmma.mma_async.sync.aligned." op " " LIST##n ", " AB##n ", " more ";"                 \
                     : IN##n("+r", d, 0)                                                                     \
                     : "l"(descriptor da), "l"(descriptor db)                                                \
                     : "memory");                                                                            \
        EPILOGUE(n);                                                                                         \
    }
#define WGMMA_REGISTERS(name, op, n, more, db)                                                               \
    KERNEL name(unsigned* out, const unsigned* in) {                                                         \
        PROLOGUE(n);                                                                                         \
        unsigned a[4];                                                                                       \
        for (int i = 0; i < 4; ++i) a[i] = in[1024 + lane * 4 + i];                                          \
        asm volatile("wgmma.mma_async.sync.aligned." op " " LIST##n ", " RB##n ", " more ";"                 \
                     : IN##n("+r", d, 0)                                                                     \
                     : IN4("r", a, 0), "l"(descriptor db)                                                    \
                     : "memory");                                                                            \
        EPILOGUE(n);                                                                                         \
    }

WGMMA(wgmma_f16_none_k_k, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 0, 0", (memory, 0, 128, 256, 0), (memory, 8192, 128, 256, 0))
WGMMA(wgmma_f16_none_mn_k, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 1, 0", (memory, 0, 1024, 128, 0), (memory, 8192, 128, 256, 0))
WGMMA(wgmma_f16_none_k_mn, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 0, 1", (memory, 0, 128, 256, 0), (memory, 8192, 1024, 128, 0))
WGMMA(wgmma_f16_none_mn_mn, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 1, 1", (memory, 0, 1024, 128, 0), (memory, 8192, 1024, 128, 0))
WGMMA(wgmma_s8_none, "m64n16k32.s32.s8.s8", 8, "1", (memory, 0, 128, 256, 0), (memory, 8192, 128, 256, 0))
WGMMA(wgmma_tf32_none, "m64n8k8.f32.tf32.tf32", 4, "1, 1, 1", (memory, 0, 128, 256, 0), (memory, 8192, 128, 256, 0))
WGMMA(wgmma_f16_128_k_k, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 0, 0", (memory, 0, 16, 1024, 1), (memory, 8192, 16, 1024, 1))
WGMMA(wgmma_f16_128_mn_k, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 1, 0", (memory, 0, 2048, 1024, 1), (memory, 8192, 16, 1024, 1))
WGMMA(wgmma_f16_128_k_mn, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 0, 1", (memory, 0, 16, 1024, 1), (memory, 8192, 2048, 1024, 1))
WGMMA(wgmma_f16_128_mn_mn, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 1, 1", (memory, 0, 2048, 1024, 1), (memory, 8192, 2048, 1024, 1))
WGMMA(wgmma_s8_128, "m64n16k32.s32.s8.s8", 8, "1", (memory, 0, 16, 1024, 1), (memory, 8192, 16, 1024, 1))
WGMMA(wgmma_tf32_128, "m64n8k8.f32.tf32.tf32", 4, "1, 1, 1", (memory, 0, 16, 1024, 1), (memory, 8192, 16, 1024, 1))
WGMMA(wgmma_f16_64_k_k, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 0, 0", (memory, 0, 16, 512, 2), (memory, 8192, 16, 512, 2))
WGMMA(wgmma_f16_64_mn_k, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 1, 0", (memory, 0, 1024, 512, 2), (memory, 8192, 16, 512, 2))
WGMMA(wgmma_f16_64_k_mn, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 0, 1", (memory, 0, 16, 512, 2), (memory, 8192, 1024, 512, 2))
WGMMA(wgmma_f16_64_mn_mn, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 1, 1", (memory, 0, 1024, 512, 2), (memory, 8192, 1024, 512, 2))
WGMMA(wgmma_s8_64, "m64n16k32.s32.s8.s8", 8, "1", (memory, 0, 16, 512, 2), (memory, 8192, 16, 512, 2))
WGMMA(wgmma_tf32_64, "m64n8k8.f32.tf32.tf32", 4, "1, 1, 1", (memory, 0, 16, 512, 2), (memory, 8192, 16, 512, 2))
WGMMA(wgmma_f16_32_k_k, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 0, 0", (memory, 0, 16, 256, 3), (memory, 8192, 16, 256, 3))
WGMMA(wgmma_f16_32_mn_k, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 1, 0", (memory, 0, 512, 256, 3), (memory, 8192, 16, 256, 3))
WGMMA(wgmma_f16_32_k_mn, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 0, 1", (memory, 0, 16, 256, 3), (memory, 8192, 512, 256, 3))
WGMMA(wgmma_f16_32_mn_mn, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 1, 1", (memory, 0, 512, 256, 3), (memory, 8192, 512, 256, 3))
WGMMA(wgmma_s8_32, "m64n16k32.s32.s8.s8", 8, "1", (memory, 0, 16, 256, 3), (memory, 8192, 16, 256, 3))
WGMMA(wgmma_tf32_32, "m64n8k8.f32.tf32.tf32", 4, "1, 1, 1", (memory, 0, 16, 256, 3), (memory, 8192, 16, 256, 3))
WGMMA(wgmma_f16_128_start, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 0, 0", (memory, 32, 16, 1024, 1), (memory, 8224, 16, 1024, 1))
WGMMA(wgmma_f16_64_start, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 0, 0", (memory, 32, 16, 512, 2), (memory, 8224, 16, 512, 2))
WGMMA(wgmma_f16_f16, "m64n32k16.f16.f16.f16", 8, "1, 1, 1, 0, 0", (memory, 0, 128, 256, 0), (memory, 8192, 128, 256, 0))
WGMMA_REGISTERS(wgmma_f16_f16_registers, "m64n16k16.f16.f16.f16", 4, "1, 1, 1, 0", (memory, 8192, 128, 256, 0))
WGMMA(wgmma_f16_n24, "m64n24k16.f32.f16.f16", 12, "1, 1, 1, 0, 0", (memory, 0, 128, 256, 0), (memory, 8192, 128, 256, 0))
WGMMA(wgmma_f16_n64, "m64n64k16.f32.f16.f16", 32, "1, 1, 1, 0, 0", (memory, 0, 16, 1024, 1), (memory, 8192, 16, 1024, 1))
WGMMA_REGISTERS(wgmma_f16_registers, "m64n8k16.f32.f16.f16", 4, "1, 1, 1, 0", (memory, 8192, 128, 256, 0))
WGMMA_REGISTERS(wgmma_f16_registers_mn, "m64n32k16.f32.f16.f16", 16, "1, 1, -1, 1", (memory, 8192, 2048, 1024, 1))
WGMMA(wgmma_f16_negative, "m64n8k16.f32.f16.f16", 4, "1, -1, 1, 0, 0", (memory, 0, 128, 256, 0), (memory, 8192, 128, 256, 0))
WGMMA(wgmma_f16_zero, "m64n8k16.f32.f16.f16", 4, "0, 1, 1, 0, 0", (memory, 0, 128, 256, 0), (memory, 8192, 128, 256, 0))
WGMMA(wgmma_bf16, "m64n8k16.f32.bf16.bf16", 4, "1, 1, 1, 0, 0", (memory, 0, 128, 256, 0), (memory, 8192, 128, 256, 0))
WGMMA_REGISTERS(wgmma_bf16_registers, "m64n8k16.f32.bf16.bf16", 4, "1, -1, -1, 0", (memory, 8192, 128, 256, 0))
WGMMA_REGISTERS(wgmma_tf32_registers, "m64n8k8.f32.tf32.tf32", 4, "1, 1, -1", (memory, 8192, 128, 256, 0))
WGMMA(wgmma_e4m3_e4m3, "m64n8k32.f32.e4m3.e4m3", 4, "1, 1, 1", (memory, 0, 128, 256, 0), (memory, 8192, 128, 256, 0))
WGMMA(wgmma_e5m2_e5m2, "m64n8k32.f32.e5m2.e5m2", 4, "1, 1, 1", (memory, 0, 128, 256, 0), (memory, 8192, 128, 256, 0))
WGMMA(wgmma_e4m3_e5m2, "m64n8k32.f32.e4m3.e5m2", 4, "1, 1, 1", (memory, 0, 128, 256, 0), (memory, 8192, 128, 256, 0))
WGMMA(wgmma_e5m2_e4m3, "m64n8k32.f32.e5m2.e4m3", 4, "1, 1, 1", (memory, 0, 128, 256, 0), (memory, 8192, 128, 256, 0))
WGMMA_REGISTERS(wgmma_e4m3_registers, "m64n8k32.f32.e4m3.e4m3", 4, "1, -1, 1", (memory, 8192, 128, 256, 0))
WGMMA(wgmma_e4m3_f16, "m64n16k32.f16.e4m3.e4m3", 4, "1, 1, 1", (memory, 0, 128, 256, 0), (memory, 8192, 128, 256, 0))
WGMMA(wgmma_e5m2_f16, "m64n16k32.f16.e5m2.e5m2", 4, "1, 1, 1", (memory, 0, 128, 256, 0), (memory, 8192, 128, 256, 0))
WGMMA(wgmma_u8_u8, "m64n8k32.s32.u8.u8", 4, "1", (memory, 0, 128, 256, 0), (memory, 8192, 128, 256, 0))
WGMMA(wgmma_s8_u8_satfinite, "m64n8k32.s32.s8.u8.satfinite", 4, "1", (memory, 0, 128, 256, 0), (memory, 8192, 128, 256, 0))
WGMMA_REGISTERS(wgmma_u8_s8_registers, "m64n8k32.s32.u8.s8", 4, "1", (memory, 8192, 128, 256, 0))
WGMMA(wgmma_b1, "m64n8k256.s32.b1.b1.and.popc", 4, "1", (memory, 0, 128, 256, 0), (memory, 8192, 128, 256, 0))
WGMMA_REGISTERS(wgmma_b1_registers, "m64n8k256.s32.b1.b1.and.popc", 4, "1", (memory, 8192, 128, 256, 0))
