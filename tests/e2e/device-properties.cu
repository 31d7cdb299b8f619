// The GPU model decides what the program sees of its device.
// RUN: lockstep run --gpu h200 %s
// OUT: ^devices 1$
// OUT: ^name .*H200
// OUT: ^capability 9\.0$
// OUT: ^multiprocessors 132$
// OUT: ^warp 32, block 1024, multiprocessor 2048$
// OUT: ^shared 49152, on request 232448$
// OUT: ^properties and attributes agree$
// RUN: lockstep run --gpu gtx1650 %s
// OUT: ^name .*1650
// OUT: ^capability 7\.5$
// OUT: ^multiprocessors 14$
// OUT: ^warp 32, block 1024, multiprocessor 1024$
// OUT: ^shared 49152, on request 65536$
// RUN: lockstep run %s
// ENV: LOCKSTEP_GPU=p2000
// OUT: ^name .*P2000
// OUT: ^capability 6\.1$
// OUT: ^multiprocessors 8$
#include "support/check.h"

int main() {
    int count = 0, device = -1, value = 0;
    CUDA(cudaGetDeviceCount(&count));
    CUDA(cudaSetDevice(0));
    CUDA(cudaGetDevice(&device));
    EXPECT(device == 0);
    cudaDeviceProp p{};
    CUDA(cudaGetDeviceProperties(&p, 0));
    std::printf("devices %d\nname %s\ncapability %d.%d\nmultiprocessors %d\n", count, p.name, p.major,
                p.minor, p.multiProcessorCount);
    std::printf("warp %d, block %d, multiprocessor %d\n", p.warpSize, p.maxThreadsPerBlock,
                p.maxThreadsPerMultiProcessor);
    std::printf("shared %zu, on request %zu\n", p.sharedMemPerBlock, p.sharedMemPerBlockOptin);
    const struct {
        cudaDeviceAttr attribute;
        long long expected;
    } pairs[] = {
        {cudaDevAttrComputeCapabilityMajor, p.major},
        {cudaDevAttrComputeCapabilityMinor, p.minor},
        {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
        {cudaDevAttrWarpSize, p.warpSize},
        {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
        {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
        {cudaDevAttrMaxBlockDimX, p.maxThreadsDim[0]},
        {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
        {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
        {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
        {cudaDevAttrMaxSharedMemoryPerBlock, static_cast<long long>(p.sharedMemPerBlock)},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, static_cast<long long>(p.sharedMemPerMultiprocessor)},
        {cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock},
        {cudaDevAttrL2CacheSize, p.l2CacheSize},
        {cudaDevAttrTotalConstantMemory, static_cast<long long>(p.totalConstMem)},
    };
    for (auto& pair : pairs) {
        CUDA(cudaDeviceGetAttribute(&value, pair.attribute, 0));
        EXPECT_AT(pair.attribute, value, pair.expected);
    }
    int driver = 0, runtime = 0;
    CUDA(cudaDriverGetVersion(&driver));
    CUDA(cudaRuntimeGetVersion(&runtime));
    EXPECT(driver >= runtime && runtime >= 10000);
    if (!failures()) std::printf("properties and attributes agree\n");
    return finish("device-properties");
}
