// hipCUB, of Debian 13's package libhipcub-dev (5.7.1), against what the host computes.
// NEEDS: <hipcub/hipcub.hpp>
// RUN: lockstep run -w -std=c++17 %s
// LIMIT: 600
// OUT: ^hipcub ok$
// NOT: wrong
#include <hip/hip_runtime.h>

#include <algorithm>
#include <cstdio>
#include <hipcub/hipcub.hpp>
#include <numeric>
#include <vector>

#define EXPECT(condition) \
    if (!(condition)) printf("wrong: %s (line %d)\n", #condition, __LINE__)

__global__ void blocks(const int* in, int* sums) {
    using Reduce = hipcub::BlockReduce<int, 256>;
    __shared__ Reduce::TempStorage memory;
    const int sum = Reduce(memory).Sum(in[blockIdx.x * 256 + threadIdx.x]);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

template <class Call>
void run(Call call) {
    size_t bytes = 0;
    void* memory = nullptr;
    EXPECT(call(nullptr, bytes) == hipSuccess);
    (void)hipMalloc(&memory, bytes);
    EXPECT(call(memory, bytes) == hipSuccess);
    EXPECT(hipDeviceSynchronize() == hipSuccess);
    (void)hipFree(memory);
}

int main() {
    const int n = 10'240;
    std::vector<int> in(n), expected(n);
    for (int i = 0; i < n; ++i) in[i] = i * 7919 % 1000;
    int *from, *to;
    (void)hipMallocManaged(&from, n * sizeof(int));
    (void)hipMallocManaged(&to, n * sizeof(int));
    std::copy(in.begin(), in.end(), from);

    run([&](void* m, size_t& b) { return hipcub::DeviceReduce::Sum(m, b, from, to, n); });
    EXPECT(to[0] == std::accumulate(in.begin(), in.end(), 0));
    run([&](void* m, size_t& b) { return hipcub::DeviceScan::InclusiveSum(m, b, from, to, n); });
    std::partial_sum(in.begin(), in.end(), expected.begin());
    EXPECT(std::equal(expected.begin(), expected.end(), to));
    run([&](void* m, size_t& b) { return hipcub::DeviceRadixSort::SortKeys(m, b, from, to, n); });
    expected = in;
    std::sort(expected.begin(), expected.end());
    EXPECT(std::equal(expected.begin(), expected.end(), to));

    blocks<<<n / 256, 256>>>(from, to);
    (void)hipDeviceSynchronize();
    for (int b = 0; b < n / 256; ++b)
        EXPECT(to[b] == std::accumulate(in.begin() + b * 256, in.begin() + (b + 1) * 256, 0));
    printf("hipcub ok\n");
}
