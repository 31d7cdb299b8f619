// bug: race-global-blocks
// line: 22,22
// kernel: push
// note: each vertex adds to the sums of its neighbours with a plain +=; two vertices of different blocks share a neighbour
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Graph {
    const int* row;
    const int* col;
    int n;
};

__global__ void push(Graph g, const float* value, float* sum) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= g.n) return;
    for (int e = g.row[v]; e < g.row[v + 1]; ++e)
        sum[g.col[e]] += value[v];
}

int main() {
    const int n = 256;
    std::vector<int> row(n + 1), col;
    for (int v = 0; v < n; ++v) {
        row[v] = int(col.size());
        col.push_back((v + 64) % n);
        col.push_back((v * 2) % n);
    }
    row[n] = int(col.size());
    std::vector<float> one(n, 1.0f);
    int *r, *c;
    float *v, *s;
    CHECK(cudaMalloc(&r, (n + 1) * 4));
    CHECK(cudaMalloc(&c, col.size() * 4));
    CHECK(cudaMalloc(&v, n * 4));
    CHECK(cudaMalloc(&s, n * 4));
    CHECK(cudaMemcpy(r, row.data(), (n + 1) * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(c, col.data(), col.size() * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(v, one.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(s, 0, n * 4));
    push<<<4, 64>>>(Graph{r, c, n}, v, s);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(one.data(), s, n * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(r));
    CHECK(cudaFree(c));
    CHECK(cudaFree(v));
    CHECK(cudaFree(s));
    std::printf("%g\n", one[0]);
    return 0;
}
