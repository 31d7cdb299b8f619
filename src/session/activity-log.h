// Notes the calls of the API and what the GPU did, for the run file: rows of the first of each name, and
// sums.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "report/activity.h"
#include "timing/stream-operation.h"

namespace lockstep::session {

// As nvprof has it: "cuMemAlloc", whichever version of it a program calls.
std::string plain_name(std::string_view function);

// Thread-safe. Times are those of the simulated clock.
class ActivityLog {
  public:
    explicit ActivityLog(bool active) : active_(active) {}

    // What is not active notes nothing that begins then.
    void set_active(bool active);

    // A call of this thread begins. Calls inside of calls are lockstep's own.
    void begin_call(const char* function, double now);
    // True: there is so much to write that it should be.
    bool end_call(double now);

    // What to tell of an operation that this thread submits; nothing: it is not to be noted.
    std::optional<timing::OperationTrace> trace();
    void add(const timing::Placement& placement);

    // What has come since the last time.
    report::TimeRecords take();

  private:
    struct OpenCall {
        report::ApiCall call;
        int depth = 0;
        bool noted = false;
    };
    void check_process();
    template <class Row>
    static void note(std::map<std::string, report::TimeTotal>& totals,
                     std::map<std::string, std::uint64_t>& kept, std::vector<Row>& rows,
                     const std::string& name, Row row);

    std::mutex mutex_;
    bool active_;
    pid_t process_ = 0;  // whose records these are: a forked one begins anew
    std::uint64_t calls_ = 0;
    std::map<std::thread::id, OpenCall> open_;
    report::TimeRecords records_;
    std::map<std::string, std::uint64_t> kept_activities_, kept_calls_;  // rows so far
};

}  // namespace lockstep::session
