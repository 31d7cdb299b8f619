// bug: none
// line: 0
// kernel: insert
// note: the thread that wins the key's slot by compare-and-swap stores the value plainly; a second kernel reads both plainly
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void insert(const int* key, const float* value, int n, int* slot, float* payload, int size) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int at = key[i] * 17 % size;
    while (true) {
        int old = atomicCAS(&slot[at], -1, key[i]);
        if (old == -1) {
            payload[at] = value[i];
            return;
        }
        at = (at + 1) % size;
    }
}

__global__ void find(const int* slot, const float* payload, int size, const int* key, int n, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int at = key[i] * 17 % size;
    while (slot[at] != key[i]) at = (at + 1) % size;
    out[i] = payload[at];
}

int main() {
    const int n = 100, size = 256;
    std::vector<int> key(n);
    std::vector<float> value(n), r(n);
    for (int i = 0; i < n; ++i) {
        key[i] = i * 3;
        value[i] = float(i);
    }
    int *k, *slot;
    float *v, *payload, *out;
    CHECK(cudaMalloc(&k, n * 4));
    CHECK(cudaMalloc(&v, n * 4));
    CHECK(cudaMalloc(&out, n * 4));
    CHECK(cudaMalloc(&slot, size * 4));
    CHECK(cudaMalloc(&payload, size * 4));
    CHECK(cudaMemset(slot, 0xff, size * 4));
    CHECK(cudaMemcpy(k, key.data(), n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(v, value.data(), n * 4, cudaMemcpyHostToDevice));
    insert<<<4, 32>>>(k, v, n, slot, payload, size);
    find<<<4, 32>>>(slot, payload, size, k, n, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, n * 4, cudaMemcpyDeviceToHost));
    for (void* p : {(void*)k, (void*)v, (void*)out, (void*)slot, (void*)payload}) CHECK(cudaFree(p));
    std::printf("%g\n", r[n - 1]);
    return r[n - 1] != n - 1;
}
