// Values in memory that streams write and wait for. A wait may be for what the program does next, so it
// stands where its host functions do.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <span>
#include <thread>

#include "runtime/driver.h"
#include "runtime/per-thread.h"

using namespace lockstep::runtime;

namespace {

template <class Value>
bool value_is_reached(Value now, Value value, unsigned how) {
    switch (how) {
        case CU_STREAM_WAIT_VALUE_GEQ: return static_cast<std::make_signed_t<Value>>(now - value) >= 0;
        case CU_STREAM_WAIT_VALUE_EQ: return now == value;
        case CU_STREAM_WAIT_VALUE_AND: return (now & value) != 0;
        default: return static_cast<Value>(~(now | value)) != 0;
    }
}

Outcome check_place(Device& current, const lockstep::session::Stream& stream, CUdeviceptr address,
                    std::uint64_t bytes) {
    if (Outcome bad = current.process().captures().forbid(stream, "a wait for a value, or a write of one");
        !bad)
        return bad;
    if (address % bytes) return Outcome(Status::invalid_value, "the address is not aligned");
    if (!current.process().addresses().find(address, bytes))
        return Outcome(Status::invalid_value,
                       fmt::format("{:#x} is {}", address, current.process().addresses().describe(address)));
    return {};
}

template <class Value>
CUresult wait_for_value(const char* name, CUstream handle, CUdeviceptr address, Value value, unsigned flags) {
    return driver_call(name, Waits::no, [&](Device& current) -> Outcome {
        const auto stream = stream_of(current, handle);
        if (!stream) return stream.outcome;
        const unsigned how = flags & ~static_cast<unsigned>(CU_STREAM_WAIT_VALUE_FLUSH);
        if (how > CU_STREAM_WAIT_VALUE_NOR) return unknown_flags(flags);
        if (Outcome bad = check_place(current, **stream, address, sizeof value); !bad) return bad;
        return (*stream)->device->host_function(**stream, {[=](Device& device) {
            const LockstepScope own;
            constexpr std::chrono::microseconds pause(50);
            const std::atomic_ref<Value> place(*reinterpret_cast<Value*>(address));
            while (!device.errors().faulted() && !value_is_reached(place.load(), value, how))
                std::this_thread::sleep_for(pause);
        }});
    });
}

CUresult write_value(const char* name, CUstream handle, CUdeviceptr address, std::uint64_t value, int bytes,
                     unsigned flags) {
    return driver_call(name, Waits::no, [&](Device& current) -> Outcome {
        const auto stream = stream_of(current, handle);
        if (!stream) return stream.outcome;
        if (flags > CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER) return unknown_flags(flags);
        if (Outcome bad = check_place(current, **stream, address, static_cast<std::uint64_t>(bytes)); !bad)
            return bad;
        // Who waits for one half finds the other there.
        for (int part = bytes / 4 - 1; part >= 0; --part)
            if (Outcome bad =
                    (*stream)->device->fill({address + 4u * static_cast<unsigned>(part)}, {4, 1, 1},
                                            static_cast<std::uint32_t>(value >> (32 * part)), 4, **stream);
                !bad)
                return bad;
        return {};
    });
}

}  // namespace

extern "C" {

CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags) {
    return wait_for_value<std::uint32_t>("cuStreamWaitValue32", stream, address, value, flags);
}
CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags) {
    return wait_for_value<std::uint64_t>("cuStreamWaitValue64", stream, address, value, flags);
}
CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags) {
    return write_value("cuStreamWriteValue32", stream, address, value, 4, flags);
}
CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags) {
    return write_value("cuStreamWriteValue64", stream, address, value, 8, flags);
}

// One after the other. Nothing is begun before all are known to be operations.
CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned count, CUstreamBatchMemOpParams* operations,
                               unsigned flags) {
    if (count && !operations) return refuse_null("operations", "cuStreamBatchMemOp");
    constexpr unsigned most = 256;
    const auto known = [](const CUstreamBatchMemOpParams& operation) {
        return operation.operation >= CU_STREAM_MEM_OP_WAIT_VALUE_32 &&
               operation.operation <= CU_STREAM_MEM_OP_BARRIER;
    };
    if (count > most || flags != 0 || !std::all_of(operations, operations + count, known))
        return refuse(cudaErrorInvalidValue,
                      fmt::format("{} operations, flags {:#x}: up to {} of the kinds 1 to {} are possible",
                                  count, flags, most, static_cast<int>(CU_STREAM_MEM_OP_BARRIER)),
                      "cuStreamBatchMemOp");
    for (const CUstreamBatchMemOpParams& one : std::span(operations, count)) {
        CUresult result = CUDA_SUCCESS;
        switch (one.operation) {
            case CU_STREAM_MEM_OP_WAIT_VALUE_32:
                result = cuStreamWaitValue32_v2(stream, one.waitValue.address, one.waitValue.value,
                                                one.waitValue.flags);
                break;
            case CU_STREAM_MEM_OP_WAIT_VALUE_64:
                result = cuStreamWaitValue64_v2(stream, one.waitValue.address, one.waitValue.value64,
                                                one.waitValue.flags);
                break;
            case CU_STREAM_MEM_OP_WRITE_VALUE_32:
                result = cuStreamWriteValue32_v2(stream, one.writeValue.address, one.writeValue.value,
                                                 one.writeValue.flags);
                break;
            case CU_STREAM_MEM_OP_WRITE_VALUE_64:
                result = cuStreamWriteValue64_v2(stream, one.writeValue.address, one.writeValue.value64,
                                                 one.writeValue.flags);
                break;
            // What a stream does is seen in its order: nothing has to be flushed or fenced.
            default: break;
        }
        if (result != CUDA_SUCCESS) return result;
    }
    return CUDA_SUCCESS;
}
}

LOCKSTEP_PER_THREAD(cuStreamBatchMemOp_v2, _ptsz);
LOCKSTEP_PER_THREAD(cuStreamWaitValue32_v2, _ptsz);
LOCKSTEP_PER_THREAD(cuStreamWaitValue64_v2, _ptsz);
LOCKSTEP_PER_THREAD(cuStreamWriteValue32_v2, _ptsz);
LOCKSTEP_PER_THREAD(cuStreamWriteValue64_v2, _ptsz);
