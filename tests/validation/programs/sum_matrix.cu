// The sum of two matrices, with blocks of many shapes.
#include "program.h"

__global__ void sumMatrix(float* A, float* B, float* C, int NX, int NY) {
    unsigned ix = blockIdx.x * blockDim.x + threadIdx.x, iy = blockIdx.y * blockDim.y + threadIdx.y,
             idx = ix + iy * NX;
    if (ix < NX && iy < NY) C[idx] = A[idx] + B[idx];
}

int main(int argc, char** argv) {
    const int nx = 1 << 14, ny = (1 << 14) / divisor(argc, argv);
    std::vector<float> row(nx);
    for (int i = 0; i < nx; ++i) row[i] = i % 1000;
    const std::size_t bytes = std::size_t(nx) * ny * sizeof(float);
    float *a, *b, *c;
    CHECK(cudaMalloc(&a, bytes));
    CHECK(cudaMalloc(&b, bytes));
    CHECK(cudaMalloc(&c, bytes));
    CHECK(cudaMemset(b, 0, bytes));
    for (int y = 0; y < ny; ++y)
        CHECK(cudaMemcpy(a + std::size_t(y) * nx, row.data(), nx * sizeof(float), cudaMemcpyHostToDevice));
    const int shapes[][2] = {{32, 32}, {32, 16}, {16, 32}, {16, 16}, {64, 1},  {64, 2},
                             {64, 4},  {64, 8},  {128, 1}, {128, 2}, {128, 4}, {128, 8},
                             {256, 1}, {256, 2}, {256, 4}, {8, 8},   {4, 64},  {1, 256}};
    for (const auto& shape : shapes) {
        const dim3 block(shape[0], shape[1]), grid(nx / shape[0], ny / shape[1]);
        CHECK(cudaMemset(c, 0xff, bytes));
        sumMatrix<<<grid, block>>>(a, b, c, nx, ny);
        bool right = true;
        for (int y : {0, ny / 2, ny - 1}) right &= to_host(c + std::size_t(y) * nx, nx) == row;
        char name[32];
        std::snprintf(name, sizeof name, "sumMatrix (%d,%d)", shape[0], shape[1]);
        verdict(name, right);
    }
    return wrong_results;
}
