#include "runtime/driver-graph-params.h"

#include <algorithm>

#include "runtime/arrays.h"

namespace lockstep::runtime {
namespace {

cudaPitchedPtr pitched(CUmemorytype type, const void* host, CUdeviceptr device, size_t pitch, size_t height,
                       size_t width) {
    void* const pointer = type == CU_MEMORYTYPE_HOST ? const_cast<void*>(host) : pointer_to(device);
    return {pointer, pitch ? pitch : width, width, height};
}

// The runtime API counts texels where an array takes part, the driver API bytes everywhere.
size_t texel_bytes(CUmemorytype type, CUarray handle) {
    if (type != CU_MEMORYTYPE_ARRAY) return 1;
    const auto array = array_of(*current_device(), handle);
    return array ? (*array)->image->format.bytes() : 1;
}

// The same of an array's handle as the runtime has it: 1 where there is none.
size_t texel_bytes(cudaArray_t array) {
    return texel_bytes(array ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_DEVICE, reinterpret_cast<CUarray>(array));
}

CUmemorytype memory_type(const void* pointer, const void* array) {
    if (array) return CU_MEMORYTYPE_ARRAY;
    const auto found = current_device()->process().addresses().find(address_of(pointer));
    return found && found->kind == exec::MemoryKind::device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
}

}  // namespace

int device_of_function(const void* function) {
    Device& current = *current_device();
    if (current.modules().as_function(function)) return this_thread().device;
    session::Process& all = current.process();
    for (std::size_t i = 0; i < all.device_count(); ++i)
        if (all.device(i).modules().as_function(function)) return static_cast<int>(i);
    return this_thread().device;
}

cudaKernelNodeParams kernel_params(const CUDA_KERNEL_NODE_PARAMS& p) {
    cudaKernelNodeParams params = {};
    params.func = p.func ? static_cast<void*>(p.func) : static_cast<void*>(p.kern);
    params.gridDim = dim3(p.gridDimX, p.gridDimY, p.gridDimZ);
    params.blockDim = dim3(p.blockDimX, p.blockDimY, p.blockDimZ);
    params.sharedMemBytes = p.sharedMemBytes;
    params.kernelParams = p.kernelParams;
    params.extra = p.extra;
    return params;
}

CUDA_KERNEL_NODE_PARAMS driver_params(const cudaKernelNodeParams& p) {
    return {static_cast<CUfunction>(p.func),
            p.gridDim.x,
            p.gridDim.y,
            p.gridDim.z,
            p.blockDim.x,
            p.blockDim.y,
            p.blockDim.z,
            p.sharedMemBytes,
            p.kernelParams,
            nullptr,
            nullptr,
            nullptr};
}

CUDA_MEMSET_NODE_PARAMS driver_params(const cudaMemsetParams& p) {
    return {address_of(p.dst), p.pitch, p.value, p.elementSize, p.width, p.height};
}

cudaMemcpy3DParms copy_params(const CUDA_MEMCPY3D& p) {
    cudaMemcpy3DParms params = {};
    const size_t from = texel_bytes(p.srcMemoryType, p.srcArray),
                 to = texel_bytes(p.dstMemoryType, p.dstArray);
    params.srcPos = {p.srcXInBytes / from, p.srcY, p.srcZ};
    params.dstPos = {p.dstXInBytes / to, p.dstY, p.dstZ};
    params.srcPtr = pitched(p.srcMemoryType, p.srcHost, p.srcDevice, p.srcPitch, p.srcHeight, p.WidthInBytes);
    params.dstPtr = pitched(p.dstMemoryType, p.dstHost, p.dstDevice, p.dstPitch, p.dstHeight, p.WidthInBytes);
    if (p.srcMemoryType == CU_MEMORYTYPE_ARRAY) params.srcArray = reinterpret_cast<cudaArray_t>(p.srcArray);
    if (p.dstMemoryType == CU_MEMORYTYPE_ARRAY) params.dstArray = reinterpret_cast<cudaArray_t>(p.dstArray);
    params.extent = {p.WidthInBytes / std::max(from, to), p.Height, p.Depth};
    params.kind = cudaMemcpyDefault;
    return params;
}

CUDA_MEMCPY3D driver_params(const cudaMemcpy3DParms& p) {
    CUDA_MEMCPY3D params = {};
    const size_t from = texel_bytes(p.srcArray), to = texel_bytes(p.dstArray);
    params.srcXInBytes = p.srcPos.x * from;
    params.srcY = p.srcPos.y;
    params.srcZ = p.srcPos.z;
    params.dstXInBytes = p.dstPos.x * to;
    params.dstY = p.dstPos.y;
    params.dstZ = p.dstPos.z;
    params.srcMemoryType = memory_type(p.srcPtr.ptr, p.srcArray);
    params.dstMemoryType = memory_type(p.dstPtr.ptr, p.dstArray);
    params.srcArray = reinterpret_cast<CUarray>(p.srcArray);
    params.dstArray = reinterpret_cast<CUarray>(p.dstArray);
    if (params.srcMemoryType == CU_MEMORYTYPE_HOST) params.srcHost = p.srcPtr.ptr;
    if (params.srcMemoryType == CU_MEMORYTYPE_DEVICE) params.srcDevice = address_of(p.srcPtr.ptr);
    if (params.dstMemoryType == CU_MEMORYTYPE_HOST) params.dstHost = p.dstPtr.ptr;
    if (params.dstMemoryType == CU_MEMORYTYPE_DEVICE) params.dstDevice = address_of(p.dstPtr.ptr);
    params.srcPitch = p.srcPtr.pitch;
    params.srcHeight = p.srcPtr.ysize;
    params.dstPitch = p.dstPtr.pitch;
    params.dstHeight = p.dstPtr.ysize;
    params.WidthInBytes = p.extent.width * std::max(from, to);
    params.Height = p.extent.height;
    params.Depth = p.extent.depth;
    return params;
}

}  // namespace lockstep::runtime
