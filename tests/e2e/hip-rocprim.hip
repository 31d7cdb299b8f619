// rocPRIM, of Debian's package librocprim-dev (5.3.3): functions of the device, the block and the wavefront
// against what the host computes.
// NEEDS: <rocprim/rocprim.hpp>
// RUN: lockstep run -w -std=c++17 %s
// LIMIT: 600
// OUT: ^rocprim ok$
// NOT: wrong
#include <hip/hip_runtime.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <rocprim/rocprim.hpp>
#include <vector>

#define CHECK(call) \
    if (const hipError_t error = call) printf("wrong: %s: %s\n", #call, hipGetErrorString(error))
#define EXPECT(condition) \
    if (!(condition)) printf("wrong: %s (line %d)\n", #condition, __LINE__)

template <class T>
struct Array {
    T* device = nullptr;
    size_t size;
    explicit Array(size_t n) : size(n) { CHECK(hipMalloc(&device, n * sizeof(T))); }
    explicit Array(const std::vector<T>& values) : Array(values.size()) {
        CHECK(hipMemcpy(device, values.data(), size * sizeof(T), hipMemcpyHostToDevice));
    }
    std::vector<T> get(size_t count) const {
        std::vector<T> values(count);
        CHECK(hipMemcpy(values.data(), device, count * sizeof(T), hipMemcpyDeviceToHost));
        return values;
    }
    std::vector<T> get() const { return get(size); }
};

// Asks how much memory it takes, then does it.
template <class Call>
void run(Call call) {
    size_t bytes = 0;
    CHECK(call(nullptr, bytes));
    Array<char> memory(std::max<size_t>(bytes, 1));
    CHECK(call(memory.device, bytes));
    CHECK(hipDeviceSynchronize());
}

constexpr int block_size = 256;

__global__ void blocks(const int* in, int* sums, int* scans, int* sorted) {
    using Reduce = rocprim::block_reduce<int, block_size>;
    using Scan = rocprim::block_scan<int, block_size>;
    using Sort = rocprim::block_radix_sort<int, block_size, 2>;
    __shared__ union {
        typename Reduce::storage_type reduce;
        typename Scan::storage_type scan;
        typename Sort::storage_type sort;
    } memory;
    const int i = blockIdx.x * block_size + threadIdx.x, value = in[i];
    int sum, scan, keys[2] = {value, value ^ 0x55};
    Reduce().reduce(value, sum, memory.reduce);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
    __syncthreads();
    Scan().inclusive_scan(value, scan, memory.scan);
    scans[i] = scan;
    __syncthreads();
    Sort().sort(keys, memory.sort);
    sorted[2 * i] = keys[0], sorted[2 * i + 1] = keys[1];
}

__global__ void wavefronts(const int* in, int* sums, int* scans) {
    using Reduce = rocprim::warp_reduce<int, 64>;
    using Scan = rocprim::warp_scan<int, 32>;
    __shared__ Reduce::storage_type reduce[block_size / 64];
    __shared__ Scan::storage_type scan[block_size / 32];
    const int i = blockIdx.x * block_size + threadIdx.x;
    int sum, scanned;
    Reduce().reduce(in[i], sum, reduce[threadIdx.x / 64]);
    Scan().inclusive_scan(in[i], scanned, scan[threadIdx.x / 32]);
    if (threadIdx.x % 64 == 0) sums[i / 64] = sum;
    scans[i] = scanned;
}

int sum_of(const std::vector<int>& values, size_t begin, size_t count) {
    return std::accumulate(values.begin() + begin, values.begin() + begin + count, 0);
}

int main() {
    const int n = 20'011;
    std::vector<int> in(n), expected(n), numbers(n);
    std::mt19937 random(1);
    for (int& value : in) value = int(random() % 1000);
    std::iota(numbers.begin(), numbers.end(), 0);
    Array<int> from(in), to(n), to_values(n), values(numbers), count(1);
    const rocprim::plus<int> plus;

    run([&](void* m, size_t& b) { return rocprim::reduce(m, b, from.device, to.device, 0, n, plus); });
    EXPECT(to.get(1)[0] == sum_of(in, 0, n));

    run([&](void* m, size_t& b) { return rocprim::inclusive_scan(m, b, from.device, to.device, n, plus); });
    std::partial_sum(in.begin(), in.end(), expected.begin());
    EXPECT(to.get() == expected);

    run([&](void* m, size_t& b) {
        return rocprim::radix_sort_pairs(m, b, from.device, to.device, values.device, to_values.device, n);
    });
    expected = numbers;
    std::stable_sort(expected.begin(), expected.end(), [&](int a, int b) { return in[a] < in[b]; });
    EXPECT(to_values.get() == expected);

    const auto even = [] __host__ __device__(int value) { return value % 2 == 0; };
    run([&](void* m, size_t& b) {
        return rocprim::select(m, b, from.device, to.device, count.device, n, even);
    });
    std::vector<int> chosen;
    std::copy_if(in.begin(), in.end(), std::back_inserter(chosen), even);
    EXPECT(count.get()[0] == int(chosen.size()) && to.get(chosen.size()) == chosen);

    Array<int> bins(10);
    run([&](void* m, size_t& b) {
        return rocprim::histogram_even(m, b, from.device, n, bins.device, 11, 0, 1000);
    });
    std::vector<int> counted(10);
    for (const int value : in) ++counted[value / 100];
    EXPECT(bins.get() == counted);

    const int some = 16 * block_size;
    Array<int> sums(some / block_size), scans(some), sorted(2 * some);
    blocks<<<some / block_size, block_size>>>(from.device, sums.device, scans.device, sorted.device);
    CHECK(hipDeviceSynchronize());
    const auto order = sorted.get();
    for (int b = 0; b < some / block_size; ++b) {
        EXPECT(sums.get()[b] == sum_of(in, b * block_size, block_size));
        EXPECT(scans.get()[b * block_size + 100] == sum_of(in, b * block_size, 101));
        EXPECT(std::is_sorted(order.begin() + 2 * b * block_size, order.begin() + 2 * (b + 1) * block_size));
    }

    Array<int> wavefront_sums(some / 64);
    wavefronts<<<some / block_size, block_size>>>(from.device, wavefront_sums.device, scans.device);
    CHECK(hipDeviceSynchronize());
    for (int w = 0; w < some / 64; ++w) {
        EXPECT(wavefront_sums.get()[w] == sum_of(in, w * 64, 64));
        EXPECT(scans.get()[w * 64 + 40] == sum_of(in, w * 64 + 32, 9));
    }
    printf("rocprim ok\n");
}
