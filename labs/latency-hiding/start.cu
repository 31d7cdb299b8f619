// 4096 walks through a table, each step of which says where the next one leads. A thread takes four walks,
// one after the other: it waits for memory in each step, and there are too few warps to hide it.
#include <cstdio>
#include <vector>

constexpr int walks = 4096, steps = 32, size = 1 << 18, each = 4, block = 32;

__global__ void walk(const unsigned* next, unsigned* end) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    // Your task: the same ends in at most half the time. More walks under way at once: in one thread, or in
    // more threads (then change the launch, too).
    for (int k = 0; k < each; ++k) {
        unsigned at = thread * each + k;
        for (int step = 0; step < steps; ++step) at = next[at];
        end[thread * each + k] = at;
    }
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
