// bug: none
// line: 0
// kernel: pack
// note: structures with padding and unions are built in registers, kept in shared memory and copied out whole; unset parts are never looked at
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Item {
    char tag;
    double value;
    short extra;
};
union Either {
    float f[4];
    int i;
};

__global__ void pack(Item* out, Either* e, int n) {
    __shared__ Item s[32];
    int t = threadIdx.x;
    Item it;
    it.tag = 'a';
    it.value = t * 0.5;
    it.extra = short(t);
    s[t] = it;
    __syncthreads();
    if (t < n) out[t] = s[31 - t];
    Either x;
    x.i = t;
    if (t < n) e[t].i = x.i;
}

__global__ void take(const Item* in, const Either* e, double* out, int n) {
    int t = threadIdx.x;
    if (t >= n) return;
    Item it = in[t];
    Either x = e[t];
    out[t] = it.value + it.extra + x.i;
}

int main() {
    Item *d, h[32];
    Either* e;
    double *out, r[32];
    CHECK(cudaMalloc(&d, sizeof(h)));
    CHECK(cudaMalloc(&e, 32 * sizeof(Either)));
    CHECK(cudaMalloc(&out, sizeof(r)));
    pack<<<1, 32>>>(d, e, 32);
    take<<<1, 32>>>(d, e, out, 32);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d));
    CHECK(cudaFree(e));
    CHECK(cudaFree(out));
    std::printf("%g %c\n", r[0], h[0].tag);
    return r[0] != 46.5;
}
