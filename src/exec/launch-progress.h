// Tells who waits at a terminal how far a long launch is: a line that is written over.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace lockstep::exec {

class LaunchProgress {
  public:
    // `show`: shows a line in the place of the last one, and none for an empty text; may be empty.
    LaunchProgress(const std::function<void(const std::string&)>& show, const std::string& kernel,
                   std::uint64_t blocks)
        : show_(show), kernel_(kernel), blocks_(blocks) {
        if (show_) begin_ = Clock::now(), next_ = begin_ + std::chrono::seconds(3);
    }
    ~LaunchProgress() {
        if (shown_) show_("");
    }
    LaunchProgress(const LaunchProgress&) = delete;
    LaunchProgress& operator=(const LaunchProgress&) = delete;

    // Whenever a block has ended, by one thread. `begun` tells how many blocks have, where it is asked.
    template <class Begun>
    void tick(const Begun& begun) {
        if (!show_) return;
        if (const auto now = Clock::now(); now >= next_) show(begun(), now);
    }

  private:
    using Clock = std::chrono::steady_clock;
    void show(std::uint64_t begun, Clock::time_point now);

    const std::function<void(const std::string&)>& show_;
    const std::string& kernel_;
    std::uint64_t blocks_;
    Clock::time_point begin_, next_;
    bool shown_ = false;
};

}  // namespace lockstep::exec
