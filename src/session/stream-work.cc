#include "session/stream-work.h"

#include <unistd.h>

#include <algorithm>

namespace lockstep::session {

using timing::OperationId;
using timing::OperationKind;

void StreamWork::add_stream(timing::StreamId stream, bool blocking) {
    const std::lock_guard lock(mutex_);
    order_.add_stream(stream, blocking);
}

void StreamWork::remove_stream(timing::StreamId stream) {
    const std::lock_guard lock(mutex_);
    order_.remove_stream(stream, pending_.contains(order_.last(stream)));
}

void StreamWork::remove_event(timing::EventId event) {
    const std::lock_guard lock(mutex_);
    order_.remove_event(event);
}

bool StreamWork::submit(const timing::Operation& operation, Work work) {
    const bool host_function = operation.kind == OperationKind::host_function;
    // While nothing is outstanding, everything before it is done, and so is this when we return: there is no
    // order to remember.
    if (!host_function && outstanding_.load(std::memory_order_acquire) == 0) {
        work();
        return true;
    }
    std::unique_lock lock(mutex_);
    const OperationId id = ++last_;
    Pending one{std::move(work), host_function};
    for (const OperationId other : order_.submit(id, operation)) {
        const auto it = pending_.find(other);
        if (it == pending_.end()) continue;
        it->second.dependents.push_back(id);
        ++one.waits;
    }
    if (one.waits == 0 && !host_function) {
        lock.unlock();
        one.work();
        return true;
    }
    if (one.waits == 0) host_functions_.push_back(id);
    pending_.emplace(id, std::move(one));
    outstanding_ = pending_.size();
    if (host_function) start_host_thread();
    changed_.notify_all();
    if (operation.stops_host) wait_for(lock, id);
    return operation.stops_host;
}

void StreamWork::wait_for(std::unique_lock<std::mutex>& lock, OperationId operation) {
    changed_.wait(lock, [&] { return !pending_.contains(operation); });
}

void StreamWork::wait_for_stream(timing::StreamId stream) {
    std::unique_lock lock(mutex_);
    for (const OperationId operation : order_.work_of(stream)) wait_for(lock, operation);
}

void StreamWork::wait_for_event(timing::EventId event) {
    std::unique_lock lock(mutex_);
    wait_for(lock, order_.record_of(event));
}

void StreamWork::wait_for_all() {
    std::unique_lock lock(mutex_);
    for (const OperationId operation : order_.all_work()) wait_for(lock, operation);
}

bool StreamWork::stream_is_done(timing::StreamId stream) {
    const std::lock_guard lock(mutex_);
    const std::vector<OperationId> work = order_.work_of(stream);
    return std::none_of(work.begin(), work.end(), [&](OperationId id) { return pending_.contains(id); });
}

bool StreamWork::event_is_done(timing::EventId event) {
    const std::lock_guard lock(mutex_);
    return !pending_.contains(order_.record_of(event));
}

StreamWork::~StreamWork() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    if (host_thread_process_ == getpid()) host_thread_.join();
}

void StreamWork::start_host_thread() {
    if (host_thread_process_ == getpid()) return;
    if (host_thread_.joinable()) host_thread_.detach();
    host_thread_process_ = getpid();
    host_thread_ = std::thread([this] { run_host_functions(); });
}

void StreamWork::run_host_functions() {
    for (;;) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return stopping_ || !host_functions_.empty(); });
        if (stopping_) return;
        const OperationId id = host_functions_.front();
        host_functions_.pop_front();
        const Work work = std::move(pending_.at(id).work);
        lock.unlock();
        work();
        complete(id);
    }
}

// What waited for it is done here; host functions among that are left to their thread.
void StreamWork::complete(OperationId id) {
    std::deque<OperationId> done = {id};
    while (!done.empty()) {
        std::vector<std::pair<OperationId, Work>> ready;
        {
            const std::lock_guard lock(mutex_);
            for (const OperationId other : pending_.at(done.front()).dependents) {
                Pending& waiting = pending_.at(other);
                if (--waiting.waits != 0) continue;
                if (waiting.host_function)
                    host_functions_.push_back(other);
                else
                    ready.emplace_back(other, std::move(waiting.work));
            }
            order_.finished(done.front());
            pending_.erase(done.front());
            outstanding_ = pending_.size();
        }
        changed_.notify_all();
        done.pop_front();
        for (auto& [other, work] : ready) {
            work();
            done.push_back(other);
        }
    }
}

}  // namespace lockstep::session
