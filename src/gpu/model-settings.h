// Changes one figure of a GPU model: what --set and LOCKSTEP_SET do.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "gpu/model.h"

namespace lockstep::gpu {

// "sms=8", "dram.read_efficiency=0.9", "block.max_dim=512,512,64": any key of a model's file that is a
// number, a truth value or a choice; `sms` is short for sm.count. Only that figure changes: with fewer SMs,
// what belongs to the whole GPU (L2, memory, the rate of block starts) stays. An unknown key is an error with
// the nearest ones, a value out of range one with the range.
Result<void> apply_settings(GpuModel& model, const std::vector<std::string>& settings);

// As the environment holds several: "sms=8;pipes.alu.latency=6".
std::vector<std::string> split_settings(std::string_view text);
std::string join_settings(const std::vector<std::string>& settings);

}  // namespace lockstep::gpu
