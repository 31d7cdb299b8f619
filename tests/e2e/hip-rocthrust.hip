// rocThrust, of Debian 13's package librocthrust-dev (5.7.1), against what the host computes.
// NEEDS: <thrust/system/hip/execution_policy.h>
// RUN: lockstep run -w -std=c++17 %s
// LIMIT: 600
// OUT: ^rocthrust ok$
// NOT: wrong
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

int main() {
    const int n = 10'000;
    thrust::host_vector<int> in(n);
    for (int i = 0; i < n; ++i) in[i] = i * 7919 % 10'007;
    thrust::device_vector<int> device = in, other(n);
    const int sum = std::accumulate(in.begin(), in.end(), 0);
    if (thrust::reduce(device.begin(), device.end()) != sum) printf("wrong: reduce\n");
    thrust::sort(device.begin(), device.end());
    thrust::host_vector<int> out = device;
    std::sort(in.begin(), in.end());
    if (out != in) printf("wrong: sort\n");
    thrust::transform(device.begin(), device.end(), other.begin(), thrust::negate<int>());
    thrust::inclusive_scan(other.begin(), other.end(), other.begin());
    if (other.back() != -sum) printf("wrong: transform and scan\n");
    printf("rocthrust ok\n");
}
