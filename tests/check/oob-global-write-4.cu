// bug: oob-global-write
// line: 16
// kernel: pack
// note: every thread stores a whole int4, but the buffer has room for 4n-2 ints: the last store ends eight bytes past it
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void pack(const int* in, int* out, int quads) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < quads) {
        int b = in[i];
        reinterpret_cast<int4*>(out)[i] = make_int4(b, b + 1, b + 2, b + 3);
    }
}

int main() {
    const int quads = 100, n = 4 * quads - 2;
    std::vector<int> h(quads), r(n);
    for (int i = 0; i < quads; ++i) h[i] = 4 * i;
    cudaStream_t s;
    CHECK(cudaStreamCreate(&s));
    int *in, *out;
    CHECK(cudaMallocAsync(&in, quads * sizeof(int), s));
    CHECK(cudaMallocAsync(&out, n * sizeof(int), s));
    CHECK(cudaMemcpyAsync(in, h.data(), quads * sizeof(int), cudaMemcpyHostToDevice, s));
    pack<<<2, 64, 0, s>>>(in, out, quads);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(r.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost, s));
    CHECK(cudaFreeAsync(in, s));
    CHECK(cudaFreeAsync(out, s));
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaStreamDestroy(s));
    int bad = 0;
    for (int i = 0; i < n; ++i) bad += r[i] != i;
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
