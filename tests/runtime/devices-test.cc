#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace {

TEST(Devices, OneDevice) {
    int count = 0, device = -1;
    EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
    EXPECT_EQ(count, 1);
    EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
    EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
    EXPECT_EQ(device, 0);
    EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

TEST(Devices, PropertiesOfTheModel) {
    cudaDeviceProp p;
    ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
    EXPECT_STREQ(p.name, "NVIDIA H200");
    EXPECT_EQ(p.major, 9);
    EXPECT_EQ(p.multiProcessorCount, 132);
    EXPECT_EQ(p.warpSize, 32);
    EXPECT_EQ(p.maxThreadsPerBlock, 1024);
    EXPECT_EQ(p.maxGridSize[0], 2147483647);
    EXPECT_EQ(p.sharedMemPerBlockOptin, 232448u);
    EXPECT_EQ(p.clockRate, 1980000);
    EXPECT_EQ(cudaGetDeviceProperties(&p, 1), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaGetDeviceProperties(nullptr, 0), cudaErrorInvalidValue);
    cudaGetLastError();
}

TEST(Devices, AttributesAgreeWithProperties) {
    cudaDeviceProp p;
    ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
    const auto attribute = [](cudaDeviceAttr which) {
        int value = -1;
        EXPECT_EQ(cudaDeviceGetAttribute(&value, which, 0), cudaSuccess);
        return value;
    };
    EXPECT_EQ(attribute(cudaDevAttrMultiProcessorCount), p.multiProcessorCount);
    EXPECT_EQ(attribute(cudaDevAttrMaxGridDimY), p.maxGridSize[1]);
    EXPECT_EQ(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin), static_cast<int>(p.sharedMemPerBlockOptin));
    EXPECT_EQ(attribute(cudaDevAttrComputeCapabilityMajor), 9);
    int value = 0;
    EXPECT_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0), cudaErrorInvalidValue);
    cudaGetLastError();
}

// CUDA 13's layout has no clock rates, so that what follows them moves.
TEST(Devices, PropertiesForCuda13) {
    void* library = dlopen(LOCKSTEP_BUILD_DIR "/lib/libcudart.so.13", RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    const auto get = reinterpret_cast<cudaError_t (*)(void*, int)>(dlsym(library, "cudaGetDeviceProperties"));
    ASSERT_NE(get, nullptr);
    std::vector<char> properties(1008 + 16, 'x');
    EXPECT_EQ(get(properties.data(), 0), cudaSuccess);
    EXPECT_STREQ(properties.data(), "NVIDIA H200");
    std::size_t reserved_shared = 0;
    std::memcpy(&reserved_shared, properties.data() + 696, sizeof reserved_shared);
    EXPECT_EQ(reserved_shared, 1024u);
    EXPECT_EQ(properties[1007], 0);
    EXPECT_EQ(properties[1008], 'x');
    const auto version = reinterpret_cast<cudaError_t (*)(int*)>(dlsym(library, "cudaRuntimeGetVersion"));
    int number = 0;
    EXPECT_EQ(version(&number), cudaSuccess);
    EXPECT_EQ(number, 13000);
}

TEST(Devices, Versions) {
    int runtime = 0, driver = 0;
    EXPECT_EQ(cudaRuntimeGetVersion(&runtime), cudaSuccess);
    EXPECT_EQ(cudaDriverGetVersion(&driver), cudaSuccess);
    EXPECT_EQ(runtime, CUDART_VERSION);
    EXPECT_GE(driver, runtime);
}

TEST(Devices, LimitsAndConfigurations) {
    size_t value = 0;
    EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize), cudaSuccess);
    EXPECT_EQ(value, 8u << 20);
    EXPECT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, 4096), cudaSuccess);
    EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitStackSize), cudaSuccess);
    EXPECT_EQ(value, 4096u);
    // As recorded on an H200.
    EXPECT_EQ(cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1), cudaErrorInvalidValue);
    EXPECT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, std::size_t{1} << 40), cudaErrorInvalidValue);
    EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitPrintfFifoSize), cudaSuccess);
    EXPECT_EQ(value, 8650752u);
    EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitDevRuntimeSyncDepth), cudaErrorUnsupportedLimit);
    EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitDevRuntimePendingLaunchCount), cudaSuccess);
    EXPECT_EQ(value, 2048u);
    EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitPersistingL2CacheSize), cudaSuccess);
    EXPECT_EQ(value, 11796480u);
    for (const auto& [asked, given] :
         {std::pair<size_t, size_t>{1, 4194304}, {(5 << 20) + 1, 5308416}, {13 << 20, 13631488}}) {
        EXPECT_EQ(cudaDeviceSetLimit(cudaLimitMallocHeapSize, asked), cudaSuccess);
        EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize), cudaSuccess);
        EXPECT_EQ(value, given);
    }
    EXPECT_EQ(cudaDeviceSetLimit(cudaLimitMallocHeapSize, size_t{1} << 60), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1), cudaSuccess);
    cudaFuncCache cache{};
    EXPECT_EQ(cudaDeviceGetCacheConfig(&cache), cudaSuccess);
    EXPECT_EQ(cache, cudaFuncCachePreferL1);
    int peer = 1;
    EXPECT_EQ(cudaDeviceCanAccessPeer(&peer, 0, 0), cudaSuccess);
    EXPECT_EQ(peer, 0);
    char id[32];
    EXPECT_EQ(cudaDeviceGetPCIBusId(id, sizeof id, 0), cudaSuccess);
    int device = -1;
    EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, id), cudaSuccess);
    EXPECT_EQ(device, 0);
    cudaGetLastError();
}

}  // namespace
