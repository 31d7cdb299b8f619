#include "runtime/state.h"

#include <fmt/format.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <utility>

#include "base/exit-status.h"
#include "base/paths.h"
#include "report/metric-text.h"
#include "runtime/device-api.h"

namespace lockstep::runtime {
namespace {


// What lockstep could not run is missing from the program's results: a program that did not look must not end
// as if all were well. Called while the process ends, with the status that it would have; the functions that
// are left to be called see the new one, which is what glibc does when one of them calls exit.
void check_exit_status(int status, void*) {
    state().exit_status = status;
    if (status != 0) return;
    if (state().unusable == getpid())
        print(fmt::format("the program could not use the simulated GPU: exit status {} instead of 0",
                          base::exit_status_lacking));
    else if (const session::Process* current = existing_process();
             !current || current->lacking().launches().count == 0)
        return;
    else
        print(
            fmt::format("{} could not be run, results may be wrong: exit status {} instead of 0 (first: {})",
                        lockstep::report::plural(current->lacking().launches().count, "launch", "launches"),
                        base::exit_status_lacking, current->lacking().launches().first));
    state().exit_status = base::exit_status_lacking;
    std::exit(base::exit_status_lacking);
}

// A kernel whose launch timed out may still be compiled. The process must not wait for that, nor take down
// LLVM's data, which is what comes next: everything of the program itself has been taken down before this
// library (which it depends on), so what is left is to write what is in buffers.
void end_without_compiler() {
    const session::Process* current = existing_process();
    if (!current || !current->compiling()) return;
    std::cout.flush();
    std::clog.flush();
    std::fflush(nullptr);
    _exit(state().exit_status);
}

// What a program leaves behind is known when its own destructors have run: its library's come after them.
void end_of_program() {
    const LockstepScope lockstep;
    if (session::Process* const current = existing_process()) current->ended(state().exit_status);
}

__attribute__((destructor)) void end_of_library() {
    end_of_program();
    end_without_compiler();
}

double told_by(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

double wall_time() { return told_by(CLOCK_MONOTONIC); }

// (getrusage has processor time, too, but only as of the last tick.)
session::ProgramTime::Reading read_thread() {
    rusage used{};
    getrusage(RUSAGE_THREAD, &used);
    return {wall_time(), told_by(CLOCK_THREAD_CPUTIME_ID), used.ru_nvcsw};
}

std::atomic<session::ProgramTime*> the_program_time{nullptr};
[[gnu::tls_model("initial-exec")]] constinit thread_local session::ProgramTime::Thread the_thread_time;

// Where the wall clock stood when the library was loaded: the program's time began there.
double begin_of_program = 0;

void start_program_time(const session::ClockOptions& clock) {
    auto* const time = new session::ProgramTime(clock.host_measured, {wall_time, read_thread});
    time->reach(wall_time() - begin_of_program);
    time->enter(the_thread_time);
    time->leave(the_thread_time);
    the_program_time = time;
}

// From here on, before the program begins, its clocks tell the program's time. A value of the environment
// that makes no sense is told when the process is made.
__attribute__((constructor)) void choose_clock() {
    begin_of_program = wall_time();
    const auto clock = session::read_clock_options([](const char* name) { return std::getenv(name); });
    if (clock && clock->simulated) start_program_time(*clock);
}

// Programs change their environment before they first use the GPU.
void choose_clock_again(const session::ClockOptions& clock) {
    if (!clock.simulated)
        the_program_time = nullptr;
    else if (!program_time() || program_time()->host_measured() != clock.host_measured)
        start_program_time(clock);
}

void print_stats(int, void*) {
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
    const LockstepScope lockstep;
    if (session::Process* current = existing_process()) current->finish();
}

void create_process() {
    const LockstepScope lockstep;
    on_exit(check_exit_status, nullptr);
    const auto fail = [](const Error& error) {
        report(error.to_string());
        state().unusable = getpid();
    };
    auto models = base::find_resource("gpus", reinterpret_cast<const void*>(&state));
    auto options = session::read_options([](const char* name) { return std::getenv(name); },
                                         models ? *models : std::filesystem::path(), state().dialect.dialect);
    if (!options) return fail(options.error());
    if (options->models.empty() && !models) return fail(models.error());
    choose_clock_again(options->clock);
    const bool stats = options->stats, profile = !options->profile.file.empty();
    const bool ends = profile || options->clock.simulated || !options->check.file.empty();
    auto made = session::Process::create(*options, state().registry, program_time(), report);
    if (!made) return fail(made.error());
    for (int number = 0; number < static_cast<int>((*made)->device_count()); ++number) {
        DeviceState& device = state().devices.emplace_back();
        device.standard_pool.device = device.primary.device = number;
    }
    (*made)->set_device_api(device_api());
    state().process = made->release();
    // Not std::atexit, which is for what this library's end may leave out (static-objects.cc).
    if (stats) on_exit(print_stats, nullptr);
    if (ends) {
        on_exit([](int, void*) { finish_process(); }, nullptr);
        std::at_quick_exit(finish_process);
    }
    if (existing_process()->checker()) std::at_quick_exit([] { end_of_program(); });
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

session::ProgramTime* program_time() { return the_program_time.load(std::memory_order_relaxed); }
session::ProgramTime::Thread& this_thread_time() { return the_thread_time; }

LockstepScope::LockstepScope() : outermost_(!base::in_own_work()) {
    if (session::ProgramTime* const time = outermost_ ? program_time() : nullptr)
        time->enter(this_thread_time());
}

LockstepScope::~LockstepScope() {
    if (session::ProgramTime* const time = outermost_ ? program_time() : nullptr)
        time->leave(this_thread_time());
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
