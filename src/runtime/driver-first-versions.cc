// Functions whose names CUDA has given a second version without another shape: programs that look symbols up
// by name ask for either. Each file that includes the public header has the second ones under the plain
// names, so that this one is compiled alone.
#include "runtime/driver.h"
#include "runtime/per-thread.h"

#undef cuCtxDestroy
#undef cuCtxPushCurrent
#undef cuCtxPopCurrent
#undef cuStreamDestroy
#undef cuEventDestroy
#undef cuDevicePrimaryCtxRelease
#undef cuDevicePrimaryCtxReset
#undef cuDevicePrimaryCtxSetFlags
#undef cuDeviceGetUuid
#undef cuMemHostRegister
#undef cuLinkCreate
#undef cuLinkAddData
#undef cuLinkAddFile
#undef cuStreamBeginCapture
#undef cuIpcOpenMemHandle

#define EXPORTED extern "C" __attribute__((visibility("default"))) CUresult

EXPORTED cuCtxDestroy(CUcontext context) { return cuCtxDestroy_v2(context); }
EXPORTED cuCtxPushCurrent(CUcontext context) { return cuCtxPushCurrent_v2(context); }
EXPORTED cuCtxPopCurrent(CUcontext* context) { return cuCtxPopCurrent_v2(context); }
EXPORTED cuStreamDestroy(CUstream stream) { return cuStreamDestroy_v2(stream); }
EXPORTED cuEventDestroy(CUevent event) { return cuEventDestroy_v2(event); }
EXPORTED cuDevicePrimaryCtxRelease(CUdevice device) { return cuDevicePrimaryCtxRelease_v2(device); }
EXPORTED cuDevicePrimaryCtxReset(CUdevice device) { return cuDevicePrimaryCtxReset_v2(device); }
EXPORTED cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
    return cuDevicePrimaryCtxSetFlags_v2(device, flags);
}
EXPORTED cuDeviceGetUuid(CUuuid* uuid, CUdevice device) { return cuDeviceGetUuid_v2(uuid, device); }
EXPORTED cuMemHostRegister(void* pointer, size_t size, unsigned flags) {
    return cuMemHostRegister_v2(pointer, size, flags);
}
EXPORTED cuLinkCreate(unsigned count, CUjit_option* options, void** values, CUlinkState* state) {
    return cuLinkCreate_v2(count, options, values, state);
}
EXPORTED cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, size_t size, const char* name,
                       unsigned count, CUjit_option* options, void** values) {
    return cuLinkAddData_v2(state, type, data, size, name, count, options, values);
}
EXPORTED cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path, unsigned count,
                       CUjit_option* options, void** values) {
    return cuLinkAddFile_v2(state, type, path, count, options, values);
}
EXPORTED cuIpcOpenMemHandle(CUdeviceptr* pointer, CUipcMemHandle handle, unsigned flags) {
    return cuIpcOpenMemHandle_v2(pointer, handle, flags);
}
EXPORTED cuTexRefSetAddress2D_v2(CUtexref reference, const CUDA_ARRAY_DESCRIPTOR* desc, CUdeviceptr pointer,
                                 size_t pitch) {
    return cuTexRefSetAddress2D_v3(reference, desc, pointer, pitch);
}
// Before there were modes, it was the strictest.
EXPORTED cuStreamBeginCapture(CUstream stream) {
    return cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}
LOCKSTEP_PER_THREAD(cuStreamBeginCapture, _ptsz);
