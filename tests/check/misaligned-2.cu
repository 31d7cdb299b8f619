// bug: misaligned
// line: 19
// kernel: decode
// note: a packet is parsed in place: the 4-byte length follows a 1-byte tag and is read with one unaligned load
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); return 1; } } while (0)

struct Header { uint8_t tag; uint32_t length; };

__device__ Header parse(const uint8_t* p) {
    Header h;
    h.tag = p[0];
    h.length = *reinterpret_cast<const uint32_t*>(p + 1);
    return h;
}

__global__ void decode(const uint8_t* stream, const int* at, int packets, uint32_t* total) {
    int k = threadIdx.x;
    if (k < packets) {
        Header h = parse(stream + at[k]);
        if (h.tag == 7) atomicAdd(total, h.length);
    }
}

int main() {
    const int packets = 20;
    std::vector<uint8_t> s(packets * 8, 0);
    std::vector<int> at(packets);
    for (int k = 0; k < packets; ++k) {
        at[k] = 8 * k + (k < packets - 1 ? 3 : 0);
        uint32_t len = 100 + k;
        s[at[k]] = 7;
        std::memcpy(&s[at[k] + 1], &len, 4);
    }
    uint8_t* d;
    int* dat;
    uint32_t *total, got = 0;
    CHECK(cudaMalloc(&d, s.size()));
    CHECK(cudaMalloc(&dat, packets * sizeof(int)));
    CHECK(cudaMalloc(&total, 4));
    CHECK(cudaMemset(total, 0, 4));
    CHECK(cudaMemcpy(d, s.data(), s.size(), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dat, at.data(), packets * sizeof(int), cudaMemcpyHostToDevice));
    decode<<<1, 32>>>(d, dat, packets, total);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&got, total, 4, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d));
    CHECK(cudaFree(dat));
    CHECK(cudaFree(total));
    std::printf("total %u\n", got);
    return got != 100 * packets + packets * (packets - 1) / 2;
}
