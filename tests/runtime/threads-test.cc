// One session used by several host threads at once. `make tsan` runs these under ThreadSanitizer.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace {

constexpr int hosts = 4, turns = 10;

constexpr const char* threads_ptx = R"(
.version 8.0
.target sm_70
.address_size 64
.visible .entry add(.param .u64 data, .param .u32 what)
{
    .reg .b32 %r<3>;
    .reg .b64 %d<3>;
    ld.param.u64 %d1, [data];
    ld.param.u32 %r1, [what];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %d2, %r2, 4;
    add.s64 %d1, %d1, %d2;
    red.global.add.u32 [%d1], %r1;
    ret;
}
)";

template <class Body>
void on_all(Body body) {
    std::vector<std::thread> threads;
    for (int host = 0; host < hosts; ++host) threads.emplace_back([&body, host] { body(host); });
    for (std::thread& thread : threads) thread.join();
}

TEST(Threads, EachWithItsOwnMemoryStreamsAndLaunches) {
    ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
    ASSERT_EQ(cudaFree(nullptr), cudaSuccess);
    CUmodule module = nullptr;
    ASSERT_EQ(cuModuleLoadData(&module, threads_ptx), CUDA_SUCCESS);
    std::atomic<int> wrong{0};
    const auto good = [&](int result) { wrong += result != 0; };
    on_all([&](int host) {
        CUfunction add = nullptr;
        good(cuModuleGetFunction(&add, module, "add"));
        for (int turn = 0; turn < turns; ++turn) {
            cudaStream_t stream = nullptr;
            good(cudaStreamCreate(&stream));
            unsigned* data = nullptr;
            good(cudaMalloc(reinterpret_cast<void**>(&data), 256));
            good(cudaMemsetAsync(data, 0, 256, stream));
            unsigned what = static_cast<unsigned>(host * 100 + turn);
            void* arguments[] = {&data, &what};
            // More than a kernel has unless it is asked for: by all threads, while others launch it.
            good(cuFuncSetAttribute(add, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60000 + host));
            good(cuLaunchKernel(add, 3, 1, 1, 64, 1, 1, 60000, reinterpret_cast<CUstream>(stream), arguments,
                                nullptr));
            std::vector<unsigned> back(64);
            good(cudaMemcpyAsync(back.data(), data, 256, cudaMemcpyDeviceToHost, stream));
            good(cudaStreamSynchronize(stream));
            for (unsigned value : back) wrong += value != 3 * what;
            good(cudaStreamDestroy(stream));
            good(cudaFree(data));
        }
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(cuModuleUnload(module), CUDA_SUCCESS);
}

TEST(Threads, ShareStreamsEventsAndHostFunctions) {
    cudaStream_t stream = nullptr;
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    cudaEvent_t first = nullptr, last = nullptr;
    ASSERT_EQ(cudaEventCreate(&first), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&last), cudaSuccess);
    ASSERT_EQ(cudaEventRecord(first, stream), cudaSuccess);
    ASSERT_EQ(cudaEventRecord(last, stream), cudaSuccess);
    unsigned* data = nullptr;
    ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&data), 1 << 16), cudaSuccess);
    std::atomic<int> called{0}, wrong{0};
    on_all([&](int host) {
        for (int turn = 0; turn < turns; ++turn) {
            if ((turn + host) % 3 == 0)
                wrong += cudaLaunchHostFunc(
                             stream, [](void* count) { ++*static_cast<std::atomic<int>*>(count); },
                             &called) != cudaSuccess;
            else
                wrong += cudaMemsetAsync(data + host * 1024, turn, 4096, stream) != cudaSuccess;
            wrong += cudaEventRecord(last, stream) != cudaSuccess;
            float milliseconds = -1;
            const cudaError_t timed = cudaEventElapsedTime(&milliseconds, first, last);
            wrong += timed != cudaSuccess && timed != cudaErrorNotReady;
            const cudaError_t queried = cudaEventQuery(last);
            wrong += queried != cudaSuccess && queried != cudaErrorNotReady;
            wrong += cudaStreamWaitEvent(cudaStreamPerThread, last, 0) != cudaSuccess;
            wrong += cudaStreamSynchronize(cudaStreamPerThread) != cudaSuccess;
        }
    });
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    int expected = 0;
    for (int host = 0; host < hosts; ++host)
        for (int turn = 0; turn < turns; ++turn) expected += (turn + host) % 3 == 0;
    EXPECT_EQ(called, expected);
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(cudaEventDestroy(first), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(last), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    EXPECT_EQ(cudaFree(data), cudaSuccess);
    cudaGetLastError();
}

}  // namespace
