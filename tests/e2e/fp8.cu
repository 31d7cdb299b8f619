// 8-bit floats: hashes of all conversions are those that NVIDIA's header gives on a host, and a kernel gives
// what the host does.
// RUN: lockstep run %s
// OUT: ^db513cef06c996f0$
// OUT: ^cb136b356dc85ef2$
// OUT: ^5e24072eeaae63de$
// OUT: ^fc0b902e2cdb1389$
// OUT: ^7de0f93212c5852d$
// OUT: ^d1b59017ac9b3c03$
// OUT: ^the device differs in 0 of 65536 halves, 0 of 256 codes$
// ALSO: nvcc
#include <cuda_fp8.h>

#include <cstdio>
#include <cstring>
#include <initializer_list>

typedef unsigned long long u64;
struct Hash {
    u64 h = 1469598103934665603ull;
    void add(u64 v) { h = (h ^ v) * 1099511628211ull; }
};
template <class To, class From>
__host__ __device__ To bits(From v) {
    To r;
    memcpy(&r, &v, sizeof r);
    return r;
}

template <class T>
u64 type_hash() {
    Hash h;
    for (int i = 0; i < 256; i++) {
        T t;
        t.__x = i;
        h.add(bits<unsigned>((float)t));
        h.add(bits<unsigned short>((__half)t));
        h.add(bits<unsigned short>((__nv_bfloat16)t));
        h.add(bits<u64>((double)t));
        h.add((unsigned char)t);
        h.add((signed char)t);
        h.add((unsigned short)t);
        h.add((short)t);
        h.add((unsigned)t);
        h.add((int)t);
        h.add((u64)t);
        h.add((long long)t);
        h.add((bool)t);
    }
    for (int i = -70000; i < 70000; i += 7) {
        h.add(T((int)i).__x);
        h.add(T((short)i).__x);
        h.add(T((long long)i).__x);
        h.add(T((unsigned)i).__x);
        h.add(T((unsigned short)i).__x);
        h.add(T((u64)i).__x);
    }
    return h.h;
}

u64 conversions_hash(__nv_fp8_interpretation_t kind, __nv_saturation_t saturate) {
    Hash h;
    for (int i = 0; i < 65536; i++) {
        __half_raw half;
        half.x = i;
        h.add(__nv_cvt_halfraw_to_fp8(half, saturate, kind));
        __nv_bfloat16_raw bfloat;
        bfloat.x = i;
        h.add(__nv_cvt_bfloat16raw_to_fp8(bfloat, saturate, kind));
        const __half2_raw pair = __nv_cvt_fp8x2_to_halfraw2(i, kind);
        h.add(pair.x);
        h.add(pair.y);
    }
    for (u64 i = 0; i < (1ull << 32); i += 10007)
        h.add(__nv_cvt_float_to_fp8(bits<float>((unsigned)i), saturate, kind));
    for (u64 i = 0; i < 200000; i++) {
        u64 u = i * 0x9e3779b97f4a7c15ull;
        if (i & 1) u = (u & 0x800fffffffffffffull) | ((1023ull - 20 + i / 2 % 40) << 52);
        h.add(__nv_cvt_double_to_fp8(bits<double>(u), saturate, kind));
    }
    // What lies between two codes, exactly and nearly.
    for (int i = 0; i < 256; i++) {
        const double x = __half2float((__half)__nv_cvt_fp8_to_halfraw(i, kind)),
                     y = __half2float((__half)__nv_cvt_fp8_to_halfraw((i + 1) & 255, kind)),
                     middle = (x + y) / 2;
        if (middle - middle != 0) continue;
        for (int e = -1; e <= 1; e++)
            h.add(__nv_cvt_double_to_fp8(bits<double>(bits<u64>(middle) + e), saturate, kind));
    }
    return h.h;
}

__host__ __device__ unsigned codes_of(int i) {
    __half_raw r;
    r.x = i;
    return __nv_cvt_halfraw_to_fp8(r, __NV_SATFINITE, __NV_E4M3) |
           __nv_cvt_halfraw_to_fp8(r, __NV_SATFINITE, __NV_E5M2) << 8 |
           __nv_cvt_halfraw_to_fp8(r, __NV_NOSAT, __NV_E4M3) << 16 |
           (unsigned)__nv_cvt_halfraw_to_fp8(r, __NV_NOSAT, __NV_E5M2) << 24;
}
__host__ __device__ u64 back(int i) {
    __nv_fp8_e4m3 a;
    a.__x = i;
    __nv_fp8_e5m2 b;
    b.__x = i;
    const float4 four = (float4)__nv_fp8x4_e4m3(make_float4(i, -i, i * 0.5f, 1));
    return bits<unsigned>((float)a) ^ (u64)bits<unsigned>((float)b) << 20 ^ (u64)(int)a << 12 ^
           (u64)__nv_fp8x4_e4m3(four).__x << 32;
}
__global__ void to(unsigned* out) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = codes_of(blockIdx.x * blockDim.x + threadIdx.x);
}
__global__ void from(u64* out) { out[threadIdx.x] = back(threadIdx.x); }

int main() {
    for (auto kind : {__NV_E4M3, __NV_E5M2})
        for (auto saturate : {__NV_NOSAT, __NV_SATFINITE})
            std::printf("%016llx\n", conversions_hash(kind, saturate));
    std::printf("%016llx\n%016llx\n", type_hash<__nv_fp8_e4m3>(), type_hash<__nv_fp8_e5m2>());
    unsigned* codes;
    u64* values;
    cudaMallocManaged(&codes, 65536 * sizeof *codes);
    cudaMallocManaged(&values, 256 * sizeof *values);
    to<<<256, 256>>>(codes);
    from<<<1, 256>>>(values);
    cudaDeviceSynchronize();
    int halves = 0, eights = 0;
    for (int i = 0; i < 65536; i++) halves += codes[i] != codes_of(i);
    for (int i = 0; i < 256; i++) eights += values[i] != back(i);
    std::printf("the device differs in %d of 65536 halves, %d of 256 codes\n", halves, eights);
}
