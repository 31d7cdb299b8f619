// What a run's streams did in simulated time, as data for the page's script.
#pragma once
#include <nlohmann/json.hpp>

#include "base/result.h"
#include "report/run-reader.h"

namespace lockstep::page {

// Bars in the page, and calls: the first ones.
inline constexpr std::size_t most_bars = 20'000, most_calls = 5'000;

Result<nlohmann::json> stream_data(const report::RunFile& run);

}  // namespace lockstep::page
