#include "pipeline/pipeline.h"

#include <gtest/gtest.h>

#include "gpu/model.h"
#include "ptx/parser.h"

namespace lockstep::pipeline {
namespace {

// A branch, a loop, a call that is inlined, one that is not, and accesses of several memories.
constexpr std::string_view text = R"(
.version 8.0
.target sm_90
.address_size 64
.func (.param .b32 out) twice(.param .b32 in) {
    .reg .b32 %a;
    ld.param.b32 %a, [in];
    add.u32 %a, %a, %a;
    st.param.b32 [out], %a;
    ret;
}
.func down(.param .b32 in) {
    .reg .b32 %a; .reg .pred %p;
    ld.param.b32 %a, [in];
    setp.eq.u32 %p, %a, 0;
    @%p ret;
    sub.u32 %a, %a, 1;
    { .param .b32 x; st.param.b32 [x], %a; call down, (x); }
    ret;
}
.visible .entry k(.param .u64 p) {
    .shared .align 4 .b8 tile[128];
    .reg .b64 %d<8>; .reg .b32 %r<8>; .reg .pred %p;
    ld.param.u64 %d1, [p];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d2, %r1, 4;
    add.u64 %d3, %d1, %d2;
    setp.gt.u32 %p, %r1, 15;
    @%p bra DONE;
    ld.global.u32 %r2, [%d3];
    { .param .b32 x; .param .b32 y; st.param.b32 [x], %r2; call (y), twice, (x); ld.param.b32 %r3, [y]; }
    { .param .b32 x; st.param.b32 [x], %r3; call down, (x); }
    st.shared.u32 [tile], %r3;
    st.global.u32 [%d3], %r3;
DONE:
    ret;
}
)";

class Pipeline : public testing::Test {
  protected:
    void SetUp() override {
        auto parsed = ptx::parse(text, "test");
        ASSERT_TRUE(parsed) << parsed.error().to_string();
        module = std::move(*parsed);
        entry = 2;
        gpu = *gpu::load_model(LOCKSTEP_SOURCE_DIR "/gpus/h200.toml");
    }
    Result<Derived> derive(const machine::Options& options = {}) {
        const kernel::PassTap tap([&](std::string_view pass, const std::function<std::string()>& listing) {
            told.emplace_back(pass);
            EXPECT_FALSE(listing().empty()) << pass;
        });
        return pipeline::derive(kernel::source_of(module, entry), gpu, options, tap);
    }

    ptx::Module module;
    std::uint32_t entry = 0;
    gpu::GpuModel gpu;
    std::vector<std::string> told;
};

// What `lockstep ptx --help` lists is what can be shown, in the order of the work.
TEST_F(Pipeline, TheListOfPassesIsTheWay) {
    ASSERT_TRUE(derive());
    // Functions go through the passes one after the other; each pass counts where the entry comes to it.
    std::vector<std::string> first;
    for (const std::string& pass : told)
        if (std::find(first.begin(), first.end(), pass) == first.end()) first.push_back(pass);
    std::vector<std::string> listed;
    for (const Pass& pass : passes()) listed.emplace_back(pass.name);
    EXPECT_EQ(first, listed);
}

TEST_F(Pipeline, EveryPartSpeaksOfTheSameKernel) {
    const auto derived = derive();
    ASSERT_TRUE(derived);
    const kernel::Kernel& kernel = *derived->kernel;
    ASSERT_EQ(kernel.functions.size(), 2u);  // the entry, and the recursive function
    EXPECT_EQ(kernel.functions[1].name, "down");
    EXPECT_EQ(kernel.shapes.size(), 2u);
    EXPECT_EQ(derived->views.size(), 2u);
    EXPECT_EQ(kernel.blocks.size(), kernel.functions[0].blocks.size() + kernel.functions[1].blocks.size());
    EXPECT_EQ(derived->code.regions.size(), kernel.blocks.size());
    EXPECT_EQ(derived->accesses.size(), kernel.sites.size());
}

TEST_F(Pipeline, UnoptimisedCodeIsNotFolded) {
    ASSERT_TRUE(derive({.optimise = false}));
    EXPECT_EQ(std::count(told.begin(), told.end(), "arithmetic"), 0);
    EXPECT_EQ(std::count(told.begin(), told.end(), "machine"), 2);
}

TEST_F(Pipeline, WhatPtxasIsTold) {
    EXPECT_TRUE(machine_options(module, entry, gpu).optimise);
    EXPECT_EQ(machine_options(module, entry, gpu).max_registers, 255u);
    module.functions[entry].max_registers = 32;
    EXPECT_EQ(machine_options(module, entry, gpu).max_registers, 32u);
    module.target_options.push_back("debug");
    EXPECT_FALSE(machine_options(module, entry, gpu).optimise);
}

TEST_F(Pipeline, AFunctionThatIsNowhereIsAnError) {
    kernel::Source source = kernel::source_of(module, entry);
    source.is_external = [](const std::string&) { return false; };
    module.functions[0].declaration = true;
    module.functions[0].instructions.clear();
    const auto derived = pipeline::derive(source, gpu, {});
    ASSERT_FALSE(derived);
    EXPECT_NE(derived.error().message.find("twice"), std::string::npos) << derived.error().message;
}

}  // namespace
}  // namespace lockstep::pipeline
