// The GPU models that stand in the source tree.
#pragma once
#include <gtest/gtest.h>

#include "gpu/model.h"

namespace lockstep::gpu {

inline const std::filesystem::path models = std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "gpus";

inline GpuModel model(const char* name) {
    auto found = find_model(name, models);
    EXPECT_TRUE(found) << found.error().to_string();
    return *found;
}

}  // namespace lockstep::gpu
