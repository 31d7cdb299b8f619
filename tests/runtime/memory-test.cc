#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <thread>
#include <vector>

namespace {

class Memory : public testing::Test {
  protected:
    void TearDown() override { cudaGetLastError(); }
};

TEST_F(Memory, RoundTrip) {
    std::vector<int> in(1000), out(1000);
    std::iota(in.begin(), in.end(), 0);
    int* device = nullptr;
    ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&device), 4000), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(device, in.data(), 4000, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(out.data(), device, 4000, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(in, out);
    EXPECT_EQ(cudaMemset(device, 0xFF, 4000), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(out.data(), device, 4000, cudaMemcpyDefault), cudaSuccess);
    EXPECT_EQ(out[999], -1);
    EXPECT_EQ(cudaFree(device), cudaSuccess);
    EXPECT_EQ(cudaFree(device), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
}

TEST_F(Memory, WrongArguments) {
    char host[64] = {};
    void* device = nullptr;
    ASSERT_EQ(cudaMalloc(&device, 64), cudaSuccess);
    char* bytes = static_cast<char*>(device);
    EXPECT_EQ(cudaMemcpy(bytes, host, 65, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(bytes + 1, host, 64, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(host, bytes, 64, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(host, host, 64, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(nullptr, host, 64, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(bytes, nullptr, 64, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(bytes, host, 64, static_cast<cudaMemcpyKind>(7)), cudaErrorInvalidMemcpyDirection);
    EXPECT_EQ(cudaMemcpy(bytes, host, 0, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemset(bytes, 0, 65), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemset(host, 0, 64), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFree(bytes + 8), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFree(host), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFreeHost(device), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFree(device), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(bytes, host, 64, cudaMemcpyHostToDevice), cudaErrorInvalidValue) << "after free";
}

TEST_F(Memory, OutOfMemory) {
    testing::internal::CaptureStderr();
    void* device = &device;
    EXPECT_EQ(cudaMalloc(&device, ~size_t{0} / 2), cudaErrorMemoryAllocation);
    EXPECT_EQ(device, nullptr);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("out of device memory"), std::string::npos);
    size_t free = 0, total = 0;
    EXPECT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
    EXPECT_LE(free, total);
    EXPECT_GT(free, 0u);
    EXPECT_EQ(cudaMalloc(&device, 0), cudaSuccess);
    EXPECT_EQ(device, nullptr);
}

TEST_F(Memory, Pitched) {
    void* device = nullptr;
    size_t pitch = 0;
    ASSERT_EQ(cudaMallocPitch(&device, &pitch, 100, 10), cudaSuccess);
    EXPECT_EQ(pitch, 512u);
    std::vector<char> in(100 * 10), out(100 * 10);
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<char>(i * 7);
    EXPECT_EQ(cudaMemcpy2D(device, pitch, in.data(), 100, 100, 10, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpy2D(out.data(), 100, device, pitch, 100, 10, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(in, out);
    EXPECT_EQ(static_cast<char*>(device)[pitch], in[100]);
    EXPECT_EQ(cudaMemcpy2D(device, 50, in.data(), 100, 100, 10, cudaMemcpyHostToDevice),
              cudaErrorInvalidPitchValue);
    EXPECT_EQ(cudaMemcpy2D(device, pitch, in.data(), 100, 100, 11, cudaMemcpyHostToDevice),
              cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemset2D(device, pitch, 1, 100, 10), cudaSuccess);
    EXPECT_EQ(static_cast<char*>(device)[pitch + 99], 1);
    EXPECT_EQ(static_cast<char*>(device)[pitch + 100], 0);
    EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST_F(Memory, ThreeDimensional) {
    cudaPitchedPtr box{};
    ASSERT_EQ(cudaMalloc3D(&box, cudaExtent{16, 4, 3}), cudaSuccess);
    std::vector<int> in(4 * 4 * 3), out(4 * 4 * 3, -1);
    std::iota(in.begin(), in.end(), 100);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = cudaPitchedPtr{in.data(), 16, 16, 4};
    copy.dstPtr = box;
    copy.extent = cudaExtent{16, 4, 3};
    copy.kind = cudaMemcpyHostToDevice;
    EXPECT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
    // The inner 2 x 2 x 2 box only.
    cudaMemcpy3DParms back = {};
    back.srcPtr = box;
    back.srcPos = cudaPos{4, 1, 1};
    back.dstPtr = cudaPitchedPtr{out.data(), 16, 16, 4};
    back.dstPos = cudaPos{4, 1, 1};
    back.extent = cudaExtent{8, 2, 2};
    back.kind = cudaMemcpyDeviceToHost;
    EXPECT_EQ(cudaMemcpy3D(&back), cudaSuccess);
    for (int z = 0; z < 3; ++z)
        for (int y = 0; y < 4; ++y)
            for (int x = 0; x < 4; ++x) {
                const bool inner = z >= 1 && y >= 1 && y < 3 && x >= 1 && x < 3;
                const int at = (z * 4 + y) * 4 + x;
                EXPECT_EQ(out[at], inner ? in[at] : -1) << x << " " << y << " " << z;
            }
    EXPECT_EQ(cudaMemset3D(box, 0, cudaExtent{16, 4, 3}), cudaSuccess);
    EXPECT_EQ(cudaMemset3D(box, 0, cudaExtent{16, 4, 4}), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFree(box.ptr), cudaSuccess);
}

TEST_F(Memory, ManagedAndPinnedBelongToTheHostToo) {
    int *managed = nullptr, *pinned = nullptr, *device_view = nullptr;
    ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&managed), 4096), cudaSuccess);
    ASSERT_EQ(cudaMallocHost(reinterpret_cast<void**>(&pinned), 4096), cudaSuccess);
    managed[0] = 5;
    pinned[0] = 6;
    EXPECT_EQ(cudaMemcpy(managed, pinned, 4, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(managed[0], 6);
    EXPECT_EQ(cudaMemcpy(pinned, managed, 4, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(cudaHostGetDevicePointer(reinterpret_cast<void**>(&device_view), pinned, 0), cudaSuccess);
    EXPECT_EQ(device_view, pinned);
    EXPECT_EQ(cudaMemPrefetchAsync(managed, 4096, 0, nullptr), cudaSuccess);
    EXPECT_EQ(cudaMemPrefetchAsync(managed, 4096, cudaCpuDeviceId, nullptr), cudaSuccess);
    EXPECT_EQ(cudaMemPrefetchAsync(managed, 4096, 3, nullptr), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaMemPrefetchAsync(managed, 4097, 0, nullptr), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemAdvise(managed, 4096, cudaMemAdviseSetReadMostly, 0), cudaSuccess);
    EXPECT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&device_view), 0), cudaSuccess);
    EXPECT_EQ(device_view, nullptr);
    EXPECT_EQ(cudaFree(managed), cudaSuccess);
    EXPECT_EQ(cudaFree(pinned), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
}

TEST_F(Memory, Registered) {
    std::vector<char> host(4096);
    void* device = nullptr;
    EXPECT_EQ(cudaHostGetDevicePointer(&device, host.data(), 0), cudaErrorInvalidValue);
    EXPECT_EQ(cudaHostRegister(host.data(), host.size(), cudaHostRegisterMapped), cudaSuccess);
    EXPECT_EQ(cudaHostRegister(host.data(), 10, 0), cudaErrorHostMemoryAlreadyRegistered);
    EXPECT_EQ(cudaHostGetDevicePointer(&device, host.data(), 0), cudaSuccess);
    EXPECT_EQ(cudaHostUnregister(host.data()), cudaSuccess);
    EXPECT_EQ(cudaHostUnregister(host.data()), cudaErrorHostMemoryNotRegistered);
}

TEST_F(Memory, PointerAttributes) {
    void *device = nullptr, *managed = nullptr, *pinned = nullptr;
    int local = 0;
    ASSERT_EQ(cudaMalloc(&device, 16), cudaSuccess);
    ASSERT_EQ(cudaMallocManaged(&managed, 16), cudaSuccess);
    ASSERT_EQ(cudaHostAlloc(&pinned, 16, cudaHostAllocMapped), cudaSuccess);
    const auto type = [](const void* pointer) {
        cudaPointerAttributes attributes{};
        EXPECT_EQ(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
        return attributes.type;
    };
    EXPECT_EQ(type(static_cast<char*>(device) + 8), cudaMemoryTypeDevice);
    EXPECT_EQ(type(managed), cudaMemoryTypeManaged);
    EXPECT_EQ(type(pinned), cudaMemoryTypeHost);
    EXPECT_EQ(type(&local), cudaMemoryTypeUnregistered);
    cudaFree(device), cudaFree(managed), cudaFreeHost(pinned);
}

TEST_F(Memory, StreamOrdered) {
    void* pointer = nullptr;
    ASSERT_EQ(cudaMallocAsync(&pointer, 100, nullptr), cudaSuccess);
    cudaMemPool_t pool = nullptr;
    ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
    std::uint64_t used = 0;
    EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used), cudaSuccess);
    EXPECT_EQ(used, 100u);
    EXPECT_EQ(cudaFreeAsync(pointer, nullptr), cudaSuccess);
    EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used), cudaSuccess);
    EXPECT_EQ(used, 0u);
    std::uint64_t threshold = ~std::uint64_t{0};
    EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold), cudaSuccess);
    EXPECT_EQ(cudaFreeAsync(pointer, nullptr), cudaErrorInvalidValue);
}

TEST_F(Memory, ManyThreads) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([t] {
            std::vector<int> in(256, t), out(256);
            for (int i = 0; i < 200; ++i) {
                void* device = nullptr;
                ASSERT_EQ(cudaMalloc(&device, 1024), cudaSuccess);
                ASSERT_EQ(cudaMemcpy(device, in.data(), 1024, cudaMemcpyHostToDevice), cudaSuccess);
                ASSERT_EQ(cudaMemcpy(out.data(), device, 1024, cudaMemcpyDeviceToHost), cudaSuccess);
                ASSERT_EQ(in, out);
                ASSERT_EQ(cudaFree(device), cudaSuccess);
            }
        });
    for (auto& thread : threads) thread.join();
}

// Each thread has its own last error.
TEST_F(Memory, LastErrorOfAThread) {
    EXPECT_EQ(cudaMalloc(nullptr, 1), cudaErrorInvalidValue);
    std::thread([] { EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess); }).join();
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

}  // namespace
