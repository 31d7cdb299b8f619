// Thrust, compiled by clang: vectors, algorithms, iterators, and where they are told to work.
// RUN: lockstep run %s
// OUT: ^sort_by_key 3000 of 3000$
// OUT: ^reduce 4498500, on a stream 4498500, transform_reduce 8995500500$
// OUT: ^exclusive_scan 3000 of 3000$
// OUT: ^copy_if 1000: 0 3 6$
// OUT: ^zip_iterator 5998$
// OUT: ^lower_bound 30$
// OUT: ^in a kernel: 9 8 7$
// OUT: ^host 0 2999, optional 7$
// OUT: ^no memory: std::bad_alloc
// NOT: warning
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/optional.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>

#include <cstdio>
#include <new>

constexpr int count = 3000;

struct OfThree {
    __host__ __device__ bool operator()(int value) const { return value % 3 == 0; }
};

struct Apart {
    template <class Pair>
    __host__ __device__ int operator()(const Pair& pair) const {
        return thrust::get<0>(pair) - thrust::get<1>(pair);
    }
};

__global__ void in_a_kernel(int* values, int n) {
    thrust::sort(thrust::seq, values, values + n, thrust::greater<int>());
}

template <class Vector, class Condition>
int how_many(const Vector& device, Condition condition) {
    const thrust::host_vector<int> host = device;
    int found = 0;
    for (int i = 0; i < int(host.size()); ++i) found += condition(i, host[i]);
    return found;
}

int main() {
    thrust::host_vector<int> host(count);
    for (int i = 0; i < count; ++i) host[i] = i * 1667 % count;
    thrust::device_vector<int> keys = host, places(count), out(count);
    thrust::sequence(places.begin(), places.end());
    thrust::sort_by_key(keys.begin(), keys.end(), places.begin());
    printf("sort_by_key %d of %d\n", how_many(places, [&](int i, int place) { return host[place] == i; }),
           count);

    cudaStream_t stream;
    cudaStreamCreate(&stream);
    printf("reduce %d, on a stream %d, transform_reduce %ld\n", thrust::reduce(keys.begin(), keys.end()),
           thrust::reduce(thrust::cuda::par.on(stream), keys.begin(), keys.end()),
           thrust::transform_reduce(
               keys.begin(), keys.end(), [] __host__ __device__(int v) { return long(v) * v; }, 0L,
               thrust::plus<long>()));
    cudaStreamDestroy(stream);

    thrust::exclusive_scan(keys.begin(), keys.end(), out.begin());
    printf("exclusive_scan %d of %d\n", how_many(out, [](int i, int sum) { return sum == i * (i - 1) / 2; }),
           count);

    int* raw = thrust::raw_pointer_cast(out.data());
    const auto first = thrust::make_counting_iterator(0);
    const int chosen = thrust::copy_if(thrust::device, first, first + count, raw, OfThree()) - raw;
    printf("copy_if %d: %d %d %d\n", chosen, int(out[0]), int(out[1]), int(out[2]));

    const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(out.begin(), first));
    printf("zip_iterator %d\n",
           thrust::transform_reduce(pairs, pairs + 3, Apart(), 5992, thrust::plus<int>()));
    printf("lower_bound %d\n", int(thrust::lower_bound(keys.begin(), keys.end(), 30) - keys.begin()));

    thrust::device_vector<int> few(first, first + 10);
    in_a_kernel<<<1, 1>>>(thrust::raw_pointer_cast(few.data()), 10);
    printf("in a kernel: %d %d %d\n", int(few[0]), int(few[1]), int(few[2]));

    thrust::sort(thrust::host, host.begin(), host.end());
    printf("host %d %d, optional %d\n", host[0], host[count - 1], thrust::optional<int>().value_or(7));
    try {
        thrust::device_vector<int> too_large(size_t(1) << 50);
    } catch (const std::bad_alloc& error) {
        printf("no memory: %s\n", error.what());
    }
}
