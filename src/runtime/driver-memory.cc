// Memory, streams and events of the driver API: the runtime API's, under other names.
#include "runtime/driver.h"

using namespace lockstep::runtime;

namespace {

void** out(CUdeviceptr* pointer) { return reinterpret_cast<void**>(pointer); }

CUresult fill(const char* name, CUdeviceptr to, std::uint32_t value, int value_bytes, size_t count,
              CUstream stream) {
    return driver_call(name, Waits::no, [&](Device& current) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        if (count > ~size_t{0} / static_cast<size_t>(value_bytes))
            return Outcome(Status::invalid_value, fmt::format("{} values of {} bytes", count, value_bytes));
        const size_t bytes = count * static_cast<size_t>(value_bytes);
        return (*in)->device->fill({to, bytes, 1}, {bytes, 1, 1}, value, value_bytes, **in);
    });
}

}  // namespace

extern "C" {

CUresult cuMemGetInfo(size_t* free, size_t* total) {
    return forward([&] { return cudaMemGetInfo(free, total); });
}

// Unlike cudaMalloc, no bytes are too few.
CUresult cuMemAlloc(CUdeviceptr* pointer, size_t size) {
    if (size == 0) return refuse(cudaErrorInvalidValue, "no bytes are asked for");
    return forward([&] { return cudaMalloc(out(pointer), size); });
}

CUresult cuMemAllocPitch(CUdeviceptr* pointer, size_t* pitch, size_t width, size_t height,
                         unsigned element_size) {
    if (element_size != 4 && element_size != 8 && element_size != 16)
        return refuse(cudaErrorInvalidValue,
                      fmt::format("elements of {} bytes; 4, 8 or 16 are possible", element_size));
    return forward([&] { return cudaMallocPitch(out(pointer), pitch, width, height); });
}

CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t size, unsigned flags) {
    if (size == 0) return refuse(cudaErrorInvalidValue, "no bytes are asked for");
    return forward([&] { return cudaMallocManaged(out(pointer), size, flags); });
}

CUresult cuMemFree(CUdeviceptr pointer) {
    return forward_anywhere([&] { return cudaFree(at(pointer)); });
}

CUresult cuMemAllocHost(void** pointer, size_t size) {
    return forward([&] { return cudaMallocHost(pointer, size); });
}

CUresult cuMemFreeHost(void* pointer) {
    return forward([&] { return cudaFreeHost(pointer); });
}

CUresult cuMemHostAlloc(void** pointer, size_t size, unsigned flags) {
    return forward([&] { return cudaHostAlloc(pointer, size, flags); });
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr* device, void* host, unsigned flags) {
    return forward([&] { return cudaHostGetDevicePointer(out(device), host, flags); });
}

CUresult cuMemHostRegister(void* pointer, size_t size, unsigned flags) {
    return forward([&] { return cudaHostRegister(pointer, size, flags); });
}

CUresult cuMemHostUnregister(void* pointer) {
    return forward([&] { return cudaHostUnregister(pointer); });
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t count) {
    return forward([&] { return cudaMemcpy(at(to), at(from), count, cudaMemcpyDefault); });
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t count) {
    return forward([&] { return cudaMemcpy(at(to), from, count, cudaMemcpyHostToDevice); });
}

CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t count) {
    return forward([&] { return cudaMemcpy(to, at(from), count, cudaMemcpyDeviceToHost); });
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t count) {
    return forward([&] { return cudaMemcpy(at(to), at(from), count, cudaMemcpyDeviceToDevice); });
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t count, CUstream stream) {
    return forward([&] { return cudaMemcpyAsync(at(to), at(from), count, cudaMemcpyDefault, stream); });
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t count, CUstream stream) {
    return forward([&] { return cudaMemcpyAsync(at(to), from, count, cudaMemcpyHostToDevice, stream); });
}

CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t count, CUstream stream) {
    return forward([&] { return cudaMemcpyAsync(to, at(from), count, cudaMemcpyDeviceToHost, stream); });
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t count, CUstream stream) {
    return forward(
        [&] { return cudaMemcpyAsync(at(to), at(from), count, cudaMemcpyDeviceToDevice, stream); });
}

CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
    return fill("cuMemsetD8", to, value, 1, count, nullptr);
}

CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) {
    return fill("cuMemsetD16", to, value, 2, count, nullptr);
}

CUresult cuMemsetD32(CUdeviceptr to, unsigned value, size_t count) {
    return fill("cuMemsetD32", to, value, 4, count, nullptr);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
    return fill("cuMemsetD8Async", to, value, 1, count, stream);
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
    return fill("cuMemsetD16Async", to, value, 2, count, stream);
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
    return fill("cuMemsetD32Async", to, value, 4, count, stream);
}

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
    return forward([&] { return cudaStreamCreateWithFlags(stream, flags); });
}

CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
    return forward([&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}

CUresult cuStreamDestroy(CUstream stream) {
    return forward([&] { return cudaStreamDestroy(stream); });
}

CUresult cuStreamSynchronize(CUstream stream) {
    return forward([&] { return cudaStreamSynchronize(stream); });
}

CUresult cuStreamQuery(CUstream stream) {
    return forward([&] { return cudaStreamQuery(stream); });
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
    return forward([&] { return cudaStreamWaitEvent(stream, event, flags); });
}

CUresult cuStreamGetPriority(CUstream stream, int* priority) {
    return forward([&] { return cudaStreamGetPriority(stream, priority); });
}

CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
    return forward([&] { return cudaStreamGetFlags(stream, flags); });
}

CUresult cuStreamGetId(CUstream stream, unsigned long long* id) {
    return forward([&] { return cudaStreamGetId(stream, id); });
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data, unsigned flags) {
    return driver_call("cuStreamAddCallback", Waits::no, [&](Device& current) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        if (!callback) return null_pointer("callback");
        if (flags != 0) return unknown_flags(flags);
        return (*in)->device->host_function(**in, {[stream, callback, data](Device& device) {
            const HostFunctionScope scope;
            callback(stream, driver_result(static_cast<cudaError_t>(device.errors().at_call(true))), data);
        }});
    });
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
    return forward([&] { return cudaLaunchHostFunc(stream, function, data); });
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
    return forward([&] { return cudaEventRecordWithFlags(event, stream, flags); });
}

CUresult cuEventCreate(CUevent* event, unsigned flags) {
    return forward([&] { return cudaEventCreateWithFlags(event, flags); });
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
    return forward([&] { return cudaEventRecord(event, stream); });
}

CUresult cuEventQuery(CUevent event) {
    return forward([&] { return cudaEventQuery(event); });
}

CUresult cuEventSynchronize(CUevent event) {
    return forward([&] { return cudaEventSynchronize(event); });
}

CUresult cuEventDestroy(CUevent event) {
    return forward([&] { return cudaEventDestroy(event); });
}

CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
    return forward([&] { return cudaEventElapsedTime(milliseconds, start, end); });
}

// CUDA 12.8's, which differs in how exact it is.
CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end) {
    return cuEventElapsedTime(milliseconds, start, end);
}

// Both APIs have the same attributes, and values for them.
CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID attribute, CUstreamAttrValue* value) {
    return forward([&] {
        return cudaStreamGetAttribute(stream, static_cast<cudaLaunchAttributeID>(attribute),
                                      reinterpret_cast<cudaLaunchAttributeValue*>(value));
    });
}

CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID attribute, const CUstreamAttrValue* value) {
    return forward([&] {
        return cudaStreamSetAttribute(stream, static_cast<cudaLaunchAttributeID>(attribute),
                                      reinterpret_cast<const cudaLaunchAttributeValue*>(value));
    });
}

CUresult cuStreamCopyAttributes(CUstream to, CUstream from) {
    return forward([&] { return cudaStreamCopyAttributes(to, from); });
}
}
