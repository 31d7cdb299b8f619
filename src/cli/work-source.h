// Who hands out the points of a sweep and takes the outcomes: this process, or rank 0 under mpirun.
#pragma once
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sweep/outcome.h"
#include "sweep/ranks.h"

namespace lockstep::cli {

class WorkSource {
  public:
    virtual ~WorkSource() = default;
    // The number of the next point to run here; nothing: there is none now.
    virtual std::optional<std::size_t> next() = 0;
    virtual void done(std::size_t number, sweep::Outcome outcome) = 0;
    // To be called every now and then.
    virtual void attend() {}
    // Nobody needs this process any more, once its own points are done.
    virtual bool finished() const = 0;
};

// Every process says now and then that it is there. One that has been silent for so long is gone.
using Clock = std::chrono::steady_clock;
inline constexpr std::chrono::seconds between_words{1}, most_silence{10};

// Hands out all points, to this process and to the other ranks if there are any. What a rank has not done
// when it is gone is handed out again.
class OwnWork : public WorkSource {
  public:
    // `known`: outcomes of an earlier run, which are not run again. `keep` gets each new one, when it has
    // come.
    OwnWork(std::vector<std::optional<sweep::Outcome>> known, sweep::Ranks* ranks,
            std::function<void(std::size_t, const sweep::Outcome&)> keep);
    std::optional<std::size_t> next() override;
    void done(std::size_t number, sweep::Outcome outcome) override;
    void attend() override;
    bool finished() const override { return done_ == outcomes_.size() && working() == 0; }

    std::size_t points_done() const { return done_; }
    // Once it has finished.
    std::vector<sweep::Outcome> take();
    // Ranks that could not work or are gone, a message each.
    const std::vector<std::string>& rank_failures() const { return failures_; }
    bool lost_ranks() const { return lost_; }

  private:
    struct Rank {
        enum class State : std::uint8_t { working, waiting, dismissed, gone } state = State::working;
        Clock::time_point last = Clock::now();
    };
    int working() const;
    void take(const sweep::Message& message);
    void answer(int rank);
    void look_for_gone();

    std::vector<std::optional<sweep::Outcome>> outcomes_;
    sweep::Ranks* ranks_;
    std::function<void(std::size_t, const sweep::Outcome&)> keep_;
    std::deque<std::size_t> left_;           // points that nobody has
    std::map<std::size_t, int> handed_out_;  // to other ranks
    std::vector<Rank> others_;               // by number; the first is this one
    std::size_t done_ = 0;
    bool lost_ = false;
    Clock::time_point told_ = Clock::now();
    std::vector<std::string> failures_;
};

// Asks rank 0.
class AssignedWork : public WorkSource {
  public:
    explicit AssignedWork(sweep::Ranks& ranks) : ranks_(ranks) {}
    std::optional<std::size_t> next() override;
    void done(std::size_t number, sweep::Outcome outcome) override;
    void attend() override;
    bool finished() const override { return dismissed_; }
    // Rank 0, or another rank, is gone: there is no orderly end of all.
    bool lost_ranks() const { return lost_; }

    // Instead of asking for work: this rank has none to offer.
    void fail(const std::string& reason);

  private:
    sweep::Ranks& ranks_;
    std::optional<std::size_t> given_;
    bool asked_ = false, dismissed_ = false, lost_ = false;
    Clock::time_point told_ = Clock::now(), heard_ = Clock::now();
};

}  // namespace lockstep::cli
