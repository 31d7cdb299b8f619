// bug: uninit-global-read
// line: 17
// kernel: follow
// note: the last column of the pitched table was not uploaded, and what stands there is used as an address
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void follow(const char* table, size_t pitch, int cols, const int* x, int* out) {
    int r = threadIdx.x;
    const int* row = reinterpret_cast<const int*>(table + r * pitch);
    int s = 0;
    for (int c = 0; c < cols; ++c) {
        int k = row[c];
        s += x[k & 15];
    }
    out[r] = s;
}

int main() {
    const int rows = 8, cols = 5;
    std::vector<int> h(rows * cols, 3), x(16, 1), r(rows);
    char* table;
    int *dx, *out;
    size_t pitch = 0;
    CHECK(cudaMallocPitch(&table, &pitch, cols * 4, rows));
    CHECK(cudaMalloc(&dx, 64));
    CHECK(cudaMalloc(&out, rows * 4));
    CHECK(cudaMemcpy2D(table, pitch, h.data(), cols * 4, (cols - 1) * 4, rows, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dx, x.data(), 64, cudaMemcpyHostToDevice));
    follow<<<1, rows>>>(table, pitch, cols, dx, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, rows * 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(table));
    CHECK(cudaFree(dx));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[0]);
    return r[0] != cols;
}
