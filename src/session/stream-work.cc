#include "session/stream-work.h"

#include <unistd.h>

#include <algorithm>

namespace lockstep::session {

void StreamWork::add_stream(StreamId stream, StreamId legacy, bool blocking) {
    const std::lock_guard lock(mutex_);
    order_.add_stream(stream, legacy, blocking);
}

void StreamWork::remove_stream(StreamId stream) {
    const std::lock_guard lock(mutex_);
    order_.remove_stream(stream, pending_.contains(order_.last(stream)));
}

void StreamWork::remove_event(EventId event) {
    const std::lock_guard lock(mutex_);
    order_.remove_event(event);
}

std::optional<Done> StreamWork::submit(const Command& command, bool wait) {
    const bool host_function = is_host_function(command);
    // While nothing is outstanding, everything before it is done, and so is this when we return: there is no
    // order to remember.
    if (!host_function && outstanding_.load(std::memory_order_acquire) == 0) return execute_(command, false);
    std::unique_lock lock(mutex_);
    const CommandId id = ++last_;
    std::vector<CommandId> waits_for = order_.submit(id, command.place());
    std::erase_if(waits_for, [&](CommandId other) { return !pending_.contains(other); });
    if (waits_for.empty() && !host_function) {
        lock.unlock();
        return execute_(command, false);
    }
    for (const CommandId other : waits_for) pending_.at(other).dependents.push_back(id);
    if (waits_for.empty()) host_functions_.push_back(id);
    const auto done = wait ? std::make_shared<Done>() : nullptr;
    pending_.emplace(id, Pending{command, done, waits_for.size()});
    outstanding_ = pending_.size();
    if (host_function) start_host_thread();
    changed_.notify_all();
    if (!wait) return std::nullopt;
    wait_for(lock, id);
    return std::move(*done);
}

void StreamWork::wait_for(std::unique_lock<std::mutex>& lock, CommandId command) {
    changed_.wait(lock, [&] { return !pending_.contains(command); });
}

void StreamWork::wait_for_stream(StreamId stream) {
    std::unique_lock lock(mutex_);
    for (const CommandId command : order_.work_of(stream)) wait_for(lock, command);
}

void StreamWork::wait_for_event(EventId event) {
    std::unique_lock lock(mutex_);
    wait_for(lock, order_.record_of(event));
}

void StreamWork::wait_for_device(StreamId legacy) {
    std::unique_lock lock(mutex_);
    for (const CommandId command : order_.work_of_device(legacy)) wait_for(lock, command);
}

bool StreamWork::stream_is_done(StreamId stream) {
    const std::lock_guard lock(mutex_);
    const std::vector<CommandId> work = order_.work_of(stream);
    return std::none_of(work.begin(), work.end(), [&](CommandId id) { return pending_.contains(id); });
}

bool StreamWork::event_is_done(EventId event) {
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
        const CommandId id = host_functions_.front();
        host_functions_.pop_front();
        const Command command = std::move(pending_.at(id).command);
        lock.unlock();
        complete(id, execute_(command, true));
    }
}

// What waited for it is done here; host functions among that are left to their thread.
void StreamWork::complete(CommandId id, Done done) {
    std::deque<std::pair<CommandId, Done>> ended;
    ended.emplace_back(id, std::move(done));
    while (!ended.empty()) {
        std::vector<std::pair<CommandId, Command>> ready;
        {
            const std::lock_guard lock(mutex_);
            Pending& one = pending_.at(ended.front().first);
            if (one.done) *one.done = std::move(ended.front().second);
            for (const CommandId other : one.dependents) {
                Pending& waiting = pending_.at(other);
                if (--waiting.waits != 0) continue;
                if (is_host_function(waiting.command))
                    host_functions_.push_back(other);
                else
                    ready.emplace_back(other, std::move(waiting.command));
            }
            order_.finished(ended.front().first);
            pending_.erase(ended.front().first);
            outstanding_ = pending_.size();
        }
        changed_.notify_all();
        ended.pop_front();
        for (auto& [other, command] : ready) ended.emplace_back(other, execute_(command, true));
    }
}

}  // namespace lockstep::session
