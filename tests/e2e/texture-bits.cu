// What texture fetches give, bit for bit as an H200 gave it (driver 580, CUDA 13.0): a hash of 192 fetches for each setting of
// address modes, filters, formats, geometries and levels. Recorded by this program's own fetches.
// RUN: lockstep run %s
// OUT: ^w1d\.sweep\.unnorm\.w8 8aaa84acd8a99383$
// OUT: ^w1d\.sweep\.unnorm\.w5 8aaa84acd8a99383$
// OUT: ^w1d\.sweep\.unnorm\.w100 8aaa84acd8a99383$
// OUT: ^w1d\.exps\.unnorm\.w8 f6a0d1ef5238381d$
// OUT: ^p1d\.sweep\.unnorm\.w100 74f0da30d6108183$
// OUT: ^w2d\.rand\.unnorm db56d52f49e6b313$
// OUT: ^w2d\.exps\.unnorm 31274d0a36794f1f$
// OUT: ^w3d\.rand\.unnorm 67f5590f0c65a76a$
// OUT: ^p3d\.rand\.unnorm 074d1b9eca4ecf55$
// OUT: ^addr1d\.unnorm\.wrap\.point 007cd1b2c4b31dff$
// OUT: ^addr2d\.unnorm\.wrap\.point 14afd72299868e26$
// OUT: ^addr1d\.unnorm\.wrap\.linear 0234b79f3effe8cf$
// OUT: ^addr2d\.unnorm\.wrap\.linear 9e3c7ea4b89f53b7$
// OUT: ^layered2d\.unnorm\.wrap\.linear 2c307c0e1513c944$
// OUT: ^addr1d\.unnorm\.clamp\.point e2688deb1727732c$
// OUT: ^addr2d\.unnorm\.clamp\.point cc7d955044764afd$
// OUT: ^addr1d\.unnorm\.clamp\.linear 4c4b31d9ed651c87$
// OUT: ^addr2d\.unnorm\.clamp\.linear 9dd073702e3bca0e$
// OUT: ^layered2d\.unnorm\.clamp\.linear 978afba4d3bb3930$
// OUT: ^addr1d\.unnorm\.mirror\.point 10b30acc988c07a5$
// OUT: ^addr2d\.unnorm\.mirror\.point 8f5d95ae3b4418ac$
// OUT: ^addr1d\.unnorm\.mirror\.linear 2f8e64b27732371d$
// OUT: ^addr2d\.unnorm\.mirror\.linear 2b667d72328f8602$
// OUT: ^layered2d\.unnorm\.mirror\.linear 43bff197095aec3a$
// OUT: ^addr1d\.unnorm\.border\.point da4839612acb5d05$
// OUT: ^addr2d\.unnorm\.border\.point 85fe1176bd3a17c5$
// OUT: ^layered1d\.unnorm\.border\.point a9ffb9168c77df82$
// OUT: ^addr1d\.unnorm\.border\.linear 8fa959f25d6b3925$
// OUT: ^addr2d\.unnorm\.border\.linear 9236f9e57172f996$
// OUT: ^layered2d\.unnorm\.border\.linear f5bbcf809167285a$
// OUT: ^layered1d\.unnorm\.border\.linear c03cc2a7e36f4c64$
// OUT: ^w1d\.sweep\.norm\.w8 8aaa84acd8a99383$
// OUT: ^w1d\.sweep\.norm\.w5 8aaa84acd8a99383$
// OUT: ^w1d\.sweep\.norm\.w100 8aaa84acd8a99383$
// OUT: ^w1d\.exps\.norm\.w8 80eca65533cafa97$
// OUT: ^p1d\.sweep\.norm\.w100 c5c0e3e5144bc383$
// OUT: ^w2d\.rand\.norm 473efc32a4b1ef29$
// OUT: ^w2d\.exps\.norm d73331b9e6912980$
// OUT: ^w3d\.rand\.norm 8252e0fd6ddb1ada$
// OUT: ^p3d\.rand\.norm 1a9e57d980c97cf1$
// OUT: ^addr1d\.norm\.wrap\.point 806845218999a1b8$
// OUT: ^addr2d\.norm\.wrap\.point 49f2cbdf463410ed$
// OUT: ^addr3d\.norm\.wrap\.point 1365d203bdb3100a$
// OUT: ^addr1d\.norm\.wrap\.linear 0a5bb639722d7765$
// OUT: ^addr2d\.norm\.wrap\.linear 2b78da7e762a1750$
// OUT: ^addr3d\.norm\.wrap\.linear 7a742abeebfe9a4c$
// OUT: ^layered2d\.norm\.wrap\.linear bfd2ad7e68cba1c6$
// OUT: ^addr1d\.norm\.clamp\.point 70a33b80b539220a$
// OUT: ^addr2d\.norm\.clamp\.point 3745aa14c0d98d44$
// OUT: ^addr3d\.norm\.clamp\.point 88ec71832c7aadce$
// OUT: ^addr1d\.norm\.clamp\.linear da695eefa705e57a$
// OUT: ^addr2d\.norm\.clamp\.linear 1395a2c66577b4da$
// OUT: ^addr3d\.norm\.clamp\.linear 8384759b17a18291$
// OUT: ^layered2d\.norm\.clamp\.linear 58fbd003fee1a790$
// OUT: ^addr1d\.norm\.mirror\.point af30ce73d89aa8bb$
// OUT: ^addr2d\.norm\.mirror\.point 1f165fc1a6f5eafb$
// OUT: ^addr3d\.norm\.mirror\.point cde327ab6f7f624f$
// OUT: ^addr1d\.norm\.mirror\.linear 7f673a784893d42e$
// OUT: ^addr2d\.norm\.mirror\.linear 4841dd5f60ab6289$
// OUT: ^addr3d\.norm\.mirror\.linear 449ea9805794038b$
// OUT: ^layered2d\.norm\.mirror\.linear c82d8ca1eced199e$
// OUT: ^addr1d\.norm\.border\.point 8d8454797945b38b$
// OUT: ^addr2d\.norm\.border\.point 6d4bbff66b5e1ad9$
// OUT: ^addr3d\.norm\.border\.point d5f5cbabda87874a$
// OUT: ^layered1d\.norm\.border\.point 105abf2e0f6109fa$
// OUT: ^addr1d\.norm\.border\.linear afd2ef258982dd60$
// OUT: ^addr2d\.norm\.border\.linear 021d55f9f7829875$
// OUT: ^addr3d\.norm\.border\.linear 66726a0d5404ce6b$
// OUT: ^layered2d\.norm\.border\.linear ef6fe6005a3e064c$
// OUT: ^layered1d\.norm\.border\.linear 076151013c381141$
// OUT: ^fmt\.point\.u8x4 0178a712adffe403$
// OUT: ^fmt\.border\.u8x4 eed978f17ed9a55f$
// OUT: ^fmt\.fetch\.u8x4 a70471f52513bc48$
// OUT: ^fmt\.pointf\.u8x4 c608ec3cf088b5d8$
// OUT: ^fmt\.linear\.u8x4 d44734446f17dc1a$
// OUT: ^fmt\.linearwrap\.u8x4 9060e181dd7185d6$
// OUT: ^fmt\.linearborder\.u8x4 cf7cfa787e59053b$
// OUT: ^gather0\.u8x4 b75a43d9426f9e73$
// OUT: ^fmt\.point\.s8x1 3d4133550da5e13a$
// OUT: ^fmt\.border\.s8x1 dfe78298140626e9$
// OUT: ^fmt\.fetch\.s8x1 6ab04e0cca21aa6e$
// OUT: ^fmt\.pointf\.s8x1 2be8f1ae28f623d0$
// OUT: ^gather0\.s8x1 369af80b36130c58$
// OUT: ^fmt\.point\.u16x2 d3db1218daeb2417$
// OUT: ^fmt\.border\.u16x2 ee0e7cb8a6952980$
// OUT: ^fmt\.fetch\.u16x2 8a8a25a5ecc4bd8b$
// OUT: ^fmt\.pointf\.u16x2 0d41d224071e6ba3$
// OUT: ^fmt\.linear\.u16x2 20725f84248c1289$
// OUT: ^fmt\.linearwrap\.u16x2 8133b6bbfa46b417$
// OUT: ^fmt\.linearborder\.u16x2 3ba3a69a7b0032ab$
// OUT: ^gather0\.u16x2 e965d6befb1ec5fd$
// OUT: ^fmt\.point\.s16x4 85917a63dda27322$
// OUT: ^fmt\.border\.s16x4 6950616089e405e8$
// OUT: ^fmt\.fetch\.s16x4 8025b3cb388a3cbc$
// OUT: ^fmt\.pointf\.s16x4 5494ab970b1da3fc$
// OUT: ^fmt\.linear\.s16x4 2e02e2db44411fbf$
// OUT: ^fmt\.linearwrap\.s16x4 af839edf6aebb730$
// OUT: ^fmt\.linearborder\.s16x4 6492d7dd36fbf1eb$
// OUT: ^gather0\.s16x4 32053c5f2c70a9e5$
// OUT: ^fmt\.point\.u32x1 2dbf0d4e9d873f03$
// OUT: ^fmt\.border\.u32x1 b26d3fe62c68b58b$
// OUT: ^fmt\.fetch\.u32x1 f4166fce3e4be4de$
// OUT: ^gather0\.u32x1 b6b21cd9498547a1$
// OUT: ^fmt\.point\.s32x2 a628657e48c558f2$
// OUT: ^fmt\.border\.s32x2 ee45ad504eabd2f3$
// OUT: ^fmt\.fetch\.s32x2 9f0a3bf9cacf774c$
// OUT: ^gather0\.s32x2 0717fe083d212a61$
// OUT: ^fmt\.point\.f16x4 18661c2cb304e97e$
// OUT: ^fmt\.border\.f16x4 50aa12cf88a59031$
// OUT: ^fmt\.fetch\.f16x4 bb310d47788303e0$
// OUT: ^fmt\.linear\.f16x4 1e919df994978e7e$
// OUT: ^fmt\.linearwrap\.f16x4 e4f652e075320a3a$
// OUT: ^fmt\.linearborder\.f16x4 b5a433b481cb70e6$
// OUT: ^gather0\.f16x4 8bb77478d372c05a$
// OUT: ^fmt\.point\.f32x2 101f5e469e4d3e6d$
// OUT: ^fmt\.border\.f32x2 a173e2e5f3020de5$
// OUT: ^fmt\.fetch\.f32x2 853075327d6aad6b$
// OUT: ^fmt\.linear\.f32x2 d124ed709fefe44d$
// OUT: ^fmt\.linearwrap\.f32x2 f55057cbb8fe7c57$
// OUT: ^fmt\.linearborder\.f32x2 e119003d34694872$
// OUT: ^gather0\.f32x2 ac6acb566f154a7c$
// OUT: ^gather\.wrap de6d8d8dd9783651$
// OUT: ^gather\.clamp 97603d2d3bcbc919$
// OUT: ^gather\.mirror ee40ed66309a11bc$
// OUT: ^gather\.border d29c9ec10906c849$
// OUT: ^pitch\.unnorm\.wrap\.linear f2703412a57532c0$
// OUT: ^pitch\.unnorm\.clamp\.linear 0344f9f8ed3aeb5e$
// OUT: ^pitch\.norm\.wrap\.linear 5c469365c7c4cf71$
// OUT: ^pitch\.norm\.clamp\.linear e404a02edc8b7cc6$
// OUT: ^cube\.w5\.linear 5573c4d7db5c9222$
// OUT: ^cube\.w8\.point e5524f563d0af77e$
// OUT: ^lod2d\.point\.mippoint fe78d448e906d709$
// OUT: ^lod2d\.sweep\.point\.mippoint ed50e765c4510f83$
// OUT: ^lod2d\.bias\.point\.mippoint c671601b5ccdc27b$
// OUT: ^base2d\.bias\.point\.mippoint e771ec71223922c8$
// OUT: ^lod1d\.point\.mippoint 852d252a4ec67a5f$
// OUT: ^lod3d\.point\.mippoint 68d0104a6beafc77$
// OUT: ^lod2dl\.point\.mippoint 17c164cf3480db86$
// OUT: ^lodcube\.point\.mippoint bc1c5287616a016d$
// OUT: ^lod2d\.u8x4\.point\.mippoint 9e2a26109f46f285$
// OUT: ^lod2d\.point\.miplinear 1dcbb9aea524da9b$
// OUT: ^lod2d\.sweep\.point\.miplinear 355a234064122e03$
// OUT: ^lod2d\.bias\.point\.miplinear 61fcb88d27dc35ee$
// OUT: ^base2d\.bias\.point\.miplinear 7a48d99df9fda49d$
// OUT: ^lod1d\.point\.miplinear 507a9b6eee7117d5$
// OUT: ^lod2dl\.point\.miplinear cd7c814ba8cf85ab$
// OUT: ^lodcube\.point\.miplinear 739eb3232d2eb248$
// OUT: ^lod2d\.u8x4\.point\.miplinear fde1bb93180cc248$
// OUT: ^lod2d\.linear\.mippoint 4a1f154151aade6a$
// OUT: ^lod2d\.sweep\.linear\.mippoint 95e3fc49d1735c03$
// OUT: ^lod2d\.bias\.linear\.mippoint ee59a49aa31b331d$
// OUT: ^base2d\.bias\.linear\.mippoint 4cc4d44ded0f9413$
// OUT: ^lod1d\.linear\.mippoint 9924c99c88add56f$
// OUT: ^lod3d\.linear\.mippoint 7d106d975c0f46e6$
// OUT: ^lod2dl\.linear\.mippoint 499fbad039468cde$
// OUT: ^lod2d\.u8x4\.linear\.mippoint bfed64f3075f7b59$
// OUT: ^lod2d\.linear\.miplinear 6e408c77eb5b20da$
// OUT: ^lod2d\.sweep\.linear\.miplinear d0d7d08b40c96203$
// OUT: ^lod2d\.bias\.linear\.miplinear b7e5e6258afb5d7c$
// OUT: ^base2d\.bias\.linear\.miplinear 01df3b177c571b40$
// OUT: ^lod1d\.linear\.miplinear 60b4b2f3e295cc39$
// OUT: ^lod2dl\.linear\.miplinear e5951a71b72263fe$
// OUT: ^lodcube\.linear\.miplinear 95a6fa90f2b85059$
// OUT: ^lod2d\.u8x4\.linear\.miplinear 956d489e993f6a71$
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

// Data and coordinates come from a generator, so that a GPU and lockstep see the same.
static uint64_t state;
static uint32_t next() {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    uint32_t x = (uint32_t)(state >> 33) ^ (uint32_t)(state >> 11);
    x ^= x >> 15, x *= 0x2c1b3c6du, x ^= x >> 12;
    return x;
}
static float unit() { return (next() >> 8) * (1.0f / 16777216.0f); }
static float scaled(int exponents, int lowest) {
    const int e = (int)(next() % exponents) + lowest;
    return ldexpf(unit() * 2 - 1, e);
}

constexpr int numbers = 12, samples = 192;
enum Kind { d1, d2, d3, a1d, a2d, cube, acube, level_1d, level_2d, level_3d, level_a2d, level_cube, index_1d, gather };

template <class V>
__global__ void fetch(Kind kind, cudaTextureObject_t t, const float* c, V* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    c += i * numbers;
    V v;
    switch (kind) {
        case d1: v = tex1D<V>(t, c[0]); break;
        case d2: v = tex2D<V>(t, c[0], c[1]); break;
        case d3: v = tex3D<V>(t, c[0], c[1], c[2]); break;
        case a1d: v = tex1DLayered<V>(t, c[0], (int)c[3]); break;
        case a2d: v = tex2DLayered<V>(t, c[0], c[1], (int)c[3]); break;
        case cube: v = texCubemap<V>(t, c[0], c[1], c[2]); break;
        case acube: v = texCubemapLayered<V>(t, c[0], c[1], c[2], (int)c[3]); break;
        case level_1d: v = tex1DLod<V>(t, c[0], c[4]); break;
        case level_2d: v = tex2DLod<V>(t, c[0], c[1], c[4]); break;
        case level_3d: v = tex3DLod<V>(t, c[0], c[1], c[2], c[4]); break;
        case level_a2d: v = tex2DLayeredLod<V>(t, c[0], c[1], (int)c[3], c[4]); break;
        case level_cube: v = texCubemapLod<V>(t, c[0], c[1], c[2], c[4]); break;
        case index_1d: v = tex1Dfetch<V>(t, (int)c[0]); break;
        case gather: v = tex2Dgather<V>(t, c[0], c[1], 0); break;
    }
    out[i] = v;
}

struct Setting {
    const char* name;
    Kind kind;
    char result;  // f, u, i
    int w, h, d, levels;
    unsigned flags;
    int storage;  // an array, linear memory, rows
    int bits, channels;
    cudaChannelFormatKind format;
    int address, linear, linear_levels, normalised, as_float;
    int data;   // numbers from -1 to 1, of many sizes, 0 and 1, special ones
    int style;  // of coordinates: around the texture, a fine sweep, special ones, directions, far away, whole
    float bias, lowest, highest;
    float border[4];
    int address_v;
};

static void fill(std::vector<uint8_t>& bytes, const Setting& s) {
    if (s.format == cudaChannelFormatKindFloat && s.bits == 32) {
        auto* f = (float*)bytes.data();
        for (size_t i = 0; i < bytes.size() / 4; ++i)
            f[i] = s.data == 0 ? unit() * 2 - 1 : s.data == 1 ? scaled(40, -20) : (float)(i & 1);
    } else if (s.format == cudaChannelFormatKindFloat) {
        auto* h = (uint16_t*)bytes.data();
        for (size_t i = 0; i < bytes.size() / 2; ++i) {
            h[i] = (uint16_t)next();
            if ((h[i] & 0x7c00) == 0x7c00) h[i] ^= 0x4000;
        }
    } else
        for (auto& b : bytes) b = (uint8_t)(next() >> 7);
}

static std::vector<float> coordinates(const Setting& s) {
    std::vector<float> c(samples * numbers);
    const int sizes[3] = {s.w, s.h ? s.h : 1, s.d ? s.d : 1};
    const float special[] = {0.f, -0.f, NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 1e9f, -1e9f, 1e5f, -1e5f, 1e-30f, -1e-30f, 0.5f, 1.0f, 0.99999994f, -0.00000006f, 3e9f, 16777216.f, 65536.25f, -65536.25f, 1e-45f, 0.49999997f, 1.5f, -0.5f, 2.0f, 7.999f, 0.25f, 131072.75f, 4e9f, 2147483648.f, 32767.4f};
    for (int i = 0; i < samples; ++i) {
        float* p = &c[i * numbers];
        for (int a = 0; a < 3; ++a) {
            const float size = s.normalised ? 1.f : (float)sizes[a];
            const float x = -0.75f + (float)i * (1.0f / 1024.0f) + (a == 0 ? 0.f : 0.31f * a);
            switch (s.style) {
                case 0: p[a] = (unit() * 2.f - 0.5f) * size; break;
                case 1: p[a] = s.normalised ? x / sizes[a] : x; break;
                case 2: p[a] = special[(a == 0 ? i : next()) % 32]; break;
                case 3: p[a] = next() % 8 == 0 ? (float)((int)(next() % 3) - 1) : unit() * 2.f - 1.f; break;
                case 4: p[a] = (unit() * 2.f - 1.f) * size * 20.f; break;
                default: p[a] = (float)((int)(next() % (2 * sizes[a])) - sizes[a] / 2);
            }
        }
        p[3] = (float)((int)(next() % 8) - 2);
        p[4] = s.style == 2 ? (i % 5 == 0 ? NAN : i % 5 == 1 ? INFINITY : i % 5 == 2 ? -INFINITY : i % 5 == 3 ? -1.f : 0.5f) : s.style == 1 ? -1.0f + i * (1.0f / 500.f) : unit() * 6.f - 1.f;
        for (int a = 5; a < 11; ++a) p[a] = scaled(7, -4);
    }
    return c;
}

static void check(cudaError_t e, const char* what) {
    if (e != cudaSuccess) printf("%s: %s\n", what, cudaGetErrorName(e));
}

static uint64_t hash(const void* data, size_t bytes) {
    uint64_t h = 1469598103934665603ull;
    for (size_t i = 0; i < bytes; ++i) h = (h ^ ((const uint8_t*)data)[i]) * 1099511628211ull;
    return h;
}

static void run(const Setting& s) {
    state = hash(s.name, strlen(s.name)) * 0x9E3779B97F4A7C15ull + 0x1234567;
    const int texel = s.bits / 8 * s.channels;
    const auto channel = [&](int n) { return s.channels > n ? s.bits : 0; };
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc(channel(0), channel(1), channel(2), channel(3), s.format);
    cudaArray_t array = nullptr;
    cudaMipmappedArray_t pyramid = nullptr;
    void* memory = nullptr;
    cudaResourceDesc resource = {};
    const auto upload = [&](cudaArray_t to, int w, int h, int d) {
        h = h ? h : 1, d = d ? d : 1;
        std::vector<uint8_t> bytes((size_t)w * h * d * texel);
        fill(bytes, s);
        cudaMemcpy3DParms p = {};
        p.srcPtr = make_cudaPitchedPtr(bytes.data(), (size_t)w * texel, w, h);
        p.dstArray = to;
        p.extent = make_cudaExtent(w, h, d);
        p.kind = cudaMemcpyHostToDevice;
        check(cudaMemcpy3D(&p), "cudaMemcpy3D");
    };
    if (s.storage == 0 && s.levels == 0) {
        check(cudaMalloc3DArray(&array, &desc, make_cudaExtent(s.w, s.h, s.d), s.flags), "cudaMalloc3DArray");
        upload(array, s.w, s.h, s.d);
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
    } else if (s.storage == 0) {
        check(cudaMallocMipmappedArray(&pyramid, &desc, make_cudaExtent(s.w, s.h, s.d), s.levels, s.flags), "cudaMallocMipmappedArray");
        const bool layers = s.flags & (cudaArrayLayered | cudaArrayCubemap);
        for (int l = 0; l < s.levels; ++l) {
            cudaArray_t level;
            check(cudaGetMipmappedArrayLevel(&level, pyramid, l), "cudaGetMipmappedArrayLevel");
            const auto size = [&](int n) { return n ? (n >> l ? n >> l : 1) : 0; };
            upload(level, size(s.w), size(s.h), layers ? s.d : size(s.d));
        }
        resource.resType = cudaResourceTypeMipmappedArray;
        resource.res.mipmap.mipmap = pyramid;
    } else {
        const int h = s.h ? s.h : 1;
        const size_t row = (size_t)s.w * texel, pitch = s.storage == 1 ? row : (row + 511) / 512 * 512;
        std::vector<uint8_t> bytes(row * h);
        fill(bytes, s);
        check(cudaMalloc(&memory, pitch * h), "cudaMalloc");
        check(cudaMemcpy2D(memory, pitch, bytes.data(), row, row, h, cudaMemcpyHostToDevice), "cudaMemcpy2D");
        if (s.storage == 1) {
            resource.resType = cudaResourceTypeLinear;
            resource.res.linear.devPtr = memory, resource.res.linear.desc = desc, resource.res.linear.sizeInBytes = row;
        } else {
            resource.resType = cudaResourceTypePitch2D;
            resource.res.pitch2D.devPtr = memory, resource.res.pitch2D.desc = desc, resource.res.pitch2D.width = s.w;
            resource.res.pitch2D.height = h, resource.res.pitch2D.pitchInBytes = pitch;
        }
    }
    cudaTextureDesc td = {};
    for (int a = 0; a < 3; ++a) td.addressMode[a] = (cudaTextureAddressMode)(a == 1 && s.address_v ? s.address_v : s.address);
    td.filterMode = (cudaTextureFilterMode)s.linear;
    td.mipmapFilterMode = (cudaTextureFilterMode)s.linear_levels;
    td.readMode = (cudaTextureReadMode)s.as_float;
    td.normalizedCoords = s.normalised;
    memcpy(td.borderColor, s.border, sizeof s.border);
    td.mipmapLevelBias = s.bias, td.minMipmapLevelClamp = s.lowest, td.maxMipmapLevelClamp = s.highest;
    cudaTextureObject_t t = 0;
    check(cudaCreateTextureObject(&t, &resource, &td, nullptr), "cudaCreateTextureObject");
    const std::vector<float> c = coordinates(s);
    float* places;
    void* out;
    check(cudaMalloc(&places, c.size() * 4), "cudaMalloc");
    check(cudaMalloc(&out, samples * 16), "cudaMalloc");
    check(cudaMemcpy(places, c.data(), c.size() * 4, cudaMemcpyHostToDevice), "cudaMemcpy");
    const int blocks = (samples + 63) / 64;
    if (s.result == 'f') fetch<<<blocks, 64>>>(s.kind, t, places, (float4*)out, samples);
    if (s.result == 'u') fetch<<<blocks, 64>>>(s.kind, t, places, (uint4*)out, samples);
    if (s.result == 'i') fetch<<<blocks, 64>>>(s.kind, t, places, (int4*)out, samples);
    std::vector<uint32_t> got(samples * 4);
    check(cudaMemcpy(got.data(), out, samples * 16, cudaMemcpyDeviceToHost), "cudaMemcpy");
    printf("%s %016llx\n", s.name, (unsigned long long)hash(got.data(), samples * 16));
    check(cudaDestroyTextureObject(t), "cudaDestroyTextureObject");
    check(cudaFree(places), "cudaFree"), check(cudaFree(out), "cudaFree"), check(cudaFree(memory), "cudaFree");
    check(cudaFreeArray(array), "cudaFreeArray"), check(cudaFreeMipmappedArray(pyramid), "cudaFreeMipmappedArray");
}

int main() {
    const Setting settings[] = {
        {"w1d.sweep.unnorm.w8", d1, 'f', 8, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 0, 0, 2, 1, 0, 0, 100, {0, 0, 0, 0}},
        {"w1d.sweep.unnorm.w5", d1, 'f', 5, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 0, 0, 2, 1, 0, 0, 100, {0, 0, 0, 0}},
        {"w1d.sweep.unnorm.w100", d1, 'f', 100, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 0, 0, 2, 1, 0, 0, 100, {0, 0, 0, 0}},
        {"w1d.exps.unnorm.w8", d1, 'f', 8, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 0, 0, 1, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"p1d.sweep.unnorm.w100", d1, 'f', 100, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 0, 0, 0, 0, 1, 0, 0, 100, {0, 0, 0, 0}},
        {"w2d.rand.unnorm", d2, 'f', 9, 7, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 0, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"w2d.exps.unnorm", d2, 'f', 9, 7, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 0, 0, 1, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"w3d.rand.unnorm", d3, 'f', 9, 6, 5, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 0, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"p3d.rand.unnorm", d3, 'f', 9, 6, 5, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 0, 0, 0, 1, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"addr1d.unnorm.wrap.point", d1, 'f', 6, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr2d.unnorm.wrap.point", d2, 'f', 6, 5, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr1d.unnorm.wrap.linear", d1, 'f', 6, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 0, 1, 0, 0, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr2d.unnorm.wrap.linear", d2, 'f', 6, 5, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 0, 1, 0, 0, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"layered2d.unnorm.wrap.linear", a2d, 'f', 6, 5, 4, 0, cudaArrayLayered, 0, 32, 1, cudaChannelFormatKindFloat, 0, 1, 0, 0, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr1d.unnorm.clamp.point", d1, 'f', 6, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr2d.unnorm.clamp.point", d2, 'f', 6, 5, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr1d.unnorm.clamp.linear", d1, 'f', 6, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 0, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr2d.unnorm.clamp.linear", d2, 'f', 6, 5, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 0, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"layered2d.unnorm.clamp.linear", a2d, 'f', 6, 5, 4, 0, cudaArrayLayered, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 0, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr1d.unnorm.mirror.point", d1, 'f', 6, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 2, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr2d.unnorm.mirror.point", d2, 'f', 6, 5, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 2, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr1d.unnorm.mirror.linear", d1, 'f', 6, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 2, 1, 0, 0, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr2d.unnorm.mirror.linear", d2, 'f', 6, 5, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 2, 1, 0, 0, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"layered2d.unnorm.mirror.linear", a2d, 'f', 6, 5, 4, 0, cudaArrayLayered, 0, 32, 1, cudaChannelFormatKindFloat, 2, 1, 0, 0, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr1d.unnorm.border.point", d1, 'f', 6, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 3, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr2d.unnorm.border.point", d2, 'f', 6, 5, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 3, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"layered1d.unnorm.border.point", a1d, 'f', 6, 0, 4, 0, cudaArrayLayered, 0, 32, 1, cudaChannelFormatKindFloat, 3, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr1d.unnorm.border.linear", d1, 'f', 6, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 3, 1, 0, 0, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr2d.unnorm.border.linear", d2, 'f', 6, 5, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 3, 1, 0, 0, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"layered2d.unnorm.border.linear", a2d, 'f', 6, 5, 4, 0, cudaArrayLayered, 0, 32, 1, cudaChannelFormatKindFloat, 3, 1, 0, 0, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"layered1d.unnorm.border.linear", a1d, 'f', 6, 0, 4, 0, cudaArrayLayered, 0, 32, 1, cudaChannelFormatKindFloat, 3, 1, 0, 0, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"w1d.sweep.norm.w8", d1, 'f', 8, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 1, 0, 2, 1, 0, 0, 100, {0, 0, 0, 0}},
        {"w1d.sweep.norm.w5", d1, 'f', 5, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 1, 0, 2, 1, 0, 0, 100, {0, 0, 0, 0}},
        {"w1d.sweep.norm.w100", d1, 'f', 100, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 1, 0, 2, 1, 0, 0, 100, {0, 0, 0, 0}},
        {"w1d.exps.norm.w8", d1, 'f', 8, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 1, 0, 1, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"p1d.sweep.norm.w100", d1, 'f', 100, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 0, 1, 0, 0, 1, 0, 0, 100, {0, 0, 0, 0}},
        {"w2d.rand.norm", d2, 'f', 9, 7, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"w2d.exps.norm", d2, 'f', 9, 7, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 1, 0, 1, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"w3d.rand.norm", d3, 'f', 9, 6, 5, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"p3d.rand.norm", d3, 'f', 9, 6, 5, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 0, 1, 0, 1, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"addr1d.norm.wrap.point", d1, 'f', 6, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 0, 0, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr2d.norm.wrap.point", d2, 'f', 6, 5, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 0, 0, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr3d.norm.wrap.point", d3, 'f', 6, 5, 4, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 0, 0, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr1d.norm.wrap.linear", d1, 'f', 6, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 0, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr2d.norm.wrap.linear", d2, 'f', 6, 5, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 0, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr3d.norm.wrap.linear", d3, 'f', 6, 5, 4, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 0, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"layered2d.norm.wrap.linear", a2d, 'f', 6, 5, 4, 0, cudaArrayLayered, 0, 32, 1, cudaChannelFormatKindFloat, 0, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr1d.norm.clamp.point", d1, 'f', 6, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr2d.norm.clamp.point", d2, 'f', 6, 5, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr3d.norm.clamp.point", d3, 'f', 6, 5, 4, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr1d.norm.clamp.linear", d1, 'f', 6, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr2d.norm.clamp.linear", d2, 'f', 6, 5, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr3d.norm.clamp.linear", d3, 'f', 6, 5, 4, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"layered2d.norm.clamp.linear", a2d, 'f', 6, 5, 4, 0, cudaArrayLayered, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr1d.norm.mirror.point", d1, 'f', 6, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 2, 0, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr2d.norm.mirror.point", d2, 'f', 6, 5, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 2, 0, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr3d.norm.mirror.point", d3, 'f', 6, 5, 4, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 2, 0, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr1d.norm.mirror.linear", d1, 'f', 6, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 2, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr2d.norm.mirror.linear", d2, 'f', 6, 5, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 2, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr3d.norm.mirror.linear", d3, 'f', 6, 5, 4, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 2, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"layered2d.norm.mirror.linear", a2d, 'f', 6, 5, 4, 0, cudaArrayLayered, 0, 32, 1, cudaChannelFormatKindFloat, 2, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr1d.norm.border.point", d1, 'f', 6, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 3, 0, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr2d.norm.border.point", d2, 'f', 6, 5, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 3, 0, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr3d.norm.border.point", d3, 'f', 6, 5, 4, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 3, 0, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"layered1d.norm.border.point", a1d, 'f', 6, 0, 4, 0, cudaArrayLayered, 0, 32, 1, cudaChannelFormatKindFloat, 3, 0, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr1d.norm.border.linear", d1, 'f', 6, 0, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 3, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr2d.norm.border.linear", d2, 'f', 6, 5, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 3, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"addr3d.norm.border.linear", d3, 'f', 6, 5, 4, 0, 0, 0, 32, 1, cudaChannelFormatKindFloat, 3, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"layered2d.norm.border.linear", a2d, 'f', 6, 5, 4, 0, cudaArrayLayered, 0, 32, 1, cudaChannelFormatKindFloat, 3, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"layered1d.norm.border.linear", a1d, 'f', 6, 0, 4, 0, cudaArrayLayered, 0, 32, 1, cudaChannelFormatKindFloat, 3, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0.25f, -3, 7, 11}},
        {"fmt.point.u8x4", d2, 'u', 33, 9, 0, 0, 0, 0, 8, 4, cudaChannelFormatKindUnsigned, 1, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"fmt.border.u8x4", d2, 'u', 33, 9, 0, 0, 0, 0, 8, 4, cudaChannelFormatKindUnsigned, 3, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"fmt.fetch.u8x4", index_1d, 'u', 33, 0, 0, 0, 0, 1, 8, 4, cudaChannelFormatKindUnsigned, 1, 0, 0, 0, 0, 0, 5, 0, 0, 100, {0, 0, 0, 0}},
        {"fmt.pointf.u8x4", d2, 'f', 33, 9, 0, 0, 0, 0, 8, 4, cudaChannelFormatKindUnsigned, 1, 0, 0, 0, 1, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"fmt.linear.u8x4", d2, 'f', 33, 9, 0, 0, 0, 0, 8, 4, cudaChannelFormatKindUnsigned, 1, 1, 0, 0, 1, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"fmt.linearwrap.u8x4", d2, 'f', 33, 9, 0, 0, 0, 0, 8, 4, cudaChannelFormatKindUnsigned, 0, 1, 0, 1, 1, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"fmt.linearborder.u8x4", d2, 'f', 33, 9, 0, 0, 0, 0, 8, 4, cudaChannelFormatKindUnsigned, 3, 1, 0, 1, 1, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"gather0.u8x4", gather, 'u', 7, 6, 0, 0, cudaArrayTextureGather, 0, 8, 4, cudaChannelFormatKindUnsigned, 1, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"fmt.point.s8x1", d2, 'i', 33, 9, 0, 0, 0, 0, 8, 1, cudaChannelFormatKindSigned, 1, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"fmt.border.s8x1", d2, 'i', 33, 9, 0, 0, 0, 0, 8, 1, cudaChannelFormatKindSigned, 3, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"fmt.fetch.s8x1", index_1d, 'i', 33, 0, 0, 0, 0, 1, 8, 1, cudaChannelFormatKindSigned, 1, 0, 0, 0, 0, 0, 5, 0, 0, 100, {0, 0, 0, 0}},
        {"fmt.pointf.s8x1", d2, 'f', 33, 9, 0, 0, 0, 0, 8, 1, cudaChannelFormatKindSigned, 1, 0, 0, 0, 1, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"gather0.s8x1", gather, 'i', 7, 6, 0, 0, cudaArrayTextureGather, 0, 8, 1, cudaChannelFormatKindSigned, 1, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"fmt.point.u16x2", d2, 'u', 33, 9, 0, 0, 0, 0, 16, 2, cudaChannelFormatKindUnsigned, 1, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"fmt.border.u16x2", d2, 'u', 33, 9, 0, 0, 0, 0, 16, 2, cudaChannelFormatKindUnsigned, 3, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"fmt.fetch.u16x2", index_1d, 'u', 33, 0, 0, 0, 0, 1, 16, 2, cudaChannelFormatKindUnsigned, 1, 0, 0, 0, 0, 0, 5, 0, 0, 100, {0, 0, 0, 0}},
        {"fmt.pointf.u16x2", d2, 'f', 33, 9, 0, 0, 0, 0, 16, 2, cudaChannelFormatKindUnsigned, 1, 0, 0, 0, 1, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"fmt.linear.u16x2", d2, 'f', 33, 9, 0, 0, 0, 0, 16, 2, cudaChannelFormatKindUnsigned, 1, 1, 0, 0, 1, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"fmt.linearwrap.u16x2", d2, 'f', 33, 9, 0, 0, 0, 0, 16, 2, cudaChannelFormatKindUnsigned, 0, 1, 0, 1, 1, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"fmt.linearborder.u16x2", d2, 'f', 33, 9, 0, 0, 0, 0, 16, 2, cudaChannelFormatKindUnsigned, 3, 1, 0, 1, 1, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"gather0.u16x2", gather, 'u', 7, 6, 0, 0, cudaArrayTextureGather, 0, 16, 2, cudaChannelFormatKindUnsigned, 1, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"fmt.point.s16x4", d2, 'i', 33, 9, 0, 0, 0, 0, 16, 4, cudaChannelFormatKindSigned, 1, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"fmt.border.s16x4", d2, 'i', 33, 9, 0, 0, 0, 0, 16, 4, cudaChannelFormatKindSigned, 3, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"fmt.fetch.s16x4", index_1d, 'i', 33, 0, 0, 0, 0, 1, 16, 4, cudaChannelFormatKindSigned, 1, 0, 0, 0, 0, 0, 5, 0, 0, 100, {0, 0, 0, 0}},
        {"fmt.pointf.s16x4", d2, 'f', 33, 9, 0, 0, 0, 0, 16, 4, cudaChannelFormatKindSigned, 1, 0, 0, 0, 1, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"fmt.linear.s16x4", d2, 'f', 33, 9, 0, 0, 0, 0, 16, 4, cudaChannelFormatKindSigned, 1, 1, 0, 0, 1, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"fmt.linearwrap.s16x4", d2, 'f', 33, 9, 0, 0, 0, 0, 16, 4, cudaChannelFormatKindSigned, 0, 1, 0, 1, 1, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"fmt.linearborder.s16x4", d2, 'f', 33, 9, 0, 0, 0, 0, 16, 4, cudaChannelFormatKindSigned, 3, 1, 0, 1, 1, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"gather0.s16x4", gather, 'i', 7, 6, 0, 0, cudaArrayTextureGather, 0, 16, 4, cudaChannelFormatKindSigned, 1, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"fmt.point.u32x1", d2, 'u', 33, 9, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindUnsigned, 1, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"fmt.border.u32x1", d2, 'u', 33, 9, 0, 0, 0, 0, 32, 1, cudaChannelFormatKindUnsigned, 3, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"fmt.fetch.u32x1", index_1d, 'u', 33, 0, 0, 0, 0, 1, 32, 1, cudaChannelFormatKindUnsigned, 1, 0, 0, 0, 0, 0, 5, 0, 0, 100, {0, 0, 0, 0}},
        {"gather0.u32x1", gather, 'u', 7, 6, 0, 0, cudaArrayTextureGather, 0, 32, 1, cudaChannelFormatKindUnsigned, 1, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"fmt.point.s32x2", d2, 'i', 33, 9, 0, 0, 0, 0, 32, 2, cudaChannelFormatKindSigned, 1, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"fmt.border.s32x2", d2, 'i', 33, 9, 0, 0, 0, 0, 32, 2, cudaChannelFormatKindSigned, 3, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"fmt.fetch.s32x2", index_1d, 'i', 33, 0, 0, 0, 0, 1, 32, 2, cudaChannelFormatKindSigned, 1, 0, 0, 0, 0, 0, 5, 0, 0, 100, {0, 0, 0, 0}},
        {"gather0.s32x2", gather, 'i', 7, 6, 0, 0, cudaArrayTextureGather, 0, 32, 2, cudaChannelFormatKindSigned, 1, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"fmt.point.f16x4", d2, 'f', 33, 9, 0, 0, 0, 0, 16, 4, cudaChannelFormatKindFloat, 1, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"fmt.border.f16x4", d2, 'f', 33, 9, 0, 0, 0, 0, 16, 4, cudaChannelFormatKindFloat, 3, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"fmt.fetch.f16x4", index_1d, 'f', 33, 0, 0, 0, 0, 1, 16, 4, cudaChannelFormatKindFloat, 1, 0, 0, 0, 0, 0, 5, 0, 0, 100, {0, 0, 0, 0}},
        {"fmt.linear.f16x4", d2, 'f', 33, 9, 0, 0, 0, 0, 16, 4, cudaChannelFormatKindFloat, 1, 1, 0, 0, 0, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"fmt.linearwrap.f16x4", d2, 'f', 33, 9, 0, 0, 0, 0, 16, 4, cudaChannelFormatKindFloat, 0, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"fmt.linearborder.f16x4", d2, 'f', 33, 9, 0, 0, 0, 0, 16, 4, cudaChannelFormatKindFloat, 3, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"gather0.f16x4", gather, 'f', 7, 6, 0, 0, cudaArrayTextureGather, 0, 16, 4, cudaChannelFormatKindFloat, 1, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"fmt.point.f32x2", d2, 'f', 33, 9, 0, 0, 0, 0, 32, 2, cudaChannelFormatKindFloat, 1, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"fmt.border.f32x2", d2, 'f', 33, 9, 0, 0, 0, 0, 32, 2, cudaChannelFormatKindFloat, 3, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"fmt.fetch.f32x2", index_1d, 'f', 33, 0, 0, 0, 0, 1, 32, 2, cudaChannelFormatKindFloat, 1, 0, 0, 0, 0, 0, 5, 0, 0, 100, {0, 0, 0, 0}},
        {"fmt.linear.f32x2", d2, 'f', 33, 9, 0, 0, 0, 0, 32, 2, cudaChannelFormatKindFloat, 1, 1, 0, 0, 0, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"fmt.linearwrap.f32x2", d2, 'f', 33, 9, 0, 0, 0, 0, 32, 2, cudaChannelFormatKindFloat, 0, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"fmt.linearborder.f32x2", d2, 'f', 33, 9, 0, 0, 0, 0, 32, 2, cudaChannelFormatKindFloat, 3, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0.3f, 1.5f, -0.4f, 2}},
        {"gather0.f32x2", gather, 'f', 7, 6, 0, 0, cudaArrayTextureGather, 0, 32, 2, cudaChannelFormatKindFloat, 1, 0, 0, 0, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"gather.wrap", gather, 'f', 7, 6, 0, 0, cudaArrayTextureGather, 0, 32, 1, cudaChannelFormatKindFloat, 0, 0, 0, 1, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"gather.clamp", gather, 'f', 7, 6, 0, 0, cudaArrayTextureGather, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 0, 1, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"gather.mirror", gather, 'f', 7, 6, 0, 0, cudaArrayTextureGather, 0, 32, 1, cudaChannelFormatKindFloat, 2, 0, 0, 1, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"gather.border", gather, 'f', 7, 6, 0, 0, cudaArrayTextureGather, 0, 32, 1, cudaChannelFormatKindFloat, 3, 0, 0, 1, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"pitch.unnorm.wrap.linear", d2, 'f', 20, 11, 0, 0, 0, 2, 32, 1, cudaChannelFormatKindFloat, 0, 1, 0, 0, 0, 0, 0, 0, 0, 100, {5, 0, 0, 0}},
        {"pitch.unnorm.clamp.linear", d2, 'f', 20, 11, 0, 0, 0, 2, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 0, 0, 0, 0, 0, 0, 100, {5, 0, 0, 0}},
        {"pitch.norm.wrap.linear", d2, 'f', 20, 11, 0, 0, 0, 2, 32, 1, cudaChannelFormatKindFloat, 0, 1, 0, 1, 0, 0, 0, 0, 0, 100, {5, 0, 0, 0}},
        {"pitch.norm.clamp.linear", d2, 'f', 20, 11, 0, 0, 0, 2, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 1, 0, 0, 0, 0, 0, 100, {5, 0, 0, 0}},
        {"cube.w5.linear", cube, 'f', 5, 5, 6, 0, cudaArrayCubemap, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 1, 0, 0, 3, 0, 0, 100, {0, 0, 0, 0}},
        {"cube.w8.point", cube, 'f', 8, 8, 6, 0, cudaArrayCubemap, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 0, 1, 0, 0, 3, 0, 0, 100, {0, 0, 0, 0}},
        {"lod2d.point.mippoint", level_2d, 'f', 32, 20, 0, 5, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 0, 1, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"lod2d.sweep.point.mippoint", level_2d, 'f', 32, 20, 0, 5, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 0, 1, 0, 0, 1, 0, 0, 100, {0, 0, 0, 0}},
        {"lod2d.bias.point.mippoint", level_2d, 'f', 32, 20, 0, 5, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 0, 1, 0, 0, 0, 0.7f, 0.6f, 2.3f, {0, 0, 0, 0}},
        {"base2d.bias.point.mippoint", d2, 'f', 32, 20, 0, 5, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 0, 1, 0, 0, 0, 0.7f, 0.6f, 2.3f, {0, 0, 0, 0}},
        {"lod1d.point.mippoint", level_1d, 'f', 32, 0, 0, 5, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 0, 1, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"lod3d.point.mippoint", level_3d, 'f', 16, 12, 9, 4, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 0, 1, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"lod2dl.point.mippoint", level_a2d, 'f', 32, 20, 4, 5, cudaArrayLayered, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 0, 1, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"lodcube.point.mippoint", level_cube, 'f', 16, 16, 6, 5, cudaArrayCubemap, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 0, 1, 0, 0, 3, 0, 0, 100, {0, 0, 0, 0}},
        {"lod2d.u8x4.point.mippoint", level_2d, 'f', 32, 20, 0, 5, 0, 0, 8, 4, cudaChannelFormatKindUnsigned, 1, 0, 0, 1, 1, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"lod2d.point.miplinear", level_2d, 'f', 32, 20, 0, 5, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 1, 1, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"lod2d.sweep.point.miplinear", level_2d, 'f', 32, 20, 0, 5, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 1, 1, 0, 0, 1, 0, 0, 100, {0, 0, 0, 0}},
        {"lod2d.bias.point.miplinear", level_2d, 'f', 32, 20, 0, 5, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 1, 1, 0, 0, 0, 0.7f, 0.6f, 2.3f, {0, 0, 0, 0}},
        {"base2d.bias.point.miplinear", d2, 'f', 32, 20, 0, 5, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 1, 1, 0, 0, 0, 0.7f, 0.6f, 2.3f, {0, 0, 0, 0}},
        {"lod1d.point.miplinear", level_1d, 'f', 32, 0, 0, 5, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 1, 1, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"lod2dl.point.miplinear", level_a2d, 'f', 32, 20, 4, 5, cudaArrayLayered, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 1, 1, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"lodcube.point.miplinear", level_cube, 'f', 16, 16, 6, 5, cudaArrayCubemap, 0, 32, 1, cudaChannelFormatKindFloat, 1, 0, 1, 1, 0, 0, 3, 0, 0, 100, {0, 0, 0, 0}},
        {"lod2d.u8x4.point.miplinear", level_2d, 'f', 32, 20, 0, 5, 0, 0, 8, 4, cudaChannelFormatKindUnsigned, 1, 0, 1, 1, 1, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"lod2d.linear.mippoint", level_2d, 'f', 32, 20, 0, 5, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"lod2d.sweep.linear.mippoint", level_2d, 'f', 32, 20, 0, 5, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 1, 0, 0, 1, 0, 0, 100, {0, 0, 0, 0}},
        {"lod2d.bias.linear.mippoint", level_2d, 'f', 32, 20, 0, 5, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 1, 0, 0, 0, 0.7f, 0.6f, 2.3f, {0, 0, 0, 0}},
        {"base2d.bias.linear.mippoint", d2, 'f', 32, 20, 0, 5, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 1, 0, 0, 0, 0.7f, 0.6f, 2.3f, {0, 0, 0, 0}},
        {"lod1d.linear.mippoint", level_1d, 'f', 32, 0, 0, 5, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"lod3d.linear.mippoint", level_3d, 'f', 16, 12, 9, 4, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"lod2dl.linear.mippoint", level_a2d, 'f', 32, 20, 4, 5, cudaArrayLayered, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 0, 1, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"lod2d.u8x4.linear.mippoint", level_2d, 'f', 32, 20, 0, 5, 0, 0, 8, 4, cudaChannelFormatKindUnsigned, 1, 1, 0, 1, 1, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"lod2d.linear.miplinear", level_2d, 'f', 32, 20, 0, 5, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 1, 1, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"lod2d.sweep.linear.miplinear", level_2d, 'f', 32, 20, 0, 5, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 1, 1, 0, 0, 1, 0, 0, 100, {0, 0, 0, 0}},
        {"lod2d.bias.linear.miplinear", level_2d, 'f', 32, 20, 0, 5, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 1, 1, 0, 0, 0, 0.7f, 0.6f, 2.3f, {0, 0, 0, 0}},
        {"base2d.bias.linear.miplinear", d2, 'f', 32, 20, 0, 5, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 1, 1, 0, 0, 0, 0.7f, 0.6f, 2.3f, {0, 0, 0, 0}},
        {"lod1d.linear.miplinear", level_1d, 'f', 32, 0, 0, 5, 0, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 1, 1, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"lod2dl.linear.miplinear", level_a2d, 'f', 32, 20, 4, 5, cudaArrayLayered, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 1, 1, 0, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
        {"lodcube.linear.miplinear", level_cube, 'f', 16, 16, 6, 5, cudaArrayCubemap, 0, 32, 1, cudaChannelFormatKindFloat, 1, 1, 1, 1, 0, 0, 3, 0, 0, 100, {0, 0, 0, 0}},
        {"lod2d.u8x4.linear.miplinear", level_2d, 'f', 32, 20, 0, 5, 0, 0, 8, 4, cudaChannelFormatKindUnsigned, 1, 1, 1, 1, 1, 0, 0, 0, 0, 100, {0, 0, 0, 0}},
    };
    for (const Setting& s : settings) run(s);
}
