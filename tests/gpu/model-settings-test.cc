#include "gpu/model-settings.h"

#include <gtest/gtest.h>

#include "models.h"

namespace lockstep::gpu {
namespace {

Result<GpuModel> h200_with(const std::vector<std::string>& settings) {
    return find_model("h200", models, settings);
}

std::string complaint(const std::vector<std::string>& settings) {
    const auto model = h200_with(settings);
    return model ? "none" : model.error().to_string();
}

TEST(ModelSettings, ChangeOneFigureOnly) {
    const auto plain = h200_with({});
    const auto changed = h200_with({"sms=8"});
    ASSERT_TRUE(plain && changed);
    EXPECT_EQ(changed->sms, 8);
    EXPECT_EQ(changed->timing.l2_read_bytes_per_cycle, plain->timing.l2_read_bytes_per_cycle);
    EXPECT_EQ(changed->timing.block_launch_cycles, plain->timing.block_launch_cycles);
    EXPECT_EQ(changed->memory_bandwidth_gbs, plain->memory_bandwidth_gbs);
    EXPECT_EQ(changed->name, plain->name);
    EXPECT_EQ(changed->full_name(), "NVIDIA H200 with sm.count=8");
}

TEST(ModelSettings, EveryKindOfFigure) {
    const auto model =
        h200_with({"dram.read_efficiency=0.5", "pipes.alu.latency=6", "l1.caches_loads=false",
                   "scheduler.policy=loose-round-robin", "block.max_dim=512,256,32",
                   "sm.shared_configurations=8192,233472", "memory.bytes=8589934592", "copies.call_us=3"});
    ASSERT_TRUE(model) << model.error().to_string();
    EXPECT_EQ(model->timing.dram_read_efficiency, 0.5);
    EXPECT_EQ(model->timing.alu.latency, 6);
    EXPECT_FALSE(model->timing.l1_caches_loads);
    EXPECT_EQ(model->timing.policy, SchedulerPolicy::loose_round_robin);
    EXPECT_EQ(model->max_block[1], 256u);
    EXPECT_EQ(model->shared_configurations, (std::vector<std::uint32_t>{8192, 233472}));
    EXPECT_EQ(model->memory_bytes, std::uint64_t{8} << 30);
    EXPECT_EQ(model->timing.copy_call_us, 3);
}

TEST(ModelSettings, TheLastOneOfAFigureHolds) {
    const auto model = h200_with({"sms=8", "sm.count=4"});
    ASSERT_TRUE(model);
    EXPECT_EQ(model->sms, 4);
    EXPECT_EQ(model->changes, std::vector<std::string>{"sm.count=4"});
}

TEST(ModelSettings, UnknownFiguresGetTheNearestOnes) {
    EXPECT_EQ(complaint({"smss=8"}),
              "--set smss=8: a GPU model has no figure 'smss'; did you mean sms? (lockstep gpus NAME shows "
              "them all)");
    EXPECT_NE(complaint({"dram.read_eficiency=1"}).find("did you mean dram.read_efficiency"),
              std::string::npos);
    EXPECT_NE(complaint({"request_cycles=1"}).find("did you mean l1.request_cycles"), std::string::npos);
    EXPECT_EQ(complaint({"zzzzzzzzzzzzzzzzzzzz=1"}),
              "--set zzzzzzzzzzzzzzzzzzzz=1: a GPU model has no figure 'zzzzzzzzzzzzzzzzzzzz' (lockstep gpus "
              "NAME shows them all)");
}

TEST(ModelSettings, ValuesOutOfRangeGetTheRange) {
    EXPECT_EQ(complaint({"sms=0"}), "--set sms=0: it must be a whole number between 1 and 1024");
    for (const char* setting : {"sms=-1", "sms=1.5", "sms=x", "sms=8x", "sms= 8", "sms=99999999999999999999"})
        EXPECT_NE(complaint({setting}).find("it must be a whole number between 1 and 1024"),
                  std::string::npos)
            << setting;
    EXPECT_EQ(complaint({"dram.read_efficiency=2"}),
              "--set dram.read_efficiency=2: it must be a number between 0.01 and 1");
    EXPECT_NE(complaint({"dram.read_efficiency=nan"}), "none");
    EXPECT_NE(complaint({"block.max_dim=1,2"}), "none");
    EXPECT_NE(complaint({"block.max_dim=1,2,"}), "none");
    EXPECT_NE(complaint({"l1.caches_loads=yes"}), "none");
    EXPECT_NE(complaint({"scheduler.policy=oldest"}), "none");
    EXPECT_NE(complaint({"name=other"}), "none");
    for (const char* setting : {"sms", "sms=", "=8", ""})
        EXPECT_NE(complaint({setting}).find("expected KEY=VALUE, for example sms=8"), std::string::npos)
            << setting;
}

TEST(ModelSettings, FiguresMustStillAgree) {
    EXPECT_EQ(complaint({"sms=200"}),
              "--set sms=200: 'sm.count' is 200, more than the whole chip has (144, sm.count_full_chip)");
    EXPECT_EQ(complaint({"sms=200", "sm.count_full_chip=200"}), "none");
}

TEST(ModelSettings, AChangedGpuWasNeverValidated) {
    GpuModel model = *h200_with({});
    const TimingFigures::Validated found{.nvcc = "time 12 %", .lockstep = "time 13 %"};
    model.timing.validated = found;
    ASSERT_TRUE(apply_settings(model, {}));
    EXPECT_EQ(model.timing.validated, found);
    ASSERT_TRUE(apply_settings(model, {"sms=8"}));
    EXPECT_EQ(model.timing.validated, TimingFigures::Validated{});
}

TEST(ModelSettings, AsTheEnvironmentHoldsThem) {
    const std::vector<std::string> settings = {"sms=8", "block.max_dim=1,2,3"};
    EXPECT_EQ(join_settings(settings), "sms=8;block.max_dim=1,2,3");
    EXPECT_EQ(split_settings("sms=8;block.max_dim=1,2,3"), settings);
    EXPECT_EQ(split_settings(";sms=8;;block.max_dim=1,2,3;"), settings);
    EXPECT_TRUE(split_settings("").empty());
}

}  // namespace
}  // namespace lockstep::gpu
