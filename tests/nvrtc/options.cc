#include "nvrtc/options.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "nvrtc/name-expressions.h"

namespace lockstep::nvrtc {
namespace {

Result<Options> parse(std::vector<const char*> words) { return parse_options(words, 52); }

std::string error_of(std::vector<const char*> words) {
    const auto options = parse(std::move(words));
    return options ? "" : options.error().message;
}

bool has(const Options& options, const std::string& flag) {
    const auto& common = options.flags.common;
    return std::find(common.begin(), common.end(), flag) != common.end();
}

TEST(Options, ArchitecturesAreVirtualOrReal) {
    EXPECT_EQ(parse({})->flags.architectures, std::vector{52});
    const auto real = parse({"-arch=sm_90"});
    EXPECT_EQ(real->flags.architectures, std::vector{90});
    EXPECT_TRUE(real->machine_code);
    const auto apart = parse({"--gpu-architecture", "compute_80"});
    EXPECT_EQ(apart->flags.architectures, std::vector{80});
    EXPECT_FALSE(apart->machine_code);
    const auto newer = parse({"-arch=compute_120"});
    EXPECT_EQ(newer->flags.architectures, std::vector{90});
    EXPECT_EQ(newer->warnings.size(), 1u);
    EXPECT_EQ(error_of({"-arch=sm_12"}), "invalid value for --gpu-architecture (-arch)");
    EXPECT_EQ(error_of({"-arch"}), "invalid value for --gpu-architecture (-arch)");
}

TEST(Options, TheAssemblersAreKept) {
    EXPECT_EQ(parse({"--maxrregcount=32"})->flags.assembler.max_registers, 32);
    EXPECT_EQ(parse({"-maxrregcount", "40"})->flags.assembler.max_registers, 40);
    EXPECT_EQ(parse({"-Xptxas", "-v -maxrregcount=24"})->flags.assembler.max_registers, 24);
    EXPECT_EQ(parse({"--ptxas-options=-dlcm=cg"})->flags.assembler.load_cache, ptx::Modifier::cg);
    EXPECT_NE(error_of({"--maxrregcount=many"}), "");
}

TEST(Options, ValuesStandWhereNvrtcTakesThem) {
    for (const auto& words : std::vector<std::vector<const char*>>{{"-DN=3"},
                                                                   {"-D N=3"},
                                                                   {"-D=N=3"},
                                                                   {"-D", "N=3"},
                                                                   {"--define-macro=N=3"},
                                                                   {" --define-macro", "N=3"}})
        EXPECT_TRUE(has(*parse(words), "-DN=3")) << words[0];
    EXPECT_TRUE(has(*parse({"-I/a b"}), "-I/a b"));
    EXPECT_TRUE(has(*parse({"--pre-include=x.h"}), "x.h"));
    EXPECT_TRUE(has(*parse({"-std=c++20"}), "-std=c++20"));
    EXPECT_FALSE(has(*parse({"-std=c++20"}), "-std=c++17"));
    EXPECT_EQ(error_of({"--std=c++98"}), "invalid value for --std (-std)");
    EXPECT_EQ(error_of({"-fmad=maybe"}), "--fmad (-fmad) expects true or false");
    EXPECT_EQ(error_of({"-minimal=3"}), "--minimal (-minimal) takes no value");
}

TEST(Options, ArithmeticFollowsThem) {
    const auto fast = parse({"--use_fast_math"})->flags;
    EXPECT_TRUE(fast.fast_math && fast.flush_denormals && fast.contract);
    EXPECT_FALSE(fast.precise_division || fast.precise_sqrt);
    EXPECT_FALSE(parse({"--fmad=false"})->flags.contract);
    EXPECT_FALSE(parse({"-fmad", "false"})->flags.contract);
    EXPECT_TRUE(parse({"-G"})->flags.device_debug);
    EXPECT_FALSE(parse({"-G", "-dopt=on"})->flags.device_debug);
}

TEST(Options, WhatIsNotThereIsNamed) {
    EXPECT_EQ(error_of({"--frob"}), "unrecognized option --frob found");
    EXPECT_EQ(error_of({"-O3"}), "unrecognized option -O3 found");
    EXPECT_NE(error_of({"-dlto"}).find("--dlink-time-opt (-dlto): "), std::string::npos);
    for (const KnownOption& option : known_options())
        EXPECT_EQ(option.action == Action::lacking, !option.reason.empty()) << option.long_name;
}

// No option hides behind another.
TEST(Options, EachIsFoundByBothNames) {
    for (const KnownOption& option : known_options()) {
        const char* value = option.action == Action::architecture       ? "=sm_90"
                            : option.action == Action::standard         ? "=c++17"
                            : option.action == Action::device_optimised ? "=on"
                            : option.value == Value::boolean            ? "=true"
                            : option.value == Value::none               ? ""
                                                                        : "=1";
        for (const std::string& word :
             {"--" + std::string(option.long_name) + value, "-" + std::string(option.short_name) + value}) {
            const std::string error = error_of({word.c_str()});
            EXPECT_EQ(error.empty(), option.action != Action::lacking) << word << ": " << error;
        }
    }
}

TEST(NameExpressions, AreTakenOutOfThePtx) {
    const std::vector<std::string> expressions = {"k<int>", "&v", "absent"};
    EXPECT_NE(instantiations(expressions).find("(&k<int>\n)"), std::string::npos);
    EXPECT_NE(instantiations(expressions).find("(&v\n)"), std::string::npos);
    std::string ptx =
        "before\n.visible .const .align 8 .u64 __lockstep_name_0 = _Z1kIiEvv;\n"
        ".visible .const .align 8 .u64 __lockstep_name_1 = generic(v);\nbehind\n";
    const auto names = take_lowered_names(ptx, expressions);
    EXPECT_EQ(ptx, "before\nbehind\n");
    EXPECT_EQ(names.size(), 2u);
    EXPECT_EQ(names.at("k<int>"), "_Z1kIiEvv");
    EXPECT_EQ(names.at("&v"), "v");
}

TEST(NameExpressions, StaticsAreNamedAsOthers) {
    EXPECT_EQ(with_plain_statics(".const .b8 _ZL5table[8];\ncall _ZL1fPi, (_ZL1fPi_param_0); _ZN1N1vE _ZL9x"),
              ".const .b8 table[8];\ncall _Z1fPi, (_Z1fPi_param_0); _ZN1N1vE _ZL9x");
}

}  // namespace
}  // namespace lockstep::nvrtc
