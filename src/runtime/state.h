// The process-wide state of the library: the registry, the session, and each thread's last error.
#pragma once
#include <fmt/format.h>

#include <memory>
#include <new>
#include <string>

#include "runtime/api.h"
#include "session/session.h"

namespace lockstep::runtime {

using session::Found;
using session::Outcome;
using session::Session;
using session::Status;

// What the program's constructors have registered. Guarded by its own mutex.
session::Registry& registry();

// The session, made at its first use. Null where it could not be made; the reason has been printed.
Session* session();
// The session if there is one already.
Session* existing_session();

// Prints "lockstep: MESSAGE" to stderr; the same message only once.
void report(const std::string& message);

// A call's end: notes the outcome as this thread's last error, and tells the reason where it should be told.
cudaError_t finish(const char* function, const Outcome& outcome);

cudaError_t last_error();
void clear_last_error();
// For the driver API, which leaves the runtime's last error alone.
cudaError_t exchange_last_error(cudaError_t error);

// While it lives, calls of this thread are the driver API's own; other calls make the runtime's context
// exist, which programs that mix both APIs rely on.
class DriverScope {
  public:
    DriverScope();
    ~DriverScope();
    DriverScope(const DriverScope&) = delete;
    DriverScope& operator=(const DriverScope&) = delete;
};
void note_call();
bool runtime_was_called();

// While it lives, this thread runs a host function, or a callback, of the program's.
class HostFunctionScope {
  public:
    HostFunctionScope();
    ~HostFunctionScope();
    HostFunctionScope(const HostFunctionScope&) = delete;
    HostFunctionScope& operator=(const HostFunctionScope&) = delete;
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
Found<std::shared_ptr<session::Stream>> stream_of(Session& current, const void* handle);

// Tells the session when the program is in a call.
class CallScope {
  public:
    explicit CallScope(Session& current) : current_(current) { current_.begin_call(); }
    ~CallScope() { current_.end_call(); }
    CallScope(const CallScope&) = delete;
    CallScope& operator=(const CallScope&) = delete;

  private:
    Session& current_;
};

// Whether a call waits for the device's work, and so reports a kernel's fault.
enum class Waits : bool { no, yes };

// The frame of every API function.
template <class Body>
cudaError_t call(const char* function, Waits waits, Body&& body) {
    note_call();
    Session* current = session();
    if (!current) return finish(function, Status::initialization_error);
    const Status before = current->errors().at_call(waits == Waits::yes);
    if (before != Status::success) return finish(function, before);
    if (in_host_function())
        return finish(function,
                      Outcome(Status::not_permitted, "a host function must not call CUDA's functions", true));
    const CallScope scope(*current);
    try {
        return finish(function, body(*current));
    } catch (const std::bad_alloc&) {
        return finish(function, Outcome(Status::memory_allocation, "the host is out of memory", true));
    }
}

// An argument that a function writes to, or reads from, is null.
inline Outcome null_pointer(const char* argument) {
    return {Status::invalid_value, fmt::format("the argument {} is a null pointer", argument)};
}
inline Outcome unknown_flags(unsigned flags) {
    return {Status::invalid_value, fmt::format("there are no such flags as {:#x}", flags)};
}
inline Outcome no_device(int device) {
    return {Status::invalid_device,
            fmt::format("there is one device, number 0; device {} was asked for", device)};
}

inline std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }
inline void* pointer_to(std::uint64_t address) { return reinterpret_cast<void*>(address); }

// What cudaDeviceReset does to memory pools.
void reset_pools();

// 12050 or 13000: defined once for each of the two libraries.
int runtime_version();
constexpr int driver_version = 13000;

}  // namespace lockstep::runtime
