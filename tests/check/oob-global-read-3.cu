// bug: oob-global-read
// line: 19
// kernel: mean3
// note: the pitch of the volume is given in bytes and used as elements, so the last slices are far past the end of the pitched allocation
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void mean3(cudaPitchedPtr vol, int nx, int ny, int nz, float* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z;
    if (x >= nx || y >= ny || z >= nz) return;
    const float* base = static_cast<const float*>(vol.ptr);
    size_t row = vol.pitch;
    float v = base[(size_t(z) * ny + y) * row + x];
    atomicAdd(out, v);
}

int main() {
    const int nx = 20, ny = 6, nz = 4;
    cudaPitchedPtr vol;
    CHECK(cudaMalloc3D(&vol, make_cudaExtent(nx * sizeof(float), ny, nz)));
    CHECK(cudaMemset3D(vol, 0, make_cudaExtent(nx * sizeof(float), ny, nz)));
    float* out;
    CHECK(cudaMalloc(&out, sizeof(float)));
    CHECK(cudaMemset(out, 0, sizeof(float)));
    mean3<<<dim3(2, 2, nz), dim3(16, 4)>>>(vol, nx, ny, nz, out);
    CHECK(cudaGetLastError());
    float got = -1.0f;
    CHECK(cudaMemcpy(&got, out, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(vol.ptr));
    CHECK(cudaFree(out));
    std::printf("sum %g\n", got);
    return got != 0.0f;
}
