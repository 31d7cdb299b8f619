// What a program wants an SM's memory to be, L1 or shared, changes how much of it a load finds.
// RUN: lockstep profile --gpu fermi %s --metrics l1tex__t_sector_hit_rate.pct --expect 'walk: l1tex__t_sector_hit_rate.pct < 10' -- 24 default
// RUN: lockstep profile --gpu fermi %s --metrics l1tex__t_sector_hit_rate.pct --expect 'walk: l1tex__t_sector_hit_rate.pct > 80' -- 24 l1
// RUN: lockstep profile --gpu h200 %s --metrics l1tex__t_sector_hit_rate.pct --expect 'walk: l1tex__t_sector_hit_rate.pct > 80' -- 48 l1
// RUN: lockstep profile --gpu h200 %s --metrics l1tex__t_sector_hit_rate.pct,launch__shared_mem_config_size --expect 'walk: l1tex__t_sector_hit_rate.pct < 10' --expect 'walk: launch__shared_mem_config_size == 233472' -- 48 shared
// RUN: lockstep profile --gpu h200 %s --metrics launch__shared_mem_config_size --expect 'walk: launch__shared_mem_config_size == 135168' -- 48 25
#include <cstdlib>
#include <cstring>

// A block goes through its words eight times.
__global__ void walk(const float* in, float* out, int words) {
    __shared__ float last[256];
    float sum = 0;
    for (int turn = 0; turn < 8; ++turn)
        for (int i = threadIdx.x; i < words; i += blockDim.x) sum += in[blockIdx.x * words + i];
    last[threadIdx.x] = sum;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = last[255 - threadIdx.x];
}

int main(int count, char** words) {
    float *in, *out;
    if (count != 3) return 2;
    const int kilobytes = std::atoi(words[1]);
    const char* want = words[2];
    cudaMalloc(&in, 8 * kilobytes * 1024);
    cudaMalloc(&out, 8 * 256 * sizeof *out);
    if (!std::strcmp(want, "l1"))
        cudaFuncSetCacheConfig(walk, cudaFuncCachePreferL1);
    else if (!std::strcmp(want, "shared"))
        cudaDeviceSetCacheConfig(cudaFuncCachePreferShared);
    else if (std::strcmp(want, "default"))
        cudaFuncSetAttribute(walk, cudaFuncAttributePreferredSharedMemoryCarveout, std::atoi(want));
    walk<<<8, 256>>>(in, out, kilobytes * 256);
    return cudaDeviceSynchronize();
}
