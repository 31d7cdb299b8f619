#include "session/activity-log.h"

#include <unistd.h>

#include <string_view>
#include <utility>

#include "report/run-schema.h"

namespace lockstep::session {

namespace {

constexpr std::size_t many_rows = 1000;

}  // namespace

std::string plain_name(std::string_view function) {
    for (const std::string_view ending : {"_ptsz", "_ptds", "_v2", "_v3"})
        if (function.ends_with(ending)) function.remove_suffix(ending.size());
    return std::string(function);
}

void ActivityLog::set_active(bool active) {
    const std::lock_guard lock(mutex_);
    active_ = active;
}

void ActivityLog::check_process() {
    if (const pid_t now = getpid(); std::exchange(process_, now) != now) {
        records_ = {};
        kept_activities_.clear();
        kept_calls_.clear();
        open_.clear();
    }
}

template <class Row>
void ActivityLog::note(std::map<std::string, report::TimeTotal>& totals,
                       std::map<std::string, std::uint64_t>& kept, std::vector<Row>& rows,
                       const std::string& name, Row row) {
    report::TimeTotal& total = totals.try_emplace(name, report::TimeTotal{name, {}, 0}).first->second;
    total.time.add(row.nanoseconds());
    if (std::uint64_t& so_far = kept[name]; so_far < report::most_launch_rows) {
        ++so_far;
        ++total.kept;
        rows.push_back(std::move(row));
    }
}

void ActivityLog::begin_call(const char* function, double now) {
    const std::lock_guard lock(mutex_);
    check_process();
    OpenCall& open = open_[std::this_thread::get_id()];
    if (open.depth++ != 0) return;
    open.noted = active_;
    open.call = {plain_name(function), active_ ? ++calls_ : 0, now, now};
}

bool ActivityLog::end_call(double now) {
    const std::lock_guard lock(mutex_);
    const auto at = open_.find(std::this_thread::get_id());
    if (at == open_.end() || --at->second.depth != 0) return false;
    OpenCall ended = std::move(at->second);
    open_.erase(at);
    if (!ended.noted) return false;
    ended.call.end = now;
    note(records_.call_totals, kept_calls_, records_.calls, ended.call.function, ended.call);
    return records_.rows() >= many_rows;
}

std::optional<timing::OperationTrace> ActivityLog::trace() {
    const std::lock_guard lock(mutex_);
    const auto at = open_.find(std::this_thread::get_id());
    const bool in_call = at != open_.end();
    if (in_call ? !at->second.noted : !active_) return {};
    timing::OperationTrace trace;
    if (in_call) trace.call = at->second.call.number;
    return trace;
}

void ActivityLog::add(const timing::Placement& placement) {
    if (!placement.operation.trace) return;
    auto activity = report::activity_of(placement);
    if (!activity) return;
    const std::lock_guard lock(mutex_);
    check_process();
    const std::string name = activity->name;
    note(records_.activity_totals, kept_activities_, records_.activities, name, std::move(*activity));
}

report::TimeRecords ActivityLog::take() {
    const std::lock_guard lock(mutex_);
    check_process();
    return std::exchange(records_, {});
}

}  // namespace lockstep::session
