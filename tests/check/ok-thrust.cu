// bug: none
// line: 0
// kernel: -
// note: thrust and cub on ordinary buffers, with temporary storage that was never initialised
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

int main() {
    const int n = 3000;
    thrust::device_vector<int> v(n);
    std::vector<int> h(n);
    for (int i = 0; i < n; ++i) h[i] = (i * 7919) % n;
    thrust::copy(h.begin(), h.end(), v.begin());
    thrust::sort(v.begin(), v.end());
    int sum = thrust::reduce(v.begin(), v.end());
    thrust::inclusive_scan(v.begin(), v.end(), v.begin());
    int last = v[n - 1];
    CHECK(cudaDeviceSynchronize());
    std::printf("%d %d\n", sum, last);
    return sum != last || sum != n * (n - 1) / 2;
}
