// --latency: the parallelism that hides a GPU's latencies.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "gpu/model.h"

namespace lockstep::cli {

struct LatencyRequest {
    int bytes_per_thread = 4;
    std::optional<int> active_warps;  // an SM, of the block that was given
};

std::string latency_text(const gpu::GpuModel& gpu, const LatencyRequest& request);
nlohmann::ordered_json latency_json(const gpu::GpuModel& gpu, const LatencyRequest& request);

}  // namespace lockstep::cli
