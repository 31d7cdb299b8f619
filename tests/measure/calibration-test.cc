// The model of a GPU, made of what was recorded on it: bench/hardware/h200 must give gpus/h200.toml's
// figures.
#include "measure/calibration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "gpu/model-keys.h"
#include "gpu/model-rewriting.h"

namespace lockstep::measure {
namespace {

namespace fs = std::filesystem;

const fs::path source = LOCKSTEP_SOURCE_DIR;

std::optional<double> figure_in(gpu::GpuModel& model, const std::string& path) {
    for (const gpu::Key& key : gpu::keys_of(model))
        if (key.path == path) return gpu::number_of(key);
    return {};
}

TEST(Calibration, GivesTheModelThatWasMadeByHand) {
    auto model = gpu::load_model(source / "gpus/h200.toml");
    ASSERT_TRUE(model) << model.error().to_string();
    const Calibration found = calibrate(Recordings(source / "bench/hardware/h200"));
    EXPECT_TRUE(found.missing.empty()) << found.missing.front();
    EXPECT_GT(found.figures.size(), 80u);
    for (const gpu::NewFigure& figure : found.figures) {
        const auto by_hand = figure_in(*model, figure.key);
        ASSERT_TRUE(by_hand) << figure.key;
        // Cycles are whole in most of the model's figures, and a half is rounded either way.
        EXPECT_LT(std::abs(figure.value - *by_hand), std::max(0.03 * *by_hand, 0.52)) << figure.key;
    }
}

class CalibratedModel : public testing::Test {
  protected:
    CalibratedModel() { fs::create_directories(folder_); }
    ~CalibratedModel() override { fs::remove_all(folder_); }

    Result<gpu::GpuModel> loaded(const std::string& text) const {
        std::ofstream(folder_ / "made.toml") << text;
        return gpu::load_model(folder_ / "made.toml");
    }

    // Tests run side by side.
    fs::path folder_ =
        fs::path(testing::TempDir()) /
        (std::string("calibrated-") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(CalibratedModel, KeepsWhatWasNotMeasuredAndSaysSo) {
    gpu::NewModel made;
    made.name = "A GPU", made.architecture = "Ampere";
    made.head = {"Sources: [M] measured."};
    made.rest_tag = "[B] a100.toml:";
    made.validated = {"nvcc = \"near\" # [V]"};
    made.figures = {{"pipes.fma.latency", 5.2, "[M] x.csv"},
                    {"dram.read_efficiency", 0.7512, "[M] y.csv"},
                    {"sm.count", 46, "[M] z.csv"},
                    {"l2.latency", 1e9, "[M] wrong"},
                    {"no.such_key", 1, "[M] none"}};
    auto text = gpu::rewrite_model(source / "gpus/a100.toml", made);
    ASSERT_TRUE(text) << text.error().to_string();
    EXPECT_EQ(text->refused, (std::vector<std::string>{"l2.latency = 1e+09: a model takes 1 to 10000"}));
    auto model = loaded(text->text), base = gpu::load_model(source / "gpus/a100.toml");
    ASSERT_TRUE(model) << model.error().to_string();
    EXPECT_EQ(model->name, "A GPU");
    EXPECT_EQ(model->sms, 46);
    EXPECT_EQ(model->timing.validated.nvcc, "near");
    EXPECT_EQ(figure_in(*model, "pipes.fma.latency"), 5);
    EXPECT_EQ(figure_in(*model, "pipes.fma.lanes"), figure_in(*base, "pipes.fma.lanes"));
    EXPECT_EQ(figure_in(*model, "dram.read_efficiency"), 0.751);
    EXPECT_EQ(figure_in(*model, "l2.latency"), figure_in(*base, "l2.latency"));
    EXPECT_NE(text->text.find("[M] x.csv; [B] a100.toml: ["), std::string::npos);
    EXPECT_EQ(text->text.find("fma = { latency = 4"), std::string::npos);
}

TEST_F(CalibratedModel, OfEveryModel) {
    gpu::NewModel made;
    made.name = "A GPU", made.architecture = "Some", made.rest_tag = "[B]";
    for (const std::string& id : gpu::list_models(source / "gpus")) {
        auto text = gpu::rewrite_model(source / "gpus" / (id + ".toml"), made);
        ASSERT_TRUE(text) << id;
        auto model = loaded(text->text);
        EXPECT_TRUE(model) << id << ": " << model.error().to_string();
    }
}

TEST_F(CalibratedModel, PartOfTheRecordings) {
    std::ofstream(folder_ / "device.csv") << "property,value\nname,A GPU\ncompute,8.6\nsms,46\n";
    std::ofstream(folder_ / "arithmetic.csv")
        << "instruction,ilp,warps,unit,median,least,most,samples\nfadd,1,1,cycles a step of a warp,4,4,4,1\n"
        << "imad,1,1,cycles a step of a warp,nan,4,4,1\nlop3,1,1,cycles a step of a warp,wrong,4,4,1\n";
    const Calibration found = calibrate(Recordings(folder_));
    std::vector<std::string> keys;
    for (const gpu::NewFigure& figure : found.figures) keys.push_back(figure.key);
    EXPECT_EQ(keys,
              (std::vector<std::string>{"compute.major", "compute.minor", "sm.count", "pipes.fma.latency"}));
    EXPECT_FALSE(found.missing.empty());
}

// Whatever model the rest comes from, the loader takes what comes of it.
TEST_F(CalibratedModel, FiguresAgree) {
    for (const char* id : {"a100", "v100", "gtx1650", "rtx4090", "p2000", "h200"}) {
        auto base = gpu::load_model(source / "gpus" / (std::string(id) + ".toml"));
        ASSERT_TRUE(base);
        gpu::NewModel made;
        made.name = "NVIDIA H200", made.architecture = "Hopper", made.rest_tag = "[B]";
        made.figures = calibrate(Recordings(source / "bench/hardware/h200")).figures;
        agree(made.figures, *base);
        auto text = gpu::rewrite_model(base->file, made);
        ASSERT_TRUE(text) << id;
        EXPECT_TRUE(text->refused.empty()) << id;
        auto model = loaded(text->text);
        ASSERT_TRUE(model) << id << ": " << model.error().to_string();
        EXPECT_EQ(model->shared_configurations.back(), 233472u) << id;
    }
}

TEST(Calibration, WhatAModelSaysOfItself) {
    const std::vector<double> errors{0.1, -0.4, 0.2};
    EXPECT_EQ(validation_text(errors), "mean error of time 23 % over 3 launches, worst -40 %");
    // Half of it is farther off than half as much again.
    EXPECT_EQ(validation_text(std::vector{0.6, -0.5}),
              "mean error of time 55 % over 2 launches, worst -50 %");
}

}  // namespace
}  // namespace lockstep::measure
