#include "runtime/call.h"

#include <cctype>
#include <mutex>
#include <utility>

#include "runtime/driver.h"
#include "runtime/logs.h"
#include "session/checker.h"

namespace lockstep::runtime {
namespace {

// Reasons that differ in addresses and sizes only are of one kind.
std::string kind_of(const std::string& message) {
    std::string kind;
    for (std::size_t i = 0; i < message.size();) {
        kind += message[i];
        if (!std::isdigit(static_cast<unsigned char>(message[i++]))) continue;
        kind.back() = '#';
        while (i < message.size() && std::isalnum(static_cast<unsigned char>(message[i]))) ++i;
    }
    return kind;
}

// One line for the first of a kind, and one that says that there are more: a loop of failing calls would
// bury everything else.
void tell(const std::string& called, const Outcome& outcome, cudaError_t error, const char* error_name,
          session::Verbosity verbosity) {
    const std::string message = fmt::format("{}: {} ({})", called, outcome.reason, error_name);
    if (verbosity == session::Verbosity::all) return print(message);
    // Who asks whether work is done expects that it is not.
    if (error == cudaErrorNotReady) return;
    if (!outcome.notable && verbosity == session::Verbosity::quiet) return;
    if (!outcome.notable && verbosity == session::Verbosity::first) {
        const std::lock_guard lock(state().reported_mutex);
        const int count = ++state().failures[kind_of(message)];
        if (count > 2) return;
        if (count == 2)
            return print(fmt::format("{}: {} again, for such a reason; LOCKSTEP_VERBOSE=1 tells all", called,
                                     error_name));
    }
    report(message);
}

// What the program called, and what it calls the error.
struct Names {
    std::string function;
    const char* error = nullptr;
    int code = 0;
};

Names names_of(const char* function, cudaError_t error) {
    const DialectNames& dialect = state().dialect;
    if (dialect.function) return {dialect.function(function), dialect.error(error), error};
    if (!this_thread().driver_function) return {function, cudaGetErrorName(error), error};
    const CUresult result = driver_result(error);
    Names names{session::plain_name(this_thread().driver_function), "", result};
    cuGetErrorName(result, &names.error);
    return names;
}

}  // namespace

Device* current_device() {
    session::Process* const all = process();
    return all ? &all->device(static_cast<std::size_t>(this_thread().device)) : nullptr;
}

// Its primary context takes the place of the current one, be it another of the same device.
void make_current(const Device& device) {
    ThreadState& thread = this_thread();
    thread.device = device.number();
    if (!thread.contexts.empty()) thread.contexts.back() = {&state_of(device).primary, thread.device};
}

void enter_primary() {
    ThreadState& thread = this_thread();
    Device* const current = thread.contexts.empty() ? current_device() : nullptr;
    if (!current) return;
    DeviceState& state = state_of(*current);
    thread.contexts.push_back({&state.primary, thread.device});
    thread.had_context = true;
    if (!state.runtime_uses_primary.exchange(true)) ++state.primary_users;
}

DeviceState& state_of(const Device& device) {
    return state().devices[static_cast<std::size_t>(device.number())];
}

Found<Device*> device_numbered(session::Process& process, int number) {
    const std::size_t count = process.device_count();
    if (number >= 0 && static_cast<std::size_t>(number) < count)
        return &process.device(static_cast<std::size_t>(number));
    const std::string there = count == 1 ? "there is one device, number 0"
                                         : fmt::format("there are {} devices, from number 0 on", count);
    return Outcome(Status::invalid_device, fmt::format("{}; device {} was asked for", there, number));
}

cudaError_t finish(const char* function, const Outcome& outcome) {
    const auto error = static_cast<cudaError_t>(outcome.status);
    if (error == cudaSuccess) return error;
    // Who asks whether work is done has not failed: it is no last error, on an H200 either.
    const bool failed = error != cudaErrorNotReady;
    if (failed) this_thread().last_error = error;
    const session::Process* current = existing_process();
    const auto verbosity = current ? current->options().verbosity : session::Verbosity::first;
    const auto [called, error_name, code] = names_of(function, error);
    if (!outcome.reason.empty()) tell(called, outcome, error, error_name, verbosity);
    if (failed) log_failure(called, outcome.reason, code, error_name);
    return error;
}

cudaError_t last_error() {
    if (existing_process())
        if (const Status sticky = current_device()->errors().sticky(); sticky != Status::success)
            return static_cast<cudaError_t>(sticky);
    return this_thread().last_error;
}

void clear_last_error() { this_thread().last_error = cudaSuccess; }

cudaError_t exchange_last_error(cudaError_t error) { return std::exchange(this_thread().last_error, error); }

DriverScope::DriverScope(const char* function) : outer_(this_thread().driver_function) {
    if (!outer_) this_thread().driver_function = function;
}
DriverScope::~DriverScope() { this_thread().driver_function = outer_; }

HostFunctionScope::HostFunctionScope() {
    ++this_thread().host_functions;
    this_thread_time() = {};  // what came before was not the program's
}
HostFunctionScope::~HostFunctionScope() { --this_thread().host_functions; }
bool in_host_function() { return this_thread().host_functions != 0; }

void note_unknown(const void* handle) {
    session::Process* const process = existing_process();
    if (process && process->checker()) process->checker()->host().no_such(handle);
}

void note_destroyed(const void* handle, const char* what) {
    session::Process* const process = existing_process();
    if (process && process->checker()) process->checker()->host().destroyed(handle, what);
}

ThreadStreamScope::ThreadStreamScope() { ++this_thread().thread_stream_scopes; }
ThreadStreamScope::~ThreadStreamScope() { --this_thread().thread_stream_scopes; }

// Handle 1 is the legacy default stream, 2 this thread's, and null the one or the other; of the current
// device, while others name streams of any.
Found<std::shared_ptr<session::Stream>> stream_of(Device& current, const void* handle) {
    const auto number = reinterpret_cast<std::uintptr_t>(handle);
    const bool null_is_of_thread = this_thread().thread_stream_scopes != 0;
    if (number == 1 || (number == 0 && !null_is_of_thread)) return current.legacy_default_stream();
    if (number <= 2) return current.default_stream_of_thread();
    auto stream = current.process().find_stream(handle);
    if (!stream) {
        note_unknown(handle);
        return Outcome(Status::invalid_handle, "no such stream, or it was destroyed");
    }
    return stream;
}

void note_call() {
    ThreadState& thread = this_thread();
    if (thread.driver_function) return;
    state().driver_initialised.store(true, std::memory_order_relaxed);
    enter_primary();
}

}  // namespace lockstep::runtime
