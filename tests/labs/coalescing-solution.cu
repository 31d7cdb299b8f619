// The exercise of the lab coalescing, solved.
#include <cstdio>
#include <vector>

constexpr int width = 256, tile = 32;

__global__ void transpose(const float* in, float* out) {
    __shared__ float rows[tile][tile + 1];
    rows[threadIdx.y][threadIdx.x] =
        in[(blockIdx.y * tile + threadIdx.y) * width + blockIdx.x * tile + threadIdx.x];
    __syncthreads();
    out[(blockIdx.x * tile + threadIdx.y) * width + blockIdx.y * tile + threadIdx.x] =
        rows[threadIdx.x][threadIdx.y];
}

int main() {
    std::vector<float> host(width * width), result(width * width);
    for (int i = 0; i < width * width; ++i) host[i] = static_cast<float>(i);
    float *in, *out;
    cudaMalloc(&in, host.size() * sizeof(float));
    cudaMalloc(&out, host.size() * sizeof(float));
    cudaMemcpy(in, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice);
    transpose<<<dim3(width / tile, width / tile), dim3(tile, tile)>>>(in, out);
    cudaMemcpy(result.data(), out, host.size() * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int y = 0; y < width; ++y)
        for (int x = 0; x < width; ++x) wrong += result[x * width + y] != host[y * width + x];
    std::printf("%d of %d elements are wrong\n", wrong, width * width);
    cudaFree(in);
    cudaFree(out);
    return wrong != 0;
}
