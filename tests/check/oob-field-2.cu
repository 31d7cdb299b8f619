// bug: oob-field
// line: 13
// kernel: k
// found: memory/out-of-bounds-index
// note: the ninth weight of a layer with eight is its bias
#include <cstdio>
#include <cuda_runtime.h>
struct Layer { float w[8]; float bias; };
struct Net { Layer l[4]; };
__global__ void k(const Net* n, float* out, int width) {
    float s = 0;
    for (int j = 0; j < width; ++j)
        s += n->l[threadIdx.x].w[j];
    out[threadIdx.x] = s;
}
int main() {
    Net* n; float* o; cudaMalloc(&n, sizeof(Net)); cudaMalloc(&o, 16); cudaMemset(n, 0, sizeof(Net));
    k<<<1, 4>>>(n, o, 9);
    float h[4]; cudaMemcpy(h, o, 16, cudaMemcpyDeviceToHost); std::printf("%f %s\n", h[0], cudaGetErrorString(cudaGetLastError())); cudaFree(n); cudaFree(o);
}
