// ldmatrix and stmatrix without a state space take generic addresses.
// RUN: lockstep run %s
// OUT: ^loaded alike 1, stored alike 1$
#include <cstdio>

__device__ unsigned results[4][256];

__global__ void rows() {
    __shared__ alignas(16) unsigned from[256], to[2][256];
    for (int i = threadIdx.x; i < 256; i += 32) from[i] = i * 2654435761u, to[0][i] = to[1][i] = 0;
    __syncwarp();
    const unsigned* row = from + 4 * ((threadIdx.x * 37) % 64);
    unsigned a, b, c, d;
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.b16 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(row));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(c), "=r"(d)
                 : "r"((unsigned)__cvta_generic_to_shared(row)));
    results[0][threadIdx.x] = a + 3 * b, results[1][threadIdx.x] = c + 3 * d;
    unsigned* place = to[0] + 4 * ((threadIdx.x * 37) % 64);
    asm volatile("stmatrix.sync.aligned.m8n8.x2.b16 [%0], {%1, %2};" ::"l"(place), "r"(a), "r"(b) : "memory");
    asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};" ::"r"(
                     (unsigned)__cvta_generic_to_shared(place + 256)),
                 "r"(a), "r"(b)
                 : "memory");
    __syncwarp();
    for (int i = threadIdx.x; i < 256; i += 32) results[2][i] = to[0][i], results[3][i] = to[1][i];
}

int main() {
    rows<<<1, 32>>>();
    unsigned got[4][256];
    cudaMemcpyFromSymbol(got, results, sizeof got);
    bool loaded = got[0][5] != 0, stored = true;
    for (int i = 0; i < 256; ++i) loaded &= got[0][i] == got[1][i], stored &= got[2][i] == got[3][i];
    std::printf("loaded alike %d, stored alike %d\n", loaded, stored);
    return 0;
}
