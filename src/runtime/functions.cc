#include <fmt/format.h>

#include <algorithm>

#include "runtime/call.h"
#include "runtime/libraries.h"

using namespace lockstep::runtime;
using lockstep::session::Function;

namespace {

template <class Body>
cudaError_t with_function(const char* name, const void* function, Body&& body) {
    return call(name, Waits::no, [&](Device& current) -> Outcome {
        const auto found = function_on(current, function);
        if (!found) return found.outcome;
        return body(current, **found);
    });
}

int shared_optin_left(Device& current, const Function& function) {
    const auto& gpu = current.gpu();
    return static_cast<int>(gpu.shared_per_block_optin -
                            std::min(gpu.shared_per_block_optin, function.info().static_shared_bytes));
}

}  // namespace

extern "C" {

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, const void* function) {
    return with_function("cudaFuncGetAttributes", function, [&](Device& current, Function& found) -> Outcome {
        if (!attributes) return null_pointer("attributes");
        const auto& info = found.info();
        const auto& gpu = current.gpu();
        *attributes = {};
        attributes->sharedSizeBytes = info.static_shared_bytes;
        attributes->constSizeBytes = info.constant_bytes;
        const auto resources = current.resources(found);
        attributes->localSizeBytes = resources.frame_bytes;
        attributes->maxThreadsPerBlock = info.max_threads_per_block
                                             ? static_cast<int>(info.max_threads_per_block)
                                             : gpu.max_threads_per_block;
        attributes->numRegs = static_cast<int>(resources.registers);
        attributes->ptxVersion = info.ptx_version;
        attributes->binaryVersion = gpu.compute_capability();
        attributes->maxDynamicSharedSizeBytes =
            static_cast<int>(dynamic_shared_limit(gpu, info, found.settings));
        attributes->preferredShmemCarveout = found.settings.shared_carveout;
        attributes->clusterDimMustBeSet = info.explicit_cluster;
        attributes->requiredClusterWidth = static_cast<int>(info.cluster[0]);
        attributes->requiredClusterHeight = static_cast<int>(info.cluster[1]);
        attributes->requiredClusterDepth = static_cast<int>(info.cluster[2]);
        attributes->nonPortableClusterSizeAllowed = found.settings.large_clusters;
        return {};
    });
}

cudaError_t cudaFuncSetAttribute(const void* function, enum cudaFuncAttribute attribute, int value) {
    return with_function("cudaFuncSetAttribute", function, [&](Device& current, Function& found) -> Outcome {
        switch (attribute) {
            case cudaFuncAttributeMaxDynamicSharedMemorySize:
                if (value < 0 || value > shared_optin_left(current, found))
                    return Outcome(
                        Status::invalid_value,
                        fmt::format("{} bytes of dynamic shared memory; the GPU allows {} for this kernel",
                                    value, shared_optin_left(current, found)));
                found.settings.max_dynamic_shared = static_cast<std::uint32_t>(value);
                return {};
            case cudaFuncAttributePreferredSharedMemoryCarveout:
                if (value < -1 || value > 100)
                    return Outcome(Status::invalid_value, "the carveout is a percentage");
                found.settings.shared_carveout = value;
                return {};
            case cudaFuncAttributeNonPortableClusterSizeAllowed:
                if (current.gpu().compute_capability() < 90)
                    return Outcome(Status::not_supported,
                                   "clusters of blocks, which GPUs have from compute "
                                   "capability 9.0 on");
                found.settings.large_clusters = value != 0;
                return {};
            case cudaFuncAttributeClusterSchedulingPolicyPreference: return {};  // it changes no result
            default:
                // Those before it can only be asked for.
                if (attribute < cudaFuncAttributeMaxDynamicSharedMemorySize ||
                    attribute >= cudaFuncAttributeMax)
                    return Outcome(Status::invalid_value, fmt::format("function attribute {} cannot be set",
                                                                      static_cast<int>(attribute)));
                return Outcome(
                    Status::not_supported,
                    fmt::format("function attribute {} is not implemented", static_cast<int>(attribute)),
                    true);
        }
    });
}

cudaError_t cudaFuncSetCacheConfig(const void* function, enum cudaFuncCache config) {
    return with_function("cudaFuncSetCacheConfig", function, [&](Device&, Function& found) -> Outcome {
        if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual)
            return Outcome(Status::invalid_value, "there is no such cache configuration");
        found.settings.cache_config = static_cast<lockstep::session::CacheConfig>(config);
        return {};
    });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* function, enum cudaSharedMemConfig config) {
    return with_function("cudaFuncSetSharedMemConfig", function, [&](Device&, Function&) -> Outcome {
        if (config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte)
            return Outcome(Status::invalid_value, "there is no such bank size");
        return {};
    });
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
    return with_function("cudaFuncGetName", function, [&](Device&, Function& found) -> Outcome {
        if (!name) return null_pointer("name");
        *name = found.name.c_str();
        return {};
    });
}

cudaError_t cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset, size_t* size) {
    return with_function("cudaFuncGetParamInfo", function, [&](Device&, Function& found) -> Outcome {
        const auto& params = found.info().params;
        if (!offset) return null_pointer("offset");
        // This is how a program finds the end of the list.
        if (index >= params.size()) return Status::invalid_value;
        *offset = params[index].offset;
        if (size) *size = params[index].size;
        return {};
    });
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* handle, const void* symbol) {
    return with_function("cudaGetFuncBySymbol", symbol, [&](Device&, Function& found) -> Outcome {
        if (!handle) return null_pointer("handle");
        *handle = reinterpret_cast<cudaFunction_t>(&found);
        return {};
    });
}

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* entry) {
    return with_function("cudaGetKernel", entry, [&](Device&, Function&) -> Outcome {
        if (!kernel) return null_pointer("kernel");
        __cudaGetKernel(kernel, entry);
        return {};
    });
}
}
