// Kernels with values of one's own.
#pragma once
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sweep/arrange.h"

namespace lockstep::sweep {

constexpr const char* instructions = "smsp__inst_executed.sum";

inline KernelOutcome sample_kernel(const std::map<std::string, double>& values,
                                   std::array<std::uint32_t, 3> block = {256, 1, 1},
                                   std::optional<timing::Bound> bound = {}) {
    KernelOutcome kernel;
    kernel.name = "sum(float *)";
    kernel.launches = 1;
    kernel.grid = {100, 1, 1};
    kernel.block = block;
    kernel.bound = bound;
    const auto metrics = metrics::metrics();
    kernel.values.resize(metrics.size());
    std::size_t found = 0;
    for (std::size_t m = 0; m < metrics.size(); ++m)
        if (const auto value = values.find(metrics[m].names[0]); value != values.end()) {
            kernel.values[m].add(value->second);
            ++found;
        }
    EXPECT_EQ(found, values.size()) << "a metric that does not exist";
    return kernel;
}

inline gpu::GpuModel sample_gpu() {
    auto model = gpu::find_model("h200", std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "gpus");
    EXPECT_TRUE(model) << model.error().to_string();
    return model ? *model : gpu::GpuModel{};
}

}  // namespace lockstep::sweep
