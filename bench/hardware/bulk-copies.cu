// How long bulk copies take, in cycles and in bandwidth.
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <vector>

using Encode = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                            const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                            CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

__device__ unsigned sa(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void init(unsigned b) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
}
__device__ void expect(unsigned b, unsigned n) {
    asm volatile("{ .reg .b64 s; mbarrier.arrive.expect_tx.shared::cta.b64 s, [%0], %1; }" ::"r"(b), "r"(n)
                 : "memory");
}
__device__ void wait(unsigned b, unsigned parity) {
    asm volatile(
        "{ .reg .pred p; again: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1; @p bra done; bra "
        "again; done: }" ::"r"(b),
        "r"(parity)
        : "memory");
}
__device__ void bulk(unsigned to, const void* from, unsigned n, unsigned b) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
        "l"(from), "r"(n), "r"(b)
        : "memory");
}
__device__ void tensor(unsigned to, const CUtensorMap* map, int x, int y, unsigned b) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
        "%4}], [%2];" ::"r"(to),
        "l"(map), "r"(b), "r"(x), "r"(y)
        : "memory");
}
__device__ void store(void* to, unsigned from, unsigned n) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(from), "r"(n)
                 : "memory");
}
__device__ void commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }

extern __shared__ __align__(1024) char memory[];

// One copy after the other, each waited for: cycles of the median.
__global__ void latency(const char* from, unsigned bytes, unsigned step, int turns, long long* out) {
    const unsigned b = sa(memory) + 65536;
    init(b);
    asm volatile("fence.proxy.async;" ::: "memory");
    for (int i = 0; i < turns; ++i) {
        const long long t = clock64();
        expect(b, bytes);
        bulk(sa(memory), from + (size_t)i * step, bytes, b);
        wait(b, i & 1);
        out[i] = clock64() - t;
    }
}
__global__ void tensor_latency(const __grid_constant__ CUtensorMap map, unsigned bytes, int x, int rows,
                               int turns, long long* out) {
    const unsigned b = sa(memory) + 65536;
    init(b);
    asm volatile("fence.proxy.async;" ::: "memory");
    for (int i = 0; i < turns; ++i) {
        const long long t = clock64();
        expect(b, bytes);
        tensor(sa(memory), &map, x, i * rows, b);
        wait(b, i & 1);
        out[i] = clock64() - t;
    }
}
__global__ void store_latency(char* to, unsigned bytes, unsigned step, int turns, bool read, long long* out) {
    for (int i = 0; i < turns; ++i) {
        const long long t = clock64();
        store(to + (size_t)i * step, sa(memory), bytes);
        commit();
        if (read)
            asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
        else
            asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
        out[i] = clock64() - t;
    }
}
// What a wait costs that need not wait, and an arrival.
__global__ void barrier_cost(long long* out) {
    const unsigned b = sa(memory) + 65536;
    init(b);
    for (int i = 0; i < 8; ++i) {
        const long long t = clock64();
        expect(b, 0);
        const long long u = clock64();
        wait(b, i & 1);
        out[2 * i] = u - t, out[2 * i + 1] = clock64() - u;
    }
}
// Copies of one block that are under way together: cycles for all.
__global__ void issue(const char* from, unsigned bytes, int copies, long long* out) {
    const unsigned b = sa(memory) + 65536;
    init(b);
    asm volatile("fence.proxy.async;" ::: "memory");
    for (int turn = 0; turn < 4; ++turn) {
        const long long t = clock64();
        expect(b, bytes * copies);
        for (int i = 0; i < copies; ++i) bulk(sa(memory) + i * bytes, from + (size_t)i * bytes, bytes, b);
        const long long u = clock64();
        wait(b, turn & 1);
        out[2 * turn] = u - t, out[2 * turn + 1] = clock64() - t;
    }
}
__global__ void tensor_issue(const __grid_constant__ CUtensorMap map, unsigned bytes, int rows, int copies,
                             long long* out) {
    const unsigned b = sa(memory) + 65536;
    init(b);
    asm volatile("fence.proxy.async;" ::: "memory");
    for (int turn = 0; turn < 4; ++turn) {
        const long long t = clock64();
        expect(b, bytes * copies);
        for (int i = 0; i < copies; ++i) tensor(sa(memory) + i * bytes, &map, 0, i * rows, b);
        const long long u = clock64();
        wait(b, turn & 1);
        out[2 * turn] = u - t, out[2 * turn + 1] = clock64() - t;
    }
}

// All SMs: stages of `bytes`, several under way.
__global__ void stream_in(const char* from, unsigned bytes, int stages, size_t total, char* to) {
    const unsigned b = sa(memory) + 196608;
    const size_t tiles = total / bytes;
    if (threadIdx.x == 0) {
        for (int s = 0; s < stages; ++s) init(b + 8 * s);
        asm volatile("fence.proxy.async;" ::: "memory");
        size_t ahead = blockIdx.x;
        for (int s = 0; s < stages; ++s, ahead += gridDim.x)
            if (ahead < tiles)
                expect(b + 8 * s, bytes),
                    bulk(sa(memory) + s * bytes, from + ahead * bytes, bytes, b + 8 * s);
        int s = 0, parity = 0;
        for (size_t t = blockIdx.x; t < tiles; t += gridDim.x, ahead += gridDim.x) {
            wait(b + 8 * s, parity);
            if (to) {
                store(to + t * bytes, sa(memory) + s * bytes, bytes);
                commit();
                asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
            }
            if (ahead < tiles)
                expect(b + 8 * s, bytes),
                    bulk(sa(memory) + s * bytes, from + ahead * bytes, bytes, b + 8 * s);
            if (++s == stages) s = 0, parity ^= 1;
        }
        if (to) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

static void print(const char* name, unsigned bytes, long long* out, int n) {
    std::vector<long long> host(n);
    cudaDeviceSynchronize();
    cudaMemcpy(host.data(), out, n * 8, cudaMemcpyDeviceToHost);
    std::printf("%s,%u", name, bytes);
    for (long long cycles : host) std::printf(",%lld", cycles);
    std::printf("  %s\n", cudaGetErrorName(cudaGetLastError()));
}

int main() {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult status;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &status);
    const auto encode = (Encode)found;
    char *data, *to;
    long long* out;
    const size_t total = size_t(1) << 30;
    cudaMalloc(&data, total), cudaMalloc(&to, total), cudaMalloc(&out, 4096);
    cudaMemset(data, 1, total);
    const int most = 66 << 10;
    for (auto kernel : {latency})
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
    cudaFuncSetAttribute(tensor_latency, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
    cudaFuncSetAttribute(store_latency, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
    cudaFuncSetAttribute(barrier_cost, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
    cudaFuncSetAttribute(issue, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
    cudaFuncSetAttribute(tensor_issue, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
    cudaFuncSetAttribute(stream_in, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10);
    barrier_cost<<<1, 1, most>>>(out), print("barrier", 0, out, 16);
    for (unsigned bytes : {16u, 128u, 512u, 1024u, 2048u, 4096u, 8192u, 16384u, 32768u, 65536u}) {
        latency<<<1, 1, most>>>(data, bytes, 0, 10, out), print("load L2", bytes, out, 10);
        cudaMemset(to, 1, size_t(200) << 20);
        latency<<<1, 1, most>>>(data + (64 << 20), bytes, 1 << 20, 10, out),
            print("load DRAM", bytes, out, 10);
        store_latency<<<1, 1, most>>>(to, bytes, 0, 10, false, out), print("store", bytes, out, 10);
        store_latency<<<1, 1, most>>>(to, bytes, 0, 10, true, out), print("store read", bytes, out, 10);
    }
    for (unsigned bytes : {16u, 128u, 1024u, 4096u})
        for (int copies : {1, 2, 4, 8, 16}) {
            char name[64];
            std::snprintf(name, sizeof name, "issue %d", copies);
            issue<<<1, 1, most>>>(data, bytes, copies, out), print(name, bytes, out, 8);
        }
    for (unsigned rows : {1u, 8u, 32u, 64u, 128u, 256u})
        for (unsigned inner : {16u, 32u, 64u, 128u, 256u})
            for (int swizzle : {0, 3}) {
                if (swizzle && inner > 128) continue;
                if (rows * inner > 65536 || rows * (swizzle ? 128 : inner) > 65536) continue;
                alignas(64) CUtensorMap map;
                const cuuint64_t dims[2] = {4096, 65536}, strides[1] = {4096};
                const cuuint32_t box[2] = {inner, rows}, steps[2] = {1, 1};
                encode(&map, (CUtensorMapDataType)0, 2, data, dims, strides, box, steps,
                       (CUtensorMapInterleave)0, (CUtensorMapSwizzle)swizzle, (CUtensorMapL2promotion)0,
                       (CUtensorMapFloatOOBfill)0);
                char name[64];
                std::snprintf(name, sizeof name, "tensor L2 %u rows of %u swizzle %d", rows, inner, swizzle);
                tensor_latency<<<1, 1, most>>>(map, rows * inner, 0, 0, 8, out),
                    print(name, rows * inner, out, 8);
                const int copies =
                    std::min<unsigned>(65536 / std::max(rows * (swizzle ? 128 : inner), 128u), 16);
                if (rows * inner >= 128 && !swizzle) {
                    std::snprintf(name, sizeof name, "tensor issue %d x %u rows of %u swizzle %d", copies,
                                  rows, inner, swizzle);
                    tensor_issue<<<1, 1, most>>>(map, rows * inner, rows, copies, out),
                        print(name, rows * inner, out, 8);
                }
            }
    cudaEvent_t a, b;
    cudaEventCreate(&a), cudaEventCreate(&b);
    for (unsigned bytes : {1024u, 4096u, 16384u, 49152u})
        for (int stages : {1, 2, 4})
            for (int writes : {0, 1})
                for (size_t all : {size_t(32) << 20, total}) {
                    float best = 1e9f;
                    for (int i = 0; i < 3; ++i) {
                        cudaEventRecord(a);
                        stream_in<<<132, 32, 200 << 10>>>(data, bytes, stages, all, writes ? to : nullptr);
                        cudaEventRecord(b);
                        cudaEventSynchronize(b);
                        float ms;
                        cudaEventElapsedTime(&ms, a, b);
                        best = std::min(best, ms);
                    }
                    std::printf("stream,%u,stages %d,%s,%zu MiB,%.1f us,%.1f GB/s  %s\n", bytes, stages,
                                writes ? "copy" : "read", all >> 20, best * 1e3, all / best / 1e6,
                                cudaGetErrorName(cudaGetLastError()));
                }
}
