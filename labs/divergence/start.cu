// Items with an even number need one treatment, those with an odd number another, and each is long. Every
// warp has both kinds, and takes both ways, one after the other.
#include <cstdio>
#include <vector>

constexpr int items = 1 << 14, block = 256, rounds = 24;

__host__ __device__ unsigned even_way(unsigned x) {
    for (int k = 0; k < rounds; ++k) x = x * 3 + (x >> 7) + 1;
    return x;
}

__host__ __device__ unsigned odd_way(unsigned x) {
    for (int k = 0; k < rounds; ++k) x = (x << 5) ^ (x >> 3) ^ k;
    return x;
}

// Your task: the same results, but all lanes of a warp go the same way. Which item a thread takes is up to
// you.
__global__ void treat(const unsigned* in, unsigned* out) {
    int item = blockIdx.x * blockDim.x + threadIdx.x;
    if (item % 2 == 0)
        out[item] = even_way(in[item]);
    else
        out[item] = odd_way(in[item]);
}

int main() {
    std::vector<unsigned> host(items), result(items);
    for (int i = 0; i < items; ++i) host[i] = 2654435761u * i;
    unsigned *in, *out;
    cudaMalloc(&in, items * sizeof(unsigned));
    cudaMalloc(&out, items * sizeof(unsigned));
    cudaMemcpy(in, host.data(), items * sizeof(unsigned), cudaMemcpyHostToDevice);
    treat<<<items / block, block>>>(in, out);
    cudaMemcpy(result.data(), out, items * sizeof(unsigned), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < items; ++i) wrong += result[i] != (i % 2 == 0 ? even_way(host[i]) : odd_way(host[i]));
    std::printf("%d of %d results are wrong\n", wrong, items);
    cudaFree(in);
    cudaFree(out);
    return wrong != 0;
}
