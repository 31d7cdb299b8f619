#include "runtime/batches.h"

#include <fmt/format.h>

#include "runtime/arrays.h"
#include "runtime/managed.h"
#include "runtime/per-thread.h"

using namespace lockstep::runtime;
using lockstep::session::Box;
using lockstep::session::BoxSize;
using lockstep::session::Direction;

namespace {

constexpr size_t nobody = ~size_t{0};

// All kinds of batches refuse the legacy default stream, as a GPU's driver does.
Found<std::shared_ptr<lockstep::session::Stream>> stream_of_batch(Device& current, cudaStream_t handle,
                                                                  size_t count, unsigned long long flags) {
    auto stream = stream_of(current, handle);
    if (!stream) return stream.outcome;
    if (flags != 0) return unknown_flags(static_cast<unsigned>(flags));
    if (count == 0) return Outcome(Status::invalid_value, "there is nothing in the batch");
    if (*stream == current.legacy_default_stream())
        return Outcome(Status::invalid_value,
                       "a batch needs a stream of its own: the legacy default stream is not allowed");
    return stream;
}

// Entry k of a list holds from the operation firsts[k] on, to the next entry's first.
Outcome check_firsts(const char* what, const size_t* firsts, size_t kinds, size_t count) {
    if (kinds == 0 || kinds > count)
        return Outcome(Status::invalid_value,
                       fmt::format("{} {} for {} operations: one each is the most", kinds, what, count));
    for (size_t k = 0; k < kinds; ++k)
        if (k == 0 ? firsts[0] != 0 : firsts[k] <= firsts[k - 1] || firsts[k] >= count)
            return Outcome(Status::invalid_value,
                           fmt::format("entry {} of the {} holds from operation {} on: the first must be 0, "
                                       "and each later than the one before it and one of the {}",
                                       k, what, firsts[k], count));
    return {};
}

Outcome check_source(cudaMemcpySrcAccessOrder order, unsigned flags) {
    if (order < cudaMemcpySrcAccessOrderStream || order > cudaMemcpySrcAccessOrderAny)
        return Outcome(Status::invalid_value, fmt::format("there is no order {} in which a source is read",
                                                          static_cast<int>(order)));
    if (flags & ~unsigned{cudaMemcpyFlagPreferOverlapWithCompute}) return unknown_flags(flags);
    return {};
}

// One after the other, until one is refused.
template <class Check, class Copy>
cudaError_t copy_each(const char* name, size_t count, unsigned long long flags, cudaStream_t stream,
                      size_t* failed, Check check, Copy copy) {
    if (failed) *failed = nobody;
    return call(name, Waits::no, [&](Device& current) -> Outcome {
        const auto in = stream_of_batch(current, stream, count, flags);
        if (!in) return in.outcome;
        if (Outcome bad = check(); !bad) return bad;
        if (current.process().captures().of(**in))
            return Outcome(Status::stream_capture_unsupported, "a batch of copies cannot be captured");
        for (size_t i = 0; i < count; ++i)
            if (Outcome bad = copy(current, **in, i); !bad) {
                if (failed) *failed = i;
                return Outcome(Status::invalid_value, fmt::format("copy {}: {}", i, bad.reason));
            }
        return {};
    });
}

// A corner of a copy's operand. Rows and layers without a length are as long as the copy's.
Found<Box> operand_box(Device& current, const cudaMemcpy3DOperand& operand, const cudaExtent& extent,
                       size_t texel) {
    if (operand.type == cudaMemcpyOperandTypeArray) {
        const auto array = array_of(current, operand.op.array.array);
        if (!array) return array.outcome;
        const cudaOffset3D& at = operand.op.array.offset;
        return box_of(**array, at.x * texel, at.y, at.z);
    }
    if (operand.type != cudaMemcpyOperandTypePointer)
        return Outcome(Status::invalid_value,
                       fmt::format("there is no operand of type {}", static_cast<int>(operand.type)));
    const size_t row = operand.op.ptr.rowLength ? operand.op.ptr.rowLength : extent.width;
    const size_t layer = operand.op.ptr.layerHeight ? operand.op.ptr.layerHeight : extent.height;
    if (row < extent.width || layer < extent.height)
        return Outcome(Status::invalid_value,
                       fmt::format("rows of {} elements and layers of {} rows are too short for {} x {}", row,
                                   layer, extent.width, extent.height));
    return Box{address_of(operand.op.ptr.ptr), row * texel, layer};
}

// Of the arrays among a copy's operands; 1 where there is none.
Found<size_t> texel_of(Device& current, const cudaMemcpy3DBatchOp& operation) {
    size_t texel = 0;
    for (const cudaMemcpy3DOperand* side : {&operation.src, &operation.dst}) {
        if (side->type != cudaMemcpyOperandTypeArray) continue;
        const auto array = array_of(current, side->op.array.array);
        if (!array) return array.outcome;
        const size_t bytes = (*array)->image->format.bytes();
        if (texel != 0 && texel != bytes)
            return Outcome(Status::invalid_value, fmt::format("elements of {} and {} bytes", texel, bytes));
        texel = bytes;
    }
    return texel ? texel : 1;
}

using OfRange = Outcome (*)(Device&, const lockstep::session::Stream&, const void*, size_t, cudaMemLocation);

// For each range of managed memory, with the place that holds for it.
cudaError_t each_range(const char* name, void** pointers, const size_t* sizes, size_t count,
                       const cudaMemLocation* places, const size_t* firsts, size_t kinds,
                       unsigned long long flags, cudaStream_t stream, OfRange f) {
    return call(name, Waits::no, [&](Device& current) -> Outcome {
        const auto in = stream_of_batch(current, stream, count, flags);
        if (!in) return in.outcome;
        if (!pointers || !sizes) return null_pointer("dptrs or sizes");
        if (places)
            if (Outcome bad = check_firsts("places", firsts, kinds, count); !bad) return bad;
        size_t kind = 0;
        for (size_t i = 0; i < count; ++i) {
            while (places && kind + 1 < kinds && firsts[kind + 1] <= i) ++kind;
            if (Outcome bad = check_managed(current, pointers[i], sizes[i]); !bad) return bad;
            if (Outcome bad =
                    f(current, **in, pointers[i], sizes[i], places ? places[kind] : cudaMemLocation{});
                !bad)
                return bad;
        }
        return {};
    });
}

Outcome discard(Device&, const lockstep::session::Stream& stream, const void* pointer, size_t size,
                cudaMemLocation) {
    return stream.device->discard(address_of(pointer), size, stream);
}

Outcome prefetch_there(Device& current, const lockstep::session::Stream& stream, const void* pointer,
                       size_t size, cudaMemLocation place) {
    // A batch calls it a wrong value where cudaMemPrefetchAsync speaks of the device.
    const Outcome done = prefetch(current, stream, pointer, size, place);
    return done.status == Status::invalid_device ? Outcome(Status::invalid_value, done.reason) : done;
}

}  // namespace

namespace lockstep::runtime {

cudaError_t copy_batch(void* const* to, const void* const* from, const size_t* sizes, size_t count,
                       const cudaMemcpyAttributes* attributes, const size_t* firsts, size_t kinds,
                       size_t* failed, cudaStream_t stream) {
    const auto check = [&]() -> Outcome {
        if (!to || !from || !sizes) return null_pointer("dsts, srcs or sizes");
        if (!attributes || !firsts) return null_pointer("attrs or attrsIdxs");
        if (Outcome bad = check_firsts("attributes", firsts, kinds, count); !bad) return bad;
        for (size_t k = 0; k < kinds; ++k)
            if (Outcome bad = check_source(attributes[k].srcAccessOrder, attributes[k].flags); !bad)
                return bad;
        return {};
    };
    size_t kind = 0;
    return copy_each("cudaMemcpyBatchAsync", count, 0, stream, failed, check,
                     [&](Device&, const session::Stream& in, size_t i) -> Outcome {
                         while (kind + 1 < kinds && firsts[kind + 1] <= i) ++kind;
                         if (sizes[i] == 0) return Outcome(Status::invalid_value, "0 bytes");
                         return in.device->copy(
                             {address_of(to[i]), sizes[i], 1}, {address_of(from[i]), sizes[i], 1},
                             {sizes[i], 1, 1}, Direction::by_address, in, false,
                             attributes[kind].srcAccessOrder == cudaMemcpySrcAccessOrderDuringApiCall);
                     });
}

cudaError_t copy_batch_3d(size_t count, const cudaMemcpy3DBatchOp* operations, size_t* failed,
                          unsigned long long flags, cudaStream_t stream) {
    const auto check = [&]() -> Outcome { return operations ? Outcome() : null_pointer("opList"); };
    return copy_each("cudaMemcpy3DBatchAsync", count, flags, stream, failed, check,
                     [&](Device& current, const session::Stream& in, size_t i) -> Outcome {
                         const cudaMemcpy3DBatchOp& one = operations[i];
                         const cudaExtent& extent = one.extent;
                         if (Outcome bad = check_source(one.srcAccessOrder, one.flags); !bad) return bad;
                         const auto texel = texel_of(current, one);
                         if (!texel) return texel.outcome;
                         const BoxSize size{extent.width * *texel, extent.height, extent.depth};
                         if (size.empty()) return Outcome(Status::invalid_value, "its extent is empty");
                         const auto to = operand_box(current, one.dst, extent, *texel);
                         if (!to) return to.outcome;
                         const auto from = operand_box(current, one.src, extent, *texel);
                         if (!from) return from.outcome;
                         return in.device->copy(*to, *from, size, Direction::by_address, in, false,
                                                one.srcAccessOrder == cudaMemcpySrcAccessOrderDuringApiCall);
                     });
}

}  // namespace lockstep::runtime

extern "C" {

cudaError_t cudaMemPrefetchBatchAsync(void** pointers, size_t* sizes, size_t count, cudaMemLocation* places,
                                      size_t* firsts, size_t kinds, unsigned long long flags,
                                      cudaStream_t stream) {
    if (!places || !firsts)
        return finish("cudaMemPrefetchBatchAsync", null_pointer("prefetchLocs or prefetchLocIdxs"));
    return each_range("cudaMemPrefetchBatchAsync", pointers, sizes, count, places, firsts, kinds, flags,
                      stream, prefetch_there);
}

cudaError_t cudaMemDiscardBatchAsync(void** pointers, size_t* sizes, size_t count, unsigned long long flags,
                                     cudaStream_t stream) {
    return each_range("cudaMemDiscardBatchAsync", pointers, sizes, count, nullptr, nullptr, 0, flags, stream,
                      discard);
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void** pointers, size_t* sizes, size_t count,
                                                cudaMemLocation* places, size_t* firsts, size_t kinds,
                                                unsigned long long flags, cudaStream_t stream) {
    if (!places || !firsts)
        return finish("cudaMemDiscardAndPrefetchBatchAsync", null_pointer("prefetchLocs or prefetchLocIdxs"));
    return each_range("cudaMemDiscardAndPrefetchBatchAsync", pointers, sizes, count, places, firsts, kinds,
                      flags, stream,
                      [](Device& current, const lockstep::session::Stream& in, const void* pointer,
                         size_t size, cudaMemLocation place) -> Outcome {
                          if (Outcome bad = discard(current, in, pointer, size, place); !bad) return bad;
                          return prefetch_there(current, in, pointer, size, place);
                      });
}
}

LOCKSTEP_PER_THREAD(cudaMemPrefetchBatchAsync, _ptsz);
LOCKSTEP_PER_THREAD(cudaMemDiscardBatchAsync, _ptsz);
LOCKSTEP_PER_THREAD(cudaMemDiscardAndPrefetchBatchAsync, _ptsz);
