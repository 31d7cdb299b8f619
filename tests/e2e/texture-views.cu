// Views of textures: some layers, some levels, another format. What an H200 (CUDA 13.0) gave and refused.
// RUN: lockstep run %s
// OUT: ^layers 1-3: 40 40 72 104 104$
// OUT: ^layers 0-0: 8 8 8 8 8$
// OUT: ^layers 4-4: 136 136 136 136 136$
// OUT: ^levels 1-3: 11 13.5 16 18.5 21 23.5 26 28.5 31 31$
// OUT: ^levels 1-9: 11 13.5 16 18.5 21 23.5 26 28.5 31 33.5$
// OUT: ^levels 1-4, clamped to 1-2: 21 21 21 21 21 23.5 26 28.5 31 31$
// OUT: ^layers 1-2 of levels 1-2: 101 151 201 102 152 202$
// OUT: ^bits of 1.0: 3f800000$
// OUT: ^refused: 1 1 1 1 1 1 1 1 1$
// OUT: ^filter 26$
// OUT: ^compressed 801$
// ERR: views of block-compressed textures are not implemented
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(...)                                                           \
    do {                                                                     \
        if (cudaError_t error = (__VA_ARGS__)) {                             \
            std::printf("line %d: %s\n", __LINE__, cudaGetErrorName(error)); \
            std::exit(1);                                                    \
        }                                                                    \
    } while (0)

__global__ void layers(cudaTextureObject_t texture, float* out) {
    const int layer = threadIdx.x == 0 ? 0 : threadIdx.x - 1;
    out[threadIdx.x] = tex2DLayered<float>(texture, .5f / 8, .3f, layer);
}
__global__ void levels(cudaTextureObject_t texture, float* out) {
    out[threadIdx.x] = tex2DLod<float>(texture, .3f, .7f, threadIdx.x * .25f);
}
__global__ void both(cudaTextureObject_t texture, float* out) {
    out[threadIdx.x] = tex2DLayeredLod<float>(texture, .3f, .7f, threadIdx.x / 3, threadIdx.x % 3 * .5f);
}
__global__ void bits(cudaTextureObject_t texture, unsigned* out) {
    *out = tex2D<unsigned>(texture, .5f, .5f);
}

static float* out;
static cudaResourceViewDesc view(size_t width, size_t height, size_t depth, unsigned first_layer,
                                 unsigned last_layer, unsigned first_level = 0, unsigned last_level = 0,
                                 cudaResourceViewFormat format = cudaResViewFormatFloat1) {
    cudaResourceViewDesc v = {};
    v.format = format;
    v.width = width;
    v.height = height;
    v.depth = depth;
    v.firstLayer = first_layer;
    v.lastLayer = last_layer;
    v.firstMipmapLevel = first_level;
    v.lastMipmapLevel = last_level;
    return v;
}
static cudaResourceDesc of(cudaArray_t array) {
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    return r;
}
static cudaResourceDesc of(cudaMipmappedArray_t array) {
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeMipmappedArray;
    r.res.mipmap.mipmap = array;
    return r;
}
static void fill(cudaArray_t array, unsigned width, unsigned height, unsigned depth,
                 float (*value)(unsigned, unsigned), unsigned level) {
    std::vector<float> texels(width * height * depth);
    for (unsigned i = 0; i < texels.size(); ++i) texels[i] = value(level, i / (width * height));
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(texels.data(), width * 4, width, height);
    p.dstArray = array;
    p.extent = make_cudaExtent(width, height, depth);
    p.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&p));
}
static void show(const char* what, int count) {
    CHECK(cudaDeviceSynchronize());
    std::printf("%s:", what);
    for (int i = 0; i < count; ++i) std::printf(" %g", out[i]);
    std::printf("\n");
}

int main() {
    CHECK(cudaMallocManaged(&out, 256));
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaTextureObject_t texture;
    cudaTextureDesc desc = {};
    desc.normalizedCoords = 1;

    cudaArray_t layered;
    CHECK(cudaMalloc3DArray(&layered, &format, make_cudaExtent(8, 4, 5), cudaArrayLayered));
    fill(layered, 8, 4, 5, [](unsigned, unsigned layer) { return 8.f + 32 * layer; }, 0);
    const cudaResourceDesc array = of(layered);
    for (const auto& range : {std::pair(1u, 3u), std::pair(0u, 0u), std::pair(4u, 4u)}) {
        const cudaResourceViewDesc some = view(8, 4, 5, range.first, range.second);
        CHECK(cudaCreateTextureObject(&texture, &array, &desc, &some));
        layers<<<1, 5>>>(texture, out);
        char name[32];
        std::snprintf(name, sizeof name, "layers %u-%u", range.first, range.second);
        show(name, 5);
    }

    cudaMipmappedArray_t pyramid, floors;
    CHECK(cudaMallocMipmappedArray(&pyramid, &format, make_cudaExtent(16, 16, 0), 5));
    CHECK(cudaMallocMipmappedArray(&floors, &format, make_cudaExtent(8, 8, 4), 3, cudaArrayLayered));
    for (unsigned level = 0; level < 5; ++level) {
        cudaArray_t one;
        CHECK(cudaGetMipmappedArrayLevel(&one, pyramid, level));
        const unsigned size = 16 >> level;
        std::vector<float> texels(size * size, level * 10 + 1);
        CHECK(
            cudaMemcpy2DToArray(one, 0, 0, texels.data(), size * 4, size * 4, size, cudaMemcpyHostToDevice));
        if (level > 2) continue;
        CHECK(cudaGetMipmappedArrayLevel(&one, floors, level));
        fill(
            one, 8 >> level, 8 >> level, 4, [](unsigned at, unsigned layer) { return 100.f * at + layer; },
            level);
    }
    desc.filterMode = desc.mipmapFilterMode = cudaFilterModeLinear;
    desc.maxMipmapLevelClamp = 100;
    const cudaResourceDesc mipmapped = of(pyramid);
    const auto look = [&](const char* name, unsigned first, unsigned last) {
        const cudaResourceViewDesc some = view(16, 16, 0, 0, 0, first, last);
        CHECK(cudaCreateTextureObject(&texture, &mipmapped, &desc, &some));
        levels<<<1, 10>>>(texture, out);
        show(name, 10);
    };
    look("levels 1-3", 1, 3);
    look("levels 1-9", 1, 9);
    desc.minMipmapLevelClamp = 1;
    desc.maxMipmapLevelClamp = 2;
    look("levels 1-4, clamped to 1-2", 1, 4);
    desc.minMipmapLevelClamp = 0;
    desc.maxMipmapLevelClamp = 10;
    const cudaResourceDesc houses = of(floors);
    const cudaResourceViewDesc some = view(8, 8, 4, 1, 2, 1, 2);
    CHECK(cudaCreateTextureObject(&texture, &houses, &desc, &some));
    both<<<1, 6>>>(texture, out);
    show("layers 1-2 of levels 1-2", 6);

    cudaArray_t flat;
    const float one = 1;
    CHECK(cudaMallocArray(&flat, &format, 1, 1));
    CHECK(cudaMemcpy2DToArray(flat, 0, 0, &one, 4, 4, 1, cudaMemcpyHostToDevice));
    const cudaTextureDesc plain = {};
    const cudaResourceDesc single = of(flat);
    const cudaResourceViewDesc as_bits = view(1, 1, 0, 0, 0, 0, 0, cudaResViewFormatUnsignedInt1);
    CHECK(cudaCreateTextureObject(&texture, &single, &plain, &as_bits));
    bits<<<1, 1>>>(texture, reinterpret_cast<unsigned*>(out));
    CHECK(cudaDeviceSynchronize());
    std::printf("bits of 1.0: %x\n", *reinterpret_cast<unsigned*>(out));

    const cudaResourceViewDesc bad[] = {view(8, 4, 3, 1, 3),
                                        view(8, 4, 5, 3, 1),
                                        view(8, 4, 0, 0, 4),
                                        view(7, 4, 5, 0, 4),
                                        view(0, 4, 5, 0, 4),
                                        view(8, 3, 5, 0, 4),
                                        view(8, 4, 5, 0, 4, 1, 1),
                                        view(8, 4, 5, 0, 4, 0, 0, cudaResViewFormatNone),
                                        view(8, 4, 5, 0, 4, 0, 0, cudaResViewFormatFloat2)};
    std::printf("refused:");
    for (const cudaResourceViewDesc& one_view : bad)
        std::printf(" %d", cudaCreateTextureObject(&texture, &array, &plain, &one_view));
    std::printf("\n");

    // What may be filtered is decided by the array's own format.
    cudaArray_t integers;
    const cudaChannelFormatDesc pairs = cudaCreateChannelDesc<uint2>();
    CHECK(cudaMallocArray(&integers, &pairs, 8, 4));
    const cudaResourceDesc words = of(integers);
    cudaTextureDesc filtered = {};
    filtered.filterMode = cudaFilterModeLinear;
    const cudaResourceViewDesc halves = view(8, 4, 0, 0, 0, 0, 0, cudaResViewFormatHalf4),
                               blocks =
                                   view(32, 16, 0, 0, 0, 0, 0, cudaResViewFormatUnsignedBlockCompressed1);
    std::printf("filter %d\n", cudaCreateTextureObject(&texture, &words, &filtered, &halves));
    std::printf("compressed %d\n", cudaCreateTextureObject(&texture, &words, &plain, &blocks));
}
