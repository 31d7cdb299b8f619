// A histogram: threads count in shared memory, and blocks add their counts up. Two things are left to luck.
#include <cstdio>
#include <vector>

constexpr int count = 1 << 14, block = 256, bins = 16;

__global__ void histogram(const unsigned char* in, int* out) {
    __shared__ int mine[bins];
    if (threadIdx.x < bins) mine[threadIdx.x] = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    mine[in[i] % bins] += 1;
    if (threadIdx.x < bins) out[threadIdx.x] += mine[threadIdx.x];
}

int main() {
    std::vector<unsigned char> host(count);
    std::vector<int> result(bins), expected(bins);
    for (int i = 0; i < count; ++i) {
        host[i] = static_cast<unsigned char>(2654435761u * i >> 20);
        ++expected[host[i] % bins];
    }
    unsigned char* in;
    int* out;
    cudaMalloc(&in, count);
    cudaMalloc(&out, bins * sizeof(int));
    cudaMemcpy(in, host.data(), count, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, bins * sizeof(int));
    histogram<<<count / block, block>>>(in, out);
    cudaMemcpy(result.data(), out, bins * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    int wrong = 0;
    for (int k = 0; k < bins; ++k) wrong += result[k] != expected[k];
    std::printf("%d of %d bins are wrong\n", wrong, bins);
}
