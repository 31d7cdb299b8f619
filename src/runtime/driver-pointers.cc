// What the driver API tells of pointers; fills of rows, pools.
#include <cstring>

#include "runtime/driver.h"

using namespace lockstep::runtime;
using lockstep::exec::Allocation;
using lockstep::exec::MemoryKind;

namespace {

template <class Value>
Outcome give(void* data, Value value) {
    std::memcpy(data, &value, sizeof value);
    return Outcome();
}

bool is_host(const Allocation& a) {
    return a.kind == MemoryKind::pinned || a.kind == MemoryKind::host || a.kind == MemoryKind::located;
}

CUcontext context_of(Device& current, const Allocation& a) {
    return &state_of(a.owner == lockstep::exec::no_device
                         ? current
                         : current.process().device(static_cast<std::size_t>(a.owner)))
                .primary;
}

Outcome attribute(Device& current, void* data, CUpointer_attribute which, CUdeviceptr pointer,
                  const Allocation& a) {
    const int owner = a.owner == lockstep::exec::no_device ? current.number() : a.owner;
    switch (which) {
        case CU_POINTER_ATTRIBUTE_CONTEXT: return give(data, context_of(current, a));
        case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
            return give(data, static_cast<unsigned>(is_host(a) ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE));
        case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: return give(data, pointer);
        case CU_POINTER_ATTRIBUTE_HOST_POINTER:
            if (!is_host(a) && a.kind != MemoryKind::managed) {
                std::memset(data, 0, sizeof(void*));
                return Outcome(Status::invalid_value, "the host cannot use this memory");
            }
            return give(data, at(pointer));
        case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: return give(data, 0);
        case CU_POINTER_ATTRIBUTE_BUFFER_ID: return give(data, static_cast<unsigned long long>(a.address));
        case CU_POINTER_ATTRIBUTE_IS_MANAGED:
            return give(data, static_cast<unsigned>(a.kind == MemoryKind::managed));
        case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: return give(data, owner);
        case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE: {
            const std::lock_guard lock(state().pools.mutex);
            return give(data, static_cast<int>(a.kind == MemoryKind::device &&
                                               !state().pools.taken.contains(at(a.address))));
        }
        case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR: return give(data, static_cast<CUdeviceptr>(a.address));
        case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        case CU_POINTER_ATTRIBUTE_MAPPING_SIZE: return give(data, static_cast<size_t>(a.size));
        case CU_POINTER_ATTRIBUTE_MAPPED: return give(data, 1);
        case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: return give(data, 0ull);
        case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE: return give(data, 0);
        case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
            return give(data, a.kind == MemoryKind::mapped || a.kind == MemoryKind::located
                                  ? static_cast<int>(a.access.of(current.number()))
                                  : static_cast<int>(CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
        case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: {
            const std::lock_guard lock(state().pools.mutex);
            const auto taken = state().pools.taken.find(at(a.address));
            return give(data, taken == state().pools.taken.end() ? nullptr : taken->second.first);
        }
        default:
            return Outcome(Status::invalid_value,
                           fmt::format("there is no attribute {} of pointers here", static_cast<int>(which)));
    }
}

CUresult fill_rows(const char* name, CUdeviceptr to, size_t pitch, std::uint32_t value, int bytes,
                   size_t width, size_t height, CUstream stream) {
    return driver_call(name, Waits::no, [&](Device& current) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        const size_t row = width * static_cast<size_t>(bytes);
        return (*in)->device->fill({to, height > 1 ? pitch : row, height}, {row, height, 1}, value, bytes,
                                   **in);
    });
}

int device_of(CUcontext context) { return context ? context->device : 0; }

}  // namespace

extern "C" {

CUresult cuMemGetAddressRange(CUdeviceptr* base, size_t* size, CUdeviceptr pointer) {
    return driver_call("cuMemGetAddressRange", Waits::no, [&](Device& current) -> Outcome {
        const auto found = current.process().addresses().find(pointer);
        if (!found)
            return Outcome(
                Status::symbol_not_found,
                fmt::format("{:#x} is {}", pointer, current.process().addresses().describe(pointer)));
        if (base) *base = found->address;
        if (size) *size = found->size;
        return {};
    });
}

CUresult cuPointerGetAttribute(void* data, CUpointer_attribute which, CUdeviceptr pointer) {
    return driver_call("cuPointerGetAttribute", Waits::no, [&](Device& current) -> Outcome {
        if (!data) return null_pointer("data");
        const auto found = current.process().addresses().find(pointer);
        if (!found)
            return Outcome(
                Status::invalid_value,
                fmt::format("{:#x} is {}", pointer, current.process().addresses().describe(pointer)));
        return attribute(current, data, which, pointer, *found);
    });
}

// Memory that CUDA does not know of has no attributes, which is no error.
CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute* attributes, void** data,
                                CUdeviceptr pointer) {
    return driver_call("cuPointerGetAttributes", Waits::no, [&](Device& current) -> Outcome {
        if (!attributes || !data) return null_pointer("attributes or data");
        const auto found = current.process().addresses().find(pointer);
        for (unsigned i = 0; i < count; ++i) {
            unsigned char value[8] = {};
            constexpr int no_device = -2;
            if (!found && attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
                std::memcpy(value, &no_device, sizeof no_device);
            if (found) {
                const Outcome got = attribute(current, value, attributes[i], pointer, *found);
                if (!got && attributes[i] != CU_POINTER_ATTRIBUTE_HOST_POINTER) return got;
            }
            size_t size = sizeof(int);
            switch (attributes[i]) {
                case CU_POINTER_ATTRIBUTE_CONTEXT:
                case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
                case CU_POINTER_ATTRIBUTE_HOST_POINTER:
                case CU_POINTER_ATTRIBUTE_BUFFER_ID:
                case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
                case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
                case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
                case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
                case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
                case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: size = 8; break;
                default: break;
            }
            std::memcpy(data[i], value, size);
        }
        return {};
    });
}

// Copies are in order here, with or without it.
CUresult cuPointerSetAttribute(const void* value, CUpointer_attribute which, CUdeviceptr pointer) {
    return driver_call("cuPointerSetAttribute", Waits::no, [&](Device& current) -> Outcome {
        if (!value) return null_pointer("value");
        if (which != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS || !current.process().addresses().find(pointer))
            return Outcome(Status::invalid_value, "this attribute cannot be set, or there is no such memory");
        return {};
    });
}

CUresult cuMemHostGetFlags(unsigned* flags, void* pointer) {
    return forward([&] { return cudaHostGetFlags(flags, pointer); });
}

CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                      size_t count) {
    return forward([&] {
        return cudaMemcpyPeer(at(to), device_of(to_context), at(from), device_of(from_context), count);
    });
}

CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                           size_t count, CUstream stream) {
    return forward([&] {
        return cudaMemcpyPeerAsync(at(to), device_of(to_context), at(from), device_of(from_context), count,
                                   stream);
    });
}

CUresult cuMemsetD2D8(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height) {
    return fill_rows("cuMemsetD2D8", to, pitch, value, 1, width, height, nullptr);
}

CUresult cuMemsetD2D16(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height) {
    return fill_rows("cuMemsetD2D16", to, pitch, value, 2, width, height, nullptr);
}

CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height) {
    return fill_rows("cuMemsetD2D32", to, pitch, value, 4, width, height, nullptr);
}

CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width, size_t height,
                           CUstream stream) {
    return fill_rows("cuMemsetD2D8Async", to, pitch, value, 1, width, height, stream);
}

CUresult cuMemsetD2D16Async(CUdeviceptr to, size_t pitch, unsigned short value, size_t width, size_t height,
                            CUstream stream) {
    return fill_rows("cuMemsetD2D16Async", to, pitch, value, 2, width, height, stream);
}

CUresult cuMemsetD2D32Async(CUdeviceptr to, size_t pitch, unsigned value, size_t width, size_t height,
                            CUstream stream) {
    return fill_rows("cuMemsetD2D32Async", to, pitch, value, 4, width, height, stream);
}

CUresult cuMemAllocAsync(CUdeviceptr* pointer, size_t size, CUstream stream) {
    return forward([&] { return cudaMallocAsync(reinterpret_cast<void**>(pointer), size, stream); });
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr* pointer, size_t size, CUmemoryPool pool, CUstream stream) {
    return forward(
        [&] { return cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), size, pool, stream); });
}

CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
    return forward([&] { return cudaFreeAsync(at(pointer), stream); });
}

// The structures and numbers are the runtime API's.
CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* props) {
    return forward([&] { return cudaMemPoolCreate(pool, reinterpret_cast<const cudaMemPoolProps*>(props)); });
}

CUresult cuMemPoolDestroy(CUmemoryPool pool) {
    return forward([&] { return cudaMemPoolDestroy(pool); });
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t keep) {
    return forward([&] { return cudaMemPoolTrimTo(pool, keep); });
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute which, void* value) {
    return forward([&] { return cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(which), value); });
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute which, void* value) {
    return forward([&] { return cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(which), value); });
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* map, size_t count) {
    return forward(
        [&] { return cudaMemPoolSetAccess(pool, reinterpret_cast<const cudaMemAccessDesc*>(map), count); });
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool, CUmemLocation* location) {
    return forward([&] {
        return cudaMemPoolGetAccess(reinterpret_cast<cudaMemAccessFlags*>(flags), pool,
                                    reinterpret_cast<cudaMemLocation*>(location));
    });
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
    return forward([&] { return cudaDeviceGetDefaultMemPool(pool, device); });
}

CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
    return forward([&] { return cudaDeviceGetMemPool(pool, device); });
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
    return forward([&] { return cudaDeviceSetMemPool(device, pool); });
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type) {
    return forward([&] {
        return cudaMemGetDefaultMemPool(pool, reinterpret_cast<cudaMemLocation*>(location),
                                        static_cast<cudaMemAllocationType>(type));
    });
}

CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type) {
    return forward([&] {
        return cudaMemGetMemPool(pool, reinterpret_cast<cudaMemLocation*>(location),
                                 static_cast<cudaMemAllocationType>(type));
    });
}

CUresult cuMemSetMemPool(CUmemLocation* location, CUmemAllocationType type, CUmemoryPool pool) {
    return forward([&] {
        return cudaMemSetMemPool(reinterpret_cast<cudaMemLocation*>(location),
                                 static_cast<cudaMemAllocationType>(type), pool);
    });
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr pointer, size_t count, CUmemLocation location, unsigned flags,
                               CUstream stream) {
    return forward([&] {
        return cudaMemPrefetchAsync_v2(at(pointer), count,
                                       {static_cast<cudaMemLocationType>(location.type), location.id}, flags,
                                       stream);
    });
}

CUresult cuMemAdvise_v2(CUdeviceptr pointer, size_t count, CUmem_advise advice, CUmemLocation location) {
    return forward([&] {
        return cudaMemAdvise_v2(at(pointer), count, static_cast<cudaMemoryAdvise>(advice),
                                {static_cast<cudaMemLocationType>(location.type), location.id});
    });
}

CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t count, CUdevice device, CUstream stream) {
    const bool host = device == CU_DEVICE_CPU;
    return cuMemPrefetchAsync_v2(
        pointer, count, {host ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE, host ? 0 : device},
        0, stream);
}

CUresult cuMemAdvise(CUdeviceptr pointer, size_t count, CUmem_advise advice, CUdevice device) {
    const bool host = device == CU_DEVICE_CPU;
    return cuMemAdvise_v2(
        pointer, count, advice,
        {host ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE, host ? 0 : device});
}

CUresult cuMemRangeGetAttribute(void* data, size_t size, CUmem_range_attribute attribute, CUdeviceptr pointer,
                                size_t count) {
    return forward([&] {
        return cudaMemRangeGetAttribute(data, size, static_cast<cudaMemRangeAttribute>(attribute),
                                        at(pointer), count);
    });
}

CUresult cuMemRangeGetAttributes(void** data, size_t* sizes, CUmem_range_attribute* attributes, size_t number,
                                 CUdeviceptr pointer, size_t count) {
    static_assert(sizeof *attributes == sizeof(cudaMemRangeAttribute));
    return forward([&] {
        return cudaMemRangeGetAttributes(data, sizes, reinterpret_cast<cudaMemRangeAttribute*>(attributes),
                                         number, at(pointer), count);
    });
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
    return driver_call("cuStreamGetCtx", Waits::no, [&](Device& current) -> Outcome {
        const auto in = stream_of(current, stream);
        if (!in) return in.outcome;
        if (!context) return null_pointer("context");
        CUcontext now = nullptr;
        cuCtxGetCurrent(&now);
        *context = now && now->device == (*in)->device->number() ? now : &state_of(*(*in)->device).primary;
        return {};
    });
}

CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext* context, CUgreenCtx* green) {
    if (!green) return refuse_null("green");
    *green = nullptr;
    return cuStreamGetCtx(stream, context);
}

CUresult cuStreamGetDevice(CUstream stream, CUdevice* device) {
    return forward([&] { return cudaStreamGetDevice(stream, device); });
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, size_t length, unsigned flags) {
    return forward([&] { return cudaStreamAttachMemAsync(stream, at(pointer), length, flags); });
}
}
