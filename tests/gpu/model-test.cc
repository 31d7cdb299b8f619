#include "gpu/model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "gpu/model-checks.h"
#include "models.h"

namespace lockstep::gpu {
namespace {

std::string h200_text() {
    std::ifstream file(models / "h200.toml");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// The h200 file with one piece replaced, loaded.
Result<GpuModel> load_changed(const std::string& from, const std::string& to) {
    std::string text = h200_text();
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    // Tests run side by side, each in a process of its own.
    const auto folder = std::filesystem::path(testing::TempDir()) / fmt::format("changed-{}", getpid());
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "changed.toml") << text;
    auto model = load_model(folder / "changed.toml");
    std::filesystem::remove_all(folder);
    return model;
}

int line_of(const std::string& piece) {
    const std::string text = h200_text();
    return 1 + static_cast<int>(std::count(text.begin(), text.begin() + text.find(piece), '\n'));
}

TEST(Model, EveryShippedModelLoads) {
    const auto names = list_models(models);
    EXPECT_EQ(names,
              (std::vector<std::string>{"a100", "fermi", "gtx1650", "h200", "k20x", "mi100", "mi210", "mi250",
                                        "mi300x", "p2000", "rtx3090", "rtx4090", "rx7900xtx", "v100"}));
    for (const auto& name : names) {
        const auto model = find_model(name, models);
        ASSERT_TRUE(model) << model.error().to_string();
        EXPECT_EQ(model->id, name);
    }
}

TEST(Model, ReadsTheNumbers) {
    const auto model = find_model("H200", models);
    ASSERT_TRUE(model) << model.error().to_string();
    EXPECT_EQ(model->name, "NVIDIA H200");
    EXPECT_EQ(model->compute_capability(), 90);
    EXPECT_EQ(model->sms, 132);
    EXPECT_EQ(model->max_warps_per_sm(), 64);
    EXPECT_EQ(model->max_grid[0], 2147483647u);
    EXPECT_EQ(model->max_block[2], 64u);
    EXPECT_TRUE(model->ecc);
    EXPECT_EQ(model->file, models / "h200.toml");
    EXPECT_EQ(model->compute_name(), "9.0");
    EXPECT_EQ(model->full_name(), "NVIDIA H200");
}

TEST(Model, ReadsTheTimingFigures) {
    const auto model = find_model("h200", models);
    ASSERT_TRUE(model) << model.error().to_string();
    const TimingFigures& t = model->timing;
    EXPECT_EQ(t.schedulers, 4);
    EXPECT_EQ(t.policy, SchedulerPolicy::greedy_then_oldest);
    EXPECT_EQ(t.fma.latency, 4);
    EXPECT_EQ(t.fma.lanes, 128);
    EXPECT_EQ(t.shuffle.latency, 24);
    EXPECT_EQ(t.l1_bytes, 262144u);
    EXPECT_EQ(t.l2_write_bytes_per_cycle, 2400);
    EXPECT_DOUBLE_EQ(t.dram_mixed_efficiency, 0.84);
    EXPECT_DOUBLE_EQ(t.l2_bytes_per_cycle_sm, 121);
    EXPECT_DOUBLE_EQ(t.block_launch_cycles, 1.19);
    EXPECT_EQ(t.hardware_queues, 32);
    EXPECT_DOUBLE_EQ(t.pageable_to_device_gbs, 7.4);
    EXPECT_EQ(model->memory_latency_cycles, 680);
    EXPECT_EQ(find_model("fermi", models)->timing.hardware_queues, 1);
    EXPECT_FALSE(find_model("k20x", models)->timing.l1_caches_loads);
}

TEST(Model, WhatComparisonsSaidIsOptional) {
    EXPECT_NE(find_model("h200", models)->timing.validated.nvcc, "");
    EXPECT_EQ(load_changed("nvcc =", "nvcc = \"time 12 %\" #")->timing.validated.nvcc, "time 12 %");
    EXPECT_EQ(load_changed("nvcc =", "nvcc = \"\" #")->timing.validated.nvcc, "");
    EXPECT_EQ(load_changed("nvcc =", "# nvcc =")->timing.validated.nvcc, "");
    EXPECT_FALSE(load_changed("nvcc =", "nvcc = 12 #"));
}

// A table may say at what the textbook's own figures are; then it has to say all.
TEST(Model, TheTextbooksFiguresComeTogether) {
    const std::string two = "[textbook]\narithmetic_latency = 20\nmemory_latency = 800\n";
    EXPECT_TRUE(load_changed("[queues]", two + "memory_clock_mhz = 1500\n[queues]"));
    EXPECT_EQ(load_changed("[queues]", two + "[queues]").error().message,
              "'textbook' needs all of arithmetic_latency, memory_latency and memory_clock_mhz");
}

TEST(Model, EveryNumberOfTheFilesNamesItsSource) {
    for (const auto& name : list_models(models)) {
        std::ifstream file(models / (name + ".toml"));
        int number = 0;
        for (std::string line; std::getline(file, line);) {
            ++number;
            if (line.find('=') == line.npos || line.starts_with("#")) continue;
            EXPECT_NE(line.find("# ["), line.npos) << name << ".toml:" << number << " has no source";
        }
    }
}

TEST(Model, UnknownKeyIsAnErrorWithItsPlace) {
    const auto model = load_changed("[grid]", "[grid]\nmax_dimm = 3");
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().message, "unknown key 'grid.max_dimm'");
    EXPECT_EQ(model.error().place.line, line_of("[grid]") + 1);
    EXPECT_EQ(model.error().place.column, 1);
}

TEST(Model, UnknownSectionIsAnError) {
    const auto model = load_changed("[grid]", "[cache]\nx = 1\n[grid]");
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().message, "unknown key 'cache'");
}

TEST(Model, MissingKeyIsAnErrorAtItsSection) {
    const auto model = load_changed("bus_bits = 6016", "");
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().message, "missing key 'memory.bus_bits'");
    EXPECT_EQ(model.error().place.line, line_of("[memory]"));
}

TEST(Model, MissingFigureOfAPipeIsAnErrorAtThePipe) {
    const auto model = load_changed("fma = { latency = 4, lanes = 128 }", "fma = { latency = 4 }");
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().message, "missing key 'pipes.fma.lanes'");
    EXPECT_EQ(model.error().place.line, line_of("fma = {"));
    EXPECT_EQ(load_changed("lanes = 128 }", "lanes = 128, lames = 1 }").error().message,
              "unknown key 'pipes.fma.lames'");
    EXPECT_EQ(load_changed("fma = { latency = 4, lanes = 128 }", "fma = 4").error().message,
              "missing key 'pipes.fma.latency'");
}

TEST(Model, NumbersWithAFraction) {
    EXPECT_DOUBLE_EQ(load_changed("launch_cycles = 1.19", "launch_cycles = 2")->timing.block_launch_cycles,
                     2);
    EXPECT_EQ(load_changed("launch_cycles = 1.19", "launch_cycles = \"1\"").error().message,
              "'blocks.launch_cycles' must be a number");
    for (const char* absurd : {"nan", "inf", "-inf", "-0.1", "1e9"}) {
        const auto model = load_changed("launch_cycles = 1.19", fmt::format("launch_cycles = {}", absurd));
        ASSERT_FALSE(model) << absurd;
        EXPECT_TRUE(model.error().message.ends_with("it must be between 0 and 100000"))
            << model.error().message;
        EXPECT_EQ(model.error().place.line, line_of("launch_cycles = 1.19"));
    }
    EXPECT_EQ(load_changed("read_efficiency = 0.95", "read_efficiency = 1.5").error().message,
              "'dram.read_efficiency' is 1.5; it must be between 0.01 and 1");
}

TEST(Model, PoliciesHaveNames) {
    const std::string given = "policy = \"greedy-then-oldest\"";
    EXPECT_EQ(load_changed(given, "policy = \"loose-round-robin\"")->timing.policy,
              SchedulerPolicy::loose_round_robin);
    for (const char* wrong : {"policy = \"oldest\"", "policy = 1"})
        EXPECT_EQ(load_changed(given, wrong).error().message,
                  "'scheduler.policy' must be one of \"greedy-then-oldest\", \"loose-round-robin\"");
}

TEST(Model, FiguresMustAgree) {
    EXPECT_EQ(load_changed("effective_bytes = 29360128", "effective_bytes = 62914561").error().message,
              "'l2.effective_bytes' is 62914561, more than the L2 has (62914560, l2.bytes)");
    EXPECT_FALSE(load_changed("bytes = 262144", "bytes = 131072"));  // less than the shared memory in it
    EXPECT_FALSE(load_changed("latency = 264 ", "latency = 30 "));   // the L2 faster than the L1
    EXPECT_FALSE(load_changed("latency = 680 ", "latency = 200 "));  // memory faster than the L2
    EXPECT_FALSE(load_changed("max_threads = 2048", "max_threads = 512"));
    GpuModel crowded = *load_model(models / "h200.toml");
    EXPECT_FALSE(inconsistency(crowded));
    crowded.max_threads_per_sm = 8192, crowded.timing.schedulers = 3;
    EXPECT_EQ(inconsistency(crowded).value().key, "scheduler.count");
}

TEST(Model, WrongTypesAreErrors) {
    EXPECT_EQ(load_changed("count = 132", "count = \"132\"").error().message,
              "'sm.count' must be a whole number");
    EXPECT_EQ(load_changed("count = 132", "count = 132.5").error().message,
              "'sm.count' must be a whole number");
    EXPECT_EQ(load_changed("ecc = true", "ecc = 1").error().message, "'memory.ecc' must be true or false");
    EXPECT_EQ(load_changed("\"NVIDIA H200\"", "7").error().message, "'name' must be a text in quotes");
    EXPECT_EQ(load_changed("[1024, 1024, 64]", "[1024, 1024]").error().message,
              "'block.max_dim' must be a list of three whole numbers: [x, y, z]");
}

TEST(Model, AbsurdNumbersAreErrors) {
    EXPECT_EQ(load_changed("count = 132", "count = -1").error().message,
              "'sm.count' is -1; it must be between 1 and 1024");
    EXPECT_FALSE(load_changed("[1024, 1024, 64]", "[1024, 0, 64]"));
    EXPECT_FALSE(load_changed("warp_size = 32", "warp_size = 33"));
    EXPECT_FALSE(load_changed("count_full_chip = 144", "count_full_chip = 100"));
    EXPECT_FALSE(load_changed("200704, 233472]", "200704]"));
    EXPECT_FALSE(load_changed("[0, 8192, 16384", "[0, 16384, 8192"));
    EXPECT_FALSE(load_changed("shared_bytes_optin = 232448", "shared_bytes_optin = 240000"));
}

TEST(Model, SyntaxErrorsHaveAPlace) {
    const auto model = load_changed("count = 132", "count = = 132");
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().place.line, line_of("count = 132"));
}

TEST(Model, UnknownNamesGetTheNearestOne) {
    const std::string all =
        " (there are: a100, fermi, gtx1650, h200, k20x, mi100, mi210, mi250, mi300x, p2000, rtx3090, "
        "rtx4090, "
        "rx7900xtx, v100)";
    EXPECT_EQ(find_model("h2000", models).error().message,
              "no GPU model 'h2000'; did you mean 'h200'?" + all);
    EXPECT_EQ(find_model("gtx-1650", models).error().message,
              "no GPU model 'gtx-1650'; did you mean 'gtx1650'?" + all);
    EXPECT_EQ(find_model("riva", models).error().message, "no GPU model 'riva'" + all);
    EXPECT_FALSE(find_model("../h200", models));
    EXPECT_FALSE(find_model("/nowhere/x.toml", models));
}

}  // namespace
}  // namespace lockstep::gpu
