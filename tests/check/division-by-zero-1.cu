// bug: division-by-zero
// line: 15
// kernel: mean
// note: an empty segment has no mean: its count is the divisor
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void mean(const int* begin, const int* x, int* out) {
    int s = threadIdx.x, sum = 0;
    for (int i = begin[s]; i < begin[s + 1]; ++i) sum += x[i];
    int count = begin[s + 1] - begin[s];
    out[s] = sum / count;
}

int main() {
    int b[5] = {0, 3, 3, 5, 8}, x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, r[4];
    int *db, *dx, *out;
    CHECK(cudaMalloc(&db, sizeof b));
    CHECK(cudaMalloc(&dx, sizeof x));
    CHECK(cudaMalloc(&out, sizeof r));
    CHECK(cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice));
    mean<<<1, 4>>>(db, dx, out);
    CHECK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(db));
    CHECK(cudaFree(dx));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[0]);
    return 0;
}
