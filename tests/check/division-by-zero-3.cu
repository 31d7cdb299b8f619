// bug: division-by-zero
// line: 15
// kernel: rate
// note: a duration in whole milliseconds is zero for short events
#include <cstdio>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

__global__ void rate(const long long* ns, const long long* bytes, long long* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    long long ms = ns[i] / 1000000;
    out[i] = bytes[i] / ms;
}

int main() {
    long long t[40], b[40], r[40];
    for (int i = 0; i < 40; ++i) t[i] = 700000ll * (i + 1), b[i] = 1 << 20;
    long long *dt, *db, *out;
    CHECK(cudaMalloc(&dt, sizeof t));
    CHECK(cudaMalloc(&db, sizeof b));
    CHECK(cudaMalloc(&out, sizeof r));
    CHECK(cudaMemcpy(dt, t, sizeof t, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice));
    rate<<<2, 32>>>(dt, db, out, 40);
    CHECK(cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(dt));
    CHECK(cudaFree(db));
    CHECK(cudaFree(out));
    std::printf("%lld\n", r[5]);
    return 0;
}
