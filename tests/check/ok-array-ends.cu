// bug: none
// note: arrays of one element or none at the end of a structure, addresses behind the last element, unions
#include <cstdio>
#include <cuda_runtime.h>
struct Msg { int n; int body[1]; };
struct Tail { int n; int body[]; };
union Both { float f[4]; int raw[4]; unsigned char bytes[16]; };
struct Poly { int c[4]; int k; };
__device__ int sum(const int* b, const int* e) { int s = 0; for (; b != e; ++b) s += *b; return s; }
__global__ void k(Msg* m, Tail* t, int* out, int n) {
    int i = threadIdx.x; if (i < m->n) m->body[i] = i; if (i < t->n) t->body[i] = 2 * i;
    Poly p; for (int j = 0; j < 4; ++j) p.c[j] = j + i; p.k = 7;
    Both u; u.raw[0] = i; u.raw[1] = 1; u.raw[2] = 2; u.raw[3] = 3; int bytes = 0; for (int j = 0; j < 16; ++j) bytes += u.bytes[j];
    out[i] = sum(p.c, &p.c[n]) + bytes;
}
int main() {
    Msg* m; Tail* t; int* o; cudaMalloc(&m, 4 + 32 * 4); cudaMalloc(&t, 4 + 32 * 4); cudaMalloc(&o, 128);
    int n = 32; cudaMemcpy(m, &n, 4, cudaMemcpyHostToDevice); cudaMemcpy(t, &n, 4, cudaMemcpyHostToDevice);
    k<<<1, 32>>>(m, t, o, 4);
    int h[32]; cudaMemcpy(h, o, 128, cudaMemcpyDeviceToHost); std::printf("%d %s\n", h[1], cudaGetErrorString(cudaGetLastError()));
    cudaFree(m); cudaFree(t); cudaFree(o);
}
