// The exercise of the lab latency-hiding, solved.
#include <cstdio>
#include <vector>

constexpr int walks = 4096, steps = 32, size = 1 << 18, each = 4, block = 32;

__global__ void walk(const unsigned* next, unsigned* end) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned at[each];
    for (int k = 0; k < each; ++k) at[k] = thread * each + k;
    for (int step = 0; step < steps; ++step)
        for (int k = 0; k < each; ++k) at[k] = next[at[k]];
    for (int k = 0; k < each; ++k) end[thread * each + k] = at[k];
}

int main() {
    std::vector<unsigned> next(size), end(walks);
    for (unsigned i = 0; i < size; ++i) next[i] = (i * 1664525u + 1013904223u) % size;
    unsigned *table, *out;
    cudaMalloc(&table, size * sizeof(unsigned));
    cudaMalloc(&out, walks * sizeof(unsigned));
    cudaMemcpy(table, next.data(), size * sizeof(unsigned), cudaMemcpyHostToDevice);
    walk<<<walks / each / block, block>>>(table, out);
    cudaMemcpy(end.data(), out, walks * sizeof(unsigned), cudaMemcpyDeviceToHost);
    cudaFree(table);
    cudaFree(out);
    int wrong = 0;
    for (unsigned i = 0; i < walks; ++i) {
        unsigned at = i;
        for (int step = 0; step < steps; ++step) at = next[at];
        wrong += at != end[i];
    }
    std::printf("%d of %d walks end elsewhere\n", wrong, walks);
    return wrong != 0;
}
