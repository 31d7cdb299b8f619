// Does what is submitted to streams, in an order that CUDA allows. Work is done in the call that submits it,
// in the order of submission, with one exception: host functions run on a thread of their own, and what waits
// for one is done when it has ended. A host function may therefore wait for something that the program does
// after it has submitted it, and more besides.
#pragma once
#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "timing/stream-order.h"

namespace lockstep::session {

// Thread-safe.
class StreamWork {
  public:
    using Work = std::function<void()>;

    StreamWork() = default;
    // Waits for the host function that runs.
    ~StreamWork();
    StreamWork(const StreamWork&) = delete;
    StreamWork& operator=(const StreamWork&) = delete;

    void add_stream(timing::StreamId stream, bool blocking);
    void remove_stream(timing::StreamId stream);
    void remove_event(timing::EventId event);

    // Does the work, or keeps it until what it waits for is done; with `stops_host` it has been done when
    // this returns. Whether it has been done.
    bool submit(const timing::Operation& operation, Work work);

    void wait_for_stream(timing::StreamId stream);
    void wait_for_event(timing::EventId event);
    void wait_for_all();
    bool stream_is_done(timing::StreamId stream);
    bool event_is_done(timing::EventId event);

  private:
    struct Pending {
        Work work;
        bool host_function = false;
        std::size_t waits = 0;
        std::vector<timing::OperationId> dependents;
    };

    void wait_for(std::unique_lock<std::mutex>& lock, timing::OperationId operation);
    void start_host_thread();
    void run_host_functions();
    void complete(timing::OperationId id);

    std::mutex mutex_;
    std::condition_variable changed_;
    timing::StreamOrder order_;
    std::map<timing::OperationId, Pending> pending_;
    std::atomic<std::size_t> outstanding_{0};  // the size of pending_
    std::deque<timing::OperationId> host_functions_;
    timing::OperationId last_ = 0;
    bool stopping_ = false;
    std::thread host_thread_;
    pid_t host_thread_process_ = 0;  // a fork loses the thread
};

}  // namespace lockstep::session
