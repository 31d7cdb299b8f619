// Memory pools between processes: a pool is shown by the file that holds its device's shared memory, and each
// piece of memory by its place in that file.
#include <fcntl.h>
#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <memory>
#include <mutex>

#include "runtime/driver.h"
#include "session/shared-memory.h"

using namespace lockstep::runtime;
using lockstep::session::SharedHandle;

namespace lockstep::runtime {

std::optional<Outcome> free_imported(session::Process& process, void* pointer) {
    {
        const std::lock_guard lock(state().pools.mutex);
        if (!state().pools.imported.contains(pointer)) return std::nullopt;
        state().pools.imported.erase(pointer);
    }
    return state().shared_memory.close(process, address_of(pointer));
}

}  // namespace lockstep::runtime

namespace {

// With the pools' mutex held.
Found<CUmemPoolHandle_st*> made_pool(cudaMemPool_t pool) {
    const auto found = state().pools.made.find(pool);
    if (found == state().pools.made.end())
        return Outcome(Status::invalid_value, "no such memory pool, or a device's own, which is not shared");
    return found->second.get();
}

Outcome check_type(cudaMemAllocationHandleType type) {
    if (type == cudaMemHandleTypePosixFileDescriptor) return {};
    return Outcome(Status::invalid_value, "handles of pools are files here");
}

}  // namespace

extern "C" {

cudaError_t cudaMemPoolExportToShareableHandle(void* handle, cudaMemPool_t pool,
                                               enum cudaMemAllocationHandleType type, unsigned flags) {
    return call("cudaMemPoolExportToShareableHandle", Waits::no, [&](Device& current) -> Outcome {
        if (!handle) return null_pointer("shareableHandle");
        if (flags != 0) return unknown_flags(flags);
        if (Outcome bad = check_type(type); !bad) return bad;
        const std::lock_guard lock(state().pools.mutex);
        const auto found = made_pool(pool);
        if (!found) return found.outcome;
        if (!(*found)->shareable)
            return Outcome(Status::invalid_value, "the pool was made without handleTypes");
        Device& owner = current.process().device(static_cast<std::size_t>((*found)->device));
        const int file = fcntl(owner.memory().shared_file(), F_DUPFD_CLOEXEC, 0);
        if (file < 0) return Outcome(Status::operating_system, "the system refuses one more open file");
        std::memcpy(handle, &file, sizeof file);
        return {};
    });
}

// The handle is the file's number, in the place of a pointer.
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t* pool, void* handle,
                                                 enum cudaMemAllocationHandleType type, unsigned flags) {
    return call("cudaMemPoolImportFromShareableHandle", Waits::no, [&](Device& current) -> Outcome {
        if (!pool) return null_pointer("pool");
        if (flags != 0) return unknown_flags(flags);
        if (Outcome bad = check_type(type); !bad) return bad;
        const int file = static_cast<int>(address_of(handle));
        const int number =
            lockstep::session::number_in(lockstep::session::shared_name(file), "lockstep device ");
        if (number < 0)
            return Outcome(Status::unknown, fmt::format("file {} is no handle of a memory pool", file));
        if (const auto device = device_numbered(current.process(), number); !device) return device.outcome;
        auto made = std::make_unique<CUmemPoolHandle_st>();
        made->device = number;
        made->import = std::make_shared<lockstep::session::OpenFile>(fcntl(file, F_DUPFD_CLOEXEC, 0));
        if (!*made->import) return Outcome(Status::operating_system, "the system refuses one more open file");
        const std::lock_guard lock(state().pools.mutex);
        *pool = made.get();
        state().pools.made.emplace(*pool, std::move(made));
        return {};
    });
}

cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData* data, void* pointer) {
    return call("cudaMemPoolExportPointer", Waits::yes, [&](Device& current) -> Outcome {
        if (!data) return null_pointer("exportData");
        {
            const std::lock_guard lock(state().pools.mutex);
            const auto taken = state().pools.taken.find(pointer);
            const auto pool = taken == state().pools.taken.end() ? nullptr : *made_pool(taken->second.first);
            if (!pool || !pool->shareable)
                return Outcome(Status::invalid_value,
                               fmt::format("{} is no memory of a pool that is shared", pointer));
        }
        const auto shown = state().shared_memory.show(current.process(), address_of(pointer));
        if (!shown) return shown.outcome;
        *data = std::bit_cast<cudaMemPoolPtrExportData>(*shown);
        return {};
    });
}

cudaError_t cudaMemPoolImportPointer(void** pointer, cudaMemPool_t pool,
                                     struct cudaMemPoolPtrExportData* data) {
    return call("cudaMemPoolImportPointer", Waits::yes, [&](Device& current) -> Outcome {
        if (!pointer || !data) return null_pointer("ptr or exportData");
        const auto shared = std::bit_cast<SharedHandle>(*data);
        std::shared_ptr<lockstep::session::OpenFile> file;
        {
            const std::lock_guard lock(state().pools.mutex);
            const auto found = made_pool(pool);
            if (!found) return found.outcome;
            file = (*found)->import;
        }
        if (!file) return Outcome(Status::invalid_value, "the pool was not imported");
        if (!is_handle(shared, SharedHandle::Kind::memory))
            return Outcome(Status::invalid_value, "this is nothing that cudaMemPoolExportPointer gave");
        const auto address = state().shared_memory.open(current.process(), shared, file->number());
        if (!address) return address.outcome;
        *pointer = pointer_to(*address);
        const std::lock_guard lock(state().pools.mutex);
        state().pools.imported.insert(*pointer);
        return {};
    });
}

CUresult cuMemPoolExportToShareableHandle(void* handle, CUmemoryPool pool, CUmemAllocationHandleType type,
                                          unsigned long long flags) {
    return forward([&] {
        return cudaMemPoolExportToShareableHandle(
            handle, pool, static_cast<cudaMemAllocationHandleType>(type), static_cast<unsigned>(flags));
    });
}

CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool* pool, void* handle, CUmemAllocationHandleType type,
                                            unsigned long long flags) {
    return forward([&] {
        return cudaMemPoolImportFromShareableHandle(
            pool, handle, static_cast<cudaMemAllocationHandleType>(type), static_cast<unsigned>(flags));
    });
}

CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData* data, CUdeviceptr pointer) {
    return forward([&] {
        return cudaMemPoolExportPointer(reinterpret_cast<cudaMemPoolPtrExportData*>(data), at(pointer));
    });
}

CUresult cuMemPoolImportPointer(CUdeviceptr* pointer, CUmemoryPool pool, CUmemPoolPtrExportData* data) {
    return forward([&] {
        return cudaMemPoolImportPointer(reinterpret_cast<void**>(pointer), pool,
                                        reinterpret_cast<cudaMemPoolPtrExportData*>(data));
    });
}
}
