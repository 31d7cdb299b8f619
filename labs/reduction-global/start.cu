// A block adds up its part of an array in global memory, in place. Pairs of neighbours: in the first step
// every second thread works, then every fourth, and so on; all warps stay busy until the end.
#include <cstdio>
#include <vector>

constexpr int count = 1 << 16, block = 256;

// Your task: the same sum with at most 120 instructions a warp, and loads that use at least 90 % of what they
// fetch. Two changes do it: which threads work, and which elements they add.
__global__ void reduce(int* in, int* out) {
    int* mine = in + blockIdx.x * blockDim.x;
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        if (threadIdx.x % (2 * stride) == 0) mine[threadIdx.x] += mine[threadIdx.x + stride];
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
