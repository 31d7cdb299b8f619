// Two matrices are added, in blocks that are 4 elements wide and 8 high.
#include <cstdio>
#include <vector>

constexpr int width = 1024, height = 512;
// Your task: choose the block. The grid follows.
constexpr int block_x = 4, block_y = 8;

__global__ void add(const float* a, const float* b, float* c) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) c[y * width + x] = a[y * width + x] + b[y * width + x];
}

int main() {
    const int count = width * height;
    std::vector<float> left(count), right(count), sum(count);
    for (int i = 0; i < count; ++i)
        left[i] = static_cast<float>(i % 999), right[i] = static_cast<float>(i % 777);
    float *a, *b, *c;
    cudaMalloc(&a, count * sizeof(float));
    cudaMalloc(&b, count * sizeof(float));
    cudaMalloc(&c, count * sizeof(float));
    cudaMemcpy(a, left.data(), count * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(b, right.data(), count * sizeof(float), cudaMemcpyHostToDevice);
    const dim3 block(block_x, block_y),
        grid((width + block_x - 1) / block_x, (height + block_y - 1) / block_y);
    add<<<grid, block>>>(a, b, c);
    cudaMemcpy(sum.data(), c, count * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    int wrong = 0;
    for (int i = 0; i < count; ++i) wrong += sum[i] != left[i] + right[i];
    std::printf("%d of %d sums are wrong\n", wrong, count);
    return wrong != 0;
}
