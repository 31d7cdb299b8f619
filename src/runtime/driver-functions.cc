// Functions and kernels, occupancy and launches with attributes; entry points by name.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "runtime/arguments.h"
#include "runtime/driver.h"
#include "runtime/libraries.h"
#include "runtime/per-thread.h"

using namespace lockstep::runtime;
using lockstep::session::Function;

namespace {

template <class Body>
CUresult with_kernel(const char* name, const void* handle, Body&& body) {
    return driver_call(name, Waits::no, [&](Device& current) -> Outcome {
        const auto function = handle_on(current, handle);
        if (!function) return function.outcome;
        return body(current, **function);
    });
}

template <class Body>
CUresult of_device(const char* name, CUkernel kernel, CUdevice number, Body&& body) {
    CUfunction function = nullptr;
    const CUresult result = driver_call(name, Waits::no, [&](Device& current) -> Outcome {
        const auto device = device_numbered(current.process(), number);
        if (!device) return device.outcome;
        const auto found = handle_on(**device, kernel);
        if (!found) return found.outcome;
        function = reinterpret_cast<CUfunction>(*found);
        return {};
    });
    if (result != CUDA_SUCCESS) return result;
    const DeviceScope scope(number);
    return body(function);
}

Outcome give_parameter(const Function& function, size_t index, size_t* offset, size_t* size) {
    const auto& params = function.info().params;
    if (!offset) return null_pointer("offset");
    // This is how a program finds the end of the list.
    if (index >= params.size()) return Status::invalid_value;
    *offset = params[index].offset;
    if (size) *size = params[index].size;
    return {};
}

cudaLaunchConfig_t launch_config(const CUlaunchConfig& config) {
    cudaLaunchConfig_t same = {};
    same.gridDim = dim3(config.gridDimX, config.gridDimY, config.gridDimZ);
    same.blockDim = dim3(config.blockDimX, config.blockDimY, config.blockDimZ);
    same.dynamicSmemBytes = config.sharedMemBytes;
    same.stream = config.hStream;
    same.attrs = reinterpret_cast<cudaLaunchAttribute*>(config.attrs);
    same.numAttrs = config.numAttrs;
    return same;
}

// Which form of a function a program of some version of CUDA means by its name.
struct Form {
    const char* name;
    int since;
    const char* symbol;
};
// The newest first. What is not here has one form: the symbol that ends in _v2 if there is one, else the
// name.
constexpr Form forms[] = {
    {"cuMemcpyBatchAsync", 13000, "cuMemcpyBatchAsync_v2"},
    {"cuMemcpyBatchAsync", 12080, "cuMemcpyBatchAsync"},
    {"cuMemcpy3DBatchAsync", 13000, "cuMemcpy3DBatchAsync_v2"},
    {"cuMemcpy3DBatchAsync", 12080, "cuMemcpy3DBatchAsync"},
    {"cuMemPrefetchAsync", 12020, "cuMemPrefetchAsync_v2"},
    {"cuMemPrefetchAsync", 8000, "cuMemPrefetchAsync"},
    {"cuMemAdvise", 12020, "cuMemAdvise_v2"},
    {"cuMemAdvise", 8000, "cuMemAdvise"},
    {"cuGraphInstantiate", 12000, "cuGraphInstantiateWithFlags"},
    {"cuGraphInstantiate", 11000, "cuGraphInstantiate_v2"},
    {"cuCtxCreate", 13000, "cuCtxCreate_v4"},
    {"cuCtxCreate", 3020, "cuCtxCreate_v2"},
    {"cuGraphAddDependencies", 12030, "cuGraphAddDependencies_v2"},
    {"cuGraphAddDependencies", 10000, "cuGraphAddDependencies"},
    {"cuGraphRemoveDependencies", 12030, "cuGraphRemoveDependencies_v2"},
    {"cuGraphRemoveDependencies", 10000, "cuGraphRemoveDependencies"},
    {"cuGraphGetEdges", 12030, "cuGraphGetEdges_v2"},
    {"cuGraphGetEdges", 10000, "cuGraphGetEdges"},
    {"cuGraphNodeGetDependencies", 12030, "cuGraphNodeGetDependencies_v2"},
    {"cuGraphNodeGetDependencies", 10000, "cuGraphNodeGetDependencies"},
    {"cuGraphNodeGetDependentNodes", 12030, "cuGraphNodeGetDependentNodes_v2"},
    {"cuGraphNodeGetDependentNodes", 10000, "cuGraphNodeGetDependentNodes"},
    {"cuGraphAddNode", 12030, "cuGraphAddNode_v2"},
    {"cuGraphAddNode", 12020, "cuGraphAddNode"},
    {"cuStreamUpdateCaptureDependencies", 12030, "cuStreamUpdateCaptureDependencies_v2"},
    {"cuStreamUpdateCaptureDependencies", 11030, "cuStreamUpdateCaptureDependencies"},
    {"cuCtxGetDevice", 13000, "cuCtxGetDevice_v2"},
    {"cuCtxGetDevice", 2000, "cuCtxGetDevice"},
    {"cuCtxSynchronize", 13000, "cuCtxSynchronize_v2"},
    {"cuCtxSynchronize", 2000, "cuCtxSynchronize"},
    {"cuStreamGetCtx", 12050, "cuStreamGetCtx_v2"},
    {"cuStreamGetCtx", 9020, "cuStreamGetCtx"},
    {"cuEventElapsedTime", 12080, "cuEventElapsedTime_v2"},
    {"cuEventElapsedTime", 2000, "cuEventElapsedTime"},
    {"cuGraphAddKernelNode", 12000, "cuGraphAddKernelNode_v2"},
    {"cuGraphAddKernelNode", 10000, "cuGraphAddKernelNode"},
    {"cuGraphKernelNodeGetParams", 12000, "cuGraphKernelNodeGetParams_v2"},
    {"cuGraphKernelNodeGetParams", 10000, "cuGraphKernelNodeGetParams"},
    {"cuGraphKernelNodeSetParams", 12000, "cuGraphKernelNodeSetParams_v2"},
    {"cuGraphKernelNodeSetParams", 10000, "cuGraphKernelNodeSetParams"},
    {"cuGraphExecKernelNodeSetParams", 12000, "cuGraphExecKernelNodeSetParams_v2"},
    {"cuGraphExecKernelNodeSetParams", 10000, "cuGraphExecKernelNodeSetParams"},
    {"cuStreamGetCaptureInfo", 12030, "cuStreamGetCaptureInfo_v3"},
    {"cuStreamGetCaptureInfo", 11030, "cuStreamGetCaptureInfo_v2"},
    {"cuTexRefSetAddress2D", 4010, "cuTexRefSetAddress2D_v3"},
    {"cuGetProcAddress", 12000, "cuGetProcAddress_v2"},
    {"cuGetProcAddress", 11030, "cuGetProcAddress"},
};
// Names that begin so are no older than that.
constexpr Form families[] = {{"cuLibrary", 12000, nullptr},      {"cuKernel", 12000, nullptr},
                             {"cuTensorMap", 12000, nullptr},    {"cuLaunchKernelEx", 11060, nullptr},
                             {"cuMemPool", 11020, nullptr},      {"cuMemAllocAsync", 11020, nullptr},
                             {"cuMemFreeAsync", 11020, nullptr}, {"cuMemAddressReserve", 10020, nullptr},
                             {"cuGraph", 10000, nullptr},        {"cuStreamBeginCapture", 10000, nullptr}};

extern "C" const char __start_lockstep_missing[] __attribute__((visibility("hidden")));
extern "C" const char __stop_lockstep_missing[] __attribute__((visibility("hidden")));

void* any_symbol(const std::string& name) {
    static void* const library = [] {
        Dl_info info{};
        dladdr(reinterpret_cast<void*>(&cuInit), &info);
        return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    }();
    return dlsym(library, name.c_str());
}

// Functions that lockstep lacks have symbols, too (driver-missing.cc): who asks by name is told.
bool is_missing(const void* symbol) {
    const char* const at = static_cast<const char*>(symbol);
    return at >= __start_lockstep_missing && at < __stop_lockstep_missing;
}

// With a default stream a thread, where a function has such a form that is the one that is meant.
void* symbol_named(const std::string& name, bool of_thread) {
    void* symbol = of_thread ? any_symbol(name + "_ptsz") : nullptr;
    if (of_thread && !symbol) symbol = any_symbol(name + "_ptds");
    if (!symbol) symbol = any_symbol(name);
    return is_missing(symbol) ? nullptr : symbol;
}

// Null: there is none; `too_old`: not for that version.
void* entry_point(const char* name, int version, bool of_thread, bool& too_old) {
    const std::string_view asked = name;
    too_old = false;
    for (const Form& family : families)
        if (asked.starts_with(family.name) && version < family.since) too_old = true;
    if (too_old) return nullptr;
    // Symbols with a version of their own, or with a thread's stream, are nothing that a program asks for.
    if (!asked.starts_with("cu") || asked.starts_with("cuda") || asked.find("_v") != asked.npos ||
        asked.find("_pt") != asked.npos)
        return nullptr;
    bool known = false;
    for (const Form& form : forms) {
        if (asked != form.name) continue;
        known = true;
        if (version >= form.since) return symbol_named(form.symbol, of_thread);
    }
    too_old = known;
    if (known) return nullptr;
    void* const second = symbol_named(std::string(name) + "_v2", of_thread);
    return second ? second : symbol_named(name, of_thread);
}

}  // namespace

extern "C" {

CUresult cuGetProcAddress(const char* symbol, void** function, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult* status) {
    if (!symbol || !function) return refuse_null("symbol or function");
    bool too_old = false;
    *function =
        entry_point(symbol, version, (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0, too_old);
    if (status)
        *status = *function ? CU_GET_PROC_ADDRESS_SUCCESS
                  : too_old ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                            : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    // Who does not ask how it went is told so.
    return *function || status ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

// CUDA 11's, which tells by the result alone.
#undef cuGetProcAddress
__attribute__((visibility("default"))) CUresult cuGetProcAddress(const char* symbol, void** function,
                                                                 int version, cuuint64_t flags) {
    return cuGetProcAddress_v2(symbol, function, version, flags, nullptr);
}

CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
    return with_kernel("cuKernelGetFunction", kernel, [&](Device&, Function& found) -> Outcome {
        if (!function) return null_pointer("function");
        *function = reinterpret_cast<CUfunction>(&found);
        return {};
    });
}

CUresult cuKernelGetName(const char** name, CUkernel kernel) {
    return cuFuncGetName(name, reinterpret_cast<CUfunction>(kernel));
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t* offset, size_t* size) {
    return cuFuncGetParamInfo(reinterpret_cast<CUfunction>(kernel), index, offset, size);
}

// What is a device's of a kernel is that device's function.
CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device) {
    return of_device("cuKernelGetAttribute", kernel, device,
                     [&](CUfunction function) { return cuFuncGetAttribute(value, attribute, function); });
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device) {
    return of_device("cuKernelSetAttribute", kernel, device,
                     [&](CUfunction function) { return cuFuncSetAttribute(function, attribute, value); });
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device) {
    return of_device("cuKernelSetCacheConfig", kernel, device,
                     [&](CUfunction function) { return cuFuncSetCacheConfig(function, config); });
}

CUresult cuFuncGetName(const char** name, CUfunction function) {
    return with_kernel("cuFuncGetName", function, [&](Device&, Function& found) -> Outcome {
        if (!name) return null_pointer("name");
        *name = found.name.c_str();
        return {};
    });
}

CUresult cuFuncGetModule(CUmodule* module, CUfunction function) {
    return with_kernel("cuFuncGetModule", function, [&](Device& current, Function& found) -> Outcome {
        if (!module) return null_pointer("module");
        auto* const of = current.modules().module_of(found);
        if (!of)
            return Outcome::lacking(Status::not_supported, "a module of the program itself has no handle");
        *module = reinterpret_cast<CUmodule>(of);
        return {};
    });
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t* offset, size_t* size) {
    return with_kernel("cuFuncGetParamInfo", function,
                       [&](Device&, Function& found) { return give_parameter(found, index, offset, size); });
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config) {
    return forward(
        [&] { return cudaFuncSetSharedMemConfig(function, static_cast<cudaSharedMemConfig>(config)); });
}

CUresult cuOccupancyMaxPotentialClusterSize(int* size, CUfunction function, const CUlaunchConfig* config) {
    if (!config) return refuse_null("config");
    const cudaLaunchConfig_t same = launch_config(*config);
    return forward([&] { return cudaOccupancyMaxPotentialClusterSize(size, function, &same); });
}

CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction function, const CUlaunchConfig* config) {
    if (!config) return refuse_null("config");
    const cudaLaunchConfig_t same = launch_config(*config);
    return forward([&] { return cudaOccupancyMaxActiveClusters(clusters, function, &same); });
}

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** params, void** extra) {
    if (!config) return refuse_null("config");
    return with_kernel("cuLaunchKernelEx", function, [&](Device&, Function& found) -> Outcome {
        if (params && extra) return Outcome(Status::invalid_value, "arguments were given twice", true);
        std::vector<void*> unpacked;
        if (extra) {
            if (Outcome bad = arguments_of(found, extra, unpacked); !bad) return bad;
            params = unpacked.data();
        }
        const cudaLaunchConfig_t same = launch_config(*config);
        // It has told what is wrong.
        return static_cast<Status>(cudaLaunchKernelExC(&same, &found, params));
    });
}

// The block size with the most threads resident; of several the largest.
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction function,
                                                   CUoccupancyB2DSize shared_of, size_t dynamic_shared,
                                                   int limit, unsigned) {
    if (!grid || !block) return refuse_null("minGridSize or blockSize");
    int most = 0, warp = 32, sms = 0, best = 0;
    CUdevice device = 0;
    for (const CUresult result :
         {cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function),
          cuCtxGetDevice(&device), cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device),
          cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device)})
        if (result != CUDA_SUCCESS) return result;
    if (limit > 0) most = std::min(most, limit);
    for (int threads = most; threads > 0; threads = (threads - 1) / warp * warp) {
        const size_t shared = shared_of ? shared_of(threads) : dynamic_shared;
        int blocks = 0;
        if (const CUresult bad =
                cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, shared))
            return bad;
        if (blocks * threads <= best) continue;
        best = blocks * threads;
        *block = threads;
        *grid = blocks * sms;
    }
    return best > 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function,
                                          CUoccupancyB2DSize shared_of, size_t dynamic_shared, int limit) {
    return cuOccupancyMaxPotentialBlockSizeWithFlags(grid, block, function, shared_of, dynamic_shared, limit,
                                                     0);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, CUfunction function, int blocks,
                                                 int threads) {
    return forward(
        [&] { return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, threads); });
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult* status) {
    return call("cudaGetDriverEntryPointByVersion", Waits::no, [&](Device&) -> Outcome {
        if (!symbol || !function) return null_pointer("symbol or function");
        const bool of_thread = (flags & cudaEnablePerThreadDefaultStream) != 0 ||
                               (flags == cudaEnableDefault && this_thread().thread_stream_scopes != 0);
        bool too_old = false;
        *function = entry_point(symbol, static_cast<int>(version), of_thread, too_old);
        if (status)
            *status = *function ? cudaDriverEntryPointSuccess
                      : too_old ? cudaDriverEntryPointVersionNotSufficent
                                : cudaDriverEntryPointSymbolNotFound;
        if (*function || status) return {};
        return Outcome(Status::symbol_not_found, fmt::format("the driver API has no function {}", symbol));
    });
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult* status) {
    return cudaGetDriverEntryPointByVersion(symbol, function, static_cast<unsigned>(runtime_version()), flags,
                                            status);
}
}

LOCKSTEP_PER_THREAD(cudaGetDriverEntryPoint, _ptsz);
LOCKSTEP_PER_THREAD(cudaGetDriverEntryPointByVersion, _ptsz);
