// GPU models for tests.
#pragma once
#include <gtest/gtest.h>

#include "gpu/model.h"

namespace lockstep::timing {

inline gpu::GpuModel model(const char* name) {
    auto found = gpu::find_model(name, LOCKSTEP_SOURCE_DIR "/gpus");
    EXPECT_TRUE(found) << found.error().to_string();
    return *found;
}
inline gpu::GpuModel h200() { return model("h200"); }
// Has one hardware queue.
inline gpu::GpuModel fermi() { return model("fermi"); }

}  // namespace lockstep::timing
