#include "session/steady-times.h"

#include <algorithm>
#include <cmath>

#include "timing/fit.h"

namespace lockstep::session {
namespace {

constexpr std::size_t most_shapes = 64;

}  // namespace

SteadyTimes::Shape SteadyTimes::shape_of(const LaunchShape& shape) {
    return {{shape.grid.x, shape.grid.y, shape.grid.z},
            {shape.block.x, shape.block.y, shape.block.z},
            shape.dynamic_shared,
            shape.shared_carveout};
}

const timing::Prediction* SteadyTimes::expected(const LaunchShape& shape) {
    const auto found = known_.find(shape_of(shape));
    if (found == known_.end() || found->second.left == 0) return nullptr;
    --found->second.left;
    return &found->second.prediction;
}

void SteadyTimes::watched(const LaunchShape& shape, timing::Prediction prediction) {
    using namespace timing::fit;
    if (known_.size() >= most_shapes) known_.clear();
    Known& known = known_[shape_of(shape)];
    const double before = known.prediction.nanoseconds;
    const bool same = known.same > 0 && std::abs(prediction.nanoseconds - before) <= steady_spread * before;
    known.same = same ? known.same + 1 : 1;
    if (!same) known.skip = 0;
    if (known.same >= steady_launches) known.skip = std::clamp(2 * known.skip, 1, most_unwatched);
    known.left = known.skip;
    prediction.places.clear();
    known.prediction = std::move(prediction);
}

}  // namespace lockstep::session
