#include <fmt/format.h>

#include <cstring>
#include <mutex>

#include "runtime/call.h"
#include "runtime/per-thread.h"

using namespace lockstep::runtime;
using lockstep::session::Stream;

namespace {

using lockstep::session::highest_priority;
using lockstep::session::lowest_priority;

template <class Body>
cudaError_t with_stream(const char* name, Waits waits, cudaStream_t handle, Body&& body) {
    return call(name, waits, [&](Device& current) -> Outcome {
        const auto stream = stream_of(current, handle);
        if (!stream) return stream.outcome;
        return body(*(*stream)->device, **stream);
    });
}

cudaError_t create(const char* name, cudaStream_t* handle, unsigned flags, int priority) {
    return call(name, Waits::no, [&](Device& current) -> Outcome {
        if (!handle) return null_pointer("stream");
        if ((flags & ~static_cast<unsigned>(cudaStreamNonBlocking)) != 0) return unknown_flags(flags);
        priority = std::max(highest_priority, std::min(lowest_priority, priority));
        *handle = reinterpret_cast<cudaStream_t>(current.create_stream(flags, priority));
        return {};
    });
}

// Those that a stream can have.
Outcome check_stream_attribute(cudaStreamAttrID attribute, const cudaStreamAttrValue* value) {
    if (!value) return null_pointer("value");
    switch (attribute) {
        case cudaLaunchAttributeAccessPolicyWindow:
        case cudaLaunchAttributeSynchronizationPolicy:
        case cudaLaunchAttributePriority:
        case cudaLaunchAttributeMemSyncDomainMap:
        case cudaLaunchAttributeMemSyncDomain: return {};
        default:
            return Outcome(Status::invalid_value,
                           fmt::format("attribute {} is none of a stream's", static_cast<int>(attribute)));
    }
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return create("cudaStreamCreate", stream, 0, 0); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    return create("cudaStreamCreateWithFlags", stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
    return create("cudaStreamCreateWithPriority", stream, flags, priority);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    return call("cudaDeviceGetStreamPriorityRange", Waits::no, [&](Device&) -> Outcome {
        if (least) *least = lowest_priority;
        if (greatest) *greatest = highest_priority;
        return {};
    });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return call("cudaStreamDestroy", Waits::no, [&](Device& current) -> Outcome {
        const auto found = current.process().find_stream(stream);
        if (!found || !found->device->destroy_stream(stream)) {
            note_unknown(stream);
            return Outcome(Status::invalid_handle, "no such stream");
        }
        return {};
    });
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
    return with_stream("cudaStreamGetPriority", Waits::no, handle, [&](Device&, Stream& stream) -> Outcome {
        if (!priority) return null_pointer("priority");
        *priority = stream.priority;
        return {};
    });
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned* flags) {
    return with_stream("cudaStreamGetFlags", Waits::no, handle, [&](Device&, Stream& stream) -> Outcome {
        if (!flags) return null_pointer("flags");
        *flags = stream.flags;
        return {};
    });
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
    return with_stream("cudaStreamGetId", Waits::no, handle, [&](Device&, Stream& stream) -> Outcome {
        if (!id) return null_pointer("id");
        *id = stream.id;
        return {};
    });
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device) {
    return with_stream("cudaStreamGetDevice", Waits::no, handle, [&](Device& owner, Stream&) -> Outcome {
        if (!device) return null_pointer("device");
        *device = owner.number();
        return {};
    });
}

cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue* value) {
    return with_stream("cudaStreamGetAttribute", Waits::no, handle, [&](Device&, Stream& stream) -> Outcome {
        if (Outcome bad = check_stream_attribute(attribute, value); !bad) return bad;
        *value = {};
        if (attribute == cudaLaunchAttributePriority) {
            value->priority = stream.priority;
            return {};
        }
        const std::lock_guard lock(stream.attributes->mutex);
        const auto kept = stream.attributes->kept.find(attribute);
        if (kept != stream.attributes->kept.end()) std::memcpy(value, kept->second.data(), sizeof *value);
        return {};
    });
}

cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue* value) {
    return with_stream("cudaStreamSetAttribute", Waits::no, handle, [&](Device&, Stream& stream) -> Outcome {
        if (Outcome bad = check_stream_attribute(attribute, value); !bad) return bad;
        if (attribute == cudaLaunchAttributePriority) {
            stream.device->set_priority(stream, value->priority);
            return {};
        }
        if (attribute == cudaLaunchAttributeAccessPolicyWindow) {
            const cudaAccessPolicyWindow& window = value->accessPolicyWindow;
            if (!(window.hitRatio >= 0 && window.hitRatio <= 1) ||
                window.missProp == cudaAccessPropertyPersisting)
                return Outcome(Status::invalid_value,
                               fmt::format("a share of {} that hits, or misses that persist (property {})",
                                           window.hitRatio, static_cast<int>(window.missProp)));
        }
        const int policy = static_cast<int>(value->syncPolicy),
                  domain = static_cast<int>(value->memSyncDomain);
        if ((attribute == cudaLaunchAttributeSynchronizationPolicy &&
             (policy < cudaSyncPolicyAuto || policy > cudaSyncPolicyBlockingSync)) ||
            (attribute == cudaLaunchAttributeMemSyncDomain &&
             (domain < cudaLaunchMemSyncDomainDefault || domain > cudaLaunchMemSyncDomainRemote)))
            return Outcome(Status::invalid_value,
                           fmt::format("attribute {} cannot be {}", static_cast<int>(attribute), policy));
        const std::lock_guard lock(stream.attributes->mutex);
        auto& kept = stream.attributes->kept[attribute];
        static_assert(sizeof *value == sizeof kept);
        std::memcpy(kept.data(), value, sizeof kept);
        return {};
    });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
    return with_stream(
        "cudaStreamCopyAttributes", Waits::no, to, [&](Device& current, Stream& stream) -> Outcome {
            const auto source = stream_of(current, from);
            if (!source) return source.outcome;
            if ((*source)->attributes == stream.attributes) return {};
            const std::scoped_lock lock(stream.attributes->mutex, (*source)->attributes->mutex);
            stream.attributes->kept = (*source)->attributes->kept;
            stream.device->set_priority(stream, (*source)->priority);
            return {};
        });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned flags) {
    return with_stream("cudaStreamWaitEvent", Waits::no, handle,
                       [&](Device& current, Stream& stream) -> Outcome {
                           if (flags > cudaEventWaitExternal) return unknown_flags(flags);
                           const auto found = current.process().find_event(event);
                           if (!found) {
                               note_unknown(event);
                               return Outcome(Status::invalid_handle, "no such event");
                           }
                           return current.wait_event(stream, found, flags == cudaEventWaitExternal);
                       });
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback, void* data,
                                  unsigned flags) {
    return with_stream(
        "cudaStreamAddCallback", Waits::no, handle, [&](Device& current, Stream& stream) -> Outcome {
            if (!callback) return null_pointer("callback");
            if (flags != 0) return unknown_flags(flags);
            return current.host_function(
                stream, {[handle, callback, data](Device& device) {
                    const HostFunctionScope scope;
                    callback(handle, static_cast<cudaError_t>(device.errors().at_call(true)), data);
                }});
        });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
    return with_stream("cudaStreamSynchronize", Waits::yes, handle,
                       [](Device& current, Stream& stream) -> Outcome {
                           if (Outcome bad = check_capture(current, "waiting for a stream"); !bad) return bad;
                           return current.synchronize(stream);
                       });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
    return with_stream("cudaStreamQuery", Waits::yes, handle, [](Device& current, Stream& stream) -> Outcome {
        if (Outcome bad = check_capture(current, "a question about a stream"); !bad) return bad;
        return current.query(stream);
    });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void* pointer, size_t length, unsigned flags) {
    return with_stream(
        "cudaStreamAttachMemAsync", Waits::no, handle, [&](Device& current, Stream& stream) -> Outcome {
            if (Outcome bad = current.process().captures().forbid(stream, "this"); !bad) return bad;
            const auto found = current.process().addresses().find(address_of(pointer));
            const bool managed = found && found->kind == lockstep::exec::MemoryKind::managed;
            if (!managed || flags == 0 || flags > cudaMemAttachSingle)
                return Outcome(Status::invalid_value, "not managed memory, or unknown flags");
            if (length != 0 && length != found->size)
                return Outcome(
                    Status::invalid_value,
                    fmt::format("{} of {} bytes; all are attached, or 0 for all", length, found->size));
            return {};
        });
}
}

LOCKSTEP_PER_THREAD(cudaStreamGetPriority, _ptsz);
LOCKSTEP_PER_THREAD(cudaStreamGetFlags, _ptsz);
LOCKSTEP_PER_THREAD(cudaStreamGetId, _ptsz);
LOCKSTEP_PER_THREAD(cudaStreamGetDevice, _ptsz);
LOCKSTEP_PER_THREAD(cudaStreamGetAttribute, _ptsz);
LOCKSTEP_PER_THREAD(cudaStreamSetAttribute, _ptsz);
LOCKSTEP_PER_THREAD(cudaStreamCopyAttributes, _ptsz);
LOCKSTEP_PER_THREAD(cudaStreamWaitEvent, _ptsz);
LOCKSTEP_PER_THREAD(cudaStreamAddCallback, _ptsz);
LOCKSTEP_PER_THREAD(cudaStreamSynchronize, _ptsz);
LOCKSTEP_PER_THREAD(cudaStreamQuery, _ptsz);
LOCKSTEP_PER_THREAD(cudaStreamAttachMemAsync, _ptsz);
