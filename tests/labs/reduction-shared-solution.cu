// The exercise of the lab reduction-shared, solved.
#include <cstdio>
#include <vector>

constexpr int block = 256, count = 1 << 16;

__global__ void reduce(const int* in, int* out) {
    __shared__ int part[block];
    part[threadIdx.x] =
        in[2 * blockIdx.x * block + threadIdx.x] + in[(2 * blockIdx.x + 1) * block + threadIdx.x];
    __syncthreads();
    for (unsigned stride = block / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) part[threadIdx.x] += part[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

int main() {
    const int blocks = count / block / 2;
    std::vector<int> host(count), parts(blocks);
    long long expected = 0, sum = 0;
    for (int i = 0; i < count; ++i) expected += host[i] = static_cast<int>(2654435761u * i >> 24);
    int *in, *out;
    cudaMalloc(&in, count * sizeof(int));
    cudaMalloc(&out, blocks * sizeof(int));
    cudaMemcpy(in, host.data(), count * sizeof(int), cudaMemcpyHostToDevice);
    reduce<<<blocks, block>>>(in, out);
    cudaMemcpy(parts.data(), out, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    for (int part : parts) sum += part;
    std::printf("sum %lld, should be %lld: %s\n", sum, expected, sum == expected ? "right" : "WRONG");
    return sum != expected;
}
