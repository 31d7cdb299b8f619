#include <fmt/format.h>

#include <algorithm>

#include "runtime/state.h"

using namespace lockstep::runtime;
using lockstep::session::Function;

namespace {

template <class Body>
cudaError_t with_function(const char* name, const void* function, Body&& body) {
    return call(name, Waits::no, [&](Session& current) -> Outcome {
        const auto found = current.modules().function(function);
        if (!found) return found.outcome;
        return body(current, **found);
    });
}

int shared_optin_left(Session& current, const Function& function) {
    const auto& gpu = current.gpu();
    return static_cast<int>(gpu.shared_per_block_optin -
                            std::min(gpu.shared_per_block_optin, function.info().static_shared_bytes));
}

}  // namespace

extern "C" {

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, const void* function) {
    return with_function(
        "cudaFuncGetAttributes", function, [&](Session& current, Function& found) -> Outcome {
            if (!attributes) return Status::invalid_value;
            const auto& info = found.info();
            const auto& gpu = current.gpu();
            *attributes = {};
            attributes->sharedSizeBytes = info.static_shared_bytes;
            attributes->localSizeBytes = info.local_bytes;
            attributes->maxThreadsPerBlock = info.max_threads_per_block
                                                 ? static_cast<int>(info.max_threads_per_block)
                                                 : gpu.max_threads_per_block;
            attributes->numRegs = static_cast<int>(current.registers(found));
            attributes->ptxVersion = info.ptx_version;
            attributes->binaryVersion = gpu.compute_capability();
            attributes->maxDynamicSharedSizeBytes =
                static_cast<int>(dynamic_shared_limit(gpu, info, found.settings));
            attributes->preferredShmemCarveout = found.settings.shared_carveout;
            return {};
        });
}

cudaError_t cudaFuncSetAttribute(const void* function, enum cudaFuncAttribute attribute, int value) {
    return with_function("cudaFuncSetAttribute", function, [&](Session& current, Function& found) -> Outcome {
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
            default:
                return Outcome(
                    Status::not_supported,
                    fmt::format("function attribute {} is not implemented", static_cast<int>(attribute)),
                    true);
        }
    });
}

cudaError_t cudaFuncSetCacheConfig(const void* function, enum cudaFuncCache config) {
    return with_function("cudaFuncSetCacheConfig", function, [&](Session&, Function& found) -> Outcome {
        if (config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual)
            return Status::invalid_value;
        found.settings.cache_config = config;
        return {};
    });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* function, enum cudaSharedMemConfig config) {
    return with_function("cudaFuncSetSharedMemConfig", function, [&](Session&, Function&) -> Outcome {
        if (config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte)
            return Status::invalid_value;
        return {};
    });
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
    return with_function("cudaFuncGetName", function, [&](Session&, Function& found) -> Outcome {
        if (!name) return Status::invalid_value;
        *name = found.name.c_str();
        return {};
    });
}

cudaError_t cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset, size_t* size) {
    return with_function("cudaFuncGetParamInfo", function, [&](Session&, Function& found) -> Outcome {
        const auto& params = found.info().params;
        if (index >= params.size() || !offset) return Status::invalid_value;
        *offset = params[index].offset;
        if (size) *size = params[index].size;
        return {};
    });
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* handle, const void* symbol) {
    return with_function("cudaGetFuncBySymbol", symbol, [&](Session&, Function& found) -> Outcome {
        if (!handle) return Status::invalid_value;
        *handle = reinterpret_cast<cudaFunction_t>(&found);
        return {};
    });
}

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* entry) {
    return with_function("cudaGetKernel", entry, [&](Session&, Function&) -> Outcome {
        if (!kernel) return Status::invalid_value;
        __cudaGetKernel(kernel, entry);
        return {};
    });
}
}
