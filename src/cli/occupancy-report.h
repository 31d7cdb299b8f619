// What `lockstep occupancy` has found out, and its printers: for people, as JSON, as CSV.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/kernel-resources.h"
#include "gpu/block-limits.h"
#include "gpu/what-if.h"

namespace lockstep::cli {

// One block on one GPU.
struct Calculation {
    gpu::GpuModel gpu;
    gpu::Dimensions block{1, 1, 1};
    gpu::BlockDemand demand;
    gpu::Occupancy occupancy;
    gpu::SharedConfiguration shared;
    std::vector<gpu::WhatIf> block_sizes, registers, shared_sizes;
};

// `bound`: the largest block that the kernel allows; 0: the GPU's.
Calculation calculate(const gpu::GpuModel& gpu, const gpu::Dimensions& block, const gpu::BlockDemand& demand,
                      int bound = 0);

// A kernel, and its occupancy over block sizes or, where a block was given, for that one.
struct KernelOccupancy {
    KernelResources kernel;
    std::vector<gpu::WhatIf> block_sizes;
    std::optional<Calculation> calculation;
};

std::string text_of(const Calculation& calculation);
std::string text_of(const gpu::GpuModel& gpu, const std::vector<KernelOccupancy>& kernels);

nlohmann::ordered_json json_of(const Calculation& calculation);
nlohmann::ordered_json json_of(const gpu::GpuModel& gpu, const std::vector<KernelOccupancy>& kernels);

// The three tables, one below the other, with a column that names them.
std::string csv_of(const Calculation& calculation);
std::string csv_of(const gpu::GpuModel& gpu, const std::vector<KernelOccupancy>& kernels);

// What stops the next block: "warps", "registers", "shared_mem", "blocks", all that do.
std::vector<std::string> limiters(const gpu::Occupancy& occupancy);

}  // namespace lockstep::cli
