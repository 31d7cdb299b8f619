// What streams keep (attributes), values in memory that they write and wait for, and what pools hold for later.
// RUN: lockstep run %s -lcuda
// OUT: ^window 4096 copied 4096, priority -1, none of a stream's 1$
// OUT: ^waited for the host: 7 before, 8 after$
// OUT: ^waited for a stream: 40$
// OUT: ^wide 0x100000002$
// OUT: ^kinds 1 1 1 1$
// OUT: ^misaligned 1, unknown flag 1$
// OUT: ^pool holds 1, used 0, trimmed to 0$
// NOT: ^ERROR line
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>

#define CHECK(call)                                                       \
    do {                                                                  \
        const int status = static_cast<int>(call);                        \
        if (status) std::printf("ERROR line %d: %d\n", __LINE__, status); \
    } while (0)

__global__ void add(volatile unsigned* p, unsigned n) { *p += n; }

int main() {
    cudaStream_t a, b;
    CHECK(cudaStreamCreateWithPriority(&a, cudaStreamNonBlocking, -1));
    CHECK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    cudaStreamAttrValue set = {}, got = {}, copied = {};
    set.accessPolicyWindow.num_bytes = 4096;
    set.accessPolicyWindow.hitRatio = 0.5f;
    CHECK(cudaStreamSetAttribute(a, cudaStreamAttributeAccessPolicyWindow, &set));
    CHECK(cudaStreamGetAttribute(a, cudaStreamAttributeAccessPolicyWindow, &got));
    CHECK(cudaStreamCopyAttributes(b, a));
    CHECK(cudaStreamGetAttribute(b, cudaStreamAttributeAccessPolicyWindow, &copied));
    cudaStreamAttrValue priority = {};
    CHECK(cudaStreamGetAttribute(a, cudaStreamAttributePriority, &priority));
    std::printf("window %zu copied %zu, priority %d, none of a stream's %d\n", got.accessPolicyWindow.num_bytes,
                copied.accessPolicyWindow.num_bytes, priority.priority,
                cudaStreamSetAttribute(a, cudaLaunchAttributeCooperative, &set));

    // Of the host: mapped memory.
    unsigned* flag;
    unsigned long long* wide;
    CHECK(cudaMallocManaged(&flag, 16));
    CHECK(cudaMallocManaged(&wide, 16));
    flag[0] = 0, flag[1] = 7, wide[0] = 0;
    const auto at = [&](int i) { return reinterpret_cast<CUdeviceptr>(flag + i); };
    CHECK(cuStreamWaitValue32(a, at(0), 1, CU_STREAM_WAIT_VALUE_EQ));
    CHECK(cuStreamWriteValue32(a, at(1), 8, 0));
    const unsigned before = *static_cast<volatile unsigned*>(flag + 1);
    *static_cast<volatile unsigned*>(flag) = 1;
    CHECK(cudaStreamSynchronize(a));
    std::printf("waited for the host: %u before, %u after\n", before, flag[1]);

    // Of another stream.
    flag[0] = 10;
    CHECK(cuStreamWaitValue32(a, at(1), 9, CU_STREAM_WAIT_VALUE_GEQ));
    add<<<1, 1, 0, a>>>(flag, 10);
    add<<<1, 1, 0, b>>>(flag, 20);
    CHECK(cuStreamWriteValue32(b, at(1), 9, CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER));
    CHECK(cudaDeviceSynchronize());
    std::printf("waited for a stream: %u\n", flag[0]);

    const auto place = reinterpret_cast<CUdeviceptr>(wide);
    CHECK(cuStreamWriteValue64(a, place, 0x100000002ull, 0));
    CHECK(cuStreamWaitValue64(a, place, 0x100000001ull, CU_STREAM_WAIT_VALUE_GEQ));
    CHECK(cudaStreamSynchronize(a));
    std::printf("wide %#llx\n", wide[0]);

    flag[0] = 6;
    std::printf("kinds");
    const struct {
        unsigned value, kind;
    } waits[] = {{5, CU_STREAM_WAIT_VALUE_GEQ}, {6, CU_STREAM_WAIT_VALUE_EQ}, {2, CU_STREAM_WAIT_VALUE_AND}, {1, CU_STREAM_WAIT_VALUE_NOR}};
    for (const auto& [value, kind] : waits) {
        CHECK(cuStreamWaitValue32(a, at(0), value, kind));
        std::printf(" %d", cudaStreamSynchronize(a) == cudaSuccess);
    }
    std::printf("\nmisaligned %d, unknown flag %d\n", cuStreamWaitValue32(a, at(0) + 2, 0, 0),
                cuStreamWriteValue32(a, at(0), 0, 8));

    cudaMemPool_t pool;
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    CHECK(cudaMemPoolCreate(&pool, &properties));
    unsigned long long threshold = ~0ull, reserved = 0, used = 0, trimmed = 0;
    CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    void* memory;
    CHECK(cudaMallocFromPoolAsync(&memory, 4096, pool, a));
    CHECK(cudaFreeAsync(memory, a));
    CHECK(cudaStreamSynchronize(a));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    CHECK(cudaMemPoolTrimTo(pool, 0));
    CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &trimmed));
    std::printf("pool holds %d, used %llu, trimmed to %llu\n", reserved >= 4096, used, trimmed);
}
