// A block adds up 256 numbers in shared memory: the first threads work, at a strided index, so that lanes
// meet at the same banks.
#include <cstdio>
#include <vector>

constexpr int block = 256, count = 1 << 16;

// Your task: steps 3 and 4 of the ladder. No bank conflicts; and each thread adds two numbers as it loads
// them, so that half as many blocks do (change the launch, too).
__global__ void reduce(const int* in, int* out) {
    __shared__ int part[block];
    part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        unsigned index = 2 * stride * threadIdx.x;
        if (index < blockDim.x) part[index] += part[index + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

int main() {
    const int blocks = count / block;
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
