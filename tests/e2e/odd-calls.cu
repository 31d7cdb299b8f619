// What CUDA answers to odd and bad calls, as an H200 with CUDA 13.0 answered them.
// RUN: lockstep run --gpu h200 %s -lcuda
// OUT: ^all as an H200 answers$
// NOT: in place of
#include <cuda.h>

#include <cstdio>
#include <string>

int wrong = 0;

const char* name(cudaError_t error) { return cudaGetErrorName(error); }
const char* name(CUresult error) {
    const char* text = "?";
    cuGetErrorName(error, &text);
    return text;
}
template <class Error>
void expect(const char* what, Error got, Error wanted) {
    if (got == wanted) return;
    std::printf("%s: %s in place of %s\n", what, name(got), name(wanted));
    ++wrong;
}
#define EXPECT(call, wanted) expect(#call, call, wanted)
#define CHECK(condition) \
    if (!(condition)) std::printf("in place of %s: not\n", #condition), ++wrong

__global__ void __launch_bounds__(64) bounded() {}
__global__ void empty() {}
__global__ void fetch(cudaTextureObject_t t, float* out, int n) {
    for (int i = 0; i < n; ++i) out[i] = tex1Dfetch<float>(t, i);
}
__global__ void read(cudaTextureObject_t t, float* out, int width, int height) {
    for (int i = 0; i < width * height; ++i) out[i] = tex2D<float>(t, i % width + 0.5f, i / width + 0.5f);
}

void contexts() {
    CUcontext context = nullptr, primary = nullptr;
    CUdeviceptr memory = 0, other = 0;
    EXPECT(cuCtxGetCurrent(&context), CUDA_ERROR_NOT_INITIALIZED);
    cudaFree(nullptr);  // makes the primary context current
    EXPECT(cuCtxGetCurrent(&primary), CUDA_SUCCESS);
    CHECK(primary != nullptr);
    unsigned flags = 9;
    int active = 0;
    EXPECT(cuDevicePrimaryCtxGetState(0, &flags, &active), CUDA_SUCCESS);
    CHECK(active == 1);
    EXPECT(cuMemAlloc(&memory, 16), CUDA_SUCCESS);
    EXPECT(cuCtxPopCurrent(&context), CUDA_SUCCESS);
    CHECK(context == primary);
    EXPECT(cuCtxPopCurrent(&context), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT(cuMemAlloc(&other, 16), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT(cuMemFree(memory), CUDA_SUCCESS);
    void* pointer = nullptr;
    EXPECT(cudaMalloc(&pointer, 16), cudaSuccess);  // makes it current again
    EXPECT(cuMemAlloc(&other, 16), CUDA_SUCCESS);
    CUcontext mine = nullptr;
    EXPECT(cuCtxCreate(&mine, 0, 0), CUDA_SUCCESS);
    EXPECT(cudaFree(pointer), cudaSuccess);
    EXPECT(cuCtxGetCurrent(&context), CUDA_SUCCESS);
    CHECK(context == mine);
    EXPECT(cudaSetDevice(0), cudaSuccess);
    EXPECT(cuCtxGetCurrent(&context), CUDA_SUCCESS);
    CHECK(context == primary);
    EXPECT(cuCtxDestroy(mine), CUDA_SUCCESS);
}

void textures() {
    float *memory = nullptr, *out = nullptr, values[64];
    for (int i = 0; i < 64; ++i) values[i] = i + 1;
    cudaMalloc(&memory, 1 << 12);
    cudaMallocManaged(&out, 1 << 10);
    cudaMemcpy(memory, values, sizeof values, cudaMemcpyHostToDevice);
    cudaTextureObject_t texture = 0;
    cudaResourceDesc resource{};
    cudaTextureDesc desc{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear = {memory, cudaCreateChannelDesc<float>(), 32};
    EXPECT(cudaCreateTextureObject(&texture, &resource, nullptr, nullptr), cudaErrorInvalidResourceHandle);
    EXPECT(cudaCreateTextureObject(nullptr, &resource, &desc, nullptr), cudaErrorInvalidValue);
    desc.filterMode = cudaFilterModeLinear;  // of no meaning there
    EXPECT(cudaCreateTextureObject(&texture, &resource, &desc, nullptr), cudaSuccess);
    fetch<<<1, 1>>>(texture, out, 10);
    cudaDeviceSynchronize();
    CHECK(out[0] == 1 && out[7] == 8 && out[8] == 0);
    resource.res.linear.sizeInBytes = 0;
    EXPECT(cudaCreateTextureObject(&texture, &resource, &desc, nullptr), cudaSuccess);
    fetch<<<1, 1>>>(texture, out, 2);
    cudaDeviceSynchronize();
    CHECK(out[0] == 1 && out[1] == 0);
    desc = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D = {memory, cudaCreateChannelDesc<float>(), 16, 3, 32};  // rows overlap
    EXPECT(cudaCreateTextureObject(&texture, &resource, &desc, nullptr), cudaSuccess);
    read<<<1, 1>>>(texture, out, 18, 4);
    cudaDeviceSynchronize();
    CHECK(out[15] == 16 && out[17] == 16 && out[18] == 9 && out[18 * 2] == 17 && out[18 * 3] == 17);
    cudaResourceViewDesc view{};
    EXPECT(cudaGetTextureObjectResourceViewDesc(&view, texture), cudaSuccess);
    resource.res.pitch2D.pitchInBytes = 68;
    EXPECT(cudaCreateTextureObject(&texture, &resource, &desc, nullptr), cudaErrorInvalidValue);
    cudaSurfaceObject_t surface = 0;
    EXPECT(cudaCreateSurfaceObject(&surface, &resource), cudaErrorInvalidChannelDescriptor);
}

void mapped() {
    constexpr std::size_t size = 2 << 20;
    CUdeviceptr at = 0, aligned = 0;
    CUmemGenericAllocationHandle memory = 0;
    CUmemAllocationProp props{};
    props.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    EXPECT(cuMemAddressReserve(&at, size, 3, 0, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemAddressReserve(&aligned, size, 8 * size, 0, 0), CUDA_SUCCESS);
    CHECK(aligned % (8 * size) == 0);
    EXPECT(cuMemAddressReserve(&at, size, 0, 0, 0), CUDA_SUCCESS);
    EXPECT(cuMemCreate(&memory, size, &props, 0), CUDA_SUCCESS);
    EXPECT(cuMemMap(at, 2 * size, 0, memory, 0), CUDA_ERROR_NOT_SUPPORTED);
    EXPECT(cuMemMap(at, size, 4096, memory, 0), CUDA_ERROR_NOT_SUPPORTED);
    EXPECT(cuMemMap(at, 0, 0, memory, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemMap(at + 4096, size, 0, memory, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemMap(at, size, 0, memory, 0), CUDA_SUCCESS);
    CUmemAccessDesc access{};
    access.location = {CU_MEM_LOCATION_TYPE_DEVICE, 5};
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    EXPECT(cuMemSetAccess(at, size, &access, 1), CUDA_ERROR_INVALID_VALUE);
    access.location.id = 0;
    EXPECT(cuMemSetAccess(at, size, &access, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemSetAccess(at, size, &access, 1), CUDA_SUCCESS);
    EXPECT(cuMemsetD32(aligned, 0, 4), CUDA_ERROR_INVALID_VALUE);  // nothing is there
    EXPECT(cuMemsetD32(at, 0, 4), CUDA_SUCCESS);
    std::size_t granularity = 0;
    EXPECT(
        cuMemGetAllocationGranularity(&granularity, &props, static_cast<CUmemAllocationGranularity_flags>(5)),
        CUDA_ERROR_INVALID_VALUE);
}

void memory() {
    int *managed = nullptr, *plain = nullptr;
    cudaMallocManaged(&managed, 1 << 16);
    cudaMalloc(&plain, 1 << 16);
    EXPECT(cudaMemPrefetchAsync(managed, 0, 0), cudaErrorInvalidValue);
    EXPECT(cudaMemPrefetchAsync(managed, 1 << 16, 9), cudaErrorInvalidDevice);
    EXPECT(cudaMemAdvise(managed, 0, cudaMemAdviseSetReadMostly, 0), cudaErrorInvalidValue);
    EXPECT(cudaMemAdvise(managed, 16, cudaMemAdviseSetPreferredLocation, 9), cudaErrorInvalidValue);
    EXPECT(cudaMemAdvise(plain, 16, cudaMemAdviseSetReadMostly, 0), cudaErrorInvalidValue);
    EXPECT(cudaStreamAttachMemAsync(0, managed, 5, cudaMemAttachSingle), cudaErrorInvalidValue);
    EXPECT(cudaMemset2D(plain, 50, 0, 100, 2), cudaErrorInvalidValue);
    EXPECT(cudaMemGetInfo(nullptr, nullptr), cudaSuccess);
    cudaMemPool_t pool;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    unsigned long long mark = 5;
    EXPECT(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &mark), cudaErrorInvalidValue);
    mark = 0;
    EXPECT(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &mark), cudaSuccess);
}

void devices() {
    char bus[64];
    int number = 0, blocks = 0;
    std::size_t bytes = 0;
    EXPECT(cudaDeviceGetPCIBusId(bus, 4, 0), cudaErrorInvalidValue);
    EXPECT(cudaDeviceGetPCIBusId(bus, sizeof bus, 0), cudaSuccess);
    EXPECT(cudaDeviceGetByPCIBusId(&number, bus), cudaSuccess);
    EXPECT(cudaDeviceGetByPCIBusId(&number, "nonsense"), cudaErrorInvalidValue);
    EXPECT(cudaDeviceGetByPCIBusId(&number, "0000:ff:1f.0"), cudaErrorInvalidDevice);
    EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 128, 0), cudaSuccess);
    CHECK(blocks == 16);
    EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, empty, 32, 0, 9),
           cudaErrorInvalidValue);
    EXPECT(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, empty, 1, 1024), cudaSuccess);
    CHECK(bytes == 49152);
    EXPECT(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, empty, 3, 1024), cudaErrorInvalidValue);
}

void captures() {
    cudaStream_t stream;
    cudaEvent_t event;
    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaSuccess);
    int *memory = nullptr, value = 0;
    EXPECT(cudaMalloc(&memory, 4), cudaSuccess);
    EXPECT(cudaMemcpy(memory, &value, 4, cudaMemcpyHostToDevice), cudaErrorStreamCaptureImplicit);
    EXPECT(cudaStreamWaitEvent(stream, event, 0), cudaErrorStreamCaptureInvalidated);
    cudaGraph_t graph;
    EXPECT(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
}

void modules() {
    CUmodule module;
    CUfunction function;
    const char* text = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }";
    CUjit_option unknown = static_cast<CUjit_option>(999);
    void* value = nullptr;
    EXPECT(cuModuleLoadDataEx(&module, text, 1, &unknown, &value), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuModuleLoadData(&module,
                            ".version 8.0\n.target sm_90\n.address_size 32\n.visible .entry k() { ret; }"),
           CUDA_ERROR_INVALID_PTX);
    EXPECT(cuModuleLoadData(&module, text), CUDA_SUCCESS);
    EXPECT(cuModuleGetFunction(&function, module, "k"), CUDA_SUCCESS);
    EXPECT(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS, 5), CUDA_ERROR_INVALID_VALUE);
    CUlinkState link;
    cuLinkCreate(0, nullptr, nullptr, &link);
    EXPECT(cuLinkAddData(link, static_cast<CUjitInputType>(77), const_cast<char*>(text), 80, "k", 0, nullptr,
                         nullptr),
           CUDA_ERROR_INVALID_VALUE);
}

int main() {
    contexts();
    textures();
    mapped();
    memory();
    devices();
    captures();
    modules();
    if (wrong == 0) std::printf("all as an H200 answers\n");
}
