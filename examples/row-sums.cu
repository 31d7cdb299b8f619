// Adds up each row of a matrix, one thread a row: where docs/five-minutes.md begins.
#include <cstdio>
#include <vector>

__global__ void sumRows(const float* matrix, float* sums, int rows, int columns) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int c = 0; c < columns; ++c) sum += matrix[row * columns + c];
    sums[row] = sum;
}

int main() {
    const int rows = 16384, columns = 256, threads = 256;
    std::vector<float> host(rows * columns, 1.0f);
    float *matrix, *sums, first, ms;
    cudaMalloc(&matrix, host.size() * sizeof(float));
    cudaMalloc(&sums, rows * sizeof(float));
    cudaMemcpy(matrix, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    sumRows<<<rows / threads, threads>>>(matrix, sums, rows, columns);
    cudaEventRecord(end);
    cudaMemcpy(&first, sums, sizeof(float), cudaMemcpyDeviceToHost);
    cudaEventElapsedTime(&ms, begin, end);
    printf("row 0: %g, %.1f us\n", first, ms * 1000);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaFree(matrix);
    cudaFree(sums);
}
