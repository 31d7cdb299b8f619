// bug: misaligned
// line: 19
// kernel: decode
// note: a record of six bytes has its four-byte number at an odd half
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

union Word {
    unsigned char byte[4];
    unsigned number;
};
struct Reader {
    const unsigned char* at;
    __device__ unsigned next(int record) const {
        return reinterpret_cast<const Word*>(at + record * 6)->number;
    }
};

__global__ void decode(const unsigned char* bytes, unsigned* out) {
    Reader reader{bytes};
    out[threadIdx.x] = reader.next(threadIdx.x);
}

int main() {
    const int n = 32;
    std::vector<unsigned char> h(n * 6, 1);
    unsigned char* bytes;
    unsigned* out;
    CHECK(cudaMalloc(&bytes, n * 6));
    CHECK(cudaMalloc(&out, n * sizeof(unsigned)));
    CHECK(cudaMemcpy(bytes, h.data(), n * 6, cudaMemcpyHostToDevice));
    decode<<<1, n>>>(bytes, out);
    CHECK(cudaGetLastError());
    std::vector<unsigned> r(n);
    CHECK(cudaMemcpy(r.data(), out, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(bytes));
    CHECK(cudaFree(out));
    std::printf("%u\n", r[0]);
    return 0;
}
