#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace {

TEST(Streams, CreateUseDestroy) {
    cudaStream_t stream = nullptr;
    ASSERT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -1), cudaSuccess);
    unsigned flags = 0;
    int priority = 0;
    EXPECT_EQ(cudaStreamGetFlags(stream, &flags), cudaSuccess);
    EXPECT_EQ(flags, unsigned{cudaStreamNonBlocking});
    EXPECT_EQ(cudaStreamGetPriority(stream, &priority), cudaSuccess);
    EXPECT_EQ(priority, -1);
    int value = 0;
    EXPECT_EQ(cudaLaunchHostFunc(
                  stream, [](void* p) { ++*static_cast<int*>(p); }, &value),
              cudaSuccess);
    EXPECT_EQ(
        cudaStreamAddCallback(
            stream, [](cudaStream_t, cudaError_t status, void* p) { *static_cast<int*>(p) += status + 10; },
            &value, 0),
        cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(value, 11);
    EXPECT_EQ(cudaStreamQuery(stream), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(cudaStreamLegacy), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaStreamCreateWithFlags(&stream, 77), cudaErrorInvalidValue);
    cudaGetLastError();
}

TEST(Events, TimeOfTheHostClock) {
    cudaEvent_t start = nullptr, end = nullptr;
    ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
    ASSERT_EQ(cudaEventCreateWithFlags(&end, cudaEventBlockingSync), cudaSuccess);
    float ms = -1;
    EXPECT_EQ(cudaEventElapsedTime(&ms, start, end), cudaErrorInvalidResourceHandle) << "never recorded";
    EXPECT_EQ(cudaEventRecord(start), cudaSuccess);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(cudaEventRecord(end), cudaSuccess);
    EXPECT_EQ(cudaEventSynchronize(end), cudaSuccess);
    EXPECT_EQ(cudaEventQuery(end), cudaSuccess);
    EXPECT_EQ(cudaEventElapsedTime(&ms, start, end), cudaSuccess);
    EXPECT_GE(ms, 19.0f);
    EXPECT_LT(ms, 2000.0f);
    EXPECT_EQ(cudaStreamWaitEvent(nullptr, end, 0), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(start), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(start), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaEventRecord(start), cudaErrorInvalidResourceHandle);
    cudaEvent_t untimed = nullptr;
    ASSERT_EQ(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(untimed), cudaSuccess);
    EXPECT_EQ(cudaEventElapsedTime(&ms, untimed, end), cudaErrorInvalidResourceHandle);
    cudaEventDestroy(end), cudaEventDestroy(untimed);
    cudaGetLastError();
}

// A host function that waits until the program lets it go.
struct Gate {
    std::atomic<bool> open{false};
    static void wait(void* gate) {
        while (!static_cast<Gate*>(gate)->open) std::this_thread::yield();
    }
};

TEST(Streams, AHostFunctionMayWaitForTheProgram) {
    cudaStream_t stream = nullptr, other = nullptr;
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
    cudaEvent_t before = nullptr, after = nullptr;
    ASSERT_EQ(cudaEventCreate(&before), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&after), cudaSuccess);
    int *device = nullptr, *pinned = nullptr;
    ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&device), 4), cudaSuccess);
    ASSERT_EQ(cudaMallocHost(reinterpret_cast<void**>(&pinned), 4), cudaSuccess);
    *pinned = 7;
    Gate gate;
    EXPECT_EQ(cudaEventRecord(before, stream), cudaSuccess);
    EXPECT_EQ(cudaLaunchHostFunc(stream, Gate::wait, &gate), cudaSuccess);
    EXPECT_EQ(cudaMemsetAsync(device, 0, 4, stream), cudaSuccess);
    EXPECT_EQ(cudaMemcpyAsync(pinned, device, 4, cudaMemcpyDeviceToHost, stream), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(after, stream), cudaSuccess);
    EXPECT_EQ(cudaStreamQuery(stream), cudaErrorNotReady);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "an answer, not an error, as on an H200";
    EXPECT_EQ(cudaEventSynchronize(before), cudaSuccess);
    EXPECT_EQ(cudaEventQuery(after), cudaErrorNotReady);
    float ms = -1;
    EXPECT_EQ(cudaEventElapsedTime(&ms, before, after), cudaErrorNotReady);
    EXPECT_EQ(*pinned, 7) << "the copy waits behind the host function";
    EXPECT_EQ(cudaStreamSynchronize(other), cudaSuccess) << "other streams go on";
    EXPECT_EQ(cudaStreamQuery(cudaStreamLegacy), cudaErrorNotReady) << "this one waits for blocking streams";
    gate.open = true;
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(*pinned, 0);
    EXPECT_EQ(cudaEventElapsedTime(&ms, before, after), cudaSuccess);
    cudaStreamDestroy(stream), cudaStreamDestroy(other), cudaEventDestroy(before), cudaEventDestroy(after);
    cudaFree(device), cudaFreeHost(pinned);
    cudaGetLastError();
}

TEST(Streams, HostFunctionsMustNotCallCuda) {
    std::atomic<int> result{-1};
    EXPECT_EQ(
        cudaLaunchHostFunc(
            nullptr,
            [](void* p) { *static_cast<std::atomic<int>*>(p) = cudaStreamSynchronize(cudaStreamLegacy); },
            &result),
        cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(result, cudaErrorNotPermitted);
}

TEST(Streams, PrioritiesAreClamped) {
    int least = 99, greatest = 99;
    ASSERT_EQ(cudaDeviceGetStreamPriorityRange(&least, &greatest), cudaSuccess);
    EXPECT_EQ(least, 0);
    EXPECT_EQ(greatest, -5);
    for (const auto& [asked, given] : {std::pair{-100, -5}, std::pair{3, 0}, std::pair{-2, -2}}) {
        cudaStream_t stream = nullptr;
        ASSERT_EQ(cudaStreamCreateWithPriority(&stream, cudaStreamDefault, asked), cudaSuccess);
        int priority = 99;
        EXPECT_EQ(cudaStreamGetPriority(stream, &priority), cudaSuccess);
        EXPECT_EQ(priority, given);
        cudaStreamDestroy(stream);
    }
}

extern "C" {
cudaError_t cudaStreamGetId_ptsz(cudaStream_t, unsigned long long*);
cudaError_t cudaLaunchHostFunc_ptsz(cudaStream_t, cudaHostFn_t, void*);
cudaError_t cudaStreamQuery_ptsz(cudaStream_t);
}

TEST(Streams, AThreadsDefaultStreamIsItsOwn) {
    unsigned long long legacy = 0, mine = 0, also_mine = 0, theirs = 0;
    EXPECT_EQ(cudaStreamGetId(nullptr, &legacy), cudaSuccess);
    EXPECT_EQ(cudaStreamGetId_ptsz(nullptr, &mine), cudaSuccess);
    EXPECT_EQ(cudaStreamGetId(cudaStreamPerThread, &also_mine), cudaSuccess);
    std::thread([&] { EXPECT_EQ(cudaStreamGetId(cudaStreamPerThread, &theirs), cudaSuccess); }).join();
    EXPECT_EQ(mine, also_mine);
    EXPECT_NE(mine, legacy);
    EXPECT_NE(mine, theirs);

    // It is a blocking stream: the legacy stream waits for it, another thread's does not.
    Gate gate;
    EXPECT_EQ(cudaLaunchHostFunc_ptsz(nullptr, Gate::wait, &gate), cudaSuccess);
    EXPECT_EQ(cudaStreamQuery_ptsz(nullptr), cudaErrorNotReady);
    EXPECT_EQ(cudaStreamQuery(cudaStreamLegacy), cudaErrorNotReady);
    std::thread([&] { EXPECT_EQ(cudaStreamQuery_ptsz(nullptr), cudaSuccess); }).join();
    gate.open = true;
    EXPECT_EQ(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
    cudaGetLastError();
}

TEST(Events, WaitingIsForTheRecordOfThatTime) {
    cudaStream_t a = nullptr, b = nullptr;
    ASSERT_EQ(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking), cudaSuccess);
    cudaEvent_t event = nullptr;
    ASSERT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(b, event, 0), cudaSuccess) << "never recorded: nothing to wait for";
    EXPECT_EQ(cudaStreamWaitEvent(b, event, 5), cudaErrorInvalidValue);
    Gate gate;
    EXPECT_EQ(cudaLaunchHostFunc(a, Gate::wait, &gate), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(b), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(event, a), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(b, event, 0), cudaSuccess);
    EXPECT_EQ(cudaStreamQuery(b), cudaErrorNotReady);
    EXPECT_EQ(cudaEventDestroy(event), cudaSuccess) << "the wait stays";
    EXPECT_EQ(cudaStreamQuery(b), cudaErrorNotReady);
    gate.open = true;
    EXPECT_EQ(cudaStreamSynchronize(b), cudaSuccess);
    cudaStreamDestroy(a), cudaStreamDestroy(b);
    cudaGetLastError();
}

}  // namespace
