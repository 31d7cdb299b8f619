// The exercise of the lab streams, solved.
#include <cstdio>
#include <cstdlib>

constexpr int count = 1 << 20, block = 256, rounds = 100, pieces = 8, each = count / pieces;

__host__ __device__ float improve(float x) {
    for (int k = 0; k < rounds; ++k) x = 0.5f * x + 1;
    return x;
}

__global__ void work(float* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = improve(data[i]);
}

int main() {
    float *host, *device;
    cudaMallocHost(&host, count * sizeof(float));
    for (int i = 0; i < count; ++i) host[i] = static_cast<float>(i % 1000);
    cudaMalloc(&device, count * sizeof(float));
    cudaStream_t streams[pieces];
    for (int p = 0; p < pieces; ++p) {
        cudaStreamCreate(&streams[p]);
        cudaMemcpyAsync(device + p * each, host + p * each, each * sizeof(float), cudaMemcpyHostToDevice,
                        streams[p]);
        work<<<each / block, block, 0, streams[p]>>>(device + p * each, each);
        cudaMemcpyAsync(host + p * each, device + p * each, each * sizeof(float), cudaMemcpyDeviceToHost,
                        streams[p]);
    }
    cudaDeviceSynchronize();
    for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
    int wrong = 0;
    for (int i = 0; i < count; ++i) wrong += host[i] != improve(static_cast<float>(i % 1000));
    std::printf("%d of %d numbers are wrong\n", wrong, count);
    cudaFree(device);
    cudaFreeHost(host);
    return wrong != 0;
}
