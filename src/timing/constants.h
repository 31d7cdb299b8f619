// An SM's cache of constant memory. Lanes that want different words are served one after the other; where a
// word's line is not there, the load waits until it has come, and others go on meanwhile.
#pragma once
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <unordered_map>
#include <vector>

#include "gpu/timing-figures.h"
#include "timing/server.h"
#include "timing/trace.h"

namespace lockstep::timing {

class Constants {
  public:
    explicit Constants(const gpu::ConstantFigures& figures);

    // A load's name, and when the last of its words had its turn: it takes as long as one that is there
    // alone.
    using Done = std::function<void(std::uint64_t load, double at)>;

    // When the last word has its turn, if that is known at once; else advance() will tell.
    std::optional<double> load(std::uint64_t name, const Access& access, const BlockTrace& block, double now);
    // When one of the loads that wait goes on.
    double next() const { return waiting_.empty() ? HUGE_VAL : waiting_.top().at; }
    void advance(double now, const Done& done);

    // Until when it is busy with what it has taken in, and how long it has been.
    double free() const { return server_.free; }
    double busy() const { return std::max(server_.busy, misses_.busy); }

  private:
    struct Waiting {
        double at = 0;
        std::uint64_t name = 0;
        std::span<const Line> words;  // still to be served, each by its line
        bool operator>(const Waiting& other) const { return at > other.at; }
    };
    struct Fetched {
        std::uint64_t line = 0;
        double arrives = 0;
    };

    void fill(double now);
    double arrival(std::uint64_t line, double now, double cost);

    const gpu::ConstantFigures& figures_;
    std::unordered_map<std::uint64_t, std::uint64_t> lines_;  // that are there: when they were used last
    std::uint64_t clock_ = 0;
    std::vector<Fetched> fetched_;  // on their way
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;
    Server server_, misses_;
};

}  // namespace lockstep::timing
