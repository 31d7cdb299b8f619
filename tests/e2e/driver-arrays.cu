// Arrays, textures, surfaces and references of the driver API: copies in all directions, what is known of them, wrong
// handles and use after destroy.
// RUN: lockstep run %s -lcuda
// OUT: ^2-D there and back: right$
// OUT: ^a part of it: right$
// OUT: ^3-D: right$
// OUT: ^one dimension: right$
// OUT: ^in a stream: right$
// OUT: ^described: 8 x 4 of 1 x 0x20, 6 x 5 x 3 of 2 x 0x10, flags 2$
// OUT: ^levels: 16 x 8, level 2 is 4 x 2$
// OUT: ^object: 0 1 2 3 10 11 12 13, flags 0x2$
// OUT: ^bytes as numbers: 0 0\.25098 0\.501961 1$
// OUT: ^surface: 0 3 6 9$
// OUT: ^reference to an array: 0\.500008 0\.249027 0\.000000 1\.000000$
// OUT: ^reference to memory: 7\.5, offset 16, 6 more$
// OUT: ^reference to rows: 11$
// OUT: ^reference to a surface: 5 6 7 8$
// OUT: ^in a graph: right$
// OUT: ^fills: 01010000 02020000 ffff0000 right$
// OUT: ^a thread's stream: right$
// OUT: ^errors: 1 1 1 1 801 400 1 1 1 1 400 400 500 500 400 400 1 1$
#include <cuda.h>

#include <cstdio>
#include <cstring>
#include <thread>
#include <vector>

#define REQUIRE(call)                                                   \
    if (const int error = (call)) {                                     \
        std::printf("line %d: %s: error %d\n", __LINE__, #call, error); \
        return 1;                                                       \
    }
static const char* verdict(bool right) { return right ? "right" : "WRONG"; }

// nvcc has no references any more, and PTX has them still.
static const char* const code = R"(.version 7.8
.target sm_50
.address_size 64
.visible .global .texref picture;
.visible .global .surfref canvas;
.visible .global .align 8 .u64 number;
.visible .entry at(.param .u64 out, .param .f32 x, .param .f32 y) {
    .reg .f32 %f<7>; .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [out]; ld.param.f32 %f5, [x]; ld.param.f32 %f6, [y]; cvta.to.global.u64 %rd2, %rd1;
    tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [picture, {%f5, %f6}];
    st.global.v4.f32 [%rd2], {%f1, %f2, %f3, %f4}; ret;
}
.visible .entry index(.param .u64 out, .param .u32 i) {
    .reg .f32 %f<5>; .reg .b64 %rd<3>; .reg .b32 %r<2>;
    ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [i]; cvta.to.global.u64 %rd2, %rd1;
    tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [picture, {%r1}];
    st.global.v4.f32 [%rd2], {%f1, %f2, %f3, %f4}; ret;
}
.visible .entry paint() {
    .reg .b32 %r<5>;
    mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, 0; add.u32 %r4, %r1, 5;
    sust.b.2d.b32.trap [canvas, {%r2, %r3}], {%r4}; ret;
}
)";
__global__ void take(cudaTextureObject_t t, float* out) {
    out[threadIdx.x] = tex2D<float>(t, threadIdx.x % 4 + 0.5f, threadIdx.x / 4 + 0.5f);
}
__global__ void take_numbers(cudaTextureObject_t t, float* out) { out[threadIdx.x] = tex2D<float>(t, threadIdx.x + 0.5f, 0.5f); }
__global__ void draw(cudaSurfaceObject_t s) { surf2Dwrite((int)(3 * threadIdx.x), s, threadIdx.x * 4, 1); }

static CUDA_MEMCPY2D rows(const void* from, CUarray to, size_t width, size_t height) {
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST, copy.srcHost = from, copy.srcPitch = width;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY, copy.dstArray = to;
    copy.WidthInBytes = width, copy.Height = height;
    return copy;
}

int main() {
    CUdevice device;
    CUcontext context;
    REQUIRE(cuInit(0));
    REQUIRE(cuDeviceGet(&device, 0));
    REQUIRE(cuDevicePrimaryCtxRetain(&context, device));
    REQUIRE(cuCtxSetCurrent(context));

    std::vector<float> numbers(32), back(32);
    for (int i = 0; i < 32; ++i) numbers[i] = (float)(i % 8 + 10 * (i / 8));
    CUDA_ARRAY_DESCRIPTOR flat = {8, 4, CU_AD_FORMAT_FLOAT, 1};
    CUarray array;
    REQUIRE(cuArrayCreate(&array, &flat));
    CUDA_MEMCPY2D in = rows(numbers.data(), array, 32, 4), out = {};
    REQUIRE(cuMemcpy2D(&in));
    out.srcMemoryType = CU_MEMORYTYPE_ARRAY, out.srcArray = array;
    out.dstMemoryType = CU_MEMORYTYPE_HOST, out.dstHost = back.data(), out.dstPitch = 32;
    out.WidthInBytes = 32, out.Height = 4;
    REQUIRE(cuMemcpy2DUnaligned(&out));
    std::printf("2-D there and back: %s\n", verdict(numbers == back));
    CUdeviceptr memory;
    size_t pitch;
    REQUIRE(cuMemAllocPitch(&memory, &pitch, 16, 4, 4));
    CUDA_MEMCPY2D part = out;
    part.srcXInBytes = 8, part.srcY = 1, part.dstMemoryType = CU_MEMORYTYPE_DEVICE, part.dstDevice = memory;
    part.dstPitch = pitch, part.WidthInBytes = 16, part.Height = 3;
    REQUIRE(cuMemcpy2D(&part));
    float row[4];
    REQUIRE(cuMemcpyDtoH(row, memory + 2 * pitch, 16));
    std::printf("a part of it: %s\n", verdict(row[0] == 32 && row[3] == 35));

    CUDA_ARRAY3D_DESCRIPTOR deep = {6, 5, 3, CU_AD_FORMAT_HALF, 2, CUDA_ARRAY3D_SURFACE_LDST};
    CUarray cube;
    REQUIRE(cuArray3DCreate(&cube, &deep));
    std::vector<int> bits(90), bits_back(90);
    for (int i = 0; i < 90; ++i) bits[i] = 7 * i;
    CUDA_MEMCPY3D box = {};
    box.srcMemoryType = CU_MEMORYTYPE_HOST, box.srcHost = bits.data(), box.srcPitch = 24, box.srcHeight = 5;
    box.dstMemoryType = CU_MEMORYTYPE_ARRAY, box.dstArray = cube;
    box.WidthInBytes = 24, box.Height = 5, box.Depth = 3;
    REQUIRE(cuMemcpy3D(&box));
    CUDA_MEMCPY3D_PEER peer = {};
    peer.srcMemoryType = CU_MEMORYTYPE_ARRAY, peer.srcArray = cube, peer.srcContext = peer.dstContext = context;
    peer.dstMemoryType = CU_MEMORYTYPE_HOST, peer.dstHost = bits_back.data(), peer.dstPitch = 24, peer.dstHeight = 5;
    peer.WidthInBytes = 24, peer.Height = 5, peer.Depth = 3;
    REQUIRE(cuMemcpy3DPeer(&peer));
    std::printf("3-D: %s\n", verdict(bits == bits_back));

    CUDA_ARRAY_DESCRIPTOR line = {16, 0, CU_AD_FORMAT_FLOAT, 1};
    CUarray one, other;
    REQUIRE(cuArrayCreate(&one, &line));
    REQUIRE(cuArrayCreate(&other, &line));
    REQUIRE(cuMemcpyHtoA(one, 8, numbers.data(), 32));
    REQUIRE(cuMemcpyAtoA(other, 0, one, 8, 32));
    REQUIRE(cuMemcpyAtoD(memory, other, 4, 12));
    REQUIRE(cuMemcpyDtoA(other, 48, memory, 12));
    float three[3];
    REQUIRE(cuMemcpyAtoH(three, other, 48, 12));
    std::printf("one dimension: %s\n", verdict(three[0] == 1 && three[2] == 3));
    CUstream stream;
    REQUIRE(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    float four[4] = {4, 3, 2, 1}, four_back[4] = {};
    REQUIRE(cuMemcpyHtoAAsync(one, 0, four, 16, stream));
    REQUIRE(cuMemcpyAtoHAsync(four_back, one, 0, 16, stream));
    REQUIRE(cuStreamSynchronize(stream));
    std::printf("in a stream: %s\n", verdict(std::memcmp(four, four_back, 16) == 0));

    CUDA_ARRAY_DESCRIPTOR d2;
    CUDA_ARRAY3D_DESCRIPTOR d3;
    REQUIRE(cuArrayGetDescriptor(&d2, array));
    REQUIRE(cuArray3DGetDescriptor(&d3, cube));
    std::printf("described: %zu x %zu of %u x %#x, %zu x %zu x %zu of %u x %#x, flags %u\n", d2.Width, d2.Height, d2.NumChannels,
                d2.Format, d3.Width, d3.Height, d3.Depth, d3.NumChannels, d3.Format, d3.Flags);
    CUDA_ARRAY3D_DESCRIPTOR pyramid = {16, 8, 0, CU_AD_FORMAT_FLOAT, 1, 0};
    CUmipmappedArray levels;
    CUarray level0, level2;
    REQUIRE(cuMipmappedArrayCreate(&levels, &pyramid, 3));
    REQUIRE(cuMipmappedArrayGetLevel(&level0, levels, 0));
    REQUIRE(cuMipmappedArrayGetLevel(&level2, levels, 2));
    REQUIRE(cuArrayGetDescriptor(&d2, level0));
    std::printf("levels: %zu x %zu, ", d2.Width, d2.Height);
    REQUIRE(cuArrayGetDescriptor(&d2, level2));
    std::printf("level 2 is %zu x %zu\n", d2.Width, d2.Height);

    CUDA_RESOURCE_DESC resource = {};
    CUDA_TEXTURE_DESC how = {}, told = {};
    resource.res.array.hArray = array;
    CUtexObject texture;
    REQUIRE(cuTexObjectCreate(&texture, &resource, &how, nullptr));
    float* result;
    REQUIRE(cudaMallocManaged(&result, 4096));
    take<<<1, 8>>>(texture, result);
    REQUIRE(cuCtxSynchronize());
    std::printf("object:");
    for (int i = 0; i < 8; ++i) std::printf(" %g", result[i]);
    REQUIRE(cuTexObjectDestroy(texture));
    how.flags = CU_TRSF_NORMALIZED_COORDINATES;
    REQUIRE(cuTexObjectCreate(&texture, &resource, &how, nullptr));
    REQUIRE(cuTexObjectGetTextureDesc(&told, texture));
    std::printf(", flags %#x\n", told.flags);
    CUDA_RESOURCE_DESC known = {};
    REQUIRE(cuTexObjectGetResourceDesc(&known, texture));
    if (known.res.array.hArray != array) std::printf("another array\n");
    // Without CU_TRSF_READ_AS_INTEGER integers are numbers from 0 to 1.
    const unsigned char bytes[] = {0, 64, 128, 255};
    CUDA_ARRAY_DESCRIPTOR byte_row = {4, 1, CU_AD_FORMAT_UNSIGNED_INT8, 1};
    CUarray byte_array;
    REQUIRE(cuArrayCreate(&byte_array, &byte_row));
    CUDA_MEMCPY2D byte_copy = rows(bytes, byte_array, 4, 1);
    REQUIRE(cuMemcpy2DAsync(&byte_copy, stream));
    REQUIRE(cuStreamSynchronize(stream));
    resource.res.array.hArray = byte_array;
    how.flags = 0;
    CUtexObject as_numbers;
    REQUIRE(cuTexObjectCreate(&as_numbers, &resource, &how, nullptr));
    take_numbers<<<1, 4>>>(as_numbers, result);
    REQUIRE(cuCtxSynchronize());
    std::printf("bytes as numbers: %g %g %g %g\n", result[0], result[1], result[2], result[3]);
    CUDA_ARRAY3D_DESCRIPTOR drawn = {4, 2, 0, CU_AD_FORMAT_SIGNED_INT32, 1, CUDA_ARRAY3D_SURFACE_LDST};
    CUarray canvas;
    REQUIRE(cuArray3DCreate(&canvas, &drawn));
    resource.res.array.hArray = canvas;
    CUsurfObject surface;
    REQUIRE(cuSurfObjectCreate(&surface, &resource));
    draw<<<1, 4>>>(surface);
    int painted[8];
    CUDA_MEMCPY2D seen = out;
    seen.srcArray = canvas, seen.dstHost = painted, seen.dstPitch = 16, seen.WidthInBytes = 16, seen.Height = 2;
    REQUIRE(cuMemcpy2D(&seen));
    std::printf("surface: %d %d %d %d\n", painted[4], painted[5], painted[6], painted[7]);

    CUmodule module;
    CUfunction at, index, paint;
    CUtexref picture;
    CUsurfref drawing;
    REQUIRE(cuModuleLoadData(&module, code));
    REQUIRE(cuModuleGetFunction(&at, module, "at"));
    REQUIRE(cuModuleGetFunction(&index, module, "index"));
    REQUIRE(cuModuleGetFunction(&paint, module, "paint"));
    REQUIRE(cuModuleGetTexRef(&picture, module, "picture"));
    REQUIRE(cuModuleGetSurfRef(&drawing, module, "canvas"));
    const unsigned char pixels[] = {0, 0, 0, 255, 255, 127, 0, 255};
    CUDA_ARRAY_DESCRIPTOR coloured = {2, 1, CU_AD_FORMAT_UNSIGNED_INT8, 4};
    CUarray colours;
    REQUIRE(cuArrayCreate(&colours, &coloured));
    CUDA_MEMCPY2D pixel_copy = rows(pixels, colours, 8, 1);
    REQUIRE(cuMemcpy2D(&pixel_copy));
    REQUIRE(cuTexRefSetArray(picture, colours, CU_TRSA_OVERRIDE_FORMAT));
    REQUIRE(cuTexRefSetFilterMode(picture, CU_TR_FILTER_MODE_LINEAR));
    REQUIRE(cuTexRefSetFlags(picture, CU_TRSF_NORMALIZED_COORDINATES));
    REQUIRE(cuTexRefSetAddressMode(picture, 0, CU_TR_ADDRESS_MODE_CLAMP));
    float x = 0.5f, y = 0.5f;
    void* place[] = {&result, &x, &y};
    REQUIRE(cuLaunchKernel(at, 1, 1, 1, 1, 1, 1, 0, nullptr, place, nullptr));
    REQUIRE(cuCtxSynchronize());
    std::printf("reference to an array: %.6f %.6f %.6f %.6f\n", result[0], result[1], result[2], result[3]);
    REQUIRE(cuTexRefSetFilterMode(picture, CU_TR_FILTER_MODE_POINT));
    REQUIRE(cuTexRefSetFlags(picture, 0));
    CUdeviceptr linear;
    REQUIRE(cuMemAlloc(&linear, 4096));
    float halves[16];
    for (int i = 0; i < 16; ++i) halves[i] = 1.5f * i;
    REQUIRE(cuMemcpyHtoD(linear, halves, sizeof halves));
    size_t offset = 0;
    REQUIRE(cuTexRefSetFormat(picture, CU_AD_FORMAT_FLOAT, 1));
    REQUIRE(cuTexRefSetAddress(&offset, picture, linear, sizeof halves));
    int i = 5;
    void* number[] = {&result, &i};
    REQUIRE(cuLaunchKernel(index, 1, 1, 1, 1, 1, 1, 0, nullptr, number, nullptr));
    REQUIRE(cuCtxSynchronize());
    const float fifth = result[0];
    REQUIRE(cuTexRefSetAddress(&offset, picture, linear + 16, 32));
    i = (int)offset / 4;
    REQUIRE(cuLaunchKernel(index, 1, 1, 1, 1, 1, 1, 0, nullptr, number, nullptr));
    REQUIRE(cuCtxSynchronize());
    std::printf("reference to memory: %g, offset %zu, %g more\n", fifth, offset, result[0]);
    CUdeviceptr padded;
    REQUIRE(cuMemAllocPitch(&padded, &pitch, 16, 2, 4));
    CUDA_MEMCPY2D to_rows = out;
    to_rows.dstMemoryType = CU_MEMORYTYPE_DEVICE, to_rows.dstDevice = padded, to_rows.dstPitch = pitch;
    to_rows.WidthInBytes = 16, to_rows.Height = 2;
    REQUIRE(cuMemcpy2D(&to_rows));
    CUDA_ARRAY_DESCRIPTOR two_rows = {4, 2, CU_AD_FORMAT_FLOAT, 1};
    REQUIRE(cuTexRefSetAddress2D(picture, &two_rows, padded, pitch));
    x = 1.5f, y = 1.5f;
    REQUIRE(cuLaunchKernel(at, 1, 1, 1, 1, 1, 1, 0, nullptr, place, nullptr));
    REQUIRE(cuCtxSynchronize());
    std::printf("reference to rows: %g\n", result[0]);
    REQUIRE(cuSurfRefSetArray(drawing, canvas, 0));
    REQUIRE(cuLaunchKernel(paint, 1, 1, 1, 4, 1, 1, 0, nullptr, nullptr, nullptr));
    REQUIRE(cuMemcpy2D(&seen));
    std::printf("reference to a surface: %d %d %d %d\n", painted[0], painted[1], painted[2], painted[3]);

    CUgraph graph;
    CUgraphExec exec;
    CUgraphNode node;
    std::vector<int> from_graph(90);
    CUDA_MEMCPY3D node_copy = {};
    node_copy.srcMemoryType = CU_MEMORYTYPE_ARRAY, node_copy.srcArray = cube, node_copy.srcXInBytes = 4;
    node_copy.dstMemoryType = CU_MEMORYTYPE_HOST, node_copy.dstHost = from_graph.data(), node_copy.dstPitch = 20, node_copy.dstHeight = 5;
    node_copy.WidthInBytes = 20, node_copy.Height = 5, node_copy.Depth = 3;
    REQUIRE(cuGraphCreate(&graph, 0));
    REQUIRE(cuGraphAddMemcpyNode(&node, graph, nullptr, 0, &node_copy, context));
    REQUIRE(cuGraphInstantiate(&exec, graph, 0));
    REQUIRE(cuGraphLaunch(exec, stream));
    REQUIRE(cuStreamSynchronize(stream));
    std::printf("in a graph: %s\n", verdict(from_graph[0] == bits[1] && from_graph[5] == bits[7] && from_graph[74] == bits[89]));

    unsigned words[8];
    REQUIRE(cuMemsetD32(linear, 0, 8));
    REQUIRE(cuMemsetD2D8(linear, 8, 1, 2, 2));
    REQUIRE(cuMemsetD2D16(linear + 16, 4, 0x202, 1, 2));
    REQUIRE(cuMemsetD2D32Async(linear + 24, 8, 0xffff, 1, 1, stream));
    REQUIRE(cuStreamSynchronize(stream));
    REQUIRE(cuMemcpyDtoH(words, linear, 32));
    const unsigned expected[] = {0x101, 0, 0x101, 0, 0x202, 0x202, 0xffff, 0};
    const auto turned = [](unsigned w) { return w << 24 | (w & 0xff00) << 8 | (w >> 8 & 0xff00) | w >> 24; };
    std::printf("fills: %08x %08x %08x %s\n", turned(words[0]), turned(words[4]), turned(words[6]),
                verdict(std::memcmp(words, expected, sizeof words) == 0));

    // What is asked for with a default stream a thread does not wait for the legacy default stream's.
    CUresult (*copy_of_thread)(CUdeviceptr, const void*, size_t) = nullptr;
    CUresult (*plain_copy)(CUdeviceptr, const void*, size_t) = nullptr;
    CUresult (*wait)(CUstream) = nullptr;
    int there = 0;
    REQUIRE(cuGetProcAddress("cuMemcpyHtoD", (void**)&copy_of_thread, 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, nullptr));
    REQUIRE(cuGetProcAddress("cuMemcpyHtoD", (void**)&plain_copy, 12000, CU_GET_PROC_ADDRESS_DEFAULT, nullptr));
    REQUIRE(cuGetProcAddress("cuStreamSynchronize", (void**)&wait, 12000, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM, nullptr));
    std::thread([&] {
        cuCtxSetCurrent(context);
        const int sent = 42;
        if (copy_of_thread(linear, &sent, 4) == 0 && wait(nullptr) == 0) cuMemcpyDtoH(&there, linear, 4);
    }).join();
    std::printf("a thread's stream: %s\n", verdict(there == 42 && copy_of_thread != plain_copy && plain_copy == &cuMemcpyHtoD));

    std::printf("errors:");
    const auto error = [](CUresult result) { std::printf(" %d", (int)result); };
    CUarray none;
    CUDA_ARRAY_DESCRIPTOR bad = flat;
    bad.NumChannels = 3;
    error(cuArrayCreate(&none, &bad));
    bad = flat, bad.Width = 0;
    error(cuArrayCreate(&none, &bad));
    bad = flat, bad.Format = (CUarray_format)0x33;
    error(cuArrayCreate(&none, &bad));
    error(cuArrayCreate(nullptr, &flat));
    CUDA_ARRAY3D_DESCRIPTOR sparse = {8, 4, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SPARSE};
    error(cuArray3DCreate(&none, &sparse));
    error(cuArrayGetDescriptor(&d2, (CUarray)&flat));
    in.Height = 5;
    error(cuMemcpy2D(&in));
    error(cuMemcpyAtoH(back.data(), one, 60, 8));
    error(cuMipmappedArrayGetLevel(&none, levels, 3));
    resource.res.array.hArray = nullptr;
    error(cuSurfObjectCreate(&surface, &resource));
    REQUIRE(cuArrayDestroy(array));
    error(cuArrayDestroy(array));
    in.Height = 4;
    error(cuMemcpy2D(&in));
    error(cuModuleGetTexRef(&picture, module, "nobody"));
    CUtexref no_reference;
    error(cuModuleGetTexRef(&no_reference, module, "number"));
    REQUIRE(cuModuleUnload(module));
    error(cuTexRefSetFilterMode(picture, CU_TR_FILTER_MODE_LINEAR));
    error(cuSurfRefSetArray(drawing, canvas, 0));
    REQUIRE(cuTexObjectDestroy(texture));
    error(cuTexObjectGetTextureDesc(&told, texture));
    CUDA_RESOURCE_DESC integers = {};
    integers.res.array.hArray = canvas;
    how.flags = 0x1000;
    error(cuTexObjectCreate(&texture, &integers, &how, nullptr));
    std::printf("\n");
    return 0;
}
