// Shared memory: dynamic of several sizes, parted by hand, beside static; more than 48 KiB on request;
// templates' own arrays.
// RUN: lockstep run %s
// OUT: ^dynamic-shared ok$
#include "support/check.h"

extern __shared__ __align__(16) unsigned char pool[];

__global__ void reverse(int* data, int n) {
    int* shared = reinterpret_cast<int*>(pool);
    int t = threadIdx.x;
    shared[t] = data[blockIdx.x * n + t];
    __syncthreads();
    data[blockIdx.x * n + t] = shared[n - 1 - t];
}

__global__ void parted(double* doubles_out, int* ints_out, unsigned char* bytes_out, int n) {
    __shared__ int fixed[8];
    double* doubles = reinterpret_cast<double*>(pool);
    int* ints = reinterpret_cast<int*>(doubles + n);
    unsigned char* bytes = reinterpret_cast<unsigned char*>(ints + n);
    int t = threadIdx.x;
    if (t < 8) fixed[t] = 1000 + t;
    doubles[t] = t * 0.25;
    ints[t] = -t;
    bytes[t] = static_cast<unsigned char>(t * 3);
    __syncthreads();
    int other = (t + 13) % n;
    doubles_out[t] = doubles[other] + fixed[t % 8];
    ints_out[t] = ints[other];
    bytes_out[t] = bytes[other];
}

__global__ void large(unsigned* out, int words) {
    unsigned* shared = reinterpret_cast<unsigned*>(pool);
    for (int i = threadIdx.x; i < words; i += blockDim.x) shared[i] = i * 2654435761u;
    __syncthreads();
    unsigned sum = 0;
    for (int i = threadIdx.x; i < words; i += blockDim.x) sum += shared[words - 1 - i];
    atomicAdd(out, sum);
}

template <class T>
__global__ void own_array(T* out) {
    __shared__ T values[2][33];
    int t = threadIdx.x;
    values[t & 1][t / 2] = static_cast<T>(t);
    __syncthreads();
    out[t] = values[1 - (t & 1)][t / 2];
}

int main() {
    for (int n : {1, 32, 100, 1024}) {
        std::vector<int> host(3 * n);
        for (int i = 0; i < 3 * n; ++i) host[i] = i * 5;
        int* data = to_device(host);
        reverse<<<3, n, n * sizeof(int)>>>(data, n);
        auto out = to_host(data, 3 * n);
        for (int b = 0; b < 3; ++b)
            for (int t = 0; t < n; ++t) EXPECT_AT(t, out[b * n + t], host[b * n + n - 1 - t]);
    }
    const int n = 96;
    double* doubles = device_zeros<double>(n);
    int* ints = device_zeros<int>(n);
    unsigned char* bytes = device_zeros<unsigned char>(n);
    parted<<<1, n, n * 13>>>(doubles, ints, bytes, n);
    auto d = to_host(doubles, n);
    auto i = to_host(ints, n);
    auto b = to_host(bytes, n);
    for (int t = 0; t < n; ++t) {
        int other = (t + 13) % n;
        EXPECT_AT(t, d[t], other * 0.25 + 1000 + t % 8);
        EXPECT_AT(t, i[t], -other);
        EXPECT_AT(t, b[t], static_cast<unsigned char>(other * 3));
    }

    int most = 0;
    CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    EXPECT(most >= 48 * 1024);
    CUDA(cudaFuncSetAttribute(large, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    unsigned* sum = device_zeros<unsigned>(1);
    int words = most / 4;
    large<<<2, 256, most>>>(sum, words);
    unsigned expected = 0;
    for (int w = 0; w < words; ++w) expected += w * 2654435761u;
    EXPECT_AT(0, to_host(sum, 1)[0], 2 * expected);

    float* floats = device_zeros<float>(64);
    short* shorts = device_zeros<short>(64);
    own_array<<<1, 64>>>(floats);
    own_array<<<1, 64>>>(shorts);
    auto f = to_host(floats, 64);
    auto s = to_host(shorts, 64);
    for (int t = 0; t < 64; ++t) {
        EXPECT_AT(t, f[t], t ^ 1);
        EXPECT_AT(t, s[t], t ^ 1);
    }
    return finish("dynamic-shared");
}
