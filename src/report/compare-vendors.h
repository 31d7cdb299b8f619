// What differs between a warp of 32 and a wavefront of 64 lanes, for a kernel that ran on both vendors' GPUs.
#pragma once
#include <string>
#include <vector>

#include "gpu/model.h"
#include "report/compare-table.h"

namespace lockstep::report {

// Of one vendor each.
bool are_of_two_vendors(const RunFile& a, const RunFile& b);

// A line each: how a block is cut into warps on either side, lanes that are left idle, how many warps fit and
// what stops the next, and a block's size that is right for one side and not for the other.
Result<std::vector<std::string>> vendor_notes(const Side& a, const gpu::GpuModel& gpu_a, const Side& b,
                                              const gpu::GpuModel& gpu_b,
                                              std::span<const ComparedKernel> kernels);

}  // namespace lockstep::report
