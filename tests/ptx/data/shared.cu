// Static and dynamic shared memory, constant tables, atomics, warp functions, launch bounds.
#include "prelude.h"
extern __shared__ float dynamic[];
__constant__ float weights[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
__device__ int total;
__device__ const char* names[2] = {"one", "two"};
__global__ void __launch_bounds__(256, 2) blur(const float* in, float* out, int n) {
    __shared__ float tile[256 + 4];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x + 2] = i < n ? in[i] : 0.0f;
    dynamic[threadIdx.x] = in[n - 1];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 5; ++k) sum = fmaf(weights[k], tile[threadIdx.x + k], sum);
    if (i < n) out[i] = sum * dynamic[255 - threadIdx.x] + names[n & 1][i & 1];
    int votes = __popc(__ballot_sync(0xffffffffu, sum > 1.0f));
    votes += __shfl_down_sync(0xffffffffu, votes, 4) + __any_sync(0xffffffffu, votes == 3);
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&total, votes);
        atomicAdd(out, sqrtf(sum) + rsqrtf(sum));
        __threadfence();
        atomicCAS(&total, 7, 8);
        atomicInc(reinterpret_cast<unsigned*>(&total), 100u);
    }
}
