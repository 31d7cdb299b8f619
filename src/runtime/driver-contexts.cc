// Start, errors, devices and contexts of the driver API. There is one device and it has one state, so a
// context is little more than a handle that must be current.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <vector>

#include "runtime/driver.h"
#include "runtime/properties.h"

struct CUctx_st {
    unsigned flags = 0;
};

namespace lockstep::runtime {
namespace {

std::atomic<bool> initialised{false};
std::atomic<int> primary_users{0};
thread_local std::vector<CUcontext> current_contexts;

CUcontext primary_context() {
    static CUctx_st* const primary = new CUctx_st;
    return primary;
}

session::Handles<CUctx_st>& contexts() {
    static auto* const made = new session::Handles<CUctx_st>;
    return *made;
}

bool is_context(CUcontext context) { return context == primary_context() || contexts().find(context); }

// What needs cuInit but no context.
template <class Body>
CUresult at_device(CUdevice device, Body&& body) {
    if (!initialised) return CUDA_ERROR_NOT_INITIALIZED;
    if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
    Session* current = session();
    return current ? body(*current) : CUDA_ERROR_NO_DEVICE;
}

}  // namespace

CUresult driver_ready() {
    if (!initialised) return CUDA_ERROR_NOT_INITIALIZED;
    // Programs that mix both APIs have the runtime's context, the primary one.
    const bool current =
        !current_contexts.empty() ? is_context(current_contexts.back()) : runtime_was_called();
    return current ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult driver_result(cudaError_t error) {
    switch (error) {
        case cudaErrorInvalidConfiguration:
        case cudaErrorInvalidPitchValue:
        case cudaErrorInvalidMemcpyDirection: return CUDA_ERROR_INVALID_VALUE;
        case cudaErrorInvalidSymbol: return CUDA_ERROR_NOT_FOUND;
        case cudaErrorInvalidDeviceFunction: return CUDA_ERROR_INVALID_HANDLE;
        default: return static_cast<CUresult>(error);
    }
}

}  // namespace lockstep::runtime

using namespace lockstep::runtime;

extern "C" {

CUresult cuInit(unsigned flags) {
    if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
    initialised = true;
    return session() ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}

CUresult cuDriverGetVersion(int* version) {
    if (!version) return CUDA_ERROR_INVALID_VALUE;
    *version = driver_version;
    return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char** name) {
    if (!name) return CUDA_ERROR_INVALID_VALUE;
    switch (error) {
#define ERROR(code)    \
    case code:         \
        *name = #code; \
        return CUDA_SUCCESS;
#include "runtime/driver-errors.def"
#undef ERROR
    }
    *name = nullptr;
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char** text) {
    const char* name = nullptr;
    if (!text || cuGetErrorName(error, &name) != CUDA_SUCCESS) {
        if (text) *text = nullptr;
        return CUDA_ERROR_INVALID_VALUE;
    }
    *text = cudaGetErrorString(static_cast<cudaError_t>(error));
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
    if (!initialised) return CUDA_ERROR_NOT_INITIALIZED;
    if (!count) return CUDA_ERROR_INVALID_VALUE;
    *count = 1;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
    return at_device(ordinal, [&](Session&) {
        if (!device) return CUDA_ERROR_INVALID_VALUE;
        *device = 0;
        return CUDA_SUCCESS;
    });
}

CUresult cuDeviceGetName(char* name, int size, CUdevice device) {
    return at_device(device, [&](Session& current) {
        if (!name || size <= 0) return CUDA_ERROR_INVALID_VALUE;
        std::snprintf(name, static_cast<size_t>(size), "%s", current.gpu().name.c_str());
        return CUDA_SUCCESS;
    });
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
    return at_device(device, [&](Session& current) {
        if (!uuid) return CUDA_ERROR_INVALID_VALUE;
        *uuid = properties_of(current.gpu()).uuid;
        return CUDA_SUCCESS;
    });
}

CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
    return at_device(device, [&](Session& current) {
        if (!bytes) return CUDA_ERROR_INVALID_VALUE;
        *bytes = current.gpu().memory_bytes;
        return CUDA_SUCCESS;
    });
}

// The attributes have the runtime API's numbers.
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
    return at_device(device, [&](Session& current) {
        const auto found = attribute_of(properties_of(current.gpu()), static_cast<cudaDeviceAttr>(attribute));
        if (!value || !found) return CUDA_ERROR_INVALID_VALUE;
        *value = *found;
        return CUDA_SUCCESS;
    });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
    return at_device(device, [&](Session& current) {
        if (!major || !minor) return CUDA_ERROR_INVALID_VALUE;
        *major = current.gpu().compute_major;
        *minor = current.gpu().compute_minor;
        return CUDA_SUCCESS;
    });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
    return at_device(device, [&](Session&) {
        if (!context) return CUDA_ERROR_INVALID_VALUE;
        ++primary_users;
        *context = primary_context();
        return CUDA_SUCCESS;
    });
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
    return at_device(device, [&](Session&) {
        if (primary_users == 0) return CUDA_ERROR_INVALID_CONTEXT;
        --primary_users;
        return CUDA_SUCCESS;
    });
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) {
    return at_device(device, [&](Session& current) {
        current.reset();
        reset_pools();
        return CUDA_SUCCESS;
    });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
    return at_device(device, [&](Session&) {
        if (!flags || !active) return CUDA_ERROR_INVALID_VALUE;
        *flags = primary_context()->flags;
        *active = primary_users > 0;
        return CUDA_SUCCESS;
    });
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
    return at_device(device, [&](Session&) {
        primary_context()->flags = flags;
        return CUDA_SUCCESS;
    });
}

CUresult cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device) {
    return at_device(device, [&](Session&) {
        if (!context) return CUDA_ERROR_INVALID_VALUE;
        *context = contexts().create(CUctx_st{flags});
        current_contexts.push_back(*context);
        return CUDA_SUCCESS;
    });
}

CUresult cuCtxDestroy(CUcontext context) {
    if (!initialised) return CUDA_ERROR_NOT_INITIALIZED;
    if (!contexts().destroy(context)) return CUDA_ERROR_INVALID_CONTEXT;
    if (!current_contexts.empty() && current_contexts.back() == context) current_contexts.pop_back();
    return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext context) {
    if (!initialised) return CUDA_ERROR_NOT_INITIALIZED;
    if (!is_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
    current_contexts.push_back(context);
    return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext* context) {
    if (!initialised) return CUDA_ERROR_NOT_INITIALIZED;
    if (current_contexts.empty()) return CUDA_ERROR_INVALID_CONTEXT;
    if (context) *context = current_contexts.back();
    current_contexts.pop_back();
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
    if (!initialised) return CUDA_ERROR_NOT_INITIALIZED;
    if (context && !is_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
    if (!current_contexts.empty()) current_contexts.pop_back();
    if (context) current_contexts.push_back(context);
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext* context) {
    if (!initialised) return CUDA_ERROR_NOT_INITIALIZED;
    if (!context) return CUDA_ERROR_INVALID_VALUE;
    *context = current_contexts.empty() ? nullptr : current_contexts.back();
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice* device) {
    return forward([&] { return cudaGetDevice(device); });
}

CUresult cuCtxGetFlags(unsigned* flags) {
    if (const CUresult unready = driver_ready()) return unready;
    if (!flags) return CUDA_ERROR_INVALID_VALUE;
    *flags = (current_contexts.empty() ? primary_context() : current_contexts.back())->flags;
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void) {
    return forward([] { return cudaDeviceSynchronize(); });
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
    return forward([&] { return cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value); });
}

CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
    return forward([&] { return cudaDeviceGetLimit(value, static_cast<cudaLimit>(limit)); });
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
    return forward([&] { return cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(config)); });
}

CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
    return forward([&] { return cudaDeviceGetCacheConfig(reinterpret_cast<cudaFuncCache*>(config)); });
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned* version) {
    if (!initialised) return CUDA_ERROR_NOT_INITIALIZED;
    if (context && !is_context(context)) return CUDA_ERROR_INVALID_CONTEXT;
    if (!version) return CUDA_ERROR_INVALID_VALUE;
    *version = 3020;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
    return forward([&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}
}
