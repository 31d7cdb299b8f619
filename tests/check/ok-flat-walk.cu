// bug: none
// note: rows that are named by a number are walked beyond their end, as the array as a whole
#include <cstdio>
#include <cuda_runtime.h>
struct Mat { float m[4][4]; __host__ __device__ float* data() { return m[0]; } };
__global__ void k(Mat* g, float* out) {
    __shared__ float tile[16][17]; __shared__ Mat sm;
    int t = threadIdx.x;
    for (int i = t; i < 16 * 17; i += blockDim.x) tile[0][i] = i;
    for (int i = t; i < 16; i += blockDim.x) sm.m[0][i] = g->m[0][i];
    __syncthreads();
    float s = 0; const float* row = tile[t % 16]; for (int j = 0; j < 17; ++j) s += row[j];
    float* d = sm.data(); for (int j = 0; j < 16; ++j) s += d[j];
    float loc[3][3]; for (int j = 0; j < 9; ++j) loc[0][j] = t + j;
    out[t] = s + loc[t % 3][(t + 1) % 3];
}
int main() {
    Mat* g; float* o; cudaMalloc(&g, sizeof(Mat)); cudaMalloc(&o, 256); cudaMemset(g, 0, sizeof(Mat));
    k<<<1, 64>>>(g, o);
    float h[64]; cudaMemcpy(h, o, 256, cudaMemcpyDeviceToHost); std::printf("%f %s\n", h[1], cudaGetErrorString(cudaGetLastError()));
    cudaFree(g); cudaFree(o);
}
