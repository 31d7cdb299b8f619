// A colour table of 256 entries in constant memory, in which every lane looks up another entry; and four
// weights in global memory, which all lanes read alike.
#include <cstdio>
#include <vector>

constexpr int pixels = 1 << 16, block = 256;

__constant__ float colours[256];

// Your task: each of the two where it belongs. What all lanes read at once is for constant memory; a table in
// which they look here and there is for shared or global memory.
__global__ void shade(const unsigned char* picture, const float* weights, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 4; ++k) sum += weights[k] * colours[picture[(i + 17 * k) % pixels]];
    out[i] = sum;
}

int main() {
    std::vector<unsigned char> picture(pixels);
    std::vector<float> table(256), weights = {0.5f, 0.25f, 0.125f, 0.125f}, result(pixels);
    for (int i = 0; i < pixels; ++i) picture[i] = static_cast<unsigned char>(2654435761u * i >> 21);
    for (int i = 0; i < 256; ++i) table[i] = static_cast<float>(i * i);
    unsigned char* device_picture;
    float *device_weights, *out;
    cudaMalloc(&device_picture, pixels);
    cudaMalloc(&device_weights, 4 * sizeof(float));
    cudaMalloc(&out, pixels * sizeof(float));
    cudaMemcpy(device_picture, picture.data(), pixels, cudaMemcpyHostToDevice);
    cudaMemcpy(device_weights, weights.data(), 4 * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(colours, table.data(), 256 * sizeof(float));
    shade<<<pixels / block, block>>>(device_picture, device_weights, out);
    cudaMemcpy(result.data(), out, pixels * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(device_picture);
    cudaFree(device_weights);
    cudaFree(out);
    int wrong = 0;
    for (int i = 0; i < pixels; ++i) {
        float sum = 0;
        for (int k = 0; k < 4; ++k) sum += weights[k] * table[picture[(i + 17 * k) % pixels]];
        wrong += sum != result[i];
    }
    std::printf("%d of %d pixels are wrong\n", wrong, pixels);
    return wrong != 0;
}
