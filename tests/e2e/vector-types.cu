// Vector types: sizes and alignment, makers, vector loads and stores, dim3.
// RUN: lockstep run %s
// OUT: ^vector-types ok$
#include "support/check.h"

static_assert(sizeof(float3) == 12 && alignof(float3) == 4, "");
static_assert(sizeof(float4) == 16 && alignof(float4) == 16, "");
static_assert(sizeof(uchar4) == 4 && alignof(uchar4) == 4, "");
static_assert(sizeof(short2) == 4 && sizeof(int2) == 8 && alignof(int2) == 8, "");
static_assert(sizeof(double2) == 16 && alignof(double2) == 16, "");
static_assert(sizeof(longlong2) == 16 && sizeof(uint3) == 12, "");
static_assert(sizeof(dim3) == 12, "");

__global__ void copy4(const float4* in, float4* out) {
    float4 v = in[threadIdx.x];
    out[threadIdx.x] = make_float4(v.w, v.z, v.y, v.x);
}

__global__ void mix(const uchar4* bytes, int4* ints, short2* shorts, double2* doubles, longlong2* longs,
                    float3* triples, float2* pairs) {
    int t = threadIdx.x;
    uchar4 b = bytes[t];
    ints[t] = make_int4(b.x, b.y, b.z, b.w);
    shorts[t] = make_short2(static_cast<short>(b.x - b.y), static_cast<short>(b.z * 100));
    doubles[t] = make_double2(b.x * 0.5, b.w / 3.0);
    longs[t] = make_longlong2(1ll << (t % 60), -1ll * t);
    triples[t] = make_float3(b.x, b.y, b.z);
    float2 p;
    p.x = triples[t].z;
    p.y = ints[t].w;
    pairs[t] = p;
}

__global__ void shape(unsigned* out, dim3 given, uint3 plain) {
    out[0] = given.x * 100 + given.y * 10 + given.z;
    out[1] = plain.x * 100 + plain.y * 10 + plain.z;
    dim3 from_number = 5;
    out[2] = from_number.x * 100 + from_number.y * 10 + from_number.z;
    uint3 built_in = blockDim;
    out[3] = built_in.x + threadIdx.x;
}

int main() {
    const int n = 48;
    std::vector<float4> in(n);
    for (int i = 0; i < n; ++i) in[i] = make_float4(i, i + 0.25f, i + 0.5f, i + 0.75f);
    float4* device_in = to_device(in);
    float4* device_out = device_zeros<float4>(n);
    copy4<<<1, n>>>(device_in, device_out);
    auto out = to_host(device_out, n);
    for (int i = 0; i < n; ++i)
        EXPECT(out[i].x == in[i].w && out[i].y == in[i].z && out[i].z == in[i].y && out[i].w == in[i].x);

    std::vector<uchar4> bytes(n);
    for (int i = 0; i < n; ++i)
        bytes[i] = make_uchar4(static_cast<unsigned char>(i), static_cast<unsigned char>(2 * i),
                               static_cast<unsigned char>(255 - i), static_cast<unsigned char>(i * i));
    auto* ints = device_zeros<int4>(n);
    auto* shorts = device_zeros<short2>(n);
    auto* doubles = device_zeros<double2>(n);
    auto* longs = device_zeros<longlong2>(n);
    auto* triples = device_zeros<float3>(n);
    auto* pairs = device_zeros<float2>(n);
    mix<<<1, n>>>(to_device(bytes), ints, shorts, doubles, longs, triples, pairs);
    auto i4 = to_host(ints, n);
    auto s2 = to_host(shorts, n);
    auto d2 = to_host(doubles, n);
    auto l2 = to_host(longs, n);
    auto f3 = to_host(triples, n);
    auto f2 = to_host(pairs, n);
    for (int t = 0; t < n; ++t) {
        uchar4 b = bytes[t];
        EXPECT(i4[t].x == b.x && i4[t].y == b.y && i4[t].z == b.z && i4[t].w == b.w);
        EXPECT(s2[t].x == static_cast<short>(b.x - b.y) && s2[t].y == static_cast<short>(b.z * 100));
        EXPECT(d2[t].x == b.x * 0.5 && d2[t].y == b.w / 3.0);
        EXPECT(l2[t].x == 1ll << (t % 60) && l2[t].y == -t);
        EXPECT(f3[t].x == b.x && f3[t].y == b.y && f3[t].z == b.z);
        EXPECT(f2[t].x == b.z && f2[t].y == b.w);
    }

    unsigned* shapes = device_zeros<unsigned>(4);
    uint3 plain = {4, 5, 6};
    shape<<<1, dim3(1, 1, 1)>>>(shapes, dim3(1, 2, 3), plain);
    auto s = to_host(shapes, 4);
    EXPECT(s[0] == 123 && s[1] == 456 && s[2] == 511 && s[3] == 1);
    return finish("vector-types");
}
