// Launches as they were before CUDA 4: a function keeps the shape of its blocks and its arguments, which
// calls set one by one.
#include <cstring>

#include "runtime/arguments.h"
#include "runtime/driver.h"

using namespace lockstep::runtime;
using lockstep::session::Function;

namespace {

// The largest buffer of arguments that a kernel can have.
constexpr std::size_t most_bytes = 4096;

template <class Body>
CUresult with_launch(const char* name, CUfunction handle, Body&& body) {
    return driver_call(name, Waits::no, [&](Device& current) -> Outcome {
        Function* const function = current.modules().as_function(handle);
        if (!function) return Outcome(Status::invalid_handle, "no such function, or its module was unloaded");
        return body(function->next_launch);
    });
}

CUresult set_argument(const char* name, CUfunction handle, int offset, const void* value, std::size_t bytes) {
    return with_launch(name, handle, [&](lockstep::session::NextLaunch& next) -> Outcome {
        if (!value) return null_pointer("value");
        if (offset < 0 || static_cast<std::size_t>(offset) > most_bytes || bytes > most_bytes - offset)
            return Outcome(Status::invalid_value, "an argument outside of what a kernel can take");
        if (next.arguments.size() < offset + bytes) next.arguments.resize(offset + bytes);
        std::memcpy(next.arguments.data() + offset, value, bytes);
        return {};
    });
}

}  // namespace

extern "C" {

CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
    return with_launch("cuFuncSetBlockShape", function, [&](lockstep::session::NextLaunch& next) -> Outcome {
        if (x < 1 || y < 1 || z < 1) return Outcome(Status::invalid_value, "a block has no threads");
        next.block = {static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z)};
        return {};
    });
}

CUresult cuFuncSetSharedSize(CUfunction function, unsigned bytes) {
    return with_launch("cuFuncSetSharedSize", function, [&](lockstep::session::NextLaunch& next) {
        next.dynamic_shared = bytes;
        return Outcome();
    });
}

CUresult cuParamSetSize(CUfunction function, unsigned bytes) {
    return with_launch("cuParamSetSize", function, [&](lockstep::session::NextLaunch& next) -> Outcome {
        if (bytes > most_bytes)
            return Outcome(Status::invalid_value, "more arguments than a kernel can take");
        next.arguments.resize(bytes);
        return {};
    });
}

CUresult cuParamSeti(CUfunction function, int offset, unsigned value) {
    return set_argument("cuParamSeti", function, offset, &value, sizeof value);
}

CUresult cuParamSetf(CUfunction function, int offset, float value) {
    return set_argument("cuParamSetf", function, offset, &value, sizeof value);
}

CUresult cuParamSetv(CUfunction function, int offset, void* value, unsigned bytes) {
    return set_argument("cuParamSetv", function, offset, value, bytes);
}

CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
    lockstep::session::NextLaunch next;
    if (const CUresult bad =
            with_launch("cuLaunchGridAsync", function, [&](const auto& of_function) -> Outcome {
                if (width < 1 || height < 1) return Outcome(Status::invalid_value, "a grid has no blocks");
                if (!of_function.block)
                    return Outcome(Status::invalid_value, "cuFuncSetBlockShape was not called before");
                next = of_function;
                return {};
            }))
        return bad;
    std::size_t size = next.arguments.size();
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, next.arguments.data(), CU_LAUNCH_PARAM_BUFFER_SIZE,
                     &size, CU_LAUNCH_PARAM_END};
    return cuLaunchKernel(function, static_cast<unsigned>(width), static_cast<unsigned>(height), 1,
                          next.block->x, next.block->y, next.block->z, next.dynamic_shared, stream, nullptr,
                          extra);
}

CUresult cuLaunchGrid(CUfunction function, int width, int height) {
    return cuLaunchGridAsync(function, width, height, nullptr);
}

CUresult cuLaunch(CUfunction function) { return cuLaunchGrid(function, 1, 1); }
}
