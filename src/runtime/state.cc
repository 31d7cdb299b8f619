// The one place with globals (a library that a program calls by C functions cannot do without). Nothing here
// is ever destroyed: programs call the library from their own destructors, in any order.
#include "runtime/state.h"

#include <fmt/format.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "base/paths.h"
#include "report/table.h"

namespace lockstep::runtime {
namespace {

// What "lockstep itself could not do it" is: 125, as for docker, env, nice and timeout; git bisect skips such
// commits.
constexpr int exit_status_lacking = 125;

struct State {
    session::Registry registry;
    std::once_flag created;
    std::atomic<Session*> session{nullptr};
    pid_t unusable = 0;   // the process in which no session could be made
    int exit_status = 0;  // that the process ends with
    std::mutex reported_mutex;
    std::set<std::string> reported;
    std::map<std::string, int> failures;  // of calls, by kind
};

State& state() {
    static State* const the_state = new State;
    return *the_state;
}

thread_local cudaError_t thread_error = cudaSuccess;
thread_local int driver_scopes = 0, host_functions = 0, thread_stream_scopes = 0;
std::atomic<bool> runtime_called{false};

void print(const std::string& message) {
    std::fflush(stdout);
    std::fprintf(stderr, "lockstep: %s\n", message.c_str());
}

// What lockstep could not run is missing from the program's results: a program that did not look must not end
// as if all were well. Called while the process ends, with the status that it would have; the functions that
// are left to be called see the new one, which is what glibc does when one of them calls exit.
void check_exit_status(int status, void*) {
    state().exit_status = status;
    if (status != 0) return;
    if (state().unusable == getpid())
        print(fmt::format("the program could not use the simulated GPU: exit status {} instead of 0",
                          exit_status_lacking));
    else if (const Session* current = existing_session();
             !current || current->lacking().launches().count == 0)
        return;
    else
        print(
            fmt::format("{} could not be run, results may be wrong: exit status {} instead of 0 (first: {})",
                        lockstep::report::plural(current->lacking().launches().count, "launch", "launches"),
                        exit_status_lacking, current->lacking().launches().first));
    state().exit_status = exit_status_lacking;
    std::exit(exit_status_lacking);
}

// A kernel whose launch timed out may still be compiled. The process must not wait for that, nor take down
// LLVM's data, which is what comes next: everything of the program itself has been taken down before this
// library (which it depends on), so what is left is to write what is in buffers.
__attribute__((destructor)) void end_without_compiler() {
    const Session* current = existing_session();
    if (!current || !current->compiling()) return;
    std::cout.flush();
    std::clog.flush();
    std::fflush(nullptr);
    _exit(state().exit_status);
}

void print_stats() {
    if (Session* current = existing_session()) report(current->stats().to_string());
}

// A run file is written by one process at a time through one connection; a child gets its own
// (report/run-writer.h).
void prepare_fork() {
    if (Session* current = existing_session()) current->before_fork();
}
void forked() {
    if (Session* current = existing_session()) current->after_fork();
}
void finish_session() {
    if (Session* current = existing_session()) current->finish();
}

void create_session() {
    on_exit(check_exit_status, nullptr);
    const auto fail = [](const Error& error) {
        report(error.to_string());
        state().unusable = getpid();
    };
    auto models = base::find_resource("gpus", reinterpret_cast<const void*>(&state));
    auto options = session::read_options([](const char* name) { return std::getenv(name); },
                                         models ? *models : std::filesystem::path());
    if (!options) return fail(options.error());
    if (options->models.empty() && !models) return fail(models.error());
    const bool stats = options->stats, profile = !options->profile.file.empty();
    const bool simulated = options->clock.simulated;
    auto made = Session::create(*options, registry(), report);
    if (!made) return fail(made.error());
    state().session = made->release();
    if (stats) std::atexit(print_stats);
    if (profile || simulated) {
        std::atexit(finish_session);
        std::at_quick_exit(finish_session);
    }
    if (profile) {
        pthread_atfork(prepare_fork, forked, forked);
    }
}

}  // namespace

session::Registry& registry() { return state().registry; }

Session* session() {
    std::call_once(state().created, create_session);
    return state().session;
}

Session* existing_session() { return state().session; }

void report(const std::string& message) {
    constexpr std::size_t most = 1000;
    {
        const std::lock_guard lock(state().reported_mutex);
        if (state().reported.size() >= most || !state().reported.insert(message).second) return;
    }
    print(message);
}

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
void tell(const char* function, const Outcome& outcome, cudaError_t error, session::Verbosity verbosity) {
    const std::string message = fmt::format("{}: {} ({})", function, outcome.reason, cudaGetErrorName(error));
    if (verbosity == session::Verbosity::all) return print(message);
    // Who asks whether work is done expects that it is not.
    if (error == cudaErrorNotReady) return;
    if (!outcome.notable && verbosity == session::Verbosity::quiet) return;
    if (!outcome.notable && verbosity == session::Verbosity::first) {
        const std::lock_guard lock(state().reported_mutex);
        const int count = ++state().failures[kind_of(message)];
        if (count > 2) return;
        if (count == 2)
            return print(fmt::format("{}: {} again, for such a reason; LOCKSTEP_VERBOSE=1 tells all",
                                     function, cudaGetErrorName(error)));
    }
    report(message);
}

}  // namespace

cudaError_t finish(const char* function, const Outcome& outcome) {
    const auto error = static_cast<cudaError_t>(outcome.status);
    if (error == cudaSuccess) return error;
    thread_error = error;
    const Session* current = existing_session();
    const auto verbosity = current ? current->options().verbosity : session::Verbosity::first;
    if (!outcome.reason.empty()) tell(function, outcome, error, verbosity);
    return error;
}

cudaError_t last_error() {
    if (Session* current = existing_session())
        if (const Status sticky = current->errors().sticky(); sticky != Status::success)
            return static_cast<cudaError_t>(sticky);
    return thread_error;
}

void clear_last_error() { thread_error = cudaSuccess; }

cudaError_t exchange_last_error(cudaError_t error) { return std::exchange(thread_error, error); }

DriverScope::DriverScope() { ++driver_scopes; }
DriverScope::~DriverScope() { --driver_scopes; }

HostFunctionScope::HostFunctionScope() { ++host_functions; }
HostFunctionScope::~HostFunctionScope() { --host_functions; }
bool in_host_function() { return host_functions != 0; }

ThreadStreamScope::ThreadStreamScope() { ++thread_stream_scopes; }
ThreadStreamScope::~ThreadStreamScope() { --thread_stream_scopes; }

Found<std::shared_ptr<session::Stream>> stream_of(Session& current, const void* handle) {
    auto stream = current.find_stream(handle, thread_stream_scopes != 0);
    if (!stream) return Outcome(Status::invalid_handle, "no such stream, or it was destroyed");
    return stream;
}

void note_call() {
    if (driver_scopes == 0) runtime_called.store(true, std::memory_order_relaxed);
}

bool runtime_was_called() { return runtime_called.load(std::memory_order_relaxed); }

}  // namespace lockstep::runtime
