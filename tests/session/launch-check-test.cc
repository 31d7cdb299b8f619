#include "session/launch-check.h"

#include <gtest/gtest.h>

namespace lockstep::session {
namespace {

class LaunchCheck : public testing::Test {
  protected:
    LaunchCheck() {
        auto model = gpu::find_model("h200", std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "gpus");
        EXPECT_TRUE(model) << model.error().to_string();
        if (model) gpu = *model;
        kernel.name = "k";
    }
    void use(const char* name) {
        gpu = *gpu::find_model(name, std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "gpus");
    }
    Outcome check(exec::Dim3 grid, exec::Dim3 block, std::uint64_t shared = 0, bool cooperative = false) {
        const auto obstacle =
            launch_obstacle(gpu, kernel, settings, LaunchShape{grid, block, shared, cooperative});
        return obstacle ? refusal(kernel, *obstacle) : Outcome();
    }
    gpu::GpuModel gpu;
    exec::KernelInfo kernel;
    KernelSettings settings;
};

TEST_F(LaunchCheck, WhatFitsPasses) {
    EXPECT_TRUE(check({1, 1, 1}, {1, 1, 1}));
    EXPECT_TRUE(check({2147483647, 65535, 65535}, {1024, 1, 1}));
    EXPECT_TRUE(check({1, 1, 1}, {4, 4, 64}));
    EXPECT_TRUE(check({1, 1, 1}, {32, 1, 1}, 49152));
}

TEST_F(LaunchCheck, GridsAndBlocks) {
    EXPECT_EQ(check({0, 1, 1}, {1, 1, 1}).status, Status::invalid_configuration);
    EXPECT_EQ(check({1, 1, 1}, {1, 0, 1}).status, Status::invalid_configuration);
    EXPECT_EQ(check({1, 65536, 1}, {1, 1, 1}).status, Status::invalid_configuration);
    EXPECT_EQ(check({4294967295u, 1, 1}, {1, 1, 1}).status, Status::invalid_configuration);
    EXPECT_EQ(check({1, 1, 1}, {1, 1, 65}).status, Status::invalid_configuration);
    const Outcome many = check({1, 1, 1}, {32, 33, 1});
    EXPECT_EQ(many.status, Status::invalid_configuration);
    EXPECT_EQ(many.reason,
              "kernel 'k' was not launched: the block (32, 33, 1) has 1056 threads; the GPU's limit is 1024");
    EXPECT_TRUE(many.notable);
}

TEST_F(LaunchCheck, LaunchBounds) {
    kernel.max_threads_per_block = 128;
    EXPECT_TRUE(check({1, 1, 1}, {128, 1, 1}));
    EXPECT_EQ(check({1, 1, 1}, {129, 1, 1}).status, Status::invalid_value);
}

TEST_F(LaunchCheck, ClustersAreNamed) {
    kernel.cluster = {1, 1, 1};
    EXPECT_TRUE(check({4, 1, 1}, {32, 1, 1}));
    kernel.cluster = {2, 1, 1};
    EXPECT_TRUE(check({4, 1, 1}, {32, 1, 1}));
    const Outcome odd = check({3, 1, 1}, {32, 1, 1});
    EXPECT_EQ(odd.status, Status::invalid_cluster_size);
    EXPECT_EQ(odd.reason,
              "kernel 'k' was not launched: the grid (3, 1, 1) cannot be divided into clusters of (2, 1, 1) "
              "blocks");
    kernel.cluster = {16, 1, 1};
    EXPECT_EQ(check({16, 1, 1}, {32, 1, 1}).status, Status::invalid_cluster_size);
    settings.large_clusters = true;
    EXPECT_TRUE(check({16, 1, 1}, {32, 1, 1}));
    kernel.cluster = {};
    kernel.explicit_cluster = true;
    EXPECT_EQ(check({4, 1, 1}, {32, 1, 1}).status, Status::invalid_cluster_size);
}

TEST_F(LaunchCheck, SharedMemory) {
    kernel.static_shared_bytes = 1024;
    EXPECT_TRUE(check({1, 1, 1}, {32, 1, 1}, 48128));
    EXPECT_EQ(check({1, 1, 1}, {32, 1, 1}, 48129).status, Status::invalid_value);
    settings.max_dynamic_shared = 200'000;
    EXPECT_TRUE(check({1, 1, 1}, {32, 1, 1}, 200'000));
    EXPECT_EQ(check({1, 1, 1}, {32, 1, 1}, 200'001).status, Status::invalid_value);
    EXPECT_EQ(check({1, 1, 1}, {32, 1, 1}, ~0ull).status, Status::invalid_value);
}

// What a newer GPU takes, an older one may not: the limit that was broken is named.
TEST_F(LaunchCheck, LimitsOfFermi) {
    use("fermi");
    EXPECT_TRUE(check({65535, 1, 1}, {1024, 1, 1}, 49152));
    EXPECT_EQ(check({65536, 1, 1}, {32, 1, 1}).reason,
              "kernel 'k' was not launched: the grid (65536, 1, 1) is larger than the GPU's limit (65535, "
              "65535, 65535)");
    EXPECT_EQ(check({1, 1, 1}, {1025, 1, 1}).reason,
              "kernel 'k' was not launched: the block (1025, 1, 1) is larger than the GPU's limit (1024, "
              "1024, 64)");
    EXPECT_EQ(check({1, 1, 1}, {32, 1, 1}, 49153).reason,
              "kernel 'k' was not launched: 49153 bytes of dynamic shared memory beside 0 static ones; the "
              "limit is 49152");
    kernel.static_shared_bytes = 60'000;
    const Outcome large = check({1, 1, 1}, {32, 1, 1});
    EXPECT_EQ(large.status, Status::invalid_value);
    EXPECT_EQ(large.reason,
              "kernel 'k' was not launched: 60000 bytes of shared memory a block; the GPU's limit is 49152");
    use("h200");
    EXPECT_TRUE(check({65536, 1, 1}, {32, 1, 1}));
}

TEST_F(LaunchCheck, Cooperative) {
    EXPECT_TRUE(check({264, 1, 1}, {1024, 1, 1}, 0, true));
    EXPECT_EQ(check({265, 1, 1}, {1024, 1, 1}, 0, true).status, Status::cooperative_launch_too_large);
    use("p2000");
    EXPECT_TRUE(check({2, 1, 1}, {32, 1, 1}, 0, true));
    use("k20x");
    EXPECT_EQ(check({2, 1, 1}, {32, 1, 1}, 0, true).status, Status::not_supported);
}

}  // namespace
}  // namespace lockstep::session
