// Matrix instructions: latency of a chain, and how often an SM starts one. With an argument: a launch of
// each, for ncu to count.
#include <cstdint>
#include <cstdio>
#define K __global__ void
template <int OP>
__device__ __forceinline__ void mma(float (&d)[4], unsigned (&a)[4], unsigned (&b)[2]) {
    if constexpr (OP == 0)
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
            "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    if constexpr (OP == 1)
        asm volatile(
            "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    if constexpr (OP == 2)
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
            "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    if constexpr (OP == 3)
        asm volatile(
            "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
            "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    if constexpr (OP == 4)
        asm volatile(
            "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
            "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
            : "+r"((unsigned&)d[0]), "+r"((unsigned&)d[1]), "+r"((unsigned&)d[2]), "+r"((unsigned&)d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    if constexpr (OP == 5)
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1},{%2,%3,%4,%5},{%6,%7},{%0,%1};"
            : "+r"((unsigned&)d[0]), "+r"((unsigned&)d[1])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    if constexpr (OP == 6)
        asm volatile(
            "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 "
            "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    if constexpr (OP == 7)
        asm volatile(
            "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 "
            "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
            : "+r"((unsigned&)d[0]), "+r"((unsigned&)d[1]), "+r"((unsigned&)d[2]), "+r"((unsigned&)d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    if constexpr (OP == 8)
        asm volatile(
            "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc "
            "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
            : "+r"((unsigned&)d[0]), "+r"((unsigned&)d[1]), "+r"((unsigned&)d[2]), "+r"((unsigned&)d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    if constexpr (OP == 9)
        asm volatile(
            "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 "
            "{%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9,%8,%9},{%0,%1,%2,%3}, %10, 0;"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(0x44444444u));
    if constexpr (OP == 10) {  // f64 m8n8k4
        asm volatile(
            "{.reg .f64 x,y; mov.b64 x,{%2,%3}; mov.b64 y,{%4,%5}; "
            "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{x},{y},{%0,%1};}"
            : "+d"((double&)d[0]), "+d"((double&)d[2])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]));
    }
    if constexpr (OP == 12)
        asm volatile(
            "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    if constexpr (OP == 13)
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"
            : "+r"((unsigned&)d[0]), "+r"((unsigned&)d[1]), "+r"((unsigned&)d[2]), "+r"((unsigned&)d[3])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]));
}
template <int OP, int CH>
K chains(unsigned* out, unsigned* cycles, int n, unsigned seed) {
    __align__(16) float d[CH][4];
    unsigned a[4], b[2];
    for (int i = 0; i < 4; ++i) a[i] = seed * (threadIdx.x + i);
    for (int i = 0; i < 2; ++i) b[i] = seed * (threadIdx.x + 7 + i);
    for (int c = 0; c < CH; ++c)
        for (int i = 0; i < 4; ++i) d[c][i] = 0;
    __syncthreads();
    unsigned t = clock();
#pragma unroll 1
    for (int i = 0; i < n; ++i) {
#pragma unroll
        for (int r = 0; r < 16 / CH; ++r)
#pragma unroll
            for (int c = 0; c < CH; ++c) mma<OP>(d[c], a, b);
    }
    __syncthreads();
    t = clock() - t;
    float s = 0;
    for (int c = 0; c < CH; ++c)
        for (int i = 0; i < 4; ++i) s += d[c][i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = __float_as_uint(s);
    if (threadIdx.x == 0) cycles[blockIdx.x] = t;
}
template <int OP>
K dchains16(unsigned* out, unsigned* cycles, int n, unsigned seed) {
    double d[4][4], a[8], b[4];
    for (int i = 0; i < 8; ++i) a[i] = seed * (threadIdx.x + i);
    for (int i = 0; i < 4; ++i) b[i] = seed * (threadIdx.x + 7 + i);
    for (int c = 0; c < 4; ++c)
        for (int i = 0; i < 4; ++i) d[c][i] = 0;
    __syncthreads();
    unsigned t = clock();
#pragma unroll 1
    for (int i = 0; i < n; ++i)
#pragma unroll
        for (int c = 0; c < 16; ++c) {
            double(&e)[4] = d[OP ? 0 : c % 4];
            asm volatile(
                "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 "
                "{%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15},{%0,%1,%2,%3};"
                : "+d"(e[0]), "+d"(e[1]), "+d"(e[2]), "+d"(e[3])
                : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),
                  "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
        }
    __syncthreads();
    t = clock() - t;
    double s = 0;
    for (int c = 0; c < 4; ++c)
        for (int i = 0; i < 4; ++i) s += d[c][i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
    if (threadIdx.x == 0) cycles[blockIdx.x] = t;
}
template <int X, bool DEP, bool TRANS>
K ldm(unsigned* out, unsigned* cycles, int n, unsigned seed) {
    __shared__ __align__(128) unsigned m[2048];
    for (int i = threadIdx.x; i < 2048; i += blockDim.x) m[i] = 0;
    __syncthreads();
    unsigned address = (unsigned)__cvta_generic_to_shared(m) + (threadIdx.x % 32) * 16, r[4] = {}, s = 0;
    unsigned t = clock();
#pragma unroll 1
    for (int i = 0; i < n; ++i) {
#pragma unroll
        for (int c = 0; c < 16; ++c) {
            if (X == 1)
                asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
                             : "=r"(r[0])
                             : "r"(address));
            if (X == 2)
                asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                             : "=r"(r[0]), "=r"(r[1])
                             : "r"(address));
            if (X == 4 && !TRANS)
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                             : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                             : "r"(address));
            if (X == 4 && TRANS)
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                             : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                             : "r"(address));
            if (X == 5)
                asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%4], {%0,%1,%2,%3};" ::"r"(r[0]),
                             "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(address));
            if (X == 6)
                asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
                             : "=r"(r[0])
                             : "r"(r[0] + address));
            if (DEP)
                address += r[0];
            else
                s += r[0];
        }
    }
    __syncthreads();
    t = clock() - t;
    out[blockIdx.x * blockDim.x + threadIdx.x] = s + address;
    if (threadIdx.x == 0) cycles[blockIdx.x] = t;
}
// wgmma: one warpgroup, n chained products
#define D4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define D16(i) D4(i), D4(i + 4), D4(i + 8), D4(i + 12)
#define D32(i) D16(i), D16(i + 16)
template <int N, bool WAITED = false>
K wg(unsigned* out, unsigned* cycles, int n, unsigned seed) {
    extern __shared__ __align__(1024) unsigned m[];
    for (int i = threadIdx.x; i < 12288; i += blockDim.x) m[i] = 0;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    unsigned long long base = (__cvta_generic_to_shared(m) & 0x3ffff) >> 4;
    unsigned long long da = base | 1ull << 16 | (1024ull >> 4) << 32 | 1ull << 62,
                       db = (base + (8192 >> 4)) | 1ull << 16 | (1024ull >> 4) << 32 | 1ull << 62;
    float d[N / 2] = {};
    unsigned t = clock();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll 1
    for (int i = 0; i < n; ++i) {
#pragma unroll
        for (int c = 0; c < 4; ++c) {
            if constexpr (N == 8)
                asm volatile(
                    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
                    : D4(0)
                    : "l"(da), "l"(db));
            if constexpr (N == 64)
                asm volatile(
                    "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
                    "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%"
                    "24,%25,%26,%27,%28,%29,%30,%31}, %32, %33, 1, 1, 1, 0, 0;"
                    : D32(0)
                    : "l"(da), "l"(db));
            if constexpr (N == 128)
                asm volatile(
                    "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 "
                    "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%"
                    "24,%25,%26,%27,%28,%29,%30,%31,%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%"
                    "46,%47,%48,%49,%50,%51,%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63}, %64, %65, 1, "
                    "1, 1, 0, 0;"
                    : D32(0), D32(32)
                    : "l"(da), "l"(db));
        }
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        if (WAITED) {
            asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
            asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
        }
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();
    t = clock() - t;
    float s = 0;
    for (int i = 0; i < N / 2; ++i) s += d[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = __float_as_uint(s);
    if (threadIdx.x == 0) cycles[blockIdx.x] = t;
}
unsigned *out, *cyc;
template <typename F>
void go(const char* name, F f, int threads, int per, int shared = 0, int n = 256) {
    cudaMemset(cyc, 0, 4);
    f<<<1, threads, shared>>>(out, cyc, n, 0);
    f<<<1, threads, shared>>>(out, cyc, n, 0);
    unsigned c = 0;
    cudaError_t e = cudaMemcpy(&c, cyc, 4, cudaMemcpyDeviceToHost);
    printf("%s,%d,%.3f%s%s\n", name, threads / 32, double(c) / (double(n) * per), e ? "," : "",
           e ? cudaGetErrorString(e) : "");
}
#define ALL(name, op)                               \
    go(name " dependent", chains<op, 1>, 32, 16);   \
    go(name " independent", chains<op, 8>, 32, 16); \
    go(name, chains<op, 4>, 128, 16);               \
    go(name, chains<op, 4>, 256, 16);               \
    go(name, chains<op, 4>, 512, 16);
int main(int argc, char** argv) {
    cudaMalloc(&out, 1 << 20);
    cudaMalloc(&cyc, 4096);
    if (argc > 1) {  // for ncu: 132 blocks of 4 warps, 64 mma a warp
        chains<0, 4><<<132, 128>>>(out, cyc, 4, 0);
        chains<5, 4><<<132, 128>>>(out, cyc, 4, 0);
        chains<3, 4><<<132, 128>>>(out, cyc, 4, 0);
        chains<4, 4><<<132, 128>>>(out, cyc, 4, 0);
        chains<10, 4><<<132, 128>>>(out, cyc, 4, 0);
        chains<6, 4><<<132, 128>>>(out, cyc, 4, 0);
        chains<7, 4><<<132, 128>>>(out, cyc, 4, 0);
        chains<8, 4><<<132, 128>>>(out, cyc, 4, 0);
        chains<9, 4><<<132, 128>>>(out, cyc, 4, 0);
        dchains16<0><<<132, 128>>>(out, cyc, 4, 0);
        ldm<1, false, false><<<132, 128>>>(out, cyc, 4, 0);
        ldm<4, false, false><<<132, 128>>>(out, cyc, 4, 0);
        ldm<4, false, true><<<132, 128>>>(out, cyc, 4, 0);
        ldm<5, false, false><<<132, 128>>>(out, cyc, 4, 0);
        ldm<6, false, false><<<132, 128>>>(out, cyc, 4, 0);
        cudaFuncSetAttribute(wg<64>, cudaFuncAttributeMaxDynamicSharedMemorySize, 49152);
        wg<64><<<132, 128, 49152>>>(out, cyc, 4, 0);
        chains<1, 4><<<132, 128>>>(out, cyc, 4, 0);
        chains<2, 4><<<132, 128>>>(out, cyc, 4, 0);
        printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
        return 0;
    }
    printf("what,warps,cycles\n");
    ALL("m16n8k16 f16 f32", 0)
    ALL("m16n8k8 f16 f32", 1) ALL("m16n8k16 bf16", 2) ALL("m16n8k8 tf32", 3) ALL("m16n8k4 tf32", 12)
        ALL("m16n8k32 s8", 4) ALL("m16n8k16 s8", 13) ALL("m16n8k16 f16 f16", 5) ALL("m16n8k32 e4m3", 6)
            ALL("m16n8k64 s4", 7) ALL("m16n8k256 b1", 8) ALL("sp m16n8k32 f16", 9) ALL("m8n8k4 f64", 10)
                go("m16n8k16 f64 dependent", dchains16<1>, 32, 16);
    go("m16n8k16 f64", dchains16<0>, 32, 16);
    go("m16n8k16 f64", dchains16<0>, 128, 16);
    go("m16n8k16 f64", dchains16<0>, 256, 16);
    go("ldmatrix x1 dependent", ldm<1, true, false>, 32, 16);
    go("ldmatrix x2 dependent", ldm<2, true, false>, 32, 16);
    go("ldmatrix x4 dependent", ldm<4, true, false>, 32, 16);
    go("ldmatrix x4 trans dependent", ldm<4, true, true>, 32, 16);
    go("ldmatrix x1", ldm<1, false, false>, 512, 16);
    go("ldmatrix x2", ldm<2, false, false>, 512, 16);
    go("ldmatrix x4", ldm<4, false, false>, 512, 16);
    go("ldmatrix x4 trans", ldm<4, false, true>, 512, 16);
    go("stmatrix x4", ldm<5, false, false>, 512, 16);
    go("movmatrix dependent", ldm<6, false, false>, 32, 16);
    go("movmatrix", ldm<6, false, false>, 512, 16);
    for (int w : {128, 256}) {
        cudaFuncSetAttribute(wg<8>, cudaFuncAttributeMaxDynamicSharedMemorySize, 49152);
        cudaFuncSetAttribute(wg<64>, cudaFuncAttributeMaxDynamicSharedMemorySize, 49152);
        cudaFuncSetAttribute(wg<128>, cudaFuncAttributeMaxDynamicSharedMemorySize, 49152);
        cudaFuncSetAttribute(wg<8, true>, cudaFuncAttributeMaxDynamicSharedMemorySize, 49152);
        cudaFuncSetAttribute(wg<64, true>, cudaFuncAttributeMaxDynamicSharedMemorySize, 49152);
        cudaFuncSetAttribute(wg<128, true>, cudaFuncAttributeMaxDynamicSharedMemorySize, 49152);
        go("four wgmma m64n8k16 and a wait", wg<8, true>, w, 1, 49152);
        go("four wgmma m64n64k16 and a wait", wg<64, true>, w, 1, 49152);
        go("four wgmma m64n128k16 and a wait", wg<128, true>, w, 1, 49152);
        go("wgmma m64n8k16", wg<8>, w, 4, 49152);
        go("wgmma m64n64k16", wg<64>, w, 4, 49152);
        go("wgmma m64n128k16", wg<128>, w, 4, 49152);
    }
}
