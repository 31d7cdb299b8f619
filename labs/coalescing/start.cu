// A matrix is transposed straight from global memory to global memory. A warp reads a row, whose elements lie
// side by side, and writes a column, whose elements lie a row apart.
#include <cstdio>
#include <vector>

constexpr int width = 256, tile = 32;

// Your task: reads and writes whose 32 elements lie side by side. Shared memory may be written along one
// dimension and read along the other.
__global__ void transpose(const float* in, float* out) {
    int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    out[x * width + y] = in[y * width + x];
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
