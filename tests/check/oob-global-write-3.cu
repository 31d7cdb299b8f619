// bug: oob-global-write
// line: 20
// kernel: stamp
// note: a __device__ array of 24 entries is indexed with 25; its neighbour in the module is overwritten
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Slot { int owner; float gain; };
__device__ Slot slots[24];
__device__ Slot guard[24];

__global__ void stamp(int n) {
    int i = threadIdx.x + threadIdx.y * blockDim.x;
    if (i <= n) {
        Slot s{i, 0.5f * i};
        slots[i] = s;
        if (i < n) guard[i] = s;
    }
}

int main() {
    std::vector<Slot> r(24);
    stamp<<<1, dim3(8, 4)>>>(24);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyFromSymbol(r.data(), slots, 24 * sizeof(Slot)));
    int bad = 0;
    for (int i = 0; i < 24; ++i) bad += r[i].owner != i || r[i].gain != 0.5f * i;
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
