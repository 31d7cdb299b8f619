#include "timing/stream-timeline.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "timing/fit.h"

namespace lockstep::timing {
namespace {

double nanoseconds(double us) { return us * 1000; }

bool is_host_copy(OperationKind kind) {
    return kind == OperationKind::copy_to_device || kind == OperationKind::copy_to_host;
}

}  // namespace

StreamTimeline::StreamTimeline(std::vector<const gpu::GpuModel*> gpus, int connections, Watcher watcher)
    : watcher_(std::move(watcher)) {
    for (const gpu::GpuModel* const gpu : gpus)
        devices_.push_back(
            {*gpu, std::max(1, std::min(connections, gpu->timing.hardware_queues)), 0, KernelPool(gpu->sms)});
}

void StreamTimeline::set_priority(StreamId stream, int priority) { streams_.at(stream).priority = priority; }

void StreamTimeline::add_stream(StreamId stream, int priority, int device) {
    DevicePlace& place = devices_[static_cast<std::size_t>(device)];
    const int number = place.streams_so_far++;
    streams_[stream] = {device, number, number % place.connections, priority};
}

void StreamTimeline::remove_stream(StreamId stream) { streams_.erase(stream); }

// One engine serves both directions where there is only one.
Engine StreamTimeline::engine_of(OperationKind kind, const gpu::GpuModel& gpu) {
    switch (kind) {
        case OperationKind::kernel:
        case OperationKind::copy_on_device:
        case OperationKind::fill: return Engine::sms;
        case OperationKind::copy_to_device: return Engine::copy_to_device;
        case OperationKind::copy_to_host:
        case OperationKind::copy_to_peer:
            return gpu.copy_engines > 1 ? Engine::copy_to_host : Engine::copy_to_device;
        case OperationKind::copy_on_host:
        case OperationKind::host_function: return Engine::host;
        case OperationKind::event_record:
        case OperationKind::event_wait:
        case OperationKind::graph_begin:
        case OperationKind::graph_step:
        case OperationKind::graph: return Engine::none;
    }
    return Engine::none;
}

// A graph's nodes come with its launch, which is one call.
double StreamTimeline::call_cost(const Operation& operation, const gpu::GpuModel& gpu) {
    // Pages that are fetched when they are touched come without a call.
    if (operation.graph || operation.pages == Pages::on_demand) return 0;
    switch (operation.kind) {
        case OperationKind::kernel:
        case OperationKind::fill: return nanoseconds(gpu.timing.launch_call_us);
        case OperationKind::copy_to_device:
        case OperationKind::copy_to_host:
        case OperationKind::copy_on_device:
        case OperationKind::copy_to_peer:
        case OperationKind::copy_on_host: return nanoseconds(gpu.timing.copy_call_us);
        case OperationKind::host_function:
        case OperationKind::event_record:
        case OperationKind::event_wait: return nanoseconds(gpu.timing.record_call_us);
        case OperationKind::graph_begin:
            return nanoseconds(gpu.timing.launch_call_us) *
                   (fit::graph_call +
                    fit::graph_branch_call *
                        static_cast<double>(std::max<std::uint64_t>(operation.branches, 1) - 1));
        case OperationKind::graph_step:
        case OperationKind::graph: return 0;
    }
    return 0;
}

double StreamTimeline::copy_time(const Operation& operation, const gpu::GpuModel& gpu) {
    const gpu::TimingFigures& figures = gpu.timing;
    double gbs = 0;
    switch (operation.kind) {
        case OperationKind::copy_to_device:
            gbs = operation.pageable ? figures.pageable_to_device_gbs : figures.pinned_to_device_gbs;
            break;
        case OperationKind::copy_to_host:
            gbs = operation.pageable ? figures.device_to_pageable_gbs : figures.device_to_pinned_gbs;
            break;
        case OperationKind::copy_on_device: gbs = figures.device_to_device_gbs; break;
        // The models know of no link between devices: it goes as to pinned host memory.
        case OperationKind::copy_to_peer: gbs = figures.device_to_pinned_gbs; break;
        default: gbs = figures.fill_gbs;
    }
    const bool to_host = operation.kind == OperationKind::copy_to_host;
    if (operation.pages == Pages::prefetched && to_host) gbs *= fit::prefetch_to_host_rate;
    if (operation.pages == Pages::on_demand) gbs *= to_host ? fit::host_page_rate : fit::device_page_rate;
    // A prefetch of what is there already.
    if (operation.pages != Pages::none && operation.bytes == 0) return 0;
    // A GB/s is a byte a nanosecond.
    const double latency = operation.pages == Pages::on_demand ? fit::page_fault_us : figures.copy_latency_us;
    return nanoseconds(latency) + static_cast<double>(operation.bytes) / gbs;
}

// Copies inside the device and fills are kernels of the driver's that are bound by the DRAM.
KernelWork StreamTimeline::device_work(const Operation& operation, const gpu::GpuModel& gpu) {
    if (operation.kind == OperationKind::kernel) return operation.kernel;
    KernelWork work;
    work.nanoseconds = copy_time(operation, gpu);
    work.resident_blocks = static_cast<std::uint32_t>(gpu.max_blocks_per_sm);
    work.dram_share = 1;
    return work;
}

double StreamTimeline::blocked_time(const Queue& queue) const {
    const bool going_on = !queue.operations.empty() && !pending_.at(queue.operations.front()).ready;
    return queue.blocked + (going_on ? time_ - queue.since : 0);
}

void StreamTimeline::submit(OperationId id, Operation operation, const std::vector<OperationId>& waits_for) {
    run_until(host_);
    // A graph comes as a whole.
    if (!operation.graph && pending_.size() >= fit::most_pending) {
        run_until_done(pending_.begin()->first);
        host_ = std::max(host_, time_);
    }

    Pending one;
    one.placement.id = id;
    one.placement.submitted = host_;
    const StreamPlace place = streams_.at(operation.stream);
    const gpu::GpuModel& gpu = devices_[static_cast<std::size_t>(place.device)].gpu;
    one.placement.device = place.device;
    one.placement.engine = engine_of(operation.kind, gpu);
    one.placement.priority = place.priority;
    if (!operation.graph) one.arrival = host_ + nanoseconds(gpu.timing.launch_latency_us);
    host_ += call_cost(operation, gpu);
    one.placement.returned = host_;
    for (const OperationId other : waits_for) {
        const auto it = pending_.find(other);
        if (it == pending_.end()) continue;
        one.placement.waits_for.push_back(other);
        it->second.dependents.push_back(id);
        ++one.waits;
    }
    if (one.waits == 0) arrivals_.emplace(one.arrival, id);
    if (one.placement.engine != Engine::none) {
        const bool on_host = one.placement.engine == Engine::host;
        one.queue = on_host ? place.number : place.connection;
        // Branches of a graph do not hold each other up.
        if (operation.graph) one.queue = -static_cast<int>(id);
        if (!on_host && !operation.graph) one.placement.queue = one.queue;
        Queue& queue = queues_[queue_of(one)];
        if (queue.operations.empty()) queue.since = time_;
        queue.operations.push_back(id);
    }
    if (operation.pageable && is_host_copy(operation.kind)) operation.stops_host = true;
    const bool stops_host = operation.stops_host;
    one.placement.operation = std::move(operation);
    pending_.emplace(id, std::move(one));
    if (stops_host) {
        run_until_done(id);
        host_ = std::max(host_, time_);
    }
}

void StreamTimeline::host_works(double nanoseconds) { host_ += nanoseconds; }

void StreamTimeline::wait_for(const char* what, const std::vector<OperationId>& operations) {
    const double begin = host_;
    host_ += nanoseconds(devices_.front().gpu.timing.query_call_us);
    run_until(host_);
    for (const OperationId operation : operations) run_until_done(operation);
    host_ = std::max(host_, time_);
    if (watcher_.called) watcher_.called({what, begin, host_});
}

bool StreamTimeline::query(const char* what, const std::vector<OperationId>& operations) {
    wait_for(what, {});
    return std::all_of(operations.begin(), operations.end(), [&](OperationId id) { return is_done(id); });
}

void StreamTimeline::finish() {
    run_until(host_);
    while (!pending_.empty()) step(next_change());
}

double StreamTimeline::kernels_next() const {
    double next = std::numeric_limits<double>::infinity();
    for (const DevicePlace& device : devices_) next = std::min(next, device.kernels.next());
    return next;
}

double StreamTimeline::next_change() const {
    double next = time_ + kernels_next();
    for (const auto& [engine, one] : in_order_)
        if (one.running) next = std::min(next, one.end);
    if (!arrivals_.empty()) next = std::min(next, arrivals_.begin()->first);
    return next;
}

void StreamTimeline::step(double to) {
    if (!std::isfinite(to)) throw std::logic_error("the timeline waits for work that never ends");
    const double passed = std::min(to - time_, kernels_next());
    time_ = to;
    for (DevicePlace& device : devices_)
        for (const OperationId id : device.kernels.advance(passed)) finish(id);
    for (auto& [engine, one] : in_order_)
        if (one.running && one.end <= time_) finish(std::exchange(one.running, 0));
    while (settle()) {
    }
}

void StreamTimeline::run_until(double time) {
    while (settle()) {
    }
    for (double next = next_change(); next <= time; next = next_change()) step(next);
    if (time > time_) step(time);
}

void StreamTimeline::run_until_done(OperationId operation) {
    while (settle()) {
    }
    while (!is_done(operation)) step(next_change());
}

// What can begin now, begins. Whether anything did.
bool StreamTimeline::settle() {
    bool changed = false;
    while (!arrivals_.empty() && arrivals_.begin()->first <= time_) {
        const OperationId id = arrivals_.begin()->second;
        arrivals_.erase(arrivals_.begin());
        Pending& one = pending_.at(id);
        become_ready(one);
        changed = true;
        if (one.placement.engine != Engine::none) continue;
        one.placement.begin = time_;
        finish(id);
    }
    if (take_heads()) changed = true;
    for (DevicePlace& device : devices_)
        for (const OperationId id : device.kernels.start_blocks()) pending_.at(id).placement.begin = time_;
    return changed;
}

void StreamTimeline::become_ready(Pending& one) {
    one.placement.ready = time_;
    if (one.placement.engine != Engine::none) {
        Queue& queue = queues_.at(queue_of(one));
        one.blocked_before = blocked_time(queue);
        const OperationId head = queue.operations.front();
        if (head == one.placement.id)
            queue.blocked = one.blocked_before;  // its wait is over
        else if (!pending_.at(head).ready)
            one.placement.behind = head;
    }
    one.ready = true;
}

// Work at the heads of queues that can begin goes to its engine: the highest priority first, then what was
// ready first.
bool StreamTimeline::take_heads() {
    bool taken = false;
    for (bool again = true; again;) {
        again = false;
        std::vector<OperationId> heads;
        for (const auto& [key, queue] : queues_)
            if (!queue.operations.empty()) heads.push_back(queue.operations.front());
        std::erase_if(heads, [&](OperationId id) { return !pending_.at(id).ready; });
        const auto order = [&](OperationId id) {
            const Placement& placement = pending_.at(id).placement;
            return std::tuple(placement.engine == Engine::sms ? placement.priority : 0, placement.ready, id);
        };
        std::sort(heads.begin(), heads.end(),
                  [&](OperationId a, OperationId b) { return order(a) < order(b); });
        for (const OperationId id : heads) {
            Pending& one = pending_.at(id);
            const bool on_sms = one.placement.engine == Engine::sms;
            const DevicePlace& device = device_of(one.placement);
            const bool room = on_sms ? static_cast<int>(device.kernels.size()) < device.gpu.concurrent_kernels
                                     : in_order_[{one.placement.device, one.placement.engine}].running == 0;
            if (!room) continue;
            start(one);
            again = taken = true;
        }
    }
    return taken;
}

void StreamTimeline::start(Pending& one) {
    leave_queue(one);
    Placement& placement = one.placement;
    DevicePlace& device = devices_[static_cast<std::size_t>(placement.device)];
    if (placement.engine == Engine::sms)
        return device.kernels.add(placement.id, device_work(placement.operation, device.gpu),
                                  placement.priority);
    placement.begin = time_;
    const double length = placement.engine == Engine::host ? placement.operation.nanoseconds
                                                           : copy_time(placement.operation, device.gpu);
    in_order_[{placement.device, placement.engine}] = {placement.id, time_ + length};
}

void StreamTimeline::leave_queue(Pending& one) {
    Queue& queue = queues_.at(queue_of(one));
    one.placement.queue_blocked = blocked_time(queue) - one.blocked_before;
    queue.operations.pop_front();
    queue.since = time_;
    if (queue.operations.empty() && (one.placement.engine == Engine::host || one.placement.operation.graph))
        queues_.erase(queue_of(one));
}

void StreamTimeline::finish(OperationId id) {
    const auto it = pending_.find(id);
    Pending one = std::move(it->second);
    pending_.erase(it);
    one.placement.end = time_;
    if (one.placement.operation.stops_host) one.placement.returned = std::max(one.placement.returned, time_);
    for (const OperationId other : one.dependents)
        if (Pending& waiting = pending_.at(other); --waiting.waits == 0)
            arrivals_.emplace(waiting.arrival, other);
    if (watcher_.ended) watcher_.ended(one.placement);
}

}  // namespace lockstep::timing
