// What the driver API refuses is told by the name of the function that was called, and by the driver's name
// for the error.
// RUN: lockstep run %s -lcuda
// OUT: ^31 refused$
// ERR: ^lockstep: cuMemAlloc: cuInit was not called \(CUDA_ERROR_NOT_INITIALIZED\)$
// ERR: ^lockstep: cuMemAlloc: no context is current in this thread, .*\(CUDA_ERROR_INVALID_CONTEXT\)$
// ERR: ^lockstep: cuDeviceGet: there is one device, number 0; device 9 was asked for \(CUDA_ERROR_INVALID_DEVICE\)$
// ERR: ^lockstep: cuMemAlloc: no bytes are asked for \(CUDA_ERROR_INVALID_VALUE\)$
// ERR: ^lockstep: cuMemAlloc: out of device memory: .*\(CUDA_ERROR_OUT_OF_MEMORY\)$
// ERR: ^lockstep: cuMemFree: 0x1234 cannot be freed.*\(CUDA_ERROR_INVALID_VALUE\)$
// ERR: ^lockstep: cuMemcpyHtoD: .*\(CUDA_ERROR_INVALID_VALUE\)$
// ERR: ^lockstep: cuModuleLoad: '/no/such/module' cannot be read \(CUDA_ERROR_FILE_NOT_FOUND\)$
// ERR: ^lockstep: cuModuleLoadData: this is neither PTX nor a fat binary \(CUDA_ERROR_INVALID_IMAGE\)$
// ERR: ^lockstep: cuModuleGetFunction: the module has no kernel 'nothing' \(CUDA_ERROR_NOT_FOUND\)$
// ERR: ^lockstep: cuLaunchKernel: .*has no blocks \(CUDA_ERROR_INVALID_VALUE\)$
// ERR: ^lockstep: cuFuncSetAttribute: .*\(CUDA_ERROR_INVALID_HANDLE\)$
// ERR: ^lockstep: cuIpcOpenMemHandle: .*\(CUDA_ERROR_INVALID_VALUE\)$
// ERR: ^lockstep: cuStreamSynchronize: no such stream, or it was destroyed \(CUDA_ERROR_INVALID_HANDLE\)$
// NOT: cudaError
#include <cuda.h>

#include <cstdio>
#include <cstring>

int refused = 0;

void refuse(CUresult result, CUresult expected) {
    if (result == expected && result != CUDA_SUCCESS) return void(++refused);
    std::printf("%d in place of %d\n", result, expected);
}

int main() {
    CUdeviceptr memory = 0;
    CUdevice device = 0;
    CUcontext context = nullptr;
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    CUipcMemHandle handle;
    std::memset(&handle, 0x5a, sizeof handle);
    char host[16] = {};
    refuse(cuMemAlloc(&memory, 4), CUDA_ERROR_NOT_INITIALIZED);
    refuse(cuInit(1), CUDA_ERROR_INVALID_VALUE);
    cuInit(0);
    refuse(cuMemAlloc(&memory, 4), CUDA_ERROR_INVALID_CONTEXT);
    refuse(cuDeviceGet(&device, 9), CUDA_ERROR_INVALID_DEVICE);
    refuse(cuDeviceGet(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
    refuse(cuDeviceGetAttribute(&device, static_cast<CUdevice_attribute>(99999), 0),
           CUDA_ERROR_INVALID_VALUE);
    refuse(cuCtxPopCurrent(&context), CUDA_ERROR_INVALID_CONTEXT);
    cuCtxCreate(&context, 0, 0);
    refuse(cuMemAlloc(&memory, 0), CUDA_ERROR_INVALID_VALUE);
    refuse(cuMemAlloc(&memory, size_t{1} << 60), CUDA_ERROR_OUT_OF_MEMORY);
    refuse(cuMemFree(0x1234), CUDA_ERROR_INVALID_VALUE);
    refuse(cuMemcpyHtoD(0x1234, host, 16), CUDA_ERROR_INVALID_VALUE);
    refuse(cuMemsetD32(0x1234, 0, 4), CUDA_ERROR_INVALID_VALUE);
    refuse(cuModuleLoad(&module, "/no/such/module"), CUDA_ERROR_FILE_NOT_FOUND);
    refuse(cuModuleLoadData(&module, "garbage"), CUDA_ERROR_INVALID_IMAGE);
    cuModuleLoadData(&module, ".version 8.0\n.target sm_50\n.address_size 64\n.visible .entry k() { ret; }");
    refuse(cuModuleGetFunction(&function, module, "nothing"), CUDA_ERROR_NOT_FOUND);
    cuModuleGetFunction(&function, module, "k");
    refuse(cuLaunchKernel(function, 0, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
           CUDA_ERROR_INVALID_VALUE);
    refuse(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
           CUDA_ERROR_INVALID_HANDLE);
    refuse(cuFuncSetAttribute(nullptr, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1),
           CUDA_ERROR_INVALID_HANDLE);
    refuse(cuModuleUnload(nullptr), CUDA_ERROR_INVALID_HANDLE);
    refuse(cuIpcOpenMemHandle(&memory, handle, 1), CUDA_ERROR_INVALID_VALUE);
    CUstream stream = nullptr;
    cuStreamCreate(&stream, 0);
    cuStreamDestroy(stream);
    refuse(cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
    refuse(cuEventCreate(nullptr, 0), CUDA_ERROR_INVALID_VALUE);
    refuse(cuMemAddressReserve(&memory, 4096, 0, 0, 0), CUDA_ERROR_INVALID_VALUE);
    refuse(cuMemUnmap(0x1000, 4096), CUDA_ERROR_INVALID_VALUE);
    refuse(cuTexObjectCreate(nullptr, nullptr, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
    refuse(cuGraphLaunch(nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
    refuse(cuCtxSetCurrent(reinterpret_cast<CUcontext>(0x10)), CUDA_ERROR_INVALID_CONTEXT);
    cuCtxDestroy(context);
    refuse(cuCtxDestroy(context), CUDA_ERROR_INVALID_CONTEXT);
    refuse(cuMemAlloc(&memory, 4), CUDA_ERROR_INVALID_CONTEXT);
    refuse(cuCtxPushCurrent(nullptr), CUDA_ERROR_INVALID_VALUE);
    refuse(cuDriverGetVersion(nullptr), CUDA_ERROR_INVALID_VALUE);
    std::printf("%d refused\n", refused);
}
