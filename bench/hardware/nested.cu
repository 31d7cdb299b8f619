// Dynamic parallelism: times, limits, error codes.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
__device__ unsigned long long stamps[8192];
__device__ int codes[256];
__device__ __forceinline__ unsigned long long gt() {
    unsigned long long t;
    asm volatile("mov.u64 %0,%%globaltimer;" : "=l"(t));
    return t;
}
__global__ void empty() {}
__global__ void stamp(int i) {
    if (threadIdx.x == 0 && blockIdx.x == 0) stamps[i] = gt();
}
__global__ void work(int n) {
    unsigned long long b = clock64();
    while (clock64() - b < n);
}
template <int Kind>
__device__ void one() {
    if (Kind == 0) empty<<<1, 32>>>();
    if (Kind == 1) empty<<<1, 32, 0, cudaStreamFireAndForget>>>();
    if (Kind == 2) empty<<<1, 32, 0, cudaStreamTailLaunch>>>();
}
template <int Kind>
__global__ void many(int n) {
    for (int i = 0; i < n; ++i) one<Kind>();
}
template <int Kind>
__global__ void each() {
    if (threadIdx.x == 0) one<Kind>();
}
template <int Kind>
__global__ void everyone() {
    one<Kind>();
}
template <int Kind>
__global__ void chain(int left) {
    if (left == 0) return;
    if (Kind == 0) chain<Kind><<<1, 32>>>(left - 1);
    if (Kind == 1) chain<Kind><<<1, 32, 0, cudaStreamFireAndForget>>>(left - 1);
    if (Kind == 2) chain<Kind><<<1, 32, 0, cudaStreamTailLaunch>>>(left - 1);
}
template <int Kind>
__global__ void chain1(int left) {
    if (left == 0 || threadIdx.x) return;
    if (Kind == 0) chain1<Kind><<<1, 32>>>(left - 1);
    if (Kind == 1) chain1<Kind><<<1, 32, 0, cudaStreamFireAndForget>>>(left - 1);
    if (Kind == 2) chain1<Kind><<<1, 32, 0, cudaStreamTailLaunch>>>(left - 1);
}
__global__ void busy(int n, int cycles, int streams) {
    for (int i = 0; i < n; ++i) {
        if (streams == 0) work<<<1, 32>>>(cycles);
        if (streams == 1) work<<<1, 32, 0, cudaStreamFireAndForget>>>(cycles);
        if (streams == 2) {
            cudaStream_t s;
            cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
            work<<<1, 32, 0, s>>>(cycles);
            cudaStreamDestroy(s);
        }
    }
}
template <class F>
float time_of(F f) {
    cudaEvent_t a, b;
    cudaEventCreate(&a);
    cudaEventCreate(&b);
    float best = 1e30f;
    for (int r = 0; r < 7; ++r) {
        cudaEventRecord(a);
        f();
        cudaEventRecord(b);
        cudaEventSynchronize(b);
        float t;
        cudaEventElapsedTime(&t, a, b);
        best = std::min(best, t);
    }
    cudaEventDestroy(a);
    cudaEventDestroy(b);
    return best * 1000;
}
void err(const char* what) {
    cudaError_t e = cudaDeviceSynchronize();
    cudaError_t l = cudaGetLastError();
    printf("%s: sync %d %s, last %d %s\n", what, e, cudaGetErrorName(e), l, cudaGetErrorName(l));
}
__global__ void stamped(int n) {
    for (int i = 0; i < n; ++i) {
        stamps[2 * i] = gt();
        stamp<<<1, 32, 0, cudaStreamFireAndForget>>>(2 * i + 1);
    }
    stamps[4096] = gt();
}
__global__ void launch_cost(int n, int kind) {
    long long b = clock64();
    for (int i = 0; i < n; ++i) {
        if (kind == 0) empty<<<1, 32>>>();
        if (kind == 1) empty<<<1, 32, 0, cudaStreamFireAndForget>>>();
        if (kind == 2) empty<<<1, 32, 0, cudaStreamTailLaunch>>>();
    }
    stamps[0] = clock64() - b;
}
__global__ void pend(int n, int kind) {
    int ok = 0, first = -1, code = 0;
    for (int i = 0; i < n; ++i) {
        if (kind == 0) empty<<<1, 32>>>();
        if (kind == 1) empty<<<1, 32, 0, cudaStreamFireAndForget>>>();
        if (kind == 2) empty<<<1, 32, 0, cudaStreamTailLaunch>>>();
        if (kind == 3) work<<<1, 32>>>(200000);
        cudaError_t e = cudaGetLastError();
        if (e == cudaSuccess)
            ++ok;
        else {
            if (first < 0) first = i, code = e;
        }
    }
    codes[0] = ok;
    codes[1] = first;
    codes[2] = code;
}
__global__ void deep(int d) {
    codes[0] = d;
    deep<<<1, 1>>>(d + 1);
    cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess) {
        codes[1] = e;
        codes[2] = d;
    }
}
__global__ void deep_tail(int d, int most) {
    codes[0] = d;
    if (d >= most) return;
    deep_tail<<<1, 1, 0, cudaStreamTailLaunch>>>(d + 1, most);
    cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess) {
        codes[1] = e;
        codes[2] = d;
    }
}
__global__ void deep_ff(int d, int most) {
    codes[0] = d;
    if (d >= most) return;
    deep_ff<<<1, 1, 0, cudaStreamFireAndForget>>>(d + 1, most);
    cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess) {
        codes[1] = e;
        codes[2] = d;
    }
}
__global__ void bad(int* p, int which) {
    int k = 0;
    int* c = codes + 0;
    if (which == 0) {
        empty<<<1, 2048>>>();
        c[k++] = cudaPeekAtLastError();
        c[k++] = cudaGetLastError();
        c[k++] = cudaGetLastError();
        empty<<<0, 1>>>();
        c[k++] = cudaGetLastError();
        empty<<<1, 0>>>();
        c[k++] = cudaGetLastError();
        empty<<<dim3(1, 65536), 1>>>();
        c[k++] = cudaGetLastError();
        empty<<<1, dim3(1, 1, 65)>>>();
        c[k++] = cudaGetLastError();
        empty<<<1, 1, 1 << 20>>>();
        c[k++] = cudaGetLastError();
        empty<<<1, 1, 50000>>>();
        c[k++] = cudaGetLastError();
    }
    if (which == 1) {
        cudaStream_t s = 0;
        c[k++] = cudaStreamCreateWithFlags(&s, cudaStreamDefault);
        c[k++] = cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        c[k++] = (int)(size_t)s;
        c[k++] = cudaStreamCreateWithFlags(&s, 7);
        cudaEvent_t e = 0;
        c[k++] = cudaEventCreateWithFlags(&e, 0);
        c[k++] = cudaEventCreateWithFlags(&e, cudaEventBlockingSync);
        c[k++] = cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
        c[k++] = (int)(size_t)e;
        c[k++] = cudaEventRecord(e, s);
        c[k++] = cudaStreamWaitEvent(s, e, 0);
        c[k++] = cudaEventDestroy(e);
        c[k++] = cudaStreamDestroy(s);
        c[k++] = cudaGetLastError();
    }
    if (which == 2) {
        void* q = 0;
        c[k++] = cudaMalloc(&q, 16);
        c[k++] = q != 0;
        c[k++] = cudaFree(q);
        c[k++] = cudaFree(0);
        c[k++] = cudaMalloc(&q, (size_t)1 << 40);
        c[k++] = q != 0;
        c[k++] = cudaGetLastError();
        int d = -1;
        c[k++] = cudaGetDevice(&d);
        c[k++] = d;
        c[k++] = cudaGetDeviceCount(&d);
        c[k++] = d;
        c[k++] = cudaRuntimeGetVersion(&d);
        c[k++] = d;
        c[k++] = cudaDeviceGetAttribute(&d, cudaDevAttrMaxThreadsPerBlock, 0);
        c[k++] = d;
        c[k++] = cudaDeviceGetAttribute(&d, (cudaDeviceAttr)9999, 0);
        c[k++] = cudaDeviceGetAttribute(&d, cudaDevAttrWarpSize, 5);
        size_t l = 0;
        c[k++] = cudaDeviceGetLimit(&l, cudaLimitStackSize);
        c[k++] = (int)l;
        c[k++] = cudaDeviceGetLimit(&l, cudaLimitDevRuntimePendingLaunchCount);
        c[k++] = (int)l;
        c[k++] = cudaDeviceGetLimit(&l, cudaLimitMallocHeapSize);
        c[k++] = (int)l;
        cudaFuncAttributes a;
        c[k++] = cudaFuncGetAttributes(&a, work);
        c[k++] = a.maxThreadsPerBlock;
        c[k++] = a.numRegs;
        c[k++] = (int)a.sharedSizeBytes;
        c[k++] = a.ptxVersion;
        c[k++] = a.binaryVersion;
        int nb = 0;
        c[k++] = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&nb, work, 256, 0);
        c[k++] = nb;
        c[k++] = cudaMemsetAsync(p, 1, 16, 0);
        c[k++] = cudaMemcpyAsync(p + 8, p, 16, cudaMemcpyDeviceToDevice, 0);
        c[k++] = cudaMemcpyAsync(p + 8, p, 16, cudaMemcpyDefault, cudaStreamTailLaunch);
        c[k++] = cudaMemcpyAsync(p + 8, p, 16, cudaMemcpyHostToDevice, 0);
        c[k++] = cudaGetLastError();
    }
    if (which == 3) {
        int* q;
        cudaMalloc(&q, 64);
        q[0] = 7;
        p[20] = (int)(size_t)q;
        *(int**)(p + 22) = q;
    }
    if (which == 5) {
        empty<<<1, 32, 0, (cudaStream_t)0x1234>>>();
        c[k++] = cudaGetLastError();
    }
    if (which == 6) {
        cudaFree(p);
        c[k++] = cudaGetLastError();
    }
    if (which == 7) {
        cudaEvent_t e;
        cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
        c[k++] = cudaEventRecord(e, cudaStreamTailLaunch);
        c[k++] = cudaStreamWaitEvent(cudaStreamFireAndForget, e, 0);
        c[k++] = cudaGetLastError();
    }
    codes[255] = k;
}
__global__ void faulty(int* p) { *p = 1; }
__global__ void faults() { faulty<<<1, 1>>>((int*)16); }
__global__ void order_child(int i, int* log, int* n) { log[atomicAdd(n, 1)] = i; }
__global__ void order(int* log, int* n) {
    order_child<<<1, 1, 0, cudaStreamTailLaunch>>>(100, log, n);
    order_child<<<1, 1, 0, cudaStreamTailLaunch>>>(101, log, n);
    for (int i = 0; i < 4; ++i) order_child<<<1, 1>>>(i, log, n);
    log[atomicAdd(n, 1)] = 50;
}
__global__ void nested_reduce(int* in, int* out, unsigned n) {
    unsigned t = threadIdx.x;
    int* i = in + blockIdx.x * blockDim.x;
    int* o = &out[blockIdx.x];
    if (n == 2 && t == 0) {
        o[0] = i[0] + i[1];
        return;
    }
    int s = n >> 1;
    if (s > 1 && t < s) i[t] += i[t + s];
    __syncthreads();
    if (t == 0) nested_reduce<<<1, s, 0, cudaStreamTailLaunch>>>(i, o, s);
}
__global__ void nested_reduce2(int* in, int* out, int s, int dim) {
    int* i = in + blockIdx.x * dim;
    if (s == 1 && threadIdx.x == 0) {
        out[blockIdx.x] = i[0] + i[1];
        return;
    }
    i[threadIdx.x] += i[threadIdx.x + s];
    if (threadIdx.x == 0 && blockIdx.x == 0)
        nested_reduce2<<<gridDim.x, s / 2, 0, cudaStreamTailLaunch>>>(in, out, s / 2, dim);
}
__global__ void hello(int size, int depth) {
    if (size == 1) return;
    if (threadIdx.x == 0) hello<<<1, size / 2>>>(size / 2, depth + 1);
}
int main(int argc, char** argv) {
    int part = argc > 1 ? atoi(argv[1]) : 0;
    int h[256];
    auto get = [&] { cudaMemcpyFromSymbol(h, codes, sizeof h); };
    auto clear = [&] {
        int z[256];
        std::fill(z, z + 256, -77);
        cudaMemcpyToSymbol(codes, z, sizeof z);
    };
    if (part == 0) {
        size_t v;
        cudaDeviceGetLimit(&v, cudaLimitDevRuntimeSyncDepth);
        printf("limit syncdepth %zu\n", v);
        err("get syncdepth");
        cudaDeviceGetLimit(&v, cudaLimitDevRuntimePendingLaunchCount);
        printf("limit pending %zu\n", v);
        printf("empty kernel %.2f us\n", time_of([] { empty<<<1, 32>>>(); }));
        printf("parent with no child %.2f us\n", time_of([] { many<0><<<1, 1>>>(0); }));
        for (int n : {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2000}) {
            printf("many n=%d null %.2f ff %.2f tail %.2f us\n", n, time_of([=] { many<0><<<1, 1>>>(n); }),
                   time_of([=] { many<1><<<1, 1>>>(n); }), time_of([=] { many<2><<<1, 1>>>(n); }));
        }
        for (int b : {1, 2, 8, 32, 132, 264, 528, 1056, 2000})
            printf("each blocks=%d null %.2f ff %.2f tail %.2f us\n", b,
                   time_of([=] { each<0><<<b, 32>>>(); }), time_of([=] { each<1><<<b, 32>>>(); }),
                   time_of([=] { each<2><<<b, 32>>>(); }));
        for (int b : {32, 256, 1024})
            printf("everyone threads=%d null %.2f ff %.2f tail %.2f us\n", b,
                   time_of([=] { everyone<0><<<1, b>>>(); }), time_of([=] { everyone<1><<<1, b>>>(); }),
                   time_of([=] { everyone<2><<<1, b>>>(); }));
        for (int d : {0, 1, 2, 4, 8, 16, 23})
            printf("chain depth=%d null %.2f ff %.2f tail %.2f us\n", d,
                   time_of([=] { chain1<0><<<1, 32>>>(d); }), time_of([=] { chain1<1><<<1, 32>>>(d); }),
                   time_of([=] { chain1<2><<<1, 32>>>(d); }));
        for (int n : {1, 4, 16, 64})
            printf("busy n=%d of 20000 cycles null %.2f ff %.2f streams %.2f us\n", n,
                   time_of([=] { busy<<<1, 1>>>(n, 20000, 0); }),
                   time_of([=] { busy<<<1, 1>>>(n, 20000, 1); }),
                   time_of([=] { busy<<<1, 1>>>(n, 20000, 2); }));
        unsigned long long s[8192];
        stamped<<<1, 1>>>(16);
        cudaDeviceSynchronize();
        stamped<<<1, 1>>>(16);
        cudaDeviceSynchronize();
        cudaMemcpyFromSymbol(s, stamps, sizeof s);
        for (int i = 0; i < 16; ++i)
            printf("stamp %d launch +%lld child +%lld ns\n", i, s[2 * i] - s[0], s[2 * i + 1] - s[0]);
        printf("parent end +%lld\n", s[4096] - s[0]);
        for (int kind = 0; kind < 3; ++kind)
            for (int n : {1, 8, 64}) {
                launch_cost<<<1, 1>>>(n, kind);
                cudaDeviceSynchronize();
                launch_cost<<<1, 1>>>(n, kind);
                cudaDeviceSynchronize();
                cudaMemcpyFromSymbol(s, stamps, 8);
                printf("launch cost kind=%d n=%d cycles %llu\n", kind, n, s[0]);
            }
        int *log, *n;
        cudaMalloc(&log, 400);
        cudaMalloc(&n, 4);
        cudaMemset(n, 0, 4);
        order<<<1, 1>>>(log, n);
        cudaDeviceSynchronize();
        int l[7];
        cudaMemcpy(l, log, 28, cudaMemcpyDeviceToHost);
        for (int i : l) printf("order %d\n", i);
        int *in, *out;
        cudaMalloc(&in, 4 << 20);
        cudaMalloc(&out, 1 << 20);
        cudaMemset(in, 0, 4 << 20);
        for (int b : {16, 64, 256, 1024, 2048})
            printf("nested_reduce blocks=%d of 512: %.2f us, reduce2 %.2f us\n", b,
                   time_of([=] { nested_reduce<<<b, 512>>>(in, out, 512); }),
                   time_of([=] { nested_reduce2<<<b, 256>>>(in, out, 256, 512); }));
        for (int k : {8, 64, 1024}) printf("hello %d: %.2f us\n", k, time_of([=] { hello<<<1, k>>>(k, 0); }));
        err("part 0");
    }
    if (part == 1) {
        size_t lim = argc > 2 ? atoi(argv[2]) : 0;
        if (lim) {
            cudaError_t e = cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, lim);
            size_t v;
            cudaDeviceGetLimit(&v, cudaLimitDevRuntimePendingLaunchCount);
            printf("set pending %zu: %d, now %zu\n", lim, e, v);
        }
        for (int kind = 0; kind < 4; ++kind) {
            clear();
            pend<<<1, 1>>>(5000, kind);
            err("pend");
            get();
            printf("pend kind=%d ok=%d first=%d code=%d\n", kind, h[0], h[1], h[2]);
        }
    }
    if (part == 2) {
        clear();
        deep<<<1, 1>>>(0);
        err("deep");
        get();
        printf("deep last=%d code=%d at=%d\n", h[0], h[1], h[2]);
    }
    if (part == 3) {
        clear();
        deep_tail<<<1, 1>>>(0, 100);
        err("deep tail");
        get();
        printf("deep tail last=%d code=%d at=%d\n", h[0], h[1], h[2]);
    }
    if (part == 4) {
        clear();
        deep_ff<<<1, 1>>>(0, 100);
        err("deep ff");
        get();
        printf("deep ff last=%d code=%d at=%d\n", h[0], h[1], h[2]);
    }
    if (part == 5) {
        int which = atoi(argv[2]);
        clear();
        int* p;
        cudaMalloc(&p, 4096);
        bad<<<1, 1>>>(p, which);
        err("bad");
        get();
        printf("bad %d:", which);
        for (int i = 0; i < h[255] && i < 255; ++i) printf(" %d", h[i]);
        printf("\n");
    }
    if (part == 6) {
        faults<<<1, 1>>>();
        err("faults");
    }
    if (part == 7) {
        for (size_t d : {0, 1, 2, 3, 16, 24, 25}) {
            cudaError_t e = cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, d);
            size_t v = 0;
            cudaError_t g = cudaDeviceGetLimit(&v, cudaLimitDevRuntimeSyncDepth);
            printf("set sync depth %zu: %d, get %d %zu\n", d, e, g, v);
        }
        for (size_t d : {(size_t)0, (size_t)1, (size_t)100, (size_t)2048, (size_t)40000, (size_t)1 << 24}) {
            cudaError_t e = cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, d);
            size_t v = 0;
            cudaError_t g = cudaDeviceGetLimit(&v, cudaLimitDevRuntimePendingLaunchCount);
            printf("set pending %zu: %d, get %d %zu\n", d, e, g, v);
        }
    }
}
