// Who hands out the points of a sweep and takes the outcomes: this process, or rank 0 under mpirun.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sweep/outcome.h"
#include "sweep/ranks.h"

namespace lockstep::cli {

class WorkSource {
  public:
    virtual ~WorkSource() = default;
    // The number of the next point to run here; nothing: no more are left.
    virtual std::optional<std::size_t> next() = 0;
    virtual void done(std::size_t number, sweep::Outcome outcome) = 0;
    // To be called every now and then.
    virtual void attend() {}
    // Nobody needs this process any more, once its own points are done.
    virtual bool finished() const = 0;
};

// Hands out all points, to this process and to the other ranks if there are any.
class OwnWork : public WorkSource {
  public:
    OwnWork(std::size_t points, sweep::Ranks* ranks) : outcomes_(points), ranks_(ranks) {
        if (ranks_) working_ = ranks_->size() - 1;
    }
    std::optional<std::size_t> next() override;
    void done(std::size_t number, sweep::Outcome outcome) override;
    void attend() override;
    bool finished() const override { return done_ == outcomes_.size() && working_ == 0; }

    std::size_t points_done() const { return done_; }
    // Once it has finished.
    std::vector<sweep::Outcome> take() { return std::move(outcomes_); }
    // Ranks that could not work, a message each.
    const std::vector<std::string>& rank_failures() const { return failures_; }

  private:
    std::vector<sweep::Outcome> outcomes_;
    sweep::Ranks* ranks_;
    std::size_t next_ = 0, done_ = 0;
    int working_ = 0;  // other ranks
    std::vector<std::string> failures_;
};

// Asks rank 0.
class AssignedWork : public WorkSource {
  public:
    explicit AssignedWork(sweep::Ranks& ranks) : ranks_(ranks) {}
    std::optional<std::size_t> next() override;
    void done(std::size_t number, sweep::Outcome outcome) override;
    bool finished() const override { return dismissed_; }

    // Instead of asking for work: this rank has none to offer.
    void fail(const std::string& reason);

  private:
    sweep::Ranks& ranks_;
    bool dismissed_ = false;
};

}  // namespace lockstep::cli
