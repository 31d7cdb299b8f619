#include "exec/tensor-rows.h"

namespace lockstep::exec {

TensorRows::TensorRows(const TensorMap& map, const TensorPoint& from, const TensorPoint& offsets)
    : map_(map), from_(from), offsets_(offsets), at_(from) {
    if (map.im2col)
        count_ = map.pixels;
    else
        for (std::uint32_t d = map.first_of_rows(); d < map.rank; ++d) count_ *= map.taken(d);
}

TensorPoint TensorRows::point() const {
    TensorPoint point = at_;
    for (std::uint32_t d = 0; d < map_.rank; ++d) point[d] += offsets_[d];
    return point;
}

void TensorRows::advance() { map_.im2col ? next_pixel() : next_of_box(); }

void TensorRows::next_of_box() {
    for (std::uint32_t d = map_.first_of_rows(); d < map_.rank; ++d) {
        at_[d] += map_.steps[d];
        if (++taken_[d] < map_.taken(d)) return;
        taken_[d] = 0;
        at_[d] = from_[d];
    }
}

// From the end of a line to the beginning of the next.
void TensorRows::next_pixel() {
    for (std::uint32_t i = 0; i < map_.spatial(); ++i) {
        const std::uint32_t d = map_.first_spatial() + i;
        at_[d] += map_.steps[d];
        if (at_[d] <= map_.last_pixel(d)) return;
        at_[d] = map_.first_pixel(d);
    }
    at_[map_.rank - 1] += map_.steps[map_.rank - 1];
}

}  // namespace lockstep::exec
