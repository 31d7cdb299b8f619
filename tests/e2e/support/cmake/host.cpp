#include <cuda_runtime_api.h>
#include <cstdio>
int main() {
    int devices = 0;
    cudaDeviceProp properties;
    const bool good = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0 &&
                      cudaGetDeviceProperties(&properties, 0) == cudaSuccess;
    std::printf("host: %d devices\n", devices);
    return good ? 0 : 1;
}
