// bug: oob-global-read
// line: 22
// kernel: lookup
// note: the index that comes out of the table is one too large for the last bin: a 64-bit pair just past the end of the palette is read
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

template <typename T>
struct Span {
    const T* p;
    int n;
    __device__ const T& operator[](int i) const { return p[i]; }
};

__global__ void lookup(Span<unsigned char> image, Span<double> palette, double* out) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < image.n; i += gridDim.x * blockDim.x) {
        int bin = (image[i] + 8) / 16;
        double v = palette.p[bin];
        out[i] = v * 2.0;
    }
}

int main() {
    const int n = 1000;
    std::vector<unsigned char> h(n);
    std::vector<double> pal(16), r(n);
    for (int i = 0; i < n; ++i) h[i] = (unsigned char)(i * 7 % 256);
    for (int i = 0; i < 16; ++i) pal[i] = i * 0.5;
    unsigned char* img;
    double *dpal, *out;
    CHECK(cudaMalloc(&img, n));
    CHECK(cudaMalloc(&dpal, 16 * sizeof(double)));
    CHECK(cudaMalloc(&out, n * sizeof(double)));
    CHECK(cudaMemcpy(img, h.data(), n, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dpal, pal.data(), 16 * sizeof(double), cudaMemcpyHostToDevice));
    lookup<<<3, 96>>>(Span<unsigned char>{img, n}, Span<double>{dpal, 16}, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(r.data(), out, n * sizeof(double), cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 0; i < n; ++i) if (h[i] < 248) bad += r[i] != pal[(h[i] + 8) / 16] * 2.0;
    CHECK(cudaFree(img));
    CHECK(cudaFree(dpal));
    CHECK(cudaFree(out));
    std::printf("bad: %d\n", bad);
    return bad != 0;
}
