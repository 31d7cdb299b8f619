// The exercise of the lab occupancy, solved.
#include <cstdio>
#include <vector>

constexpr int blocks = 4096, block = 64;

__global__ void scale(const float* in, float* out) {
    __shared__ float table[block];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    table[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = 2 * table[blockDim.x - 1 - threadIdx.x];
}

int main() {
    const int count = blocks * block;
    std::vector<float> host(count), result(count);
    for (int i = 0; i < count; ++i) host[i] = static_cast<float>(i % 1000);
    float *in, *out;
    cudaMalloc(&in, count * sizeof(float));
    cudaMalloc(&out, count * sizeof(float));
    cudaMemcpy(in, host.data(), count * sizeof(float), cudaMemcpyHostToDevice);
    // However many threads a block has, each part of 64 numbers is turned round.
    scale<<<blocks, block>>>(in, out);
    cudaMemcpy(result.data(), out, count * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    int wrong = 0;
    for (int i = 0; i < count; ++i) wrong += result[i] != 2 * host[i / 64 * 64 + 63 - i % 64];
    std::printf("%d of %d numbers are wrong\n", wrong, count);
    return wrong != 0;
}
