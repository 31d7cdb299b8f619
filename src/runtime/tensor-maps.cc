// Tensor maps: what copies of tensors in kernels are told of them.
#include <cstring>

#include "exec/tensor-map.h"
#include "runtime/driver.h"

using namespace lockstep::runtime;
using lockstep::exec::TensorMap;

namespace {

static_assert(sizeof(TensorMap) == sizeof(CUtensorMap));

}  // namespace

extern "C" {

CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                const cuuint64_t* sizes, const cuuint64_t* strides, const cuuint32_t* box,
                                const cuuint32_t* steps, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill) {
    return driver_call("cuTensorMapEncodeTiled", Waits::no, [&](Device& current) -> Outcome {
        if (!map) return null_pointer("tensorMap");
        if (current.gpu().compute_capability() < 90)
            return Outcome(Status::not_supported, "tensor maps are of GPUs from compute capability 9.0 on");
        const auto made =
            lockstep::exec::make_tensor_map({.element = static_cast<std::uint32_t>(type),
                                             .rank = rank,
                                             .address = reinterpret_cast<std::uintptr_t>(address),
                                             .sizes = sizes,
                                             .strides = strides,
                                             .box = box,
                                             .steps = steps,
                                             .interleave = static_cast<std::uint32_t>(interleave),
                                             .swizzle = static_cast<std::uint32_t>(swizzle),
                                             .promotion = static_cast<std::uint32_t>(promotion),
                                             .fill = static_cast<std::uint32_t>(fill)});
        if (const auto* wrong = std::get_if<lockstep::exec::TensorMapError>(&made))
            return wrong->lacking
                       ? Outcome::lacking(Status::not_supported, wrong->why + " are not implemented")
                       : Outcome(Status::invalid_value, wrong->why);
        std::memcpy(map, &std::get<TensorMap>(made), sizeof *map);
        return {};
    });
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
    return driver_call("cuTensorMapReplaceAddress", Waits::no, [&](Device&) -> Outcome {
        if (!map) return null_pointer("tensorMap");
        TensorMap known;
        std::memcpy(static_cast<void*>(&known), map, sizeof known);
        if (known.marked != TensorMap::mark)
            return Outcome(Status::invalid_value, "this is no tensor map that cuTensorMapEncodeTiled made");
        known.address = reinterpret_cast<std::uintptr_t>(address);
        if (known.address % 16)
            return Outcome(Status::invalid_value,
                           fmt::format("the tensor's address {} is not a multiple of 16", fmt::ptr(address)));
        std::memcpy(map, &known, sizeof *map);
        return {};
    });
}

}  // extern "C"
