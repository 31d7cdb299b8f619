// Sparse wgmma: of four neighbours along k two are in a (of tf32's two one), and metadata says which; b's
// columns are 64 bytes. And matrices whose pattern of exchanged pieces does not begin at a multiple of its
// size: their descriptors have a base offset. `in` has a warp's share of 16 KiB of shared memory (a at 0, b
// at 8 KiB), its registers of a, its accumulators and its metadata.
#define KERNEL extern "C" __global__ void

__device__ unsigned long long descriptor(const void* p, unsigned start, unsigned leading, unsigned stride,
                                         unsigned swizzle, unsigned offset = 0) {
    unsigned long long address = (__cvta_generic_to_shared(p) + start) & 0x3ffff;
    return address >> 4 | static_cast<unsigned long long>(leading >> 4) << 16 |
           static_cast<unsigned long long>(stride >> 4) << 32 |
           static_cast<unsigned long long>(swizzle) << 62 | static_cast<unsigned long long>(offset) << 49;
}

#define IN4(c, x, i) c(x[i]), c(x[i + 1]), c(x[i + 2]), c(x[i + 3])
#define IN8(c, x, i) IN4(c, x, i), IN4(c, x, i + 4)
#define IN16(c, x, i) IN8(c, x, i), IN8(c, x, i + 8)
#define IN32(c, x, i) IN16(c, x, i), IN16(c, x, i + 16)
#define LIST4 "{%0,%1,%2,%3}"
#define AB4 "%4, %5, %6"
#define RB4 "{%4, %5, %6, %7}, %8, %9"
#define LIST8 "{%0,%1,%2,%3,%4,%5,%6,%7}"
#define AB8 "%8, %9, %10"
#define RB8 "{%8, %9, %10, %11}, %12, %13"
#define LIST16 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15}"
#define AB16 "%16, %17, %18"
#define RB16 "{%16, %17, %18, %19}, %20, %21"
#define DENSE16 "%16, %17"
#define LIST32                                                                                             \
    "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%" \
    "27,%28,%29,%30,%31}"
#define AB32 "%32, %33, %34"
#define RB32 "{%32, %33, %34, %35}, %36, %37"

#define PROLOGUE(n)                                                                        \
    __shared__ __align__(1024) unsigned memory[4096];                                      \
    unsigned d[n], warp = threadIdx.x / 32, lane = threadIdx.x % 32;                       \
    in += (blockIdx.x * 4 + warp) * 32 * (32 + 4 + n + 1);                                 \
    _Pragma("unroll 1") for (int i = 0; i < 32; ++i) memory[warp * 1024 + i * 32 + lane] = \
        in[i * 32 + lane];                                                                 \
    for (int i = 0; i < n; ++i) d[i] = in[1024 + 128 + lane * n + i];                      \
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");                           \
    __syncthreads();                                                                       \
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define EPILOGUE(n)                                                                 \
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");                  \
    asm volatile("wgmma.wait_group.sync.aligned 0;" : IN##n("+r", d, 0)::"memory"); \
    for (int i = 0; i < n; ++i) out[(blockIdx.x * 128 + threadIdx.x) * n + i] = d[i]

// SPARSE(kernel, shape and types, registers of d, the selector and the other immediate operands, descriptors
// of a and b)
#define SPARSE(name, op, n, more, da, db)                                                          \
    KERNEL name(unsigned* out, const unsigned* in) {                                               \
        PROLOGUE(n);                                                                               \
        asm volatile("wgmma.mma_async.sp.sync.aligned." op " " LIST##n ", " AB##n ", " more ";"    \
                     : IN##n("+r", d, 0)                                                           \
                     : "l"(descriptor da), "l"(descriptor db), "r"(in[1024 + 128 + 32 * n + lane]) \
                     : "memory");                                                                  \
        EPILOGUE(n);                                                                               \
    }
#define SPARSE_REGISTERS(name, op, n, more, db)                                                 \
    KERNEL name(unsigned* out, const unsigned* in) {                                            \
        PROLOGUE(n);                                                                            \
        unsigned a[4];                                                                          \
        for (int i = 0; i < 4; ++i) a[i] = in[1024 + lane * 4 + i];                             \
        asm volatile("wgmma.mma_async.sp.sync.aligned." op " " LIST##n ", " RB##n ", " more ";" \
                     : IN##n("+r", d, 0)                                                        \
                     : IN4("r", a, 0), "l"(descriptor db), "r"(in[1024 + 128 + 32 * n + lane])  \
                     : "memory");                                                               \
        EPILOGUE(n);                                                                            \
    }
#define OFFSET(name, op, n, more, da, db)                                                       \
    KERNEL name(unsigned* out, const unsigned* in) {                                            \
        PROLOGUE(n);                                                                            \
        asm volatile("wgmma.mma_async.sync.aligned." op " " LIST##n ", " DENSE##n ", " more ";" \
                     : IN##n("+r", d, 0)                                                        \
                     : "l"(descriptor da), "l"(descriptor db)                                   \
                     : "memory");                                                               \
        EPILOGUE(n);                                                                            \
    }

SPARSE(wgmma_sp_f16_none_k_k, "m64n32k32.f32.f16.f16", 16, "0, 1, 1, 1, 0, 0", (memory, 0, 128, 256, 0),
       (memory, 8192, 128, 512, 0))
SPARSE(wgmma_sp_f16_none_k_mn, "m64n32k32.f32.f16.f16", 16, "0, 1, 1, 1, 0, 1", (memory, 0, 128, 256, 0),
       (memory, 8192, 1024, 128, 0))
SPARSE(wgmma_sp_f16_none_mn_k, "m64n32k32.f32.f16.f16", 16, "0, 1, 1, 1, 1, 0", (memory, 0, 1024, 128, 0),
       (memory, 8192, 128, 512, 0))
SPARSE(wgmma_sp_f16_none_mn_mn, "m64n32k32.f32.f16.f16", 16, "0, 1, 1, 1, 1, 1", (memory, 0, 1024, 128, 0),
       (memory, 8192, 1024, 128, 0))
SPARSE(wgmma_sp_f16_128_k_k, "m64n32k32.f32.f16.f16", 16, "0, 1, 1, 1, 0, 0", (memory, 0, 16, 1024, 1),
       (memory, 8192, 16, 1024, 1))
SPARSE(wgmma_sp_f16_128_k_mn, "m64n32k32.f32.f16.f16", 16, "0, 1, 1, 1, 0, 1", (memory, 0, 16, 1024, 1),
       (memory, 8192, 4096, 1024, 1))
SPARSE(wgmma_sp_f16_128_mn_k, "m64n32k32.f32.f16.f16", 16, "0, 1, 1, 1, 1, 0", (memory, 0, 2048, 1024, 1),
       (memory, 8192, 16, 1024, 1))
SPARSE(wgmma_sp_f16_128_mn_mn, "m64n32k32.f32.f16.f16", 16, "0, 1, 1, 1, 1, 1", (memory, 0, 2048, 1024, 1),
       (memory, 8192, 4096, 1024, 1))
SPARSE(wgmma_sp_f16_64_k_k, "m64n32k32.f32.f16.f16", 16, "0, 1, 1, 1, 0, 0", (memory, 0, 16, 512, 2),
       (memory, 8192, 16, 512, 2))
SPARSE(wgmma_sp_f16_64_k_mn, "m64n32k32.f32.f16.f16", 16, "0, 1, 1, 1, 0, 1", (memory, 0, 16, 512, 2),
       (memory, 8192, 2048, 512, 2))
SPARSE(wgmma_sp_f16_64_mn_k, "m64n32k32.f32.f16.f16", 16, "0, 1, 1, 1, 1, 0", (memory, 0, 1024, 512, 2),
       (memory, 8192, 16, 512, 2))
SPARSE(wgmma_sp_f16_64_mn_mn, "m64n32k32.f32.f16.f16", 16, "0, 1, 1, 1, 1, 1", (memory, 0, 1024, 512, 2),
       (memory, 8192, 2048, 512, 2))
SPARSE(wgmma_sp_f16_32_k_k, "m64n32k32.f32.f16.f16", 16, "0, 1, 1, 1, 0, 0", (memory, 0, 16, 256, 3),
       (memory, 8192, 16, 256, 3))
SPARSE(wgmma_sp_f16_32_k_mn, "m64n32k32.f32.f16.f16", 16, "0, 1, 1, 1, 0, 1", (memory, 0, 16, 256, 3),
       (memory, 8192, 1024, 256, 3))
SPARSE(wgmma_sp_f16_32_mn_k, "m64n32k32.f32.f16.f16", 16, "0, 1, 1, 1, 1, 0", (memory, 0, 512, 256, 3),
       (memory, 8192, 16, 256, 3))
SPARSE(wgmma_sp_f16_32_mn_mn, "m64n32k32.f32.f16.f16", 16, "0, 1, 1, 1, 1, 1", (memory, 0, 512, 256, 3),
       (memory, 8192, 1024, 256, 3))
SPARSE(wgmma_sp_f16_32_leading, "m64n32k32.f32.f16.f16", 16, "0, 1, 1, 1, 0, 0", (memory, 0, 16, 256, 3),
       (memory, 8192, 2048, 256, 3))
SPARSE(wgmma_sp_f16_1, "m64n8k32.f32.f16.f16", 4, "1, 1, 1, 1, 0, 0", (memory, 0, 128, 256, 0),
       (memory, 8192, 128, 512, 0))
SPARSE(wgmma_sp_f16_negative, "m64n8k32.f32.f16.f16", 4, "0, 1, -1, 1, 0, 0", (memory, 0, 128, 256, 0),
       (memory, 8192, 128, 512, 0))
SPARSE(wgmma_sp_f16_zero, "m64n8k32.f32.f16.f16", 4, "0, 0, 1, 1, 0, 0", (memory, 0, 128, 256, 0),
       (memory, 8192, 128, 512, 0))
SPARSE(wgmma_sp_f16_f16, "m64n32k32.f16.f16.f16", 8, "0, 1, 1, 1, 0, 0", (memory, 0, 128, 256, 0),
       (memory, 8192, 128, 512, 0))
SPARSE(wgmma_sp_f16_n64, "m64n64k32.f32.f16.f16", 32, "1, 1, 1, 1, 0, 0", (memory, 0, 16, 1024, 1),
       (memory, 8192, 16, 1024, 1))
SPARSE_REGISTERS(wgmma_sp_f16_registers, "m64n8k32.f32.f16.f16", 4, "0, 1, 1, 1, 0",
                 (memory, 8192, 128, 512, 0))
SPARSE_REGISTERS(wgmma_sp_f16_f16_registers_1, "m64n16k32.f16.f16.f16", 4, "1, 1, 1, -1, 0",
                 (memory, 8192, 128, 512, 0))
SPARSE_REGISTERS(wgmma_sp_f16_registers_mn, "m64n32k32.f32.f16.f16", 16, "1, 1, 1, 1, 1",
                 (memory, 8192, 4096, 1024, 1))
SPARSE(wgmma_sp_bf16, "m64n8k32.f32.bf16.bf16", 4, "0, 1, 1, 1, 0, 0", (memory, 0, 128, 256, 0),
       (memory, 8192, 128, 512, 0))
SPARSE_REGISTERS(wgmma_sp_bf16_registers_1, "m64n8k32.f32.bf16.bf16", 4, "1, 1, -1, -1, 0",
                 (memory, 8192, 128, 512, 0))
SPARSE(wgmma_sp_tf32, "m64n8k16.f32.tf32.tf32", 4, "0, 1, 1, 1", (memory, 0, 128, 256, 0),
       (memory, 8192, 128, 512, 0))
SPARSE(wgmma_sp_tf32_128_1, "m64n8k16.f32.tf32.tf32", 4, "1, 1, 1, 1", (memory, 0, 16, 1024, 1),
       (memory, 8192, 16, 1024, 1))
SPARSE_REGISTERS(wgmma_sp_tf32_registers, "m64n8k16.f32.tf32.tf32", 4, "0, 1, -1, 1",
                 (memory, 8192, 128, 512, 0))
SPARSE(wgmma_sp_e4m3_e4m3, "m64n8k64.f32.e4m3.e4m3", 4, "0, 1, 1, 1", (memory, 0, 128, 256, 0),
       (memory, 8192, 128, 512, 0))
SPARSE(wgmma_sp_e4m3_e5m2, "m64n8k64.f32.e4m3.e5m2", 4, "0, 1, 1, 1", (memory, 0, 128, 256, 0),
       (memory, 8192, 128, 512, 0))
SPARSE(wgmma_sp_e5m2_e4m3, "m64n8k64.f32.e5m2.e4m3", 4, "0, 1, 1, 1", (memory, 0, 128, 256, 0),
       (memory, 8192, 128, 512, 0))
SPARSE(wgmma_sp_e5m2_e5m2, "m64n8k64.f32.e5m2.e5m2", 4, "0, 1, 1, 1", (memory, 0, 128, 256, 0),
       (memory, 8192, 128, 512, 0))
SPARSE_REGISTERS(wgmma_sp_e4m3_registers, "m64n8k64.f32.e4m3.e4m3", 4, "0, 1, -1, 1",
                 (memory, 8192, 128, 512, 0))
SPARSE(wgmma_sp_e4m3_f16, "m64n16k64.f16.e4m3.e4m3", 4, "0, 1, 1, 1", (memory, 0, 128, 256, 0),
       (memory, 8192, 128, 512, 0))
SPARSE(wgmma_sp_e5m2_f16, "m64n16k64.f16.e5m2.e5m2", 4, "0, 1, 1, 1", (memory, 0, 128, 256, 0),
       (memory, 8192, 128, 512, 0))
SPARSE(wgmma_sp_s8_s8, "m64n8k64.s32.s8.s8", 4, "0, 1", (memory, 0, 128, 256, 0), (memory, 8192, 128, 512, 0))
SPARSE(wgmma_sp_s8_64, "m64n16k64.s32.s8.s8", 8, "0, 1", (memory, 0, 16, 512, 2), (memory, 8192, 16, 512, 2))
SPARSE(wgmma_sp_u8_u8_satfinite, "m64n8k64.s32.u8.u8.satfinite", 4, "0, 1", (memory, 0, 128, 256, 0),
       (memory, 8192, 128, 512, 0))
SPARSE_REGISTERS(wgmma_sp_u8_s8_registers, "m64n8k64.s32.u8.s8", 4, "0, 1", (memory, 8192, 128, 512, 0))
OFFSET(wgmma_offset_128_given, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 0, 0", (memory, 384, 16, 1024, 1, 3),
       (memory, 8576, 16, 1024, 1, 3))
OFFSET(wgmma_offset_128_left, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 0, 0", (memory, 384, 16, 1024, 1, 0),
       (memory, 8576, 16, 1024, 1, 0))
OFFSET(wgmma_offset_64_given, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 0, 0", (memory, 128, 16, 512, 2, 1),
       (memory, 8320, 16, 512, 2, 1))
OFFSET(wgmma_offset_64_left, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 0, 0", (memory, 128, 16, 512, 2, 0),
       (memory, 8320, 16, 512, 2, 0))
OFFSET(wgmma_offset_32_given, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 0, 0", (memory, 128, 16, 256, 3, 1),
       (memory, 8320, 16, 256, 3, 1))
OFFSET(wgmma_offset_32_left, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 0, 0", (memory, 128, 16, 256, 3, 0),
       (memory, 8320, 16, 256, 3, 0))
OFFSET(wgmma_offset_128_mn, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 1, 1", (memory, 384, 2048, 1024, 1, 3),
       (memory, 8576, 2048, 1024, 1, 3))
OFFSET(wgmma_offset_other, "m64n32k16.f32.f16.f16", 16, "1, 1, 1, 0, 0", (memory, 384, 16, 1024, 1, 1),
       (memory, 8576, 16, 1024, 1, 6))
