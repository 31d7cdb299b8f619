// bug: oob-global-read
// line: 16
// kernel: conv3
// note: a functor member is called for the voxel in front of the first plane: z - 1 is taken without the guard that x and y have
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Volume {
    const unsigned char* data;
    int nx, ny, nz;
    __device__ int at(int x, int y, int z) const {
        return data[(z * ny + y) * nx + x];
    }
};

__global__ void conv3(Volume v, int* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
        z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= v.nx || y >= v.ny || z >= v.nz) return;
    int s = v.at(x, y, z);
    if (x > 0) s -= v.at(x - 1, y, z);
    if (y > 0) s -= v.at(x, y - 1, z);
    s -= v.at(x, y, z - 1);
    out[(z * v.ny + y) * v.nx + x] = s;
}

int main() {
    const int nx = 20, ny = 12, nz = 6, n = nx * ny * nz;
    std::vector<unsigned char> h(n, 3);
    std::vector<int> r(n);
    unsigned char* d;
    int* out;
    CHECK(cudaMalloc(&d, n));
    CHECK(cudaMalloc(&out, n * sizeof(int)));
    CHECK(cudaMemcpy(d, h.data(), n, cudaMemcpyHostToDevice));
    Volume v{d, nx, ny, nz};
    conv3<<<dim3(3, 3, 3), dim3(8, 4, 2)>>>(v, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d));
    CHECK(cudaFree(out));
    std::printf("%d\n", r[n - 1]);
    return 0;
}
