#include "session/program-time.h"

#include <algorithm>

#include "base/own-work.h"
#include "timing/fit.h"

namespace lockstep::session {

using namespace timing::fit;

namespace {

// How much later it has become.
double raise(std::atomic<double>& value, double to) {
    double before = value.load(std::memory_order_relaxed);
    while (before < to && !value.compare_exchange_weak(before, to, std::memory_order_relaxed)) {
    }
    return std::max(to - before, 0.0);
}

}  // namespace

void ProgramTime::reach(double time) { raise(now_, time); }

void ProgramTime::sleep_until(double time) { slept_.fetch_add(raise(now_, time), std::memory_order_relaxed); }

double ProgramTime::look(Thread& thread) {
    // A signal may come while this thread counts.
    if (host_measured_ && !thread.busy) {
        const base::OwnWork own;
        thread.busy = true;
        const double passed = thread.known ? system_.wall() - thread.at.wall : 0;
        if (!thread.known)
            note(thread, false);
        else if (thread.called || passed >= clock_resolution)
            account(thread, thread.called ? least_host_work : 0);
        thread.busy = false;
    }
    return now_.fetch_add(clock_look, std::memory_order_relaxed) + clock_look;
}

void ProgramTime::enter(Thread& thread) {
    if (!host_measured_) return;
    const base::OwnWork own;
    const double wall = system_.wall();
    if (thread.known && wall - thread.at.wall >= least_host_work) account(thread, least_host_work);
    const std::lock_guard lock(mutex_);
    if (inside_++ == 0) inside_since_ = wall;
}

void ProgramTime::leave(Thread& thread) {
    if (!host_measured_) return;
    const base::OwnWork own;
    {
        const std::lock_guard lock(mutex_);
        if (--inside_ == 0) inside_before_ += system_.wall() - inside_since_;
    }
    note(thread, true);
}

double ProgramTime::lockstep_wall(double wall) {
    const std::lock_guard lock(mutex_);
    return inside_before_ + (inside_ > 0 ? wall - inside_since_ : 0);
}

void ProgramTime::note(Thread& thread, bool called) {
    thread.known = true;
    thread.called = called;
    thread.since = now();
    thread.at = system_.reading();
    thread.lockstep = lockstep_wall(thread.at.wall);
}

// A thread that was kept from running, by other processes or by lockstep, has not worked longer for it; one
// that waited of its own accord has, unless what it waited for was lockstep's work in another thread.
void ProgramTime::account(Thread& thread, double least) {
    const Thread before = thread;
    note(thread, false);
    const double passed = thread.at.wall - before.at.wall;
    const double worked = std::clamp(thread.at.processor - before.at.processor, 0.0, std::max(passed, 0.0));
    const bool waited = thread.at.waits > before.at.waits;
    const double waited_until = waited ? passed - (thread.lockstep - before.lockstep) : 0;
    if (std::max(worked, waited_until) < least) return;
    reach(before.since + worked);
    sleep_until(before.since + waited_until);
    thread.since = now();
}

}  // namespace lockstep::session
