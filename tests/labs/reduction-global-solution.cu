// The exercise of the lab reduction-global, solved.
#include <cstdio>
#include <vector>

constexpr int count = 1 << 16, block = 256;

__global__ void reduce(int* in, int* out) {
    int* mine = in + blockIdx.x * blockDim.x;
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride) mine[threadIdx.x] += mine[threadIdx.x + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = mine[0];
}

int main() {
    std::vector<int> host(count), parts(count / block);
    long long expected = 0, sum = 0;
    for (int i = 0; i < count; ++i) expected += host[i] = static_cast<int>(2654435761u * i >> 24);
    int *in, *out;
    cudaMalloc(&in, count * sizeof(int));
    cudaMalloc(&out, parts.size() * sizeof(int));
    cudaMemcpy(in, host.data(), count * sizeof(int), cudaMemcpyHostToDevice);
    reduce<<<count / block, block>>>(in, out);
    cudaMemcpy(parts.data(), out, parts.size() * sizeof(int), cudaMemcpyDeviceToHost);
    for (int part : parts) sum += part;
    std::printf("sum %lld, should be %lld: %s\n", sum, expected, sum == expected ? "right" : "WRONG");
    cudaFree(in);
    cudaFree(out);
    return sum != expected;
}
