// Programs launch the same kernel again and again. Once its launches of one shape have taken the same time
// several times in a row, most of those that follow are taken to do so too, and run unwatched; every now and
// then one is watched, and if its time is another one, all are again.
#pragma once
#include <cstdint>
#include <map>

#include "session/launch-check.h"
#include "timing/prediction.h"

namespace lockstep::session {

// Of one kernel.
class SteadyTimes {
  public:
    // Null: this launch is to be watched.
    const timing::Prediction* expected(const LaunchShape& shape);
    void watched(const LaunchShape& shape, timing::Prediction prediction);

  private:
    struct Shape {
        std::uint64_t grid[3], block[3], shared;
        int carveout;
        auto operator<=>(const Shape&) const = default;
    };
    struct Known {
        timing::Prediction prediction;
        int same = 0;            // launches in a row that took this time
        int skip = 0, left = 0;  // launches between two that are watched, and how many of them are to come
    };
    static Shape shape_of(const LaunchShape& shape);

    std::map<Shape, Known> known_;
};

}  // namespace lockstep::session
