#include "session/stream-work.h"

#include <unistd.h>

#include <algorithm>

#include "base/own-work.h"

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

std::optional<Done> StreamWork::submit(const Command& command, Wait wait) {
    const bool host_function = command.calls_host();
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
    const auto done = wait == Wait::no ? nullptr : std::make_shared<Done>();
    pending_.emplace(id, Pending{command, done, waits_for.size()});
    outstanding_ = pending_.size();
    if (host_function) start_host_thread();
    changed_.notify_all();
    if (wait == Wait::no) return std::nullopt;
    if (wait == Wait::until_done) {
        wait_for(lock, id);
    } else if (!changed_.wait_for(lock, a_while, [&] { return !pending_.contains(id); })) {
        pending_.at(id).done.reset();
        return std::nullopt;
    }
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
    const base::OwnWork own;
    for (;;) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return stopping_ || !host_functions_.empty(); });
        if (stopping_) return;
        const CommandId id = host_functions_.front();
        host_functions_.pop_front();
        Command command = std::move(pending_.at(id).command);
        lock.unlock();
        Done done = execute_(command, true);
        complete(id, std::move(command), std::move(done));
    }
}

// What waited for it is done here; host functions among that are left to their thread.
void StreamWork::complete(CommandId id, Command command, Done done) {
    struct Ended {
        CommandId id;
        Command command;
        Done done;
    };
    std::deque<Ended> ended;
    ended.push_back({id, std::move(command), std::move(done)});
    for (; !ended.empty(); ended.pop_front()) {
        Ended& first = ended.front();
        std::vector<std::pair<CommandId, Command>> ready;
        {
            std::unique_lock lock(mutex_);
            if (!pending_.at(first.id).done && late_) {
                lock.unlock();
                late_(first.command, first.done);
                lock.lock();
            }
            Pending& one = pending_.at(first.id);
            if (one.done) *one.done = std::move(first.done);
            for (const CommandId other : one.dependents) {
                Pending& waiting = pending_.at(other);
                if (--waiting.waits != 0) continue;
                if (waiting.command.calls_host())
                    host_functions_.push_back(other);
                else
                    ready.emplace_back(other, std::move(waiting.command));
            }
            order_.finished(first.id);
            pending_.erase(first.id);
            outstanding_ = pending_.size();
        }
        changed_.notify_all();
        for (auto& [other, one] : ready) {
            Done outcome = execute_(one, true);
            ended.push_back({other, std::move(one), std::move(outcome)});
        }
    }
}

}  // namespace lockstep::session
