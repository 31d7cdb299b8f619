#include "gpu/model.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace lockstep::gpu {
namespace {

const std::filesystem::path models = std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "gpus";

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
    const auto path = std::filesystem::path(testing::TempDir()) / "changed.toml";
    std::ofstream(path) << text;
    return load_model(path);
}

int line_of(const std::string& piece) {
    const std::string text = h200_text();
    return 1 + static_cast<int>(std::count(text.begin(), text.begin() + text.find(piece), '\n'));
}

TEST(Model, EveryShippedModelLoads) {
    const auto names = list_models(models);
    EXPECT_EQ(names, (std::vector<std::string>{"a100", "fermi", "gtx1650", "h200", "k20x", "p2000", "rtx3090",
                                               "rtx4090", "v100"}));
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
    const std::string all = " (there are: a100, fermi, gtx1650, h200, k20x, p2000, rtx3090, rtx4090, v100)";
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
