// A kernel lets another one count the multiples of 7 in each part of an array, and adds to a counter that
// each part has been launched once.
#include <cstdio>
#include <vector>

constexpr int parts = 8, part = 256;

__global__ void count(const int* in, int* multiples) {
    if (in[threadIdx.x] % 7 == 0) atomicAdd(multiples, 1);
}

// Your task: each part is counted once. How many threads of a block launch here?
__global__ void launch(const int* in, int* multiples, int* launches) {
    count<<<1, part>>>(in + blockIdx.x * part, multiples);
    atomicAdd(launches, 1);
}

int main() {
    std::vector<int> host(parts * part);
    int expected = 0, found[2] = {};
    for (size_t i = 0; i < host.size(); ++i) {
        host[i] = static_cast<int>(2654435761u * i >> 16);
        expected += host[i] % 7 == 0;
    }
    int *in, *result;
    cudaMalloc(&in, host.size() * sizeof(int));
    cudaMalloc(&result, sizeof found);
    cudaMemcpy(in, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(result, 0, sizeof found);
    launch<<<parts, 32>>>(in, result, result + 1);
    cudaDeviceSynchronize();
    cudaMemcpy(found, result, sizeof found, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(result);
    std::printf("%d multiples, should be %d; %d launches, should be %d: %s\n", found[0], expected, found[1],
                parts, found[0] == expected && found[1] == parts ? "right" : "WRONG");
}
