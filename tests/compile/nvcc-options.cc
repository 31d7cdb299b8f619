#include "compile/nvcc-options.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "compile/architectures.h"
#include "compile/files.h"
#include "compile/nvcc-plan.h"

namespace lockstep::compile {
namespace {

NvccPlan plan(const std::vector<std::string>& arguments) {
    auto line = parse_nvcc(arguments);
    EXPECT_TRUE(line) << (line ? "" : line.error().message);
    auto result = plan_nvcc(*line, {90});
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return *result;
}

bool has(const Arguments& list, const std::string& item) {
    return std::count(list.begin(), list.end(), item) > 0;
}

TEST(NvccOptions, NamesAreUnique) {
    std::set<std::string_view> names;
    for (const NvccOption& option : nvcc_options()) {
        std::set<std::string_view> own = {option.long_name, option.short_name};
        own.erase("");
        for (const std::string_view name : own) EXPECT_TRUE(names.insert(name).second) << name;
    }
}

TEST(NvccOptions, MostRegisters) {
    EXPECT_EQ(plan({"-maxrregcount=32", "a.cu"}).flags.assembler.max_registers, 32);
    EXPECT_EQ(plan({"--maxrregcount", "64", "a.cu"}).flags.assembler.max_registers, 64);
    EXPECT_EQ(plan({"a.cu"}).flags.assembler.max_registers, 0);
    EXPECT_EQ(plan({"-Xptxas", "-v,-dlcm=cg", "a.cu"}).flags.assembler.load_cache, ptx::Modifier::cg);
    EXPECT_EQ(plan({"--ptxas-options=-dlcm=ca", "a.cu"}).flags.assembler.load_cache, ptx::Modifier::ca);
    EXPECT_TRUE(plan({"-Xptxas=-v", "a.cu"}).ptxas_report);
    EXPECT_TRUE(plan({"--ptxas-options=-v", "a.cu"}).ptxas_report);
    EXPECT_TRUE(plan({"-res-usage", "a.cu"}).ptxas_report);
    EXPECT_FALSE(plan({"-Xptxas", "-O3", "a.cu"}).ptxas_report);
    EXPECT_FALSE(plan_nvcc(*parse_nvcc({"-maxrregcount=many", "a.cu"}), {90}));
}

TEST(NvccOptions, OptionsForOtherToolsAreTheirWords) {
    const NvccPlan made = plan({"-Xcompiler", "-fPIC -Wall,-DA=\"b c\"", "-I", "with space", "a.cu"});
    for (const char* word : {"-fPIC", "-Wall", "-DA=b c"}) EXPECT_TRUE(has(made.flags.host, word)) << word;
    EXPECT_TRUE(has(made.flags.common, "-Iwith space"));
}

TEST(NvccOptions, TheLanguageIsOfSources) {
    EXPECT_EQ(plan({"-x", "c++", "a.cu"}).inputs[0].language, Language::cxx);
    EXPECT_EQ(plan({"-x", "cu", "a.cpp", "b.o"}).inputs[0].language, Language::cuda);
    EXPECT_EQ(plan({"-x", "cu", "a.cpp", "b.o"}).inputs[1].language, Language::linkable);
    EXPECT_EQ(plan({"-x", "cu", "a.strange"}).inputs[0].language, Language::cuda);
}

TEST(NvccOptions, RunTakesWhatIsBuiltAlready) {
    EXPECT_EQ(plan({"-run", "\"some/program\""}).executable, "some/program");
    EXPECT_EQ(plan({"-run", "a.cu"}).executable, "");
    EXPECT_FALSE(plan_nvcc(*parse_nvcc({"some/program"}), {90}));
}

TEST(NvccOptions, UnknownOnesGoToTheHostCompilerOnRequest) {
    const NvccPlan forwarded = plan({"-forward-unknown-to-host-compiler", "-fno-plt", "a.cu"});
    EXPECT_TRUE(has(forwarded.flags.host, "-fno-plt") && has(forwarded.link, "-fno-plt"));
    EXPECT_TRUE(forwarded.warnings.empty());
    EXPECT_EQ(plan({"-fno-plt", "a.cu"}).warnings.size(), 1u);
}

TEST(NvccOptions, HostCompilersThatDoNotGoTogetherAreTold) {
    for (const char* name : {"g++", "/usr/bin/x86_64-linux-gnu-g++-12", "clang++-19", "/usr/bin", "cc"})
        EXPECT_TRUE(plan({"-ccbin", name, "a.cu"}).warnings.empty()) << name;
    for (const char* name : {"nvc++", "icpc", "mpicxx", "/opt/pgi/bin/pgc++"})
        EXPECT_EQ(plan({"-ccbin", name, "a.cu"}).warnings.size(), 1u) << name;
}

TEST(NvccOptions, EverySpellingOfAValue) {
    for (const std::vector<std::string>& spelling : std::vector<std::vector<std::string>>{
             {"-arch=sm_80"},
             {"-arch", "sm_80"},
             {"--gpu-architecture=sm_80"},
             {"--gpu-architecture", "sm_80"},
             {"-arch=compute_80"},
             {"-gencode", "arch=compute_80,code=sm_80"},
             {"-gencode=arch=compute_80,code=sm_80"},
             {"--generate-code", "arch=compute_80,code=[sm_80,compute_80]"}}) {
        auto arguments = spelling;
        arguments.push_back("a.cu");
        EXPECT_EQ(plan(arguments).flags.architectures, std::vector{80}) << spelling[0];
    }
}

TEST(NvccOptions, GluedValues) {
    const NvccPlan p = plan({"-Iinc", "-I", "dir", "-DX=1", "-D", "Y", "-UZ", "-O3", "-Llib", "-lm",
                             "-std=c++14", "-include", "x.h", "a.cu"});
    for (const char* flag : {"-Iinc", "-Idir", "-DX=1", "-DY", "-UZ", "-std=c++14", "x.h"})
        EXPECT_TRUE(has(p.flags.common, flag)) << flag;
    EXPECT_TRUE(has(p.link, "-Llib"));
    EXPECT_TRUE(has(p.link, "-lm"));
    EXPECT_EQ(p.flags.host_level, 3);
    EXPECT_EQ(p.inputs.size(), 1u);
}

TEST(NvccOptions, OptionsForOtherToolsAreSplitAtCommas) {
    const NvccPlan p =
        plan({"-Xcompiler", "-Wall,-fopenmp", "--compiler-options=-fPIC", "-Xlinker", "-rpath,/x", "a.cu"});
    for (const char* flag : {"-Wall", "-fopenmp", "-fPIC"}) EXPECT_TRUE(has(p.flags.host, flag)) << flag;
    EXPECT_TRUE(has(p.link, "-rpath"));
}

TEST(NvccOptions, Modes) {
    EXPECT_EQ(plan({"-c", "a.cu"}).mode, NvccMode::compile);
    EXPECT_EQ(plan({"-ptx", "a.cu"}).mode, NvccMode::ptx);
    EXPECT_EQ(plan({"--ptx", "a.cu"}).mode, NvccMode::ptx);
    EXPECT_TRUE(plan({"-dc", "a.cu"}).flags.relocatable);
    EXPECT_TRUE(plan({"-rdc=true", "a.cu"}).flags.relocatable);
    EXPECT_FALSE(plan({"--relocatable-device-code=false", "a.cu"}).flags.relocatable);
    EXPECT_TRUE(plan({"-shared", "a.cu"}).shared);
    EXPECT_TRUE(plan({"-G", "a.cu"}).flags.device_debug);
    EXPECT_TRUE(plan({"--ptxas-options=-v", "a.cu"}).ptxas_report);
    EXPECT_TRUE(plan({"-Xptxas", "-O3,-v", "a.cu"}).ptxas_report);
    EXPECT_FALSE(plan({"-Xptxas", "-O3", "a.cu"}).ptxas_report);
}

TEST(NvccOptions, FastMathIsItsFourParts) {
    const Flags flags = plan({"-use_fast_math", "a.cu"}).flags;
    EXPECT_TRUE(flags.fast_math && flags.flush_denormals && !flags.precise_division && !flags.precise_sqrt);
    EXPECT_FALSE(plan({"-fmad=false", "a.cu"}).flags.contract);
    EXPECT_TRUE(plan({"--default-stream", "per-thread", "a.cu"}).flags.thread_stream);
    EXPECT_FALSE(plan({"-default-stream=legacy", "a.cu"}).flags.thread_stream);
}

TEST(NvccOptions, TheRuntimeIsOurs) {
    const NvccPlan p = plan({"-lcudart", "-lcudart_static", "-lcudadevrt", "-lcuda", "-lcublas", "a.cu"});
    EXPECT_EQ(p.link, Arguments{"-lcublas"});
    EXPECT_EQ(plan({"-lcublas_static", "-lcublasLt_static", "-lculibos", "a.cu"}).link,
              (Arguments{"-lcublas", "-lcublasLt"}));
}

TEST(NvccOptions, ForNvccTheyStayAsTheyWereWritten) {
    const NvccPlan p = plan({"-Werror",
                             "all-warnings",
                             "--extended-lambda",
                             "--expt-relaxed-constexpr",
                             "-Xptxas",
                             "-O3,-v",
                             "-O3",
                             "-maxrregcount=32",
                             "-use_fast_math",
                             "--threads",
                             "4",
                             "-DX=1",
                             "-I",
                             "inc",
                             "-diag-suppress=177",
                             "-std=c++20",
                             "a.cu",
                             "-o",
                             "out",
                             "-arch=sm_80",
                             "-lm",
                             "-lcudart_static",
                             "-Ldir",
                             "-Xlinker",
                             "-z,now",
                             "-fopenmp",
                             "-Wall",
                             "-Xcompiler=-fPIC",
                             "-cudart=static"});
    EXPECT_EQ(p.nvcc, (Arguments{"-Werror",
                                 "all-warnings",
                                 "--extended-lambda",
                                 "--expt-relaxed-constexpr",
                                 "-Xptxas",
                                 "-O3,-v",
                                 "-O3",
                                 "-maxrregcount=32",
                                 "-use_fast_math",
                                 "--threads",
                                 "4",
                                 "-DX=1",
                                 "-I",
                                 "inc",
                                 "-diag-suppress=177",
                                 "-std=c++20",
                                 "-Xcompiler",
                                 "-fopenmp",
                                 "-Xcompiler",
                                 "-Wall",
                                 "-Xcompiler=-fPIC",
                                 "-lineinfo"}));
    EXPECT_EQ(p.nvcc_link, (Arguments{"-lm", "-Ldir", "-Xlinker", "-z,now"}));
    EXPECT_EQ(plan({"-G", "a.cu"}).nvcc, (Arguments{"-G", "-O2"}));
}

TEST(NvccOptions, WarningsAsErrors) {
    const NvccPlan p = plan({"-Werror", "all-warnings", "a.cu"});
    EXPECT_TRUE(has(p.flags.common, "-Werror"));
    EXPECT_EQ(p.inputs.size(), 1u);
    EXPECT_TRUE(has(plan({"-Werror=all-warnings", "a.cu"}).flags.common, "-Werror"));
    const NvccPlan alone = plan({"-Werror", "a.cu"});
    EXPECT_TRUE(has(alone.flags.common, "-Werror"));
    EXPECT_EQ(alone.inputs.size(), 1u);
    EXPECT_FALSE(has(plan({"--Werror", "reorder,default-stream-launch", "a.cu"}).flags.common, "-Werror"));
}

TEST(NvccOptions, UnknownOnesAreNamed) {
    const NvccPlan p = plan({"--frobnicate", "a.cu"});
    ASSERT_EQ(p.warnings.size(), 1u);
    EXPECT_NE(p.warnings[0].find("--frobnicate"), std::string::npos);
    EXPECT_TRUE(plan({"--forward-unknown-to-host-compiler", "-funroll-loops", "a.cu"}).warnings.empty());
}

TEST(NvccOptions, AMissingValueIsAnError) {
    auto line = parse_nvcc({"a.cu", "-o"});
    ASSERT_FALSE(line);
    EXPECT_NE(line.error().message.find("-o"), std::string::npos);
}

TEST(NvccOptions, ArchitecturesThatClangDoesNotKnow) {
    std::vector<std::string> warnings;
    // What no later GPU has is asked for by a letter.
    EXPECT_EQ(specific_architectures({"sm_90a", "compute_80", "compute_90a"}), (std::vector{90, 90}));
    EXPECT_EQ(architecture_name(90, {90}), "90a");
    EXPECT_EQ(architecture_name(80, {90}), "80");
    EXPECT_EQ(choose_architectures({"sm_120"}, {75}, warnings), std::vector{90});
    EXPECT_EQ(warnings.size(), 1u);
    EXPECT_EQ(choose_architectures({"compute_70", "sm_120"}, {75}, warnings), std::vector{70});
    EXPECT_EQ(warnings.size(), 1u);
}

TEST(NvccOptions, ArchitecturesOfTheGpuUnlessAskedFor) {
    std::vector<std::string> warnings;
    EXPECT_EQ(choose_architectures({}, {75}, warnings), std::vector{75});
    EXPECT_EQ(choose_architectures({"native"}, {35, 90, 35}, warnings), (std::vector{35, 90}));
    EXPECT_EQ(choose_architectures({}, {88}, warnings), std::vector{87});
    EXPECT_EQ(choose_architectures({}, {120}, warnings), std::vector{90});
    EXPECT_EQ(choose_architectures({"sm_90a"}, {75}, warnings), std::vector{90});
    EXPECT_EQ(choose_architectures({"all-major"}, {75}, warnings), (std::vector{50, 60, 70, 80, 90}));
    EXPECT_TRUE(warnings.empty());
    EXPECT_EQ(
        plan({"-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_60,code=sm_60", "a.cu"})
            .flags.architectures,
        (std::vector{60, 80}));
    // Machine code for two from the same PTX.
    EXPECT_EQ(plan({"-arch=compute_70", "-code=sm_70,sm_75", "a.cu"}).flags.architectures, std::vector{70});
}

TEST(NvccOptions, WhatAGpuLoads) {
    const std::vector<int> there = {60, 80, 75};
    const auto same = [](int number) { return number; };
    EXPECT_EQ(*loadable(there, 90, same), 80);
    EXPECT_EQ(*loadable(there, 75, same), 75);
    EXPECT_EQ(*loadable(there, 70, same), 60);
    EXPECT_EQ(loadable(there, 52, same), there.end());
}

TEST(NvccOptions, ResponseFiles) {
    auto scratch = TempDir::create();
    ASSERT_TRUE(scratch);
    const auto file = scratch->path() / "options";
    ASSERT_TRUE(write_file(file, "-DA=\"x y\" -O1\n  b.cu\n"));
    const NvccPlan p = plan({"--options-file", file.string(), "a.cu"});
    EXPECT_TRUE(has(p.flags.common, "-DA=x y"));
    EXPECT_EQ(p.inputs.size(), 2u);
    ASSERT_TRUE(write_file(file, "-optf " + file.string()));
    EXPECT_FALSE(parse_nvcc({"-optf", file.string()}));
}

}  // namespace
}  // namespace lockstep::compile
