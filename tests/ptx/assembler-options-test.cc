#include "ptx/assembler-options.h"

#include <gtest/gtest.h>

#include "ptx/parser.h"
#include "ptx/printer.h"

namespace lockstep::ptx {
namespace {

AssemblerOptions options_of(std::string_view words) {
    AssemblerOptions options;
    EXPECT_TRUE(read_assembler_options(words, options)) << words;
    return options;
}

TEST(AssemblerOptions, ReadsWhatChangesTheCode) {
    EXPECT_EQ(options_of("-dlcm=cg -v  -maxrregcount=24 "), (AssemblerOptions{24, Modifier::cg}));
    EXPECT_EQ(options_of("--def-load-cache ca --maxrregcount 32"), (AssemblerOptions{32, Modifier::ca}));
    EXPECT_EQ(options_of("-v -O3 --warn-on-spills"), AssemblerOptions{});
    EXPECT_EQ(options_of("-maxrregcount=archmax"), AssemblerOptions{});
    EXPECT_EQ(options_of(""), AssemblerOptions{});
    const AssemblerOptions both{40, Modifier::cv};
    EXPECT_EQ(options_of(to_string(both)), both);
    EXPECT_EQ(to_string(AssemblerOptions{}), "");
}

TEST(AssemblerOptions, NamesWhatMakesNoSense) {
    AssemblerOptions options;
    EXPECT_EQ(read_assembler_options("-dlcm=l1", options).error().message,
              "ptxas -dlcm=l1: known are ca, cg, cs, lu and cv");
    for (const char* words : {"-maxrregcount=many", "-maxrregcount=-1", "-maxrregcount", "-dlcm"})
        EXPECT_FALSE(read_assembler_options(words, options)) << words;
    EXPECT_EQ(options, AssemblerOptions{});
}

TEST(AssemblerOptions, WhatTheTextSaysItselfComesFirst) {
    auto module = parse(R"(.version 8.5
.target sm_80
.address_size 64
.visible .entry bounded(.param .u64 p)
.maxntid 1024, 1, 1
{
    ret;
}
.visible .entry plain(.param .u64 p)
{
    .reg .b64 %rd<3>;
    .reg .b32 %r<9>;
    .shared .b32 s;
    ld.param.u64 %rd1, [p];
    ld.global.u32 %r1, [%rd1];
    ld.u32 %r2, [%rd1];
    ld.global.ca.u32 %r3, [%rd1];
    ld.global.nc.u32 %r4, [%rd1];
    ld.volatile.global.u32 %r5, [%rd1];
    ld.shared.u32 %r6, [s];
    ret;
}
)",
                        "test");
    ASSERT_TRUE(module) << module.error().to_string();
    apply({32, Modifier::cg}, *module);
    EXPECT_EQ(module->functions[0].max_registers, 0u);
    EXPECT_EQ(module->functions[1].max_registers, 32u);
    const std::string text = print(*module);
    for (const char* line :
         {"ld.param.u64", "ld.global.cg.u32 %r1", "ld.cg.u32 %r2", "ld.global.ca.u32 %r3",
          "ld.global.nc.u32 %r4", "ld.volatile.global.u32 %r5", "ld.shared.u32 %r6", ".maxnreg 32"})
        EXPECT_NE(text.find(line), std::string::npos) << line << " in\n" << text;
    EXPECT_TRUE(parse(text, "printed"));
}

}  // namespace
}  // namespace lockstep::ptx
