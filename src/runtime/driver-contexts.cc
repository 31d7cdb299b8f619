// Start, errors, devices and contexts of the driver API.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>

#include "runtime/driver.h"
#include "runtime/libraries.h"
#include "runtime/properties.h"

namespace lockstep::runtime {
namespace {

// Null: none was made current.
CUcontext current_context() {
    const auto& contexts = this_thread().contexts;
    return contexts.empty() ? nullptr : contexts.back().context;
}

// A context brings its device along.
void push(CUcontext context) {
    this_thread().contexts.push_back({context, context->device});
    this_thread().had_context = true;
    this_thread().device = context->device;
}

CUcontext pop() {
    auto& contexts = this_thread().contexts;
    const CUcontext old = contexts.back().context;
    contexts.pop_back();
    if (!contexts.empty()) this_thread().device = contexts.back().device;
    return old;
}

// What needs cuInit but no context.
template <class Body>
CUresult at_device(CUdevice number, Body&& body, const char* function = __builtin_FUNCTION()) {
    if (!state().driver_initialised) return refuse_uninitialised(function);
    const DriverScope scope(function);
    session::Process* const all = process();
    if (!all) return number == 0 ? CUDA_ERROR_NO_DEVICE : CUDA_ERROR_INVALID_DEVICE;
    const auto device = device_numbered(*all, number);
    return device ? body(**device) : refuse(cudaErrorInvalidDevice, device.outcome.reason);
}

}  // namespace

bool is_context(CUcontext context) {
    for (const DeviceState& device : state().devices)
        if (context == &device.primary) return true;
    return state().contexts.find(context) != nullptr;
}

CUresult refuse(cudaError_t error, const std::string& reason, const char* function) {
    const DriverScope scope(function);
    const cudaError_t saved = exchange_last_error(cudaSuccess);
    finish(function, Outcome(static_cast<Status>(error), reason));
    exchange_last_error(saved);
    return driver_result(error);
}

CUresult refuse_null(const char* argument, const char* function) {
    return refuse(cudaErrorInvalidValue, null_pointer(argument).reason, function);
}

CUresult refuse_uninitialised(const char* function) {
    return refuse(cudaErrorInitializationError, "cuInit was not called", function);
}

CUresult refuse_context(const char* function) {
    return refuse(cudaErrorDeviceUninitialized,
                  "no context is current in this thread, or it is none, or was destroyed", function);
}

CUresult driver_ready(const char* function) {
    if (!state().driver_initialised) return refuse_uninitialised(function);
    // A thread that the program has just made may name modules, functions and streams of others.
    const Device* const device = current_device();
    if (!this_thread().had_context && device && state_of(*device).runtime_uses_primary) enter_primary();
    return is_context(current_context()) ? CUDA_SUCCESS : refuse_context(function);
}

CUresult driver_result(cudaError_t error) {
    switch (error) {
        case cudaErrorInvalidConfiguration:
        case cudaErrorInvalidPitchValue:
        case cudaErrorInvalidTexture:
        case cudaErrorInvalidTextureBinding:
        case cudaErrorInvalidChannelDescriptor:
        case cudaErrorInvalidFilterSetting:
        case cudaErrorInvalidNormSetting:
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
    if (flags != 0) return refuse(cudaErrorInvalidValue, unknown_flags(flags).reason);
    state().driver_initialised = true;
    return process() ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}

CUresult cuDriverGetVersion(int* version) {
    if (!version) return refuse_null("version");
    *version = driver_version;
    return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char** name) {
    if (!name) return CUDA_ERROR_INVALID_VALUE;
    switch (error) {
#define ERROR(code) \
    case code: *name = #code; return CUDA_SUCCESS;
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
    if (!state().driver_initialised) return refuse_uninitialised();
    if (!count) return refuse_null("count");
    *count = process() ? static_cast<int>(process()->device_count()) : 0;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
    return at_device(ordinal, [&](Device& found) {
        if (!device) return refuse_null("device");
        *device = found.number();
        return CUDA_SUCCESS;
    });
}

CUresult cuDeviceGetName(char* name, int size, CUdevice device) {
    return at_device(device, [&](Device& current) {
        if (!name || size <= 0) return refuse(cudaErrorInvalidValue, "there is no room for the name");
        std::snprintf(name, static_cast<size_t>(size), "%s", current.gpu().name.c_str());
        return CUDA_SUCCESS;
    });
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
    return at_device(device, [&](Device& current) {
        if (!uuid) return refuse_null("uuid");
        *uuid = properties_of(current).uuid;
        return CUDA_SUCCESS;
    });
}

CUresult cuDeviceTotalMem(size_t* bytes, CUdevice device) {
    return at_device(device, [&](Device& current) {
        if (!bytes) return refuse_null("bytes");
        *bytes = current.gpu().memory_bytes;
        return CUDA_SUCCESS;
    });
}

// The attributes have the runtime API's numbers.
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
    return at_device(device, [&](Device& current) {
        const auto found = attribute_of(properties_of(current), static_cast<cudaDeviceAttr>(attribute));
        if (!value) return refuse_null("value");
        if (!found)
            return refuse(cudaErrorInvalidValue,
                          fmt::format("there is no attribute {}", static_cast<int>(attribute)));
        *value = *found;
        return CUDA_SUCCESS;
    });
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
    return at_device(device, [&](Device& current) {
        if (!major || !minor) return refuse_null("major or minor");
        *major = current.gpu().compute_major;
        *minor = current.gpu().compute_minor;
        return CUDA_SUCCESS;
    });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
    return at_device(device, [&](Device& current) {
        if (!context) return refuse_null("context");
        ++state_of(current).primary_users;
        *context = &state_of(current).primary;
        return CUDA_SUCCESS;
    });
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
    return at_device(device, [&](Device& current) {
        std::atomic<int>& users = state_of(current).primary_users;
        if (users == 0) return refuse_context();
        --users;
        return CUDA_SUCCESS;
    });
}

CUresult cuDevicePrimaryCtxReset(CUdevice device) {
    return at_device(device, [&](Device& current) {
        current.reset();
        reset_pools(current);
        forget_references(current, nullptr);
        return CUDA_SUCCESS;
    });
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
    return at_device(device, [&](Device& current) {
        if (!flags || !active) return refuse_null("flags or active");
        *flags = state_of(current).primary.flags;
        *active = state_of(current).primary_users > 0;
        return CUDA_SUCCESS;
    });
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
    return at_device(device, [&](Device& current) {
        state_of(current).primary.flags = flags;
        return CUDA_SUCCESS;
    });
}

CUresult cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device) {
    return at_device(device, [&](Device& current) {
        if (!context) return refuse_null("context");
        *context = state().contexts.create(CUctx_st{current.number(), flags});
        push(*context);
        return CUDA_SUCCESS;
    });
}

CUresult cuCtxDestroy(CUcontext context) {
    if (!state().driver_initialised) return refuse_uninitialised();
    if (!state().contexts.destroy(context)) return refuse_context();
    if (context && current_context() == context) pop();
    return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext context) {
    if (!state().driver_initialised) return refuse_uninitialised();
    if (!context) return refuse_null("context");
    if (!is_context(context)) return refuse_context();
    push(context);
    return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext* context) {
    if (!state().driver_initialised) return refuse_uninitialised();
    if (this_thread().contexts.empty()) return refuse_context();
    const CUcontext popped = pop();
    if (context) *context = popped;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
    if (!state().driver_initialised) return refuse_uninitialised();
    if (context && !is_context(context)) return refuse_context();
    if (!this_thread().contexts.empty()) pop();
    if (context) push(context);
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext* context) {
    if (!state().driver_initialised) return refuse_uninitialised();
    if (!context) return refuse_null("context");
    *context = current_context();
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice* device) {
    return forward([&] { return cudaGetDevice(device); });
}

CUresult cuCtxGetFlags(unsigned* flags) {
    if (const CUresult unready = driver_ready()) return unready;
    if (!flags) return refuse_null("flags");
    *flags = current_context()->flags;
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void) {
    return forward([] { return cudaDeviceSynchronize(); });
}

// CUDA 13's, of any context; null is the current one.
CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext context) {
    if (!context) return cuCtxGetDevice(device);
    if (!is_context(context)) return refuse_context();
    if (!device) return refuse_null("device");
    *device = context->device;
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize_v2(CUcontext context) {
    if (!context) return cuCtxSynchronize();
    if (!is_context(context)) return refuse_context();
    return forward_anywhere([&] {
        const DeviceScope device(context->device);
        return cudaDeviceSynchronize();
    });
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
    if (!state().driver_initialised) return refuse_uninitialised();
    if (context && !is_context(context)) return refuse_context();
    if (!version) return refuse_null("version");
    *version = 3020;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
    return forward([&] { return cudaDeviceGetStreamPriorityRange(least, greatest); });
}

CUresult cuDeviceGetPCIBusId(char* id, int length, CUdevice device) {
    return at_device(device,
                     [&](Device&) { return driver_result(cudaDeviceGetPCIBusId(id, length, device)); });
}

CUresult cuDeviceGetByPCIBusId(CUdevice* device, const char* id) {
    if (!state().driver_initialised) return refuse_uninitialised();
    const DriverScope scope(__func__);
    return driver_result(cudaDeviceGetByPCIBusId(device, id));
}

CUresult cuDeviceGetProperties(CUdevprop* properties, CUdevice device) {
    return at_device(device, [&](Device& current) {
        if (!properties) return refuse_null("properties");
        const cudaDeviceProp all = properties_of(current);
        properties->maxThreadsPerBlock = all.maxThreadsPerBlock;
        std::copy(all.maxThreadsDim, all.maxThreadsDim + 3, properties->maxThreadsDim);
        std::copy(all.maxGridSize, all.maxGridSize + 3, properties->maxGridSize);
        properties->sharedMemPerBlock = static_cast<int>(all.sharedMemPerBlock);
        properties->totalConstantMemory = static_cast<int>(all.totalConstMem);
        properties->SIMDWidth = all.warpSize;
        properties->memPitch = static_cast<int>(all.memPitch);
        properties->regsPerBlock = all.regsPerBlock;
        properties->clockRate = all.clockRate;
        properties->textureAlign = static_cast<int>(all.textureAlignment);
        return CUDA_SUCCESS;
    });
}

CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
    return at_device(device,
                     [&](Device&) { return driver_result(cudaDeviceCanAccessPeer(can, device, peer)); });
}

CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attribute, CUdevice source,
                                 CUdevice target) {
    return at_device(source, [&](Device&) {
        return driver_result(
            cudaDeviceGetP2PAttribute(value, static_cast<cudaDeviceP2PAttr>(attribute), source, target));
    });
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
    if (!is_context(peer)) return refuse_context();
    return forward([&] { return cudaDeviceEnablePeerAccess(peer->device, flags); });
}

CUresult cuCtxDisablePeerAccess(CUcontext peer) {
    if (!is_context(peer)) return refuse_context();
    return forward([&] { return cudaDeviceDisablePeerAccess(peer->device); });
}

CUresult cuCtxGetId(CUcontext context, unsigned long long* id) {
    if (const CUresult unready = driver_ready()) return unready;
    if (context && !is_context(context)) return refuse_context();
    if (!id) return refuse_null("id");
    if (!context) context = current_context();
    *id = reinterpret_cast<std::uintptr_t>(context);
    return CUDA_SUCCESS;
}

CUresult cuCtxSetFlags(unsigned flags) {
    if (const CUresult unready = driver_ready()) return unready;
    current_context()->flags = flags;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
    return forward(
        [&] { return cudaDeviceGetSharedMemConfig(reinterpret_cast<cudaSharedMemConfig*>(config)); });
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
    return forward([&] { return cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(config)); });
}

CUresult cuCtxResetPersistingL2Cache(void) {
    return forward([] { return cudaCtxResetPersistingL2Cache(); });
}

CUresult cuCtxAttach(CUcontext* context, unsigned flags) {
    if (const CUresult unready = driver_ready()) return unready;
    if (!context || flags != 0)
        return refuse(cudaErrorInvalidValue, "the argument context is a null pointer, or flags is not 0");
    return cuCtxGetCurrent(context);
}

CUresult cuCtxDetach(CUcontext context) {
    if (const CUresult unready = driver_ready()) return unready;
    return context == current_context() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

// CUDA 13's form, for clients that bind symbols.
__attribute__((visibility("default"))) CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams* params,
                                                               unsigned flags, CUdevice device) {
    if (params && (params->numExecAffinityParams || params->cigParams))
        return refuse(cudaErrorNotSupported, "contexts of a part of the GPU, or for graphics, are not there");
    return cuCtxCreate_v2(context, flags, device);
}
}
