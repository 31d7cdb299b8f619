// Tensor maps: what copies of tensors in kernels are told of them.
#include <cstring>

#include "exec/tensor-map.h"
#include "runtime/driver.h"

using namespace lockstep::runtime;
using namespace lockstep::exec;

namespace {

static_assert(sizeof(TensorMap) == sizeof(CUtensorMap));

template <class Make>
CUresult encode(const char* name, CUtensorMap* map, Make make) {
    return driver_call(name, Waits::no, [&](Device& current) -> Outcome {
        if (!map) return null_pointer("tensorMap");
        if (current.gpu().compute_capability() < 90)
            return Outcome(Status::not_supported, "tensor maps are of GPUs from compute capability 9.0 on");
        const auto made = make();
        if (const auto* wrong = std::get_if<TensorMapError>(&made))
            return Outcome(Status::invalid_value, wrong->why);
        std::memcpy(map, &std::get<TensorMap>(made), sizeof *map);
        return {};
    });
}

Tensor tensor_of(CUtensorMapDataType type, cuuint32_t rank, void* address, const cuuint64_t* sizes,
                 const cuuint64_t* strides, const cuuint32_t* steps, CUtensorMapInterleave interleave,
                 CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
    return {.element = static_cast<std::uint32_t>(type),
            .rank = rank,
            .address = reinterpret_cast<std::uintptr_t>(address),
            .sizes = sizes,
            .strides = strides,
            .steps = steps,
            .interleave = static_cast<std::uint32_t>(interleave),
            .swizzle = static_cast<std::uint32_t>(swizzle),
            .promotion = static_cast<std::uint32_t>(promotion),
            .fill = static_cast<std::uint32_t>(fill)};
}

}  // namespace

extern "C" {

CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                const cuuint64_t* sizes, const cuuint64_t* strides, const cuuint32_t* box,
                                const cuuint32_t* steps, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill) {
    return encode("cuTensorMapEncodeTiled", map, [&] {
        return make_tiled_map(
            tensor_of(type, rank, address, sizes, strides, steps, interleave, swizzle, promotion, fill), box);
    });
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                 const cuuint64_t* sizes, const cuuint64_t* strides, const int* lower,
                                 const int* upper, cuuint32_t channels, cuuint32_t pixels,
                                 const cuuint32_t* steps, CUtensorMapInterleave interleave,
                                 CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                 CUtensorMapFloatOOBfill fill) {
    return encode("cuTensorMapEncodeIm2col", map, [&] {
        return make_im2col_map(
            tensor_of(type, rank, address, sizes, strides, steps, interleave, swizzle, promotion, fill),
            {lower, upper, channels, pixels});
    });
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
    return driver_call("cuTensorMapReplaceAddress", Waits::no, [&](Device&) -> Outcome {
        if (!map) return null_pointer("tensorMap");
        TensorMap known;
        std::memcpy(static_cast<void*>(&known), map, sizeof known);
        if (known.marked != TensorMap::mark)
            return Outcome(
                Status::invalid_value,
                "this is no tensor map that cuTensorMapEncodeTiled or cuTensorMapEncodeIm2col made");
        known.address = reinterpret_cast<std::uintptr_t>(address);
        if (known.address % 16)
            return Outcome(Status::invalid_value,
                           fmt::format("the tensor's address {} is not a multiple of 16", fmt::ptr(address)));
        std::memcpy(map, &known, sizeof *map);
        return {};
    });
}

}  // extern "C"
