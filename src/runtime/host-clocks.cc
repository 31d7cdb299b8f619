// The host's clocks, as a program sees them under the simulated clock: the program itself, the C++ library's
// std::chrono and OpenMP's timer. All tell one number, the program's time (session/program-time.h), from
// where each real clock stood when the program began. With the wall clock, and for lockstep's own work, they
// hand on to the C library.
//
// Sleeping is real, and afterwards it is at least as late as it must be. Who waits until a time of a clock
// has reckoned with what these functions told, which is earlier than the real time: such a time is
// translated.
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>

#include "runtime/answers.h"
#include "runtime/state.h"

namespace {

using lockstep::runtime::Real;
using lockstep::runtime::this_thread_time;
using lockstep::session::ProgramTime;

constexpr std::int64_t second = 1'000'000'000;

constinit Real<int(clockid_t, timespec*)> real_clock_gettime("clock_gettime");
constinit Real<int(timeval*, void*)> real_gettimeofday("gettimeofday");
constinit Real<time_t(time_t*)> real_time("time");
constinit Real<clock_t()> real_clock("clock");
constinit Real<clock_t(tms*)> real_times("times");
constinit Real<int(timeb*)> real_ftime("ftime");
constinit Real<int(timespec*, int)> real_timespec_get("timespec_get");
constinit Real<int(int, rusage*)> real_getrusage("getrusage");
constinit Real<int(const timespec*, timespec*)> real_nanosleep("nanosleep");
constinit Real<int(clockid_t, int, const timespec*, timespec*)> real_clock_nanosleep("clock_nanosleep");
constinit Real<int(useconds_t)> real_usleep("usleep");
constinit Real<unsigned(unsigned)> real_sleep("sleep");
constinit Real<int(pollfd*, nfds_t, int)> real_poll("poll");
constinit Real<int(int, fd_set*, fd_set*, fd_set*, timeval*)> real_select("select");

// Where the real clocks stood when the program's time began.
constexpr clockid_t clocks = CLOCK_TAI + 1;
std::array<timespec, clocks> origin;
clock_t origin_ticks = 0;
std::atomic<bool> begun{false};

__attribute__((constructor)) void begin() {
    for (clockid_t clock = 0; clock < clocks; ++clock)
        real_clock_gettime(clock, &origin[static_cast<std::size_t>(clock)]);
    tms ignored{};
    origin_ticks = real_times(&ignored);
    // From here on their addresses are known also to a signal handler.
    (void)real_gettimeofday.find(), (void)real_time.find(), (void)real_clock.find();
    begun = true;
}

// Null: the real time is told.
ProgramTime* program_time() {
    if (!begun.load(std::memory_order_relaxed) || lockstep::base::in_own_work()) return nullptr;
    return lockstep::runtime::program_time();
}

bool is_processor_time(clockid_t clock) {
    return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
}
// One number belongs to no clock; a process's or thread's own has a negative one.
bool is_known(clockid_t clock) {
    constexpr clockid_t none = 10;
    return clock >= 0 && clock < clocks && clock != none;
}

timespec sum(const timespec& time, std::int64_t nanoseconds) {
    const std::int64_t rest = time.tv_nsec + nanoseconds % second;
    timespec result{};
    result.tv_sec = time.tv_sec + nanoseconds / second + (rest >= second ? 1 : rest < 0 ? -1 : 0);
    result.tv_nsec = rest >= second ? rest - second : rest < 0 ? rest + second : rest;
    return result;
}
std::int64_t difference(const timespec& a, const timespec& b) {
    return (a.tv_sec - b.tv_sec) * second + (a.tv_nsec - b.tv_nsec);
}
std::int64_t whole(double nanoseconds) { return static_cast<std::int64_t>(nanoseconds); }
timeval in_microseconds(const timespec& time) { return {time.tv_sec, time.tv_nsec / 1000}; }

// What a clock tells the program that looks at it now.
timespec look(ProgramTime& time, clockid_t clock) {
    const double elapsed = time.look(this_thread_time());
    return sum(origin[static_cast<std::size_t>(clock)],
               whole(is_processor_time(clock) ? time.processor() : elapsed));
}

// The processor time of all of it is the program's own: none is the system's.
timespec processor_time(ProgramTime& time) { return look(time, CLOCK_PROCESS_CPUTIME_ID); }
clock_t ticks(double nanoseconds) {
    return static_cast<clock_t>(nanoseconds * static_cast<double>(sysconf(_SC_CLK_TCK)) / second);
}

// A sleep that began at this time, and its end.
class Sleep {
  public:
    Sleep() : time_(program_time()), begin_(time_ ? time_->now() : 0) {}
    void took(double nanoseconds) const {
        if (time_) time_->sleep_until(begin_ + nanoseconds);
    }

  private:
    ProgramTime* time_;
    double begin_;
};

double nanoseconds(const timespec& time) {
    return static_cast<double>(time.tv_sec) * second + static_cast<double>(time.tv_nsec);
}

// A time of a clock until which a thread waits.
class Deadline {
  public:
    Deadline(clockid_t clock, const timespec* until) : until_(until) {
        const bool valid = until && until->tv_nsec >= 0 && until->tv_nsec < second;
        if (!valid || !is_known(clock) || is_processor_time(clock)) return;
        time_ = program_time();
        if (!time_) return;
        at_ = static_cast<double>(difference(*until, origin[static_cast<std::size_t>(clock)]));
        timespec now{};
        real_clock_gettime(clock, &now);
        real_ = sum(now, whole(std::max(at_ - time_->now(), 0.0)));
    }
    const timespec* real() const { return time_ ? &real_ : until_; }
    // It has come.
    void passed() const {
        if (time_) time_->sleep_until(at_);
    }

  private:
    const timespec* until_;
    ProgramTime* time_ = nullptr;
    double at_ = 0;
    timespec real_{};
};

template <class Wait>
int wait_until(clockid_t clock, const timespec* until, int timed_out, Wait&& wait) {
    const Deadline deadline(clock, until);
    const int result = wait(deadline.real());
    if (result == timed_out) deadline.passed();
    return result;
}

// Of a condition variable that does not tell which clock it was made for: no system has been up for so long
// that both could be meant.
clockid_t clock_of(const timespec* until) {
    constexpr time_t years = 1'000'000'000;
    return until && until->tv_sec < years ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

LOCKSTEP_ANSWERS(clock_gettime);
int lockstep_clock_gettime(clockid_t clock, timespec* to) {
    ProgramTime* const time = program_time();
    if (!time || !to || !is_known(clock)) return real_clock_gettime(clock, to);
    *to = look(*time, clock);
    return 0;
}

LOCKSTEP_ANSWERS(gettimeofday);
int lockstep_gettimeofday(timeval* to, void* zone) {
    ProgramTime* const time = program_time();
    if (!time || !to) return real_gettimeofday(to, zone);
    if (zone) real_gettimeofday(to, zone);
    *to = in_microseconds(look(*time, CLOCK_REALTIME));
    return 0;
}

LOCKSTEP_ANSWERS(time);
time_t lockstep_time(time_t* to) {
    ProgramTime* const time = program_time();
    if (!time) return real_time(to);
    const time_t now = look(*time, CLOCK_REALTIME).tv_sec;
    if (to) *to = now;
    return now;
}

LOCKSTEP_ANSWERS(timespec_get);
int lockstep_timespec_get(timespec* to, int base) {
    ProgramTime* const time = program_time();
    if (!time || !to || base != TIME_UTC) return real_timespec_get(to, base);
    *to = look(*time, CLOCK_REALTIME);
    return base;
}

LOCKSTEP_ANSWERS(ftime);
int lockstep_ftime(timeb* to) {
    ProgramTime* const time = program_time();
    if (!time || !to) return real_ftime(to);
    const timespec now = look(*time, CLOCK_REALTIME);
    *to = {};
    to->time = now.tv_sec;
    to->millitm = static_cast<unsigned short>(now.tv_nsec / 1'000'000);
    return 0;
}

LOCKSTEP_ANSWERS(clock);
clock_t lockstep_clock() {
    ProgramTime* const time = program_time();
    if (!time) return real_clock();
    return static_cast<clock_t>(nanoseconds(processor_time(*time)) * CLOCKS_PER_SEC / second);
}

LOCKSTEP_ANSWERS(times);
clock_t lockstep_times(tms* to) {
    ProgramTime* const time = program_time();
    const clock_t real = real_times(to);
    if (!time || real == static_cast<clock_t>(-1)) return real;
    const timespec processor = processor_time(*time);
    if (to) to->tms_utime = ticks(nanoseconds(processor)), to->tms_stime = 0;
    return origin_ticks + ticks(time->now());
}

LOCKSTEP_ANSWERS(getrusage);
int lockstep_getrusage(int who, rusage* to) {
    ProgramTime* const time = program_time();
    const int result = real_getrusage(who, to);
    if (!time || result != 0 || who == RUSAGE_CHILDREN) return result;
    to->ru_utime = in_microseconds(processor_time(*time));
    to->ru_stime = {};
    return 0;
}

LOCKSTEP_ANSWERS(nanosleep);
int lockstep_nanosleep(const timespec* wanted, timespec* left) {
    const Sleep sleep;
    timespec rest{};
    const int result = real_nanosleep(wanted, &rest);
    if (result == 0) sleep.took(nanoseconds(*wanted));
    if (result != 0 && errno == EINTR) {
        sleep.took(nanoseconds(*wanted) - nanoseconds(rest));
        if (left) *left = rest;
    }
    return result;
}

LOCKSTEP_ANSWERS(clock_nanosleep);
int lockstep_clock_nanosleep(clockid_t clock, int flags, const timespec* wanted, timespec* left) {
    if (flags & TIMER_ABSTIME)
        return wait_until(clock, wanted, 0, [&](const timespec* until) {
            return real_clock_nanosleep(clock, flags, until, left);
        });
    const Sleep sleep;
    timespec rest{};
    const int result = real_clock_nanosleep(clock, flags, wanted, &rest);
    if (result == 0) sleep.took(nanoseconds(*wanted));
    if (result == EINTR) {
        sleep.took(nanoseconds(*wanted) - nanoseconds(rest));
        if (left) *left = rest;
    }
    return result;
}

LOCKSTEP_ANSWERS(usleep);
int lockstep_usleep(useconds_t microseconds) {
    const Sleep sleep;
    const int result = real_usleep(microseconds);
    if (result == 0) sleep.took(1e3 * microseconds);
    return result;
}

LOCKSTEP_ANSWERS(sleep);
unsigned lockstep_sleep(unsigned seconds) {
    const Sleep sleep;
    const unsigned left = real_sleep(seconds);
    sleep.took(static_cast<double>(seconds - left) * second);
    return left;
}

// These are used to sleep as well.
LOCKSTEP_ANSWERS(poll);
int lockstep_poll(pollfd* files, nfds_t count, int milliseconds) {
    const Sleep sleep;
    const int result = real_poll(files, count, milliseconds);
    if (result == 0 && milliseconds > 0) sleep.took(1e6 * milliseconds);
    return result;
}

LOCKSTEP_ANSWERS(select);
int lockstep_select(int count, fd_set* read, fd_set* write, fd_set* except, timeval* limit) {
    const Sleep sleep;
    const double wanted =
        limit ? static_cast<double>(limit->tv_sec) * second + 1e3 * static_cast<double>(limit->tv_usec) : 0;
    const int result = real_select(count, read, write, except, limit);
    if (result == 0) sleep.took(wanted);
    return result;
}

// Waits until a time: LOCKSTEP_WAITS(name, version, timed_out, clock, parameters, arguments), where `until`
// is among them.
#define LOCKSTEP_WAITS(name, version, timed_out, clock, parameters, arguments)                             \
    LOCKSTEP_ANSWERS(name);                                                                                \
    int lockstep_##name parameters {                                                                       \
        static constinit Real<int parameters> real(#name, version);                                        \
        return wait_until(clock, until, timed_out, [&](const timespec* until) { return real arguments; }); \
    }

LOCKSTEP_WAITS(pthread_cond_timedwait, "GLIBC_2.3.2", ETIMEDOUT, clock_of(until),
               (pthread_cond_t * condition, pthread_mutex_t* mutex, const timespec* until),
               (condition, mutex, until))
LOCKSTEP_WAITS(pthread_cond_clockwait, nullptr, ETIMEDOUT, clock,
               (pthread_cond_t * condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* until),
               (condition, mutex, clock, until))
LOCKSTEP_WAITS(pthread_mutex_timedlock, nullptr, ETIMEDOUT, CLOCK_REALTIME,
               (pthread_mutex_t * mutex, const timespec* until), (mutex, until))
LOCKSTEP_WAITS(pthread_mutex_clocklock, nullptr, ETIMEDOUT, clock,
               (pthread_mutex_t * mutex, clockid_t clock, const timespec* until), (mutex, clock, until))
LOCKSTEP_WAITS(pthread_rwlock_timedrdlock, nullptr, ETIMEDOUT, CLOCK_REALTIME,
               (pthread_rwlock_t * lock, const timespec* until), (lock, until))
LOCKSTEP_WAITS(pthread_rwlock_timedwrlock, nullptr, ETIMEDOUT, CLOCK_REALTIME,
               (pthread_rwlock_t * lock, const timespec* until), (lock, until))
LOCKSTEP_WAITS(pthread_rwlock_clockrdlock, nullptr, ETIMEDOUT, clock,
               (pthread_rwlock_t * lock, clockid_t clock, const timespec* until), (lock, clock, until))
LOCKSTEP_WAITS(pthread_rwlock_clockwrlock, nullptr, ETIMEDOUT, clock,
               (pthread_rwlock_t * lock, clockid_t clock, const timespec* until), (lock, clock, until))
LOCKSTEP_WAITS(pthread_timedjoin_np, nullptr, ETIMEDOUT, CLOCK_REALTIME,
               (pthread_t thread, void** result, const timespec* until), (thread, result, until))
LOCKSTEP_WAITS(pthread_clockjoin_np, nullptr, ETIMEDOUT, clock,
               (pthread_t thread, void** result, clockid_t clock, const timespec* until),
               (thread, result, clock, until))
LOCKSTEP_WAITS(cnd_timedwait, nullptr, thrd_timedout, CLOCK_REALTIME,
               (cnd_t * condition, mtx_t* mutex, const timespec* until), (condition, mutex, until))
LOCKSTEP_WAITS(mtx_timedlock, nullptr, thrd_timedout, CLOCK_REALTIME, (mtx_t * mutex, const timespec* until),
               (mutex, until))

// Semaphores tell why in errno.
LOCKSTEP_ANSWERS(sem_clockwait);
int lockstep_sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) {
    static constinit Real<int(sem_t*, clockid_t, const timespec*)> real("sem_clockwait");
    const Deadline deadline(clock, until);
    const int result = real(semaphore, clock, deadline.real());
    if (result != 0 && errno == ETIMEDOUT) deadline.passed();
    return result;
}

LOCKSTEP_ANSWERS(sem_timedwait);
int lockstep_sem_timedwait(sem_t* semaphore, const timespec* until) {
    static constinit Real<int(sem_t*, const timespec*)> real("sem_timedwait");
    const Deadline deadline(CLOCK_REALTIME, until);
    const int result = real(semaphore, deadline.real());
    if (result != 0 && errno == ETIMEDOUT) deadline.passed();
    return result;
}

// std::future of GNU's C++ library waits in the kernel itself, until a time that it has reckoned: functions
// of std::__atomic_futex_unsigned_base, which say whether they were woken.
using FutexWait = bool(void*, unsigned*, unsigned, bool, std::chrono::seconds, std::chrono::nanoseconds);
#define LOCKSTEP_FUTEX_WAIT_STEADY                                                              \
    "_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIl" \
    "St5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE"
#define LOCKSTEP_FUTEX_WAIT_SYSTEM                                                       \
    "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIl" \
    "St5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE"

static bool futex_wait(Real<FutexWait>& real, clockid_t clock, void* self, unsigned* address, unsigned value,
                       bool has_timeout, std::chrono::seconds s, std::chrono::nanoseconds ns) {
    const timespec until{s.count(), ns.count()};
    const Deadline deadline(clock, has_timeout ? &until : nullptr);
    if (!deadline.real()) return real(self, address, value, has_timeout, s, ns);
    const bool woken = real(self, address, value, true, std::chrono::seconds(deadline.real()->tv_sec),
                            std::chrono::nanoseconds(deadline.real()->tv_nsec));
    if (!woken) deadline.passed();
    return woken;
}

__asm__(".symver lockstep_futex_wait_steady," LOCKSTEP_FUTEX_WAIT_STEADY "@@");
bool lockstep_futex_wait_steady(void* self, unsigned* address, unsigned value, bool has_timeout,
                                std::chrono::seconds s, std::chrono::nanoseconds ns) {
    static constinit Real<FutexWait> real(LOCKSTEP_FUTEX_WAIT_STEADY);
    return futex_wait(real, CLOCK_MONOTONIC, self, address, value, has_timeout, s, ns);
}

__asm__(".symver lockstep_futex_wait_system," LOCKSTEP_FUTEX_WAIT_SYSTEM "@@");
bool lockstep_futex_wait_system(void* self, unsigned* address, unsigned value, bool has_timeout,
                                std::chrono::seconds s, std::chrono::nanoseconds ns) {
    static constinit Real<FutexWait> real(LOCKSTEP_FUTEX_WAIT_SYSTEM);
    return futex_wait(real, CLOCK_REALTIME, self, address, value, has_timeout, s, ns);
}
}
#pragma GCC visibility pop
