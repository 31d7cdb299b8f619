// --layout: how a block becomes warps, drawn.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "gpu/block-layout.h"

namespace lockstep::cli {

// A line a warp. Where there are many, the middle ones are left out unless `all`.
std::string text_of(const gpu::BlockLayout& layout, bool all);
nlohmann::ordered_json json_of(const gpu::BlockLayout& layout);
std::string csv_of(const gpu::BlockLayout& layout);  // a line a lane

}  // namespace lockstep::cli
