// Modules, functions and launches of the driver API.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "gpu/occupancy.h"
#include "runtime/arguments.h"
#include "runtime/driver.h"
#include "runtime/libraries.h"

using namespace lockstep::runtime;
using lockstep::session::Function;
using lockstep::session::LaunchShape;

namespace {

using Module = lockstep::exec::Module;

Module* module_of(CUmodule handle) { return reinterpret_cast<Module*>(handle); }

template <class Body>
CUresult with_function(const char* name, CUfunction handle, Body&& body) {
    return driver_call(name, Waits::no, [&](Device& current) -> Outcome {
        const auto function = handle_on(current, handle);
        if (!function) return function.outcome;
        return body(current, **function);
    });
}

LaunchShape shape_of(unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                     unsigned block_z, unsigned shared) {
    LaunchShape shape;
    shape.grid = {grid_x, grid_y, grid_z};
    shape.block = {block_x, block_y, block_z};
    shape.dynamic_shared = shared;
    return shape;
}

}  // namespace

extern "C" {

CUresult cuModuleUnload(CUmodule module) {
    return driver_call("cuModuleUnload", Waits::yes, [&](Device& current) -> Outcome {
        if (Outcome waited = current.synchronize(); !waited) return waited;
        if (!current.modules().unload(module_of(module))) {
            note_unknown(module);
            return Outcome(Status::invalid_handle, "no such module");
        }
        note_destroyed(module, "module");
        forget_references(current, module_of(module));
        return {};
    });
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
    return driver_call("cuModuleGetFunction", Waits::no, [&](Device& current) -> Outcome {
        if (!function || !name) return null_pointer("function or name");
        const auto found = current.modules().function(module_of(module), name);
        if (!found) return found.outcome;
        *function = reinterpret_cast<CUfunction>(*found);
        return {};
    });
}

CUresult cuModuleGetGlobal(CUdeviceptr* pointer, size_t* bytes, CUmodule module, const char* name) {
    return driver_call("cuModuleGetGlobal", Waits::no, [&](Device& current) -> Outcome {
        if (!name) return null_pointer("name");
        const auto found = current.modules().variable(module_of(module), name);
        if (!found) return found.outcome;
        if (pointer) *pointer = found->address;
        if (bytes) *bytes = found->size;
        return {};
    });
}

CUresult cuModuleGetFunctionCount(unsigned* count, CUmodule module) {
    return driver_call("cuModuleGetFunctionCount", Waits::no, [&](Device& current) -> Outcome {
        if (!count) return null_pointer("count");
        const auto kernels = current.modules().kernels(module_of(module));
        if (!kernels) return kernels.outcome;
        *count = static_cast<unsigned>(kernels->size());
        return {};
    });
}

CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned count, CUmodule module) {
    return driver_call("cuModuleEnumerateFunctions", Waits::no, [&](Device& current) -> Outcome {
        if (count && !functions) return null_pointer("functions");
        const auto kernels = current.modules().kernels(module_of(module));
        if (!kernels) return kernels.outcome;
        for (std::size_t i = 0; i < std::min<std::size_t>(count, kernels->size()); ++i) {
            const auto found = current.modules().function(module_of(module),
                                                          lockstep::exec::kernel_info(*(*kernels)[i]).name);
            if (!found) return found.outcome;
            functions[i] = reinterpret_cast<CUfunction>(*found);
        }
        return {};
    });
}

// Kernels are compiled when they are first launched, as CUDA loads them by default.
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
    if (!mode) return refuse_null("mode");
    *mode = CU_MODULE_LAZY_LOADING;
    return CUDA_SUCCESS;
}

// A function that has a handle is there.
CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction handle) {
    return with_function("cuFuncIsLoaded", handle, [&](Device&, Function&) -> Outcome {
        if (!state) return null_pointer("state");
        *state = CU_FUNCTION_LOADING_STATE_LOADED;
        return {};
    });
}

CUresult cuFuncLoad(CUfunction handle) {
    return with_function("cuFuncLoad", handle, [](Device&, Function&) -> Outcome { return {}; });
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction handle) {
    return with_function("cuFuncGetAttribute", handle, [&](Device&, Function& function) -> Outcome {
        cudaFuncAttributes all;
        if (const cudaError_t error = cudaFuncGetAttributes(&all, &function))
            return static_cast<Status>(error);
        if (!value) return null_pointer("value");
        switch (attribute) {
            case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = all.maxThreadsPerBlock; return {};
            case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
                *value = static_cast<int>(all.sharedSizeBytes);
                return {};
            case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = static_cast<int>(all.constSizeBytes); return {};
            case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = static_cast<int>(all.localSizeBytes); return {};
            case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = all.numRegs; return {};
            case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = all.ptxVersion; return {};
            case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = all.binaryVersion; return {};
            case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: *value = all.cacheModeCA; return {};
            case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
                *value = all.maxDynamicSharedSizeBytes;
                return {};
            case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
                *value = all.preferredShmemCarveout;
                return {};
            case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET: *value = all.clusterDimMustBeSet; return {};
            case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH: *value = all.requiredClusterWidth; return {};
            case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT: *value = all.requiredClusterHeight; return {};
            case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: *value = all.requiredClusterDepth; return {};
            case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
                *value = all.nonPortableClusterSizeAllowed;
                return {};
            case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
                *value = all.clusterSchedulingPolicyPreference;
                return {};
            default:
                return Outcome(Status::invalid_value,
                               fmt::format("there is no function attribute {}", static_cast<int>(attribute)));
        }
    });
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    return forward(
        [&] { return cudaFuncSetAttribute(function, static_cast<cudaFuncAttribute>(attribute), value); });
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
    return forward([&] { return cudaFuncSetCacheConfig(function, static_cast<cudaFuncCache>(config)); });
}

CUresult cuLaunchKernel(CUfunction handle, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        CUstream stream, void** params, void** extra) {
    return with_function("cuLaunchKernel", handle, [&](Device& current, Function& function) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return Outcome(in.outcome.status, in.outcome.reason, true);
        if (params && extra) return Outcome(Status::invalid_value, "arguments were given twice", true);
        std::vector<void*> unpacked;
        if (extra) {
            if (Outcome bad = arguments_of(function, extra, unpacked); !bad) return bad;
            params = unpacked.data();
        }
        return current.launch(function, shape_of(grid_x, grid_y, grid_z, block_x, block_y, block_z, shared),
                              params, **in);
    });
}

CUresult cuLaunchCooperativeKernel(CUfunction handle, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                   CUstream stream, void** params) {
    return with_function(
        "cuLaunchCooperativeKernel", handle, [&](Device& current, Function& function) -> Outcome {
            const auto in = stream_of(current, stream);
            if (!in) return Outcome(in.outcome.status, in.outcome.reason, true);
            LaunchShape shape = shape_of(grid_x, grid_y, grid_z, block_x, block_y, block_z, shared);
            shape.cooperative = true;
            return current.launch(function, shape, params, **in);
        });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads,
                                                     size_t dynamic_shared) {
    return forward([&] {
        return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, dynamic_shared);
    });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function, int threads,
                                                              size_t dynamic_shared, unsigned) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, dynamic_shared);
}
}
