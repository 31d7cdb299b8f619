// Variables that other files use, and names that they use for something else.
#include "shared.h"

__device__ int counter = 7;
__device__ int table[4] = {1, 2, 3, 4};
__device__ int unsized[3] = {10, 20, 30};
__constant__ float weight = 0.5f;
__constant__ int steps[3];
__managed__ int managed = 11;
__managed__ int managed_array[2] = {12, 13};
__device__ Operation operation = twice;
__device__ Operation operations[2] = {thrice, twice};
namespace names {
__device__ int inside = 21;
#ifdef __clang__
__device__ int Holder::member = 22;
__device__ int Holder::get() const { return member + inside; }
#else
__device__ int Holder::get() const { return 22 + inside; }
#endif
static __device__ int hidden = 3;
}  // namespace names

static __device__ int own = 2000;
static __constant__ int own_constant = 2001;
namespace {
__device__ int unnamed = 2002;
__device__ int helper() { return 2003; }
}  // namespace
static __device__ int local(int x) { return x + 2004; }

static __global__ void kernel(int* out) {
    __shared__ int tile[8];
    tile[threadIdx.x] = own + own_constant + unnamed + helper() + local(1) + names::hidden;
    __syncthreads();
    out[threadIdx.x] = tile[7 - threadIdx.x];
}

int host_part(int* out) {
    kernel<<<1, 8>>>(out);
    int value = 0;
    cudaMemcpyFromSymbol(&value, own, sizeof value);
    int other = 0;
    cudaMemcpyFromSymbol(&other, names::hidden, sizeof other);
    int pooled = 0;
    cudaMemcpyFromSymbol(&pooled, pool<int>, sizeof pooled);
#ifdef __clang__
    int more = 0;
    cudaMemcpyFromSymbol(&more, Pool<int>::value, sizeof more);
    if (more != 3) return -1;
#endif
    return value + other + pooled;
}
