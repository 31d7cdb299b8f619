// Functions, libraries and their kernels, occupancy and launches with attributes; entry points by name.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "ptx/parser.h"
#include "runtime/arguments.h"
#include "runtime/driver.h"
#include "runtime/jit.h"

using namespace lockstep::runtime;
using lockstep::session::Function;

namespace {

std::vector<std::string> kernels_of(const std::string& text) {
    std::vector<std::string> names;
    if (const auto parsed = lockstep::ptx::parse(text, "library"))
        for (const auto& function : parsed->functions)
            if (function.entry && !function.declaration) names.push_back(function.name);
    return names;
}

// The device's module of a library, made when it is first needed there.
Found<lockstep::exec::Module*> module_in(Device& device, CUlib_st& library) {
    lockstep::exec::Module*& module = library.modules[device.number()];
    if (module) return module;
    const auto loaded = device.modules().load(library.text.c_str());
    if (!loaded) return loaded.outcome;
    return module = *loaded;
}

template <class Body>
CUresult with_library(const char* name, CUlibrary handle, Body&& body) {
    return driver_call(name, Waits::no, [&](Device& current) -> Outcome {
        const auto library = state().libraries.find(handle);
        if (!library) return Outcome(Status::invalid_handle, "no such library, or it was unloaded");
        return body(current, *library);
    });
}

CUresult load_library(const char* name, CUlibrary* out, const void* code, const JitOptions& options) {
    return driver_call(name, Waits::no, [&](Device& current) -> Outcome {
        if (!out) return null_pointer("library");
        auto text = text_of(current, code);
        if (!text) return text.outcome;
        const auto module = load_text(current, *text, options);
        if (!module) return module.outcome;
        CUlib_st library{std::move(text.value), {}};
        library.modules[current.number()] = *module;
        *out = state().libraries.create(std::move(library));
        return {};
    });
}

// A kernel of a library is its function on the device on which it was asked for.
Found<Function*> kernel_in(Device& device, CUlib_st& library, const char* name) {
    const auto module = module_in(device, library);
    if (!module) return module.outcome;
    return device.modules().function(*module, name);
}

template <class Body>
CUresult with_kernel(const char* name, const void* handle, Body&& body) {
    return driver_call(name, Waits::no, [&](Device& current) -> Outcome {
        Function* const function = current.modules().as_function(handle);
        if (!function) return Outcome(Status::invalid_handle, "no such function, or its module was unloaded");
        return body(current, *function);
    });
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

// Which form of a function a program of some version of CUDA means by its name.
struct Form {
    const char* name;
    int since;
    const char* symbol;
};
// The newest first. What is not here has one form: the symbol that ends in _v2 if there is one, else the
// name.
constexpr Form forms[] = {
    {"cuMemPrefetchAsync", 12020, "cuMemPrefetchAsync_v2"},
    {"cuMemPrefetchAsync", 8000, "cuMemPrefetchAsync"},
    {"cuMemAdvise", 12020, "cuMemAdvise_v2"},
    {"cuMemAdvise", 8000, "cuMemAdvise"},
    {"cuGraphInstantiate", 12000, "cuGraphInstantiateWithFlags"},
    {"cuGraphInstantiate", 11000, "cuGraphInstantiate_v2"},
    {"cuCtxCreate", 13000, "cuCtxCreate_v4"},
    {"cuCtxCreate", 3020, "cuCtxCreate_v2"},
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

void* symbol_named(const std::string& name) {
    static void* const library = [] {
        Dl_info info{};
        dladdr(reinterpret_cast<void*>(&cuInit), &info);
        return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    }();
    void* const symbol = dlsym(library, name.c_str());
    // Functions that lockstep lacks have symbols, too (driver-missing.cc): who asks by name is told.
    const char* const at = static_cast<const char*>(symbol);
    return at >= __start_lockstep_missing && at < __stop_lockstep_missing ? nullptr : symbol;
}

// Null: there is none; `too_old`: not for that version.
void* entry_point(const char* name, int version, bool& too_old) {
    const std::string_view asked = name;
    too_old = false;
    for (const Form& family : families)
        if (asked.starts_with(family.name) && version < family.since) too_old = true;
    if (too_old) return nullptr;
    // Symbols with a version of their own are nothing that a program asks for.
    if (!asked.starts_with("cu") || asked.starts_with("cuda") || asked.find("_v") != asked.npos)
        return nullptr;
    bool known = false;
    for (const Form& form : forms) {
        if (asked != form.name) continue;
        known = true;
        if (version >= form.since) return symbol_named(form.symbol);
    }
    too_old = known;
    if (known) return nullptr;
    void* const second = symbol_named(std::string(name) + "_v2");
    return second ? second : symbol_named(name);
}

Outcome no_streams_of_threads() {
    return Outcome::lacking(Status::not_supported,
                            "the driver API with a default stream a thread is not implemented");
}

}  // namespace

extern "C" {

CUresult cuGetProcAddress(const char* symbol, void** function, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult* status) {
    if (!symbol || !function) return CUDA_ERROR_INVALID_VALUE;
    if (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
        return driver_call("cuGetProcAddress", Waits::no, [](Device&) { return no_streams_of_threads(); });
    bool too_old = false;
    *function = entry_point(symbol, version, too_old);
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

CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* options, void** values,
                           unsigned count, CUlibraryOption*, void**, unsigned) {
    return load_library("cuLibraryLoadData", library, code, {count, options, values});
}

CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* file, CUjit_option* options, void** values,
                               unsigned count, CUlibraryOption*, void**, unsigned) {
    if (!file) return CUDA_ERROR_INVALID_VALUE;
    const auto image = read_file(file);
    if (!image) return CUDA_ERROR_FILE_NOT_FOUND;
    return load_library("cuLibraryLoadFromFile", library, image->c_str(), {count, options, values});
}

CUresult cuLibraryUnload(CUlibrary handle) {
    return with_library("cuLibraryUnload", handle, [&](Device& current, CUlib_st& library) -> Outcome {
        for (const auto& [number, module] : library.modules) {
            Device& device = current.process().device(static_cast<std::size_t>(number));
            if (Outcome waited = device.synchronize(); !waited) return waited;
            device.modules().unload(module);
        }
        state().libraries.destroy(handle);
        return {};
    });
}

CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary handle, const char* name) {
    return with_library("cuLibraryGetKernel", handle, [&](Device& current, CUlib_st& library) -> Outcome {
        if (!kernel || !name) return null_pointer("kernel or name");
        const auto found = kernel_in(current, library, name);
        if (!found) return found.outcome;
        *kernel = reinterpret_cast<CUkernel>(*found);
        return {};
    });
}

CUresult cuLibraryGetKernelCount(unsigned* count, CUlibrary handle) {
    return with_library("cuLibraryGetKernelCount", handle, [&](Device&, CUlib_st& library) -> Outcome {
        if (!count) return null_pointer("count");
        *count = static_cast<unsigned>(kernels_of(library.text).size());
        return {};
    });
}

CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned count, CUlibrary handle) {
    return with_library("cuLibraryEnumerateKernels", handle,
                        [&](Device& current, CUlib_st& library) -> Outcome {
                            if (count && !kernels) return null_pointer("kernels");
                            const auto names = kernels_of(library.text);
                            for (unsigned i = 0; i < std::min<std::size_t>(count, names.size()); ++i) {
                                const auto found = kernel_in(current, library, names[i].c_str());
                                if (!found) return found.outcome;
                                kernels[i] = reinterpret_cast<CUkernel>(*found);
                            }
                            return {};
                        });
}

CUresult cuLibraryGetModule(CUmodule* module, CUlibrary handle) {
    return with_library("cuLibraryGetModule", handle, [&](Device& current, CUlib_st& library) -> Outcome {
        if (!module) return null_pointer("module");
        const auto found = module_in(current, library);
        if (!found) return found.outcome;
        *module = reinterpret_cast<CUmodule>(*found);
        return {};
    });
}

CUresult cuLibraryGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUlibrary handle, const char* name) {
    return with_library("cuLibraryGetGlobal", handle, [&](Device& current, CUlib_st& library) -> Outcome {
        if (!name) return null_pointer("name");
        const auto module = module_in(current, library);
        if (!module) return module.outcome;
        const auto found = current.modules().variable(*module, name);
        if (!found) return found.outcome;
        if (pointer) *pointer = found->address;
        if (bytes) *bytes = found->size;
        return {};
    });
}

CUresult cuLibraryGetManaged(CUdeviceptr* pointer, size_t* bytes, CUlibrary library, const char* name) {
    return cuLibraryGetGlobal(pointer, bytes, library, name);
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

CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel, CUdevice) {
    return cuFuncGetAttribute(value, attribute, reinterpret_cast<CUfunction>(kernel));
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice) {
    return cuFuncSetAttribute(reinterpret_cast<CUfunction>(kernel), attribute, value);
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice) {
    return cuFuncSetCacheConfig(reinterpret_cast<CUfunction>(kernel), config);
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

CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** params, void** extra) {
    if (!config) return CUDA_ERROR_INVALID_VALUE;
    return with_kernel("cuLaunchKernelEx", function, [&](Device&, Function& found) -> Outcome {
        if (params && extra) return Outcome(Status::invalid_value, "arguments were given twice", true);
        std::vector<void*> unpacked;
        if (extra) {
            if (Outcome bad = arguments_of(found, extra, unpacked); !bad) return bad;
            params = unpacked.data();
        }
        cudaLaunchConfig_t same = {};
        same.gridDim = dim3(config->gridDimX, config->gridDimY, config->gridDimZ);
        same.blockDim = dim3(config->blockDimX, config->blockDimY, config->blockDimZ);
        same.dynamicSmemBytes = config->sharedMemBytes;
        same.stream = config->hStream;
        same.attrs = reinterpret_cast<cudaLaunchAttribute*>(config->attrs);
        same.numAttrs = config->numAttrs;
        // It has told what is wrong.
        return static_cast<Status>(cudaLaunchKernelExC(&same, &found, params));
    });
}

// The block size with the most threads resident; of several the largest.
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction function,
                                                   CUoccupancyB2DSize shared_of, size_t dynamic_shared,
                                                   int limit, unsigned) {
    if (!grid || !block) return CUDA_ERROR_INVALID_VALUE;
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
        if (flags & cudaEnablePerThreadDefaultStream) return no_streams_of_threads();
        bool too_old = false;
        *function = entry_point(symbol, static_cast<int>(version), too_old);
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
