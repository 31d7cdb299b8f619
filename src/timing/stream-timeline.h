// A program's streams in time: places operations on devices' hardware queues, copy engines and SMs, in the
// order in which the program submits them, beside a clock of the host that its calls move on. What an
// operation has to wait for is told with it. Deterministic.
//
//  - A call takes the host its cost; the work reaches the GPU a little later. What the program computes
//    between calls takes no time unless it is told (host_works).
//  - Streams are dealt out to hardware queues in turn. A queue is in order: work at its head that waits for
//    other work holds up what is behind it, whichever stream that is of. Each engine has its own set of
//    queues.
//  - Copies take turns on the engine of their direction. Kernels that are through their queue share the SMs
//    (stream-kernels.h).
//  - A copy of pageable memory stops the host until it is done, since the driver copies it piece by piece
//    through pinned memory.
//
// What happens after the host's clock may still change: later calls can take places and bandwidth. So
// operations are reported when they have ended and the clock has passed, and waiting moves the clock.
#pragma once
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "gpu/model.h"
#include "timing/stream-kernels.h"
#include "timing/stream-operation.h"

namespace lockstep::timing {

// CUDA_DEVICE_MAX_CONNECTIONS: 1 to 32.
inline constexpr int default_connections = 8, most_connections = 32;

class StreamTimeline {
  public:
    // Who is told of operations, in the order of their ends, and of the host's other calls, in their order.
    struct Watcher {
        std::function<void(const Placement&)> ended;
        std::function<void(const HostCall&)> called;
    };

    // The devices, by number; they must outlive it.
    StreamTimeline(std::vector<const gpu::GpuModel*> gpus, int connections, Watcher watcher);

    // A device's streams are dealt out to its queues in the order in which they are added.
    void add_stream(StreamId stream, int priority, int device = 0);
    void set_priority(StreamId stream, int priority);  // of what is submitted from now on
    void remove_stream(StreamId stream);
    bool has_stream(StreamId stream) const { return streams_.contains(stream); }

    // The program submits an operation: the host's clock goes on by what the call takes. Numbers ascend.
    // `waits_for`: earlier operations that must be done before it begins.
    void submit(OperationId id, Operation operation, const std::vector<OperationId>& waits_for);

    // The host computes.
    void host_works(double nanoseconds);
    // The host waits: a call that returns when these are done.
    void wait_for(const char* what, const std::vector<OperationId>& operations);
    // The host asks whether they are done, which takes a little time, so that a loop that asks again ends.
    bool query(const char* what, const std::vector<OperationId>& operations);

    // The GPU does what it does until the host's clock.
    void catch_up() { run_until(host_); }
    // Number 0 stands for none.
    bool is_done(OperationId operation) const { return operation == 0 || !pending_.contains(operation); }

    // The program ends: what is still to be done is done.
    void finish();

    double host_clock() const { return host_; }
    int hardware_queues(int device = 0) const {
        return devices_[static_cast<std::size_t>(device)].connections;
    }

  private:
    struct Pending {
        Placement placement;
        int queue = 0;  // of its engine's; the numbers of hardware queues, or a stream's own
        double arrival = 0;
        std::size_t waits = 0;  // operations that are not done yet
        std::vector<OperationId> dependents;
        bool ready = false;
        double blocked_before = 0;  // its queue's blocked time when it became ready
    };
    struct Queue {
        std::deque<OperationId> operations;
        // How long its head has waited for other work, in all: up to `since`, and still going on.
        double blocked = 0;
        double since = 0;
    };
    // Does one thing after the other: a copy engine, or the thread that runs host functions.
    struct InOrder {
        OperationId running = 0;
        double end = 0;
    };
    struct StreamPlace {
        int device = 0;
        int number = 0;
        int connection = 0;
        int priority = 0;
    };
    struct DevicePlace {
        const gpu::GpuModel& gpu;
        int connections = 1;
        int streams_so_far = 0;
        KernelPool kernels;
    };
    // Host functions of each stream have a queue of their own.
    using QueueKey = std::tuple<int, Engine, int>;

    const DevicePlace& device_of(const Placement& placement) const {
        return devices_[static_cast<std::size_t>(placement.device)];
    }
    static QueueKey queue_of(const Pending& one) {
        return {one.placement.device, one.placement.engine, one.queue};
    }
    static Engine engine_of(OperationKind kind, const gpu::GpuModel& gpu);
    static double call_cost(const Operation& operation, const gpu::GpuModel& gpu);
    static double copy_time(const Operation& operation, const gpu::GpuModel& gpu);
    static KernelWork device_work(const Operation& operation, const gpu::GpuModel& gpu);
    double kernels_next() const;
    double blocked_time(const Queue& queue) const;

    void run_until(double time);
    void run_until_done(OperationId operation);
    double next_change() const;
    void step(double to);
    bool settle();
    void become_ready(Pending& one);
    bool take_heads();
    void leave_queue(Pending& one);
    void start(Pending& one);
    void finish(OperationId id);

    std::vector<DevicePlace> devices_;
    Watcher watcher_;
    std::map<StreamId, StreamPlace> streams_;
    std::map<OperationId, Pending> pending_;
    std::map<QueueKey, Queue> queues_;
    std::map<std::pair<int, Engine>, InOrder> in_order_;  // of each device
    std::set<std::pair<double, OperationId>> arrivals_;   // of work that waits for nothing else
    double host_ = 0, time_ = 0;
};

}  // namespace lockstep::timing
