#include "compile/hipcc-plan.h"

#include <gtest/gtest.h>

using namespace lockstep;
using namespace lockstep::compile;

namespace {

HipccPlan hipcc_plan_of(const std::vector<std::string>& arguments) {
    auto plan = plan_hipcc(arguments, {"gfx908"});
    if (!plan) ADD_FAILURE() << plan.error().to_string();
    return plan ? std::move(*plan) : HipccPlan{};
}

TEST(HipccPlan, LinksUnlessTold) {
    const HipccPlan plan =
        hipcc_plan_of({"-O2", "-DN=3", "a.hip", "b.cpp", "c.o", "-o", "prog", "-Lx", "-lm", "-lamdhip64"});
    EXPECT_EQ(plan.mode, HipccMode::link);
    ASSERT_EQ(plan.inputs.size(), 3u);
    EXPECT_EQ(plan.inputs[1].language, Language::hip);
    EXPECT_EQ(plan.inputs[2].language, Language::linkable);
    EXPECT_EQ(plan.flags.common, (Arguments{"-O2", "-DN=3"}));
    EXPECT_EQ(plan.link, (Arguments{"-Lx", "-lm"}));
    EXPECT_EQ(plan.output, "prog");
    EXPECT_EQ(plan.flags.targets, std::vector<std::string>{"gfx908"});
}

TEST(HipccPlan, WhatAmdsOwnIsTold) {
    const HipccPlan plan =
        hipcc_plan_of({"-O2", "-x", "hip", "-I", "inc", "--offload-arch=gfx90a", "--rocm-path=/opt/rocm",
                       "-fgpu-rdc", "a.cc", "-MD", "-MF", "a.d", "-o", "prog", "-lm"});
    EXPECT_EQ(plan.hipcc, (Arguments{"-O2", "-x", "hip", "-I", "inc", "--rocm-path=/opt/rocm", "-fgpu-rdc"}));
    EXPECT_EQ(plan.link, (Arguments{"-lm"}));
}

TEST(HipccPlan, Targets) {
    EXPECT_EQ(hipcc_plan_of({"--offload-arch=gfx90a:xnack+,gfx906", "--amdgpu-target=gfx906", "-c", "a.hip"})
                  .flags.targets,
              (std::vector<std::string>{"gfx90a:xnack+", "gfx906"}));
    EXPECT_FALSE(plan_hipcc({"--offload-arch=sm_90", "a.hip"}, {"gfx908"}));
}

TEST(HipccPlan, LanguagesOfFiles) {
    const HipccPlan plan = hipcc_plan_of({"-x", "c++", "a.cpp", "-x", "hip", "b.cc", "-c"});
    EXPECT_EQ(plan.inputs[0].language, Language::cxx);
    EXPECT_EQ(plan.inputs[1].language, Language::hip);
    EXPECT_TRUE(is_hip({"-O2", "a.hip"}));
    EXPECT_TRUE(is_hip({"-x", "hip", "a.cpp"}));
    EXPECT_FALSE(is_hip({"a.cpp", "-o", "b"}));
}

TEST(HipccPlan, DependenciesAsCMakeWantsThem) {
    const HipccPlan plan = hipcc_plan_of(
        {"-MD", "-MT", "x.o", "-MF", "x.d", "-o", "x.o", "-c", "x.hip", "--rocm-path=/opt/rocm"});
    EXPECT_TRUE(plan.write_dependencies);
    EXPECT_EQ(plan.dependency_file, "x.d");
    EXPECT_EQ(plan.mode, HipccMode::compile);
    EXPECT_TRUE(plan.flags.common.empty());
}

TEST(HipccPlan, SeparateCompilation) {
    EXPECT_TRUE(hipcc_plan_of({"-fgpu-rdc", "-c", "a.hip"}).flags.relocatable);
    EXPECT_FALSE(hipcc_plan_of({"-fgpu-rdc", "-fno-gpu-rdc", "-c", "a.hip"}).flags.relocatable);
    EXPECT_FALSE(hipcc_plan_of({"-fgpu-rdc", "--genco", "a.hip"}).flags.relocatable);
}

TEST(HipccPlan, DeviceCodeAlone) {
    EXPECT_EQ(hipcc_plan_of({"--emit-static-lib", "a.hip"}).mode, HipccMode::archive);
    EXPECT_EQ(hipcc_plan_of({"--genco", "a.hip"}).mode, HipccMode::code);
    EXPECT_EQ(hipcc_plan_of({"--offload-device-only", "-S", "a.hip"}).mode, HipccMode::assembly);
}

// Objects of several files would define one symbol twice.
TEST(HipccPlan, BothPassesOfAFileHaveOneNumberAndOtherFilesAnother) {
    const auto number = [](const Arguments& command) {
        for (std::size_t i = 1; i < command.size(); ++i)
            if (command[i - 1] == "-Xclang" && command[i].starts_with("-cuid=")) return command[i];
        return std::string();
    };
    const auto host = [&](const char* file) { return number(host_command({}, file, {}, Language::hip, {})); };
    EXPECT_NE(host("a.hip"), "");
    EXPECT_EQ(host("a.hip"), number(hip_device_command({}, "a.hip", {}, "gfx908")));
    EXPECT_NE(host("a.hip"), host("b.hip"));
}

}  // namespace
