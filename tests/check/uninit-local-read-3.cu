// bug: uninit-local-read
// line: 15
// kernel: walk
// note: a stack of nodes is popped once too often
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void walk(const int* child, int n, int* visited) {
    int stack[16], top = 0, seen = 0;
    stack[top++] = threadIdx.x & 1;
    while (seen < 4) {
        int node = stack[--top & 15];
        ++seen;
        if (node < n && child[node] >= 0) stack[top++ & 15] = child[node];
        if (top < 0) top = 0;
    }
    visited[threadIdx.x] = seen + top;
}

int main() {
    int c[8] = {2, 3, 4, -1, -1, -1, -1, -1}, r[32];
    int *child, *visited;
    CHECK(cudaMalloc(&child, sizeof c));
    CHECK(cudaMalloc(&visited, sizeof r));
    CHECK(cudaMemcpy(child, c, sizeof c, cudaMemcpyHostToDevice));
    walk<<<1, 32>>>(child, 8, visited);
    cudaMemcpy(r, visited, sizeof r, cudaMemcpyDeviceToHost);
    CHECK(cudaFree(child));
    CHECK(cudaFree(visited));
    std::printf("%d\n", r[0]);
    return 0;
}
