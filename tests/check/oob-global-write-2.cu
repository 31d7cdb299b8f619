// bug: oob-global-write
// line: 21
// kernel: transpose
// note: the output is n x m but the write uses the row length of the input, so the last rows of a non-square matrix go past its end
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

template <typename T>
__global__ void transpose(const T* in, T* out, int rows, int cols) {
    __shared__ T tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16 + threadIdx.y;
    if (x < rows && y < cols)
        out[y * cols + x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
    const int rows = 24, cols = 40;
    std::vector<short> h(rows * cols), r(rows * cols);
    for (int i = 0; i < rows * cols; ++i) h[i] = short(i);
    short *in, *out;
    CHECK(cudaMalloc(&in, h.size() * sizeof(short)));
    CHECK(cudaMalloc(&out, h.size() * sizeof(short)));
    CHECK(cudaMemset(out, 0, h.size() * sizeof(short)));
    CHECK(cudaMemcpy(in, h.data(), h.size() * sizeof(short), cudaMemcpyHostToDevice));
    transpose<<<dim3(3, 2), dim3(16, 16)>>>(in, out, rows, cols);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, h.size() * sizeof(short), cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 0; i < rows; ++i) bad += r[i] != h[i * cols];
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    std::printf("bad in the first row: %d\n", bad);
    return bad != 0;
}
