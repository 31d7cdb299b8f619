// A product of matrices straight from global memory: a thread reads a row of one and a column of the other,
// which its neighbours read, too.
#include <cstdio>
#include <vector>

constexpr int width = 128, tile = 16;

// Your task: each element comes from global memory once a block, by way of tiles in shared memory.
__global__ void multiply(const float* a, const float* b, float* c) {
    int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < width; ++k) sum += a[row * width + k] * b[k * width + column];
    c[row * width + column] = sum;
}

int main() {
    const int count = width * width;
    std::vector<float> left(count), right(count), product(count);
    for (int i = 0; i < count; ++i) left[i] = static_cast<float>(i % 7), right[i] = static_cast<float>(i % 5);
    float *a, *b, *c;
    cudaMalloc(&a, count * sizeof(float));
    cudaMalloc(&b, count * sizeof(float));
    cudaMalloc(&c, count * sizeof(float));
    cudaMemcpy(a, left.data(), count * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(b, right.data(), count * sizeof(float), cudaMemcpyHostToDevice);
    multiply<<<dim3(width / tile, width / tile), dim3(tile, tile)>>>(a, b, c);
    cudaMemcpy(product.data(), c, count * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    int wrong = 0;
    for (int row = 0; row < width; ++row)
        for (int column = 0; column < width; ++column) {
            float sum = 0;
            for (int k = 0; k < width; ++k) sum += left[row * width + k] * right[k * width + column];
            wrong += sum != product[row * width + column];
        }
    std::printf("%d of %d elements are wrong\n", wrong, count);
    return wrong != 0;
}
