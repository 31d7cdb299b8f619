// The frame of every API function: errors, devices and streams of a call.
#pragma once
#include <fmt/format.h>

#include <memory>
#include <new>
#include <string>

#include "runtime/api.h"
#include "runtime/state.h"
#include "session/device.h"

namespace lockstep::runtime {

using session::Device;
using session::Found;
using session::Outcome;
using session::Status;

inline session::Registry& registry() { return state().registry; }

// This thread's device. Null where there is no process; the reason has been printed.
Device* current_device();
void make_current(const Device& device);
// The primary context of this thread's device is the current one, where none is.
void enter_primary();
DeviceState& state_of(const Device& device);
// By the number that a program gave.
Found<Device*> device_numbered(session::Process& process, int number);

// A call's end: notes the outcome as this thread's last error, and tells the reason where it should be told.
cudaError_t finish(const char* function, const Outcome& outcome);

cudaError_t last_error();
void clear_last_error();
// For the driver API, which leaves the runtime's last error alone.
cudaError_t exchange_last_error(cudaError_t error);

// While it lives, calls of this thread are the driver API's own: what fails is told of its function, with its
// name for the error. Other calls make the device's primary context current where none is, which programs
// that mix both APIs rely on.
class DriverScope {
  public:
    explicit DriverScope(const char* function);
    ~DriverScope();
    DriverScope(const DriverScope&) = delete;
    DriverScope& operator=(const DriverScope&) = delete;

  private:
    const char* const outer_;
};
void note_call();

// While it lives, this thread runs a host function, or a callback, of the program's.
class HostFunctionScope {
  public:
    HostFunctionScope();
    ~HostFunctionScope();
    HostFunctionScope(const HostFunctionScope&) = delete;
    HostFunctionScope& operator=(const HostFunctionScope&) = delete;

  private:
    base::ProgramWork program_;
};
bool in_host_function();

// While it lives, the null stream is this thread's default stream (functions that end in _ptsz or _ptds).
class ThreadStreamScope {
  public:
    ThreadStreamScope();
    ~ThreadStreamScope();
    ThreadStreamScope(const ThreadStreamScope&) = delete;
    ThreadStreamScope& operator=(const ThreadStreamScope&) = delete;
};
// The stream that a handle means in this call.
Found<std::shared_ptr<session::Stream>> stream_of(Device& current, const void* handle);

// For who looks for bugs: a program gave a handle that is none, perhaps of something that it has destroyed.
void note_unknown(const void* handle);
void note_destroyed(const void* handle, const char* what);

// Whether a call waits for the device's work, and so reports a kernel's fault.
enum class Waits : bool { no, yes };

// While it lives, this thread is in a call of this function, for the profile.
class NotedCall {
  public:
    NotedCall(session::Process* process, const char* function) : process_(process) {
        if (process_) process_->begin_call(function);
    }
    ~NotedCall() {
        if (process_) process_->end_call();
    }
    NotedCall(const NotedCall&) = delete;
    NotedCall& operator=(const NotedCall&) = delete;

  private:
    session::Process* const process_;  // null: it could not be made
};

// The frame of every API function.
template <class Body>
cudaError_t call(const char* function, Waits waits, Body&& body) {
    const LockstepScope lockstep;
    Device* current = current_device();
    if (!current) return finish(function, Status::initialization_error);
    note_call();
    const NotedCall noted(&current->process(), function);
    const Status before = current->errors().at_call(waits == Waits::yes);
    if (before != Status::success) return finish(function, before);
    if (in_host_function())
        return finish(function,
                      Outcome(Status::not_permitted, "a host function must not call CUDA's functions", true));
    try {
        return finish(function, body(*current));
    } catch (const std::bad_alloc&) {
        return finish(function, Outcome(Status::memory_allocation, "the host is out of memory", true));
    }
}

// For calls that may have to wait for the device's work, or that work may have to wait for: they are not
// possible while streams are captured, unless the program says that it knows what it does.
inline Outcome check_capture(Device& current, const char* what) {
    return current.process().captures().check_unsafe(this_thread().capture_mode, what);
}

// An argument that a function writes to, or reads from, is null.
inline Outcome null_pointer(const char* argument) {
    return {Status::invalid_value, fmt::format("the argument {} is a null pointer", argument)};
}
inline Outcome unknown_flags(unsigned flags) {
    return {Status::invalid_value, fmt::format("there are no such flags as {:#x}", flags)};
}

inline std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }
inline void* pointer_to(std::uint64_t address) { return reinterpret_cast<void*>(address); }

// What cudaDeviceReset does to memory pools of a device.
void reset_pools(Device& device);

// 12050 or 13000: defined once for each of the two libraries.
int runtime_version();
constexpr int driver_version = 13000;

}  // namespace lockstep::runtime
