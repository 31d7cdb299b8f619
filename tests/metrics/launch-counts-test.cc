// Raw counts and a machine view to executed instructions.
#include "counters/launch-counts.h"

#include <gtest/gtest.h>

#include "metrics/launch.h"
#include "metrics/metric.h"

namespace lockstep::counters {
namespace {

using machine::Opcode;

std::optional<double> value_if_any(const LaunchCounts& counts, const char* name) {
    auto selected = metrics::select_metrics(name);
    EXPECT_TRUE(selected) << name;
    return selected->front().metric->value(metrics::Launch{counts, std::nullopt});
}

// if (c) { load } more: the branch at the end of block 0 skips block 1.
class Diamond : public testing::Test {
  protected:
    Diamond() {
        auto model = gpu::load_model(LOCKSTEP_SOURCE_DIR "/gpus/h200.toml");
        gpu = *model;
        kernel.functions.resize(1);
        kernel.functions[0].blocks.resize(3);
        kernel.functions[0].blocks[0].instructions.resize(2);
        kernel.functions[0].blocks[1].instructions.resize(1);
        kernel.functions[0].blocks[2].instructions.resize(1);
        kernel.blocks = {{0, 0, 3}, {0, 1, 1}, {0, 2, 1}};
        kernel::Site load;
        load.block = 1, load.instruction = 0, load.bytes = 4;
        load.kind = kernel::SiteKind::load, load.space = ptx::Space::global;
        kernel.sites = {load};
        raw.blocks = {{100, 3200, 40, 640}, {60, 1280, 0, 0}, {100, 3200, 0, 0}};
        raw.sites.resize(1);
        raw.sites[0][0] = {.requests = 60,
                           .lanes = 1280,
                           .bytes = 5120,
                           .sectors = 240,
                           .ideal_sectors = 160,
                           .transactions = 240};
        view.registers = 20;
        view.blocks.resize(3);
        view.blocks[0].code = {{.opcode = Opcode::iadd3, .ptx = 0},
                               {.opcode = Opcode::iadd3, .issues = 3, .ptx = 1},
                               {.opcode = Opcode::bra, .branches = 1, .ptx = 2}};
        view.blocks[1].issued_with = 1;
        view.blocks[1].code = {{.opcode = Opcode::ldg, .ptx = 0, .access_bytes = 4}};
        view.blocks[2].issued_with = 2;
        view.blocks[2].code = {{.opcode = Opcode::iadd3, .ptx = 0}};
        config.block = {64, 1, 1};
        config.grid = {50, 1, 1};
    }
    LaunchCounts counts() { return count_launch(kernel, {&view, 1}, accesses, gpu, config, raw); }

    gpu::GpuModel gpu;
    kernel::Kernel kernel;
    machine::View view;
    LaunchConfig config;
    RawCounts raw;
    std::vector<MachineAccess> accesses{{.bytes = 4, .kind = kernel::SiteKind::load}};
};

TEST_F(Diamond, ABranchThatTheMachineExecutes) {
    LaunchCounts c = counts();
    EXPECT_EQ(value_if_any(c, "inst_executed"), 100 * 5 + 60 + 100);
    EXPECT_EQ(value_if_any(c, "thread_inst_executed"), 3200 * 5 + 1280 + 3200);
    EXPECT_EQ(value_if_any(c, "smsp__thread_inst_executed_pred_on.sum"), 3200 * 5 + 1280 + 3200);
    EXPECT_EQ(value_if_any(c, "inst_per_warp"), 6.6);
    EXPECT_EQ(value_if_any(c, "smsp__sass_branch_targets.sum"), 100);
    EXPECT_EQ(value_if_any(c, "divergent_branch"), 40);
    EXPECT_EQ(value_if_any(c, "branch_efficiency"), 60);
    EXPECT_EQ(value_if_any(c, "Branch"), 1);
    EXPECT_EQ(value_if_any(c, "inst_executed_global_loads"), 60);
    EXPECT_EQ(value_if_any(c, "gld_transactions"), 240);
    EXPECT_EQ(value_if_any(c, "gld_transactions_per_request"), 4);
    EXPECT_NEAR(*value_if_any(c, "gld_efficiency"), 100.0 * 5120 / (240 * 32), 1e-9);
    EXPECT_EQ(value_if_any(c, "memory_l2_theoretical_sectors_global_ideal"), 160);
}

TEST_F(Diamond, PredicatedCodeIsIssuedWithTheBlockBefore) {
    view.blocks[0].code.pop_back();
    view.blocks[1].issued_with = 0;
    LaunchCounts c = counts();
    EXPECT_EQ(value_if_any(c, "inst_executed"), 100 * 4 + 100 + 100);
    EXPECT_EQ(value_if_any(c, "thread_inst_executed"), 3200 * 4 + 3200 + 3200);
    EXPECT_EQ(value_if_any(c, "smsp__thread_inst_executed_pred_on.sum"), 3200 * 4 + 1280 + 3200);
    EXPECT_EQ(value_if_any(c, "inst_executed_global_loads"), 100) << "predicated-off ones are executed";
    EXPECT_EQ(value_if_any(c, "global_load_requests"), 60) << "but ask for nothing";
    EXPECT_EQ(value_if_any(c, "smsp__sass_branch_targets.sum"), 0);
    EXPECT_EQ(value_if_any(c, "branch_efficiency"), 100);
    EXPECT_EQ(value_if_any(c, "smsp__sass_average_branch_targets_threads_uniform.pct"), 0);
}

TEST_F(Diamond, AGuardOfItsOwnIsKnownFromTheRequests) {
    view.blocks[1].code[0].guarded = true;
    raw.sites[0][0].lanes = 500;
    EXPECT_EQ(value_if_any(counts(), "smsp__thread_inst_executed_pred_on.sum"), 3200 * 5 + 500 + 3200);
}

TEST_F(Diamond, ReconvergenceOfTheOtherPathIsIssuedOncePerSplit) {
    view.blocks[0].code.push_back({.opcode = Opcode::bsync, .ptx = 2, .on_divergence = true});
    LaunchCounts c = counts();
    EXPECT_EQ(value_if_any(c, "inst_executed"), 660 + 40);
    EXPECT_EQ(value_if_any(c, "divergent_branch"), 40);
}

TEST_F(Diamond, AnUnrolledLoopDoesItsOverheadOnceATrip) {
    // Block 1 as a loop of ten turns a stay, entered from block 0 by 6 warps.
    raw.blocks[0].entries = 6;
    view.blocks[1].unrolling.turns = 4;
    view.blocks[1].loop_entry = 0;
    view.blocks[1].loop_end = 1;
    view.blocks[1].code.push_back({.opcode = Opcode::iadd3, .ptx = 1, .once_a_trip = true});
    // 60 turns are 6 stays of 10: twice four, and a copy of two.
    EXPECT_EQ(value_if_any(counts(), "inst_executed"), 6 * 5 + 60 + 6 * (2 + 1) + 100);
    // Lanes that leave at different turns: some of them execute the copy of two and the last turn.
    raw.blocks[1].splits = 6;
    EXPECT_EQ(value_if_any(counts(), "inst_executed"), 6 * 5 + 6 * (8 + 2 + 1) + 6 * (2 + 1 + 1) + 100);
}

TEST_F(Diamond, TheCopyOfTwoTurnsHasNoBranch) {
    raw.blocks[0].entries = 6;
    view.blocks[0].code.clear();
    view.blocks[1].unrolling.turns = 4;
    view.blocks[1].loop_end = 1;
    view.blocks[1].code.push_back({.opcode = Opcode::bra, .branches = 1, .ptx = 1, .once_a_trip = true});
    raw.blocks[1].entries = 66;  // stays of 11: twice four, two, one
    EXPECT_EQ(value_if_any(counts(), "smsp__sass_branch_targets.sum"), 6 * (2 + 1));
    view.blocks[1].unrolling.rest = machine::Rest::one;
    EXPECT_EQ(value_if_any(counts(), "smsp__sass_branch_targets.sum"), 6 * 2);
    view.blocks[1].unrolling.turns = 5;
    view.blocks[1].unrolling.rest = machine::Rest::copies;
    EXPECT_EQ(value_if_any(counts(), "smsp__sass_branch_targets.sum"), 6 * 2);
    view.blocks[1].unrolling = {.turns = 11, .rest = machine::Rest::none};
    EXPECT_EQ(value_if_any(counts(), "smsp__sass_branch_targets.sum"), 0);
}

TEST_F(Diamond, PredicatedCopiesOfTurnsAreIssuedWhateverIsLeft) {
    raw.blocks[0].entries = 6;
    view.blocks[0].code.clear();
    view.blocks[1].loop_end = 1;
    raw.blocks[1].entries = 48;  // stays of 8: nothing is left over
    const auto before = value_if_any(counts(), "inst_executed");
    view.blocks[1].unrolling = {
        .turns = 4, .rest = machine::Rest::one, .half_predicated = true, .last_predicated = true};
    EXPECT_EQ(value_if_any(counts(), "inst_executed"), *before + 6 * 3);
}

TEST_F(Diamond, EachInstructionIsKnown) {
    LaunchCounts c = counts();
    ASSERT_EQ(c.instructions.size(), 5u);
    EXPECT_EQ(c.instructions[1].executed, 300u);
    EXPECT_EQ(c.instructions[2].instruction, 2);
    EXPECT_EQ(c.instructions[2].divergent_branches, 40u);
    EXPECT_EQ(c.instructions[3].block, 1u);
    EXPECT_EQ(c.instructions[3].accesses[0].sectors, 240u);
}

TEST_F(Diamond, Occupancy) {
    LaunchCounts c = counts();
    EXPECT_EQ(value_if_any(c, "launch__registers_per_thread"), 20);
    config.registers = 128;
    config.block = {512, 1, 1};
    c = counts();
    EXPECT_EQ(value_if_any(c, "launch__registers_per_thread"), 128);
    EXPECT_EQ(value_if_any(c, "launch__occupancy_limit_registers"), 1);
    EXPECT_EQ(value_if_any(c, "theoretical_occupancy"), 25);
    EXPECT_EQ(value_if_any(c, "launch__thread_count"), 512 * 50);
    EXPECT_EQ(value_if_any(c, "achieved_occupancy"), std::nullopt);
}

}  // namespace
}  // namespace lockstep::counters
