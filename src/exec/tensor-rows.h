// The rows of a tensor that a copy takes, one after the other: those of a box, or pixels for a convolution.
#pragma once
#include "exec/tensor-map.h"

namespace lockstep::exec {

using TensorPoint = std::array<std::int64_t, most_tensor_dimensions>;

class TensorRows {
  public:
    // `from`: the copy's coordinates; `offsets`: what is added to those of pixels.
    TensorRows(const TensorMap& map, const TensorPoint& from, const TensorPoint& offsets);

    std::uint64_t count() const { return count_; }
    TensorPoint point() const;  // where the row begins, inside the tensor or not
    void advance();

  private:
    void next_of_box();
    void next_pixel();

    const TensorMap& map_;
    const TensorPoint from_, offsets_;
    TensorPoint at_;
    std::array<std::uint32_t, most_tensor_dimensions> taken_{};
    std::uint64_t count_ = 1;
};

}  // namespace lockstep::exec
