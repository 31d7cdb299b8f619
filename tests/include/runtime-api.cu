// The host API's C++ overloads and types, as programs use them. Only compiled: nothing here runs.
#include <cuda.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <device_launch_parameters.h>

#include <cstdio>

__device__ int variable[16];
__constant__ float constant;
__global__ void kernel(int* p, float x) { p[threadIdx.x] = (int)x; }
static size_t shared_of(int block) { return block * 4; }

int main() {
    int count, value, grid, block;
    cudaDeviceProp properties;
    cudaGetDeviceCount(&count);
    cudaGetDeviceProperties(&properties, 0);
    printf("%s %d.%d %d MHz %zu\n", properties.name, properties.major, properties.minor, properties.clockRate / 1000, properties.totalGlobalMem);
    cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0);
    int *p, *h;
    float* managed;
    size_t pitch, size;
    void* address;
    cudaMalloc(&p, 64);
    cudaMalloc((void**)&p, 64);
    cudaMallocHost(&h, 64);
    cudaHostAlloc(&h, 64, cudaHostAllocMapped);
    cudaHostGetDevicePointer(&p, h, 0);
    cudaMallocManaged(&managed, 64);
    cudaMallocPitch(&p, &pitch, 64, 4);
    cudaMallocAsync(&p, 64, 0);
    cudaMemcpy2D(p, pitch, h, 64, 64, 4, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(variable, h, sizeof(variable));
    cudaMemcpyToSymbol(constant, h, sizeof(constant), 0, cudaMemcpyHostToDevice);
    cudaMemcpyFromSymbol(h, variable, sizeof(variable));
    cudaGetSymbolAddress(&address, variable);
    cudaGetSymbolSize(&size, variable);
    cudaMemset(p, 0, 64);
    cudaPitchedPtr pp = make_cudaPitchedPtr(p, pitch, 16, 4);
    cudaExtent extent = make_cudaExtent(16, 4, 1);
    cudaMemset3D(pp, 0, extent);
    cudaStream_t stream;
    cudaEvent_t start, stop;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaEventCreate(&start);
    cudaEventCreate(&stop, cudaEventDefault);
    cudaEventRecord(start);
    cudaEventRecord(stop, stream);
    float ms;
    cudaEventElapsedTime(&ms, start, stop);
    cudaFuncAttributes attributes;
    cudaFuncGetAttributes(&attributes, kernel);
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
    cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferL1);
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 0);
    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, kernel, shared_of);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, kernel, 256, 0);
    float x = 1;
    void* args[] = {&p, &x};
    cudaLaunchKernel((void*)kernel, dim3(1), dim3(32), args, 0, stream);
    cudaLaunchKernel(kernel, 1, 32, args);
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = 32;
    cudaLaunchKernelEx(&config, kernel, p, 2.0f);
    cudaLaunchHostFunc(stream, [](void*) {}, nullptr);
    cudaStreamAddCallback(stream, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0);
    cudaPointerAttributes where;
    cudaPointerGetAttributes(&where, p);
    cudaMemPrefetchAsync(managed, 64, 0);
    // As CUDA 13 has them
    cudaMemLocation location = {cudaMemLocationTypeHost, 0};
    cudaMemPrefetchAsync(managed, 64, location, 0);
    cudaMemAdvise(managed, 64, cudaMemAdviseSetPreferredLocation, location);
    cudaMemAdvise(managed, 64, cudaMemAdviseSetReadMostly, cudaCpuDeviceId);
    cudaProfilerStart();
    CUdeviceptr d;
    cuInit(0);
    cuMemAlloc(&d, 16);
    CUresult status = cuCtxSynchronize();
    return cudaGetLastError() != cudaSuccess || status != CUDA_SUCCESS;
}

// What describes textures is there, though textures are not.
cudaError_t describe_texture(void* memory, size_t bytes) {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc<float4>();
    resource.res.linear.sizeInBytes = bytes;
    cudaTextureDesc description = {};
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    return cudaCreateTextureObject(&texture, &resource, &description, nullptr);
}
