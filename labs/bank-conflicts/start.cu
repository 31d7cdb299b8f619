// Every thread sums up a row of 32 numbers that its block has in shared memory. Lane t reads element 32 t,
// then 32 t + 1, and so on: at each step all lanes of a warp read from one bank.
#include <cstdio>
#include <vector>

constexpr int length = 32, block = 128, blocks = 16;

// Your task: the same sums without bank conflicts. Pad the rows, or let lanes begin at different elements.
__global__ void sum_rows(const int* in, int* out) {
    __shared__ int rows[block][length];
    const int* mine = in + blockIdx.x * block * length;
    for (int i = threadIdx.x; i < block * length; i += block) rows[i / length][i % length] = mine[i];
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < length; ++k) sum += rows[threadIdx.x][k];
    out[blockIdx.x * block + threadIdx.x] = sum;
}

int main() {
    std::vector<int> host(blocks * block * length), result(blocks * block);
    for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(2654435761u * i >> 24);
    int *in, *out;
    cudaMalloc(&in, host.size() * sizeof(int));
    cudaMalloc(&out, result.size() * sizeof(int));
    cudaMemcpy(in, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
    sum_rows<<<blocks, block>>>(in, out);
    cudaMemcpy(result.data(), out, result.size() * sizeof(int), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (size_t row = 0; row < result.size(); ++row) {
        int sum = 0;
        for (int k = 0; k < length; ++k) sum += host[row * length + k];
        wrong += sum != result[row];
    }
    std::printf("%d of %zu sums are wrong\n", wrong, result.size());
    cudaFree(in);
    cudaFree(out);
    return wrong != 0;
}
