#include <fmt/format.h>

#include "runtime/call.h"
#include "runtime/per-thread.h"
#include "session/checker.h"

using namespace lockstep::runtime;
using lockstep::session::Box;
using lockstep::session::Direction;

namespace {

// The part of a variable that a copy touches, or why it cannot. `other`: the copy's other side.
Found<Box> part_of(Device& current, const void* symbol, size_t count, size_t offset, const Box& other,
                   Direction direction, bool is_destination) {
    const auto variable = current.modules().variable(symbol);
    if (!variable) return variable.outcome;
    const Box part{variable->address + offset, count, 1};
    if (offset <= variable->size && count <= variable->size - offset) return part;
    Outcome outcome(Status::invalid_value, fmt::format("{} bytes at offset {} of variable '{}', which has {}",
                                                       count, offset, variable->name, variable->size));
    if (lockstep::session::Checker* const checker = current.process().checker())
        checker->host().bad_copy(is_destination ? part : other, is_destination ? other : part, {count, 1, 1},
                                 direction, outcome);
    return outcome;
}

cudaError_t to_symbol(const char* name, Waits waits, const void* symbol, const void* source, size_t count,
                      size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream) {
    return call(name, waits, [&](Device& current) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
            return Outcome(Status::invalid_memcpy_direction, "this direction does not lead to a variable");
        const Box from{address_of(source), count, 1};
        const auto direction = static_cast<Direction>(kind);
        const auto part = part_of(current, symbol, count, offset, from, direction, true);
        if (!part) return part.outcome;
        return (*in)->device->copy(*part, from, {count, 1, 1}, direction, **in, waits == Waits::yes);
    });
}

cudaError_t from_symbol(const char* name, Waits waits, void* destination, const void* symbol, size_t count,
                        size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream) {
    return call(name, waits, [&](Device& current) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
            return Outcome(Status::invalid_memcpy_direction, "this direction does not start at a variable");
        const Box to{address_of(destination), count, 1};
        const auto direction = static_cast<Direction>(kind);
        const auto part = part_of(current, symbol, count, offset, to, direction, false);
        if (!part) return part.outcome;
        return (*in)->device->copy(to, *part, {count, 1, 1}, direction, **in, waits == Waits::yes);
    });
}

}  // namespace

extern "C" {

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* source, size_t count, size_t offset,
                               enum cudaMemcpyKind kind) {
    return to_symbol("cudaMemcpyToSymbol", Waits::yes, symbol, source, count, offset, kind, nullptr);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* source, size_t count, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream) {
    return to_symbol("cudaMemcpyToSymbolAsync", Waits::no, symbol, source, count, offset, kind, stream);
}

cudaError_t cudaMemcpyFromSymbol(void* destination, const void* symbol, size_t count, size_t offset,
                                 enum cudaMemcpyKind kind) {
    return from_symbol("cudaMemcpyFromSymbol", Waits::yes, destination, symbol, count, offset, kind, nullptr);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* destination, const void* symbol, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
    return from_symbol("cudaMemcpyFromSymbolAsync", Waits::no, destination, symbol, count, offset, kind,
                       stream);
}

cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
    return call("cudaGetSymbolAddress", Waits::no, [&](Device& current) -> Outcome {
        if (!pointer) return null_pointer("pointer");
        const auto variable = current.modules().variable(symbol);
        if (!variable) return variable.outcome;
        *pointer = pointer_to(variable->address);
        return {};
    });
}

cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
    return call("cudaGetSymbolSize", Waits::no, [&](Device& current) -> Outcome {
        if (!size) return null_pointer("size");
        const auto variable = current.modules().variable(symbol);
        if (!variable) return variable.outcome;
        *size = variable->size;
        return {};
    });
}
}

LOCKSTEP_PER_THREAD(cudaMemcpyToSymbol, _ptds);
LOCKSTEP_PER_THREAD(cudaMemcpyToSymbolAsync, _ptsz);
LOCKSTEP_PER_THREAD(cudaMemcpyFromSymbol, _ptds);
LOCKSTEP_PER_THREAD(cudaMemcpyFromSymbolAsync, _ptsz);
