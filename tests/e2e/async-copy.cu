// cp.async from global to shared memory: 4, 8 and 16 bytes a lane, in order, permuted, one address for all,
// and only some lanes.
// RUN: lockstep run %s
// OUT: ^async copies ok$
#include <cstdio>

template <int Bytes>
__device__ void copy(void* to, const void* from) {
    const unsigned shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
    if constexpr (Bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], %2;" ::"r"(shared), "l"(from), "n"(Bytes)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared), "l"(from), "n"(Bytes)
                     : "memory");
}
__device__ void wait() { asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory"); }

template <class T>
__global__ void transfer(const T* in, T* out) {
    __shared__ T plain[64], permuted[64], same[64], odd[64];
    const unsigned t = threadIdx.x;
    odd[t] = in[0];
    copy<sizeof(T)>(&plain[t], in + t);
    copy<sizeof(T)>(&permuted[t], in + (t * 37 + 5) % 64);
    copy<sizeof(T)>(&same[t], in + 9);
    if (t % 2) copy<sizeof(T)>(&odd[t], in + t);
    wait();
    __syncthreads();
    out[t] = plain[t];
    out[64 + t] = permuted[t];
    out[128 + t] = same[t];
    out[192 + t] = odd[t];
}

template <class T>
bool works() {
    constexpr int words = sizeof(T) / 4;
    T *in, *out;
    cudaMallocManaged(&in, 64 * sizeof(T));
    cudaMallocManaged(&out, 256 * sizeof(T));
    int* a = reinterpret_cast<int*>(in);
    const int* b = reinterpret_cast<const int*>(out);
    for (int i = 0; i < 64 * words; ++i) a[i] = 1000 + i;
    transfer<<<1, 64>>>(in, out);
    if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return false;
    for (int t = 0; t < 64; ++t) {
        const int from[4] = {t, (t * 37 + 5) % 64, 9, t % 2 ? t : 0};
        for (int part = 0; part < 4; ++part)
            for (int w = 0; w < words; ++w)
                if (b[(part * 64 + t) * words + w] != 1000 + from[part] * words + w) {
                    std::printf("%d bytes, part %d, thread %d, word %d: %d\n", int(sizeof(T)), part, t, w,
                                b[(part * 64 + t) * words + w]);
                    return false;
                }
    }
    return true;
}

int main() {
    const bool ok = works<int>() && works<int2>() && works<int4>();
    std::printf("async copies %s\n", ok ? "ok" : "WRONG");
    return !ok;
}
