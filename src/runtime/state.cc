#include "runtime/state.h"

#include <fmt/format.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <utility>

#include "base/paths.h"
#include "report/metric-text.h"

namespace lockstep::runtime {
namespace {

// What "lockstep itself could not do it" is: 125, as for docker, env, nice and timeout; git bisect skips such
// commits.
constexpr int exit_status_lacking = 125;

// What lockstep could not run is missing from the program's results: a program that did not look must not end
// as if all were well. Called while the process ends, with the status that it would have; the functions that
// are left to be called see the new one, which is what glibc does when one of them calls exit.
void check_exit_status(int status, void*) {
    state().exit_status = status;
    if (status != 0) return;
    if (state().unusable == getpid())
        print(fmt::format("the program could not use the simulated GPU: exit status {} instead of 0",
                          exit_status_lacking));
    else if (const session::Process* current = existing_process();
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
    const session::Process* current = existing_process();
    if (!current || !current->compiling()) return;
    std::cout.flush();
    std::clog.flush();
    std::fflush(nullptr);
    _exit(state().exit_status);
}

void print_stats() {
    if (session::Process* current = existing_process()) report(current->stats().to_string());
}

// A run file is written by one process at a time through one connection; a child gets its own
// (report/run-writer.h).
void prepare_fork() {
    if (session::Process* current = existing_process()) current->before_fork();
}
void forked() {
    if (session::Process* current = existing_process()) current->after_fork();
}
void finish_process() {
    if (session::Process* current = existing_process()) current->finish();
}

void create_process() {
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
    auto made = session::Process::create(*options, state().registry, report);
    if (!made) return fail(made.error());
    for (int number = 0; number < static_cast<int>((*made)->device_count()); ++number) {
        DeviceState& device = state().devices.emplace_back();
        device.standard_pool.device = device.primary.device = number;
    }
    state().process = made->release();
    if (stats) std::atexit(print_stats);
    if (profile || simulated) {
        std::atexit(finish_process);
        std::at_quick_exit(finish_process);
    }
    if (profile) {
        pthread_atfork(prepare_fork, forked, forked);
    }
}

}  // namespace

State& state() {
    static State* const the_state = new State;
    return *the_state;
}

// On the heap, because a thread's variables are destroyed before what the program calls from destructors of
// its own: the first thread's stays for good, another's until its end.
ThreadState& this_thread() {
    thread_local ThreadState* mine = nullptr;
    if (mine) return *mine;
    struct End {
        ~End() {
            if (gettid() != getpid()) delete std::exchange(mine, nullptr);
        }
    };
    thread_local const End end;
    mine = new ThreadState;
    return *mine;
}

session::Process* process() {
    std::call_once(state().created, create_process);
    return state().process;
}

session::Process* existing_process() { return state().process; }

void print(const std::string& message) {
    std::fflush(stdout);
    std::fprintf(stderr, "lockstep: %s\n", message.c_str());
}

void report(const std::string& message) {
    constexpr std::size_t most = 1000;
    {
        const std::lock_guard lock(state().reported_mutex);
        if (state().reported.size() >= most || !state().reported.insert(message).second) return;
    }
    print(message);
}

}  // namespace lockstep::runtime
