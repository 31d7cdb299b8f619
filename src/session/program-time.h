// How far a program has come under the simulated clock: the one number that all its host clocks tell, and
// that the timeline of its streams goes by. Calls of CUDA's API move it on by what they take in simulated
// time (simulated-clock.h); between them it passes as the program's threads work and wait, or not at all if
// the host is free. What lockstep does takes none of it.
//
// Threads run beside each other: one that has computed for a millisecond since it last looked is a
// millisecond further than the time was then, whatever the others did meanwhile.
#pragma once
#include <atomic>
#include <mutex>

namespace lockstep::session {

// Thread-safe. Nanoseconds since the program began.
class ProgramTime {
  public:
    // What the system says of the thread that asks.
    struct Reading {
        double wall = 0, processor = 0;  // nanoseconds
        long waits = 0;                  // how often it gave up its processor: for a disk, a lock, a sleep
    };
    struct System {
        double (*wall)();      // cheap
        Reading (*reading)();  // less so
    };
    // What is kept of each thread: the moment from which on its work has not been counted yet.
    struct Thread {
        bool known = false, busy = false;
        bool called = false;  // … which is the end of a call
        double since = 0, lockstep = 0;
        Reading at;
    };

    // `host_measured`: the threads' own work takes its time, or none.
    ProgramTime(bool host_measured, System system) : host_measured_(host_measured), system_(system) {}

    bool host_measured() const { return host_measured_; }
    double now() const { return now_.load(std::memory_order_relaxed); }
    // Without what it slept: what clocks of processor time tell.
    double processor() const { return now() - slept_.load(std::memory_order_relaxed); }

    // The program looks at a clock. That takes a little time, so that a loop which waits for it ends. May be
    // called from a signal handler.
    double look(Thread& thread);

    // This thread goes over to lockstep's work, and comes back from it.
    void enter(Thread& thread);
    void leave(Thread& thread);

    // It is at least this late …
    void reach(double time);
    // … because a thread slept until then.
    void sleep_until(double time);

  private:
    // Wall time in which some thread did lockstep's work.
    double lockstep_wall(double wall);
    void account(Thread& thread, double least);
    void note(Thread& thread, bool called);

    const bool host_measured_;
    const System system_;
    std::atomic<double> now_{0}, slept_{0};
    std::mutex mutex_;
    int inside_ = 0;  // threads that do lockstep's work
    double inside_since_ = 0, inside_before_ = 0;
};

}  // namespace lockstep::session
