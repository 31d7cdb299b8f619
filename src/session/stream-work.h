// Has done what is submitted to streams, in an order that CUDA allows. Work is done in the call that submits
// it, in the order of submission, with one exception: host functions run on a thread of their own, and what
// waits for one is done when it has ended. A host function may therefore wait for something that the program
// does after it has submitted it, and more besides.
#pragma once
#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "session/command.h"
#include "session/stream-order.h"

namespace lockstep::session {

// Thread-safe.
class StreamWork {
  public:
    // Does a command. `put_off`: not in the call that submitted it.
    using Execute = std::function<Done(const Command&, bool put_off)>;

    // Is told of a command that was done after the call that submitted it had returned, before anybody who
    // waits for it goes on.
    using Late = std::function<void(const Command&, const Done&)>;

    explicit StreamWork(Execute execute, Late late = {})
        : execute_(std::move(execute)), late_(std::move(late)) {}
    // Waits for the host function that runs.
    ~StreamWork();
    StreamWork(const StreamWork&) = delete;
    StreamWork& operator=(const StreamWork&) = delete;

    // As StreamOrder::add_stream.
    void add_stream(StreamId stream, StreamId legacy, bool blocking);
    void remove_stream(StreamId stream);
    void remove_event(EventId event);

    // How long a call waits for what it submits, where that waits for a host function.
    enum class Wait : std::uint8_t { no, a_while, until_done };
    // Long enough for most host functions, and not so long that one which waits for what the program does
    // next holds it up for good.
    static constexpr std::chrono::milliseconds a_while{100};

    // Does the command, or keeps it until what it waits for is done. Nothing: it is still to be done.
    std::optional<Done> submit(const Command& command, Wait wait);

    void wait_for_stream(StreamId stream);
    void wait_for_event(EventId event);
    void wait_for_device(StreamId legacy);
    bool stream_is_done(StreamId stream);
    bool event_is_done(EventId event);

  private:
    struct Pending {
        Command command;
        std::shared_ptr<Done> done{};  // the call that submitted it waits
        std::size_t waits = 0;
        std::vector<CommandId> dependents;
    };

    void wait_for(std::unique_lock<std::mutex>& lock, CommandId operation);
    void start_host_thread();
    void run_host_functions();
    void complete(CommandId id, Command command, Done done);

    const Execute execute_;
    const Late late_;
    std::mutex mutex_;
    std::condition_variable changed_;
    StreamOrder order_;
    std::map<CommandId, Pending> pending_;
    std::atomic<std::size_t> outstanding_{0};  // the size of pending_
    std::deque<CommandId> host_functions_;
    CommandId last_ = 0;
    bool stopping_ = false;
    std::thread host_thread_;
    pid_t host_thread_process_ = 0;  // a fork loses the thread
};

}  // namespace lockstep::session
