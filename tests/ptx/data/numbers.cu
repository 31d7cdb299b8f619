// Arithmetic of every width, conversions, vectors, halves.
#include "prelude.h"
#ifdef __clang__
struct alignas(16) float4 { float x, y, z, w; };
struct alignas(8) int2 { int x, y; };
typedef _Float16 half_type;
#else
#include <cuda_fp16.h>
typedef __half half_type;
#endif
__global__ void numbers(const float4* in, float4* out, long long* wide, short* narrow, unsigned char* bytes,
                        double* doubles, int2* pairs, half_type* halves) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = in[i];
    v.x = v.x / v.y;
    v.z = v.z > 0.5f ? v.z : -v.w;
    out[i] = v;
    wide[i] = wide[i] * wide[i + 1] / (narrow[i] | 1) + static_cast<long long>(v.x);
    narrow[i] = static_cast<short>(narrow[i] * 3 + bytes[i] - (narrow[i] >> 2));
    bytes[i] = static_cast<unsigned char>(v.y);
    doubles[i] = doubles[i] * 1.5 + static_cast<double>(v.z) / doubles[i + 1];
    pairs[i] = int2{__clz(narrow[i]), static_cast<int>(static_cast<unsigned>(wide[i]) % 10u)};
    halves[i] = halves[i] * halves[i + 1] + halves[i + 2];
    halves[i + 1] = static_cast<half_type>(v.w);
}
