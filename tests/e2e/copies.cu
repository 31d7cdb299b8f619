// Copies and fills: all directions, offsets, pitched and two-dimensional, overlapping nothing else; memory
// info and attributes.
// RUN: lockstep run %s
// OUT: ^copies ok$
#include "support/check.h"

__global__ void add_pitched(float* data, size_t pitch, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float* row = reinterpret_cast<float*>(reinterpret_cast<char*>(data) + y * pitch);
    row[x] += 1000.0f * y + x;
}

int main() {
    const int width = 37, height = 11;
    float* pitched = nullptr;
    size_t pitch = 0;
    CUDA(cudaMallocPitch(&pitched, &pitch, width * sizeof(float), height));
    EXPECT(pitch >= width * sizeof(float) && pitch % 256 == 0);
    CUDA(cudaMemset2D(pitched, pitch, 0, width * sizeof(float), height));
    add_pitched<<<dim3(3, 2), dim3(16, 8)>>>(pitched, pitch, width, height);
    std::vector<float> host(width * height, -1.0f);
    CUDA(cudaMemcpy2D(host.data(), width * sizeof(float), pitched, pitch, width * sizeof(float), height,
                      cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) EXPECT_AT(y * width + x, host[y * width + x], 1000.0f * y + x);

    // A window of 5 × 3 in the middle, back to the device, and read as a whole.
    const float window[15] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    char* corner = reinterpret_cast<char*>(pitched) + 4 * pitch + 10 * sizeof(float);
    CUDA(
        cudaMemcpy2D(corner, pitch, window, 5 * sizeof(float), 5 * sizeof(float), 3, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy2D(host.data(), width * sizeof(float), pitched, pitch, width * sizeof(float), height,
                      cudaMemcpyDefault));
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            bool inside = y >= 4 && y < 7 && x >= 10 && x < 15;
            EXPECT_AT(y * width + x, host[y * width + x],
                      inside ? window[(y - 4) * 5 + x - 10] : 1000.0f * y + x);
        }

    unsigned char *a = device_zeros<unsigned char>(1000), *b = nullptr;
    CUDA(cudaMalloc(&b, 1000));
    CUDA(cudaMemset(b, 0xAB, 1000));
    CUDA(cudaMemcpy(a + 101, b + 7, 53, cudaMemcpyDeviceToDevice));
    CUDA(cudaMemcpyAsync(b, a + 100, 60, cudaMemcpyDefault, 0));
    CUDA(cudaMemsetAsync(b + 70, 0xCD, 5, 0));
    unsigned char bytes[80];
    CUDA(cudaMemcpy(bytes, b, 80, cudaMemcpyDefault));
    for (int i = 0; i < 80; ++i)
        EXPECT_AT(i, bytes[i], i == 0 || (i >= 54 && i < 60) ? 0 : i >= 70 && i < 75 ? 0xCD : 0xAB);
    unsigned char there[80];
    CUDA(cudaMemcpy(there, bytes, 80, cudaMemcpyHostToHost));
    for (int i = 0; i < 80; ++i) EXPECT_AT(i, there[i], bytes[i]);

    size_t free_before = 0, free_after = 0, total = 0;
    CUDA(cudaMemGetInfo(&free_before, &total));
    void* large = nullptr;
    CUDA(cudaMalloc(&large, 64 << 20));
    CUDA(cudaMemGetInfo(&free_after, &total));
    EXPECT(total > 0 && free_before <= total && free_before - free_after >= 64u << 20);
    EXPECT(reinterpret_cast<size_t>(large) % 256 == 0);
    cudaPointerAttributes attributes{};
    CUDA(cudaPointerGetAttributes(&attributes, static_cast<char*>(large) + 5));
    EXPECT(attributes.type == cudaMemoryTypeDevice && attributes.device == 0);
    CUDA(cudaPointerGetAttributes(&attributes, bytes));
    EXPECT(attributes.type == cudaMemoryTypeUnregistered);
    CUDA(cudaFree(large));
    CUDA(cudaFree(nullptr));
    void* nothing = bytes;
    CUDA(cudaMalloc(&nothing, 0));
    EXPECT(nothing == nullptr);
    CUDA(cudaMemcpy(bytes, b, 0, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(pitched));
    CUDA(cudaFree(a));
    CUDA(cudaFree(b));
    return finish("copies");
}
