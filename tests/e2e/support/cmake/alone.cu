#include <cstdio>
__global__ void kernel(int* out) { *out = 7; }
int main() {
    int *device = nullptr, host = 0;
    cudaMalloc(&device, sizeof(int));
    kernel<<<1, 1>>>(device);
    cudaMemcpy(&host, device, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("alone: %d, %s\n", host, WORDS);
    return host != 7;
}
