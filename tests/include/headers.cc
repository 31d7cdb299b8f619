// Every .cu file of this folder compiles, for the device and for the host, without a warning; and where
// NVIDIA's assembler is installed, it takes the PTX.
#include <gtest/gtest.h>

#include <algorithm>

#include "compile/fatbin.h"
#include "compile/files.h"
#include "compile/process.h"
#include "compile/toolchain.h"
#include "compile/unit.h"
#include "own-toolchain.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> sources() {
    std::vector<fs::path> files;
    for (const auto& item : fs::directory_iterator(fs::path(LOCKSTEP_SOURCE_DIR) / "tests" / "include"))
        if (item.path().extension() == ".cu") files.push_back(item.path());
    std::sort(files.begin(), files.end());
    return files;
}

struct Headers : testing::TestWithParam<fs::path> {};

TEST_P(Headers, Compile) {
    auto scratch = TempDir::create();
    ASSERT_TRUE(scratch);
    const fs::path ptx = scratch->path() / "a.ptx", object = scratch->path() / "a.o";
    Flags flags;
    flags.common = {"-Wall", "-std=c++17"};
    auto device = compile_to_ptx(own_toolchain(), GetParam(), flags, ptx);
    ASSERT_TRUE(device) << device.error().message;
    EXPECT_EQ(device->messages, "");
    auto host = compile_to_object(own_toolchain(), GetParam(), Language::cuda, flags, object);
    ASSERT_TRUE(host) << host.error().message;
    EXPECT_EQ(host->messages, "");
    EXPECT_TRUE(std::count(host->dependencies.begin(), host->dependencies.end(), GetParam()));

    const auto assembler = find_program("ptxas");
    if (!assembler) return;
    auto finished =
        run({assembler->string(), "-arch=sm_90", "--compile-only", ptx.string(), "-o", "/dev/null"},
            scratch->path());
    ASSERT_TRUE(finished);
    EXPECT_TRUE(finished->status.ok()) << finished->output << finished->errors;
}

INSTANTIATE_TEST_SUITE_P(Sources, Headers, testing::ValuesIn(sources()), [](const auto& info) {
    std::string name = info.param.stem().string();
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST(Shuffles, Of64BitsAreTwoOfTheHalves) {
    auto scratch = TempDir::create();
    ASSERT_TRUE(scratch);
    const fs::path source = scratch->path() / "a.cu", ptx = scratch->path() / "a.ptx";
    ASSERT_TRUE(write_file(source, R"(__global__ void k(double* x) {
    x[threadIdx.x] = __shfl_xor_sync(~0u, x[threadIdx.x], 1);
}
)"));
    Flags flags;
    flags.common = {"-O3"};
    auto device = compile_to_ptx(own_toolchain(), source, flags, ptx);
    ASSERT_TRUE(device) << device.error().message;
    const std::string text = read_file(ptx).value_or("");
    EXPECT_NE(text.find("mov.b64 {"), text.npos) << text;
    EXPECT_EQ(text.find("shl.b64"), text.npos) << text;
}

TEST(Standards, PlainHostCompilersTakeTheApiHeaders) {
    auto scratch = TempDir::create();
    ASSERT_TRUE(scratch);
    const std::string include = (fs::path(LOCKSTEP_SOURCE_DIR) / "include").string();
    struct Case {
        std::string compiler, language, standard;
    };
    for (const auto& [compiler, language, standard] : std::vector<Case>{{"clang-19", "c", "-std=c99"},
                                                                        {"clang-19", "c++", "-std=c++11"},
                                                                        {"clang-19", "c++", "-std=c++20"},
                                                                        {"c++", "c++", "-std=c++11"}}) {
        const fs::path source = scratch->path() / "a.src";
        ASSERT_TRUE(write_file(
            source,
            "#include <cuda_runtime.h>\n#include <cuda.h>\n#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
            "#include <cuda_profiler_api.h>\n#include <cudaProfiler.h>\n#include <vector_functions.h>\nint "
            "main(void) { return "
            "cudaSuccess; }\n"));
        auto finished = run({compiler, "-x", language, standard, "-Wall", "-Werror", "-isystem", include,
                             "-fsyntax-only", source.string()},
                            scratch->path());
        ASSERT_TRUE(finished);
        EXPECT_TRUE(finished->status.ok()) << compiler << " " << standard << "\n" << finished->errors;
    }
}

// Code for every GPU generation that clang knows, and each language standard.
TEST(Standards, ArchitecturesAndStandards) {
    auto scratch = TempDir::create();
    ASSERT_TRUE(scratch);
    const fs::path source = scratch->path() / "a.cu";
    ASSERT_TRUE(write_file(source,
                           "#include <cstdio>\n#include <vector>\n__global__ void k(float* p) { atomicAdd(p, "
                           "sqrtf(p[threadIdx.x])); __syncthreads(); }\n"
                           "int main() { k<<<1, 32>>>(nullptr); }\n"));
    for (const int arch : {20, 30, 35, 52, 60, 70, 75, 80, 89, 90}) {
        Flags flags;
        flags.architectures = {arch};
        auto compiled =
            compile_to_object(own_toolchain(), source, Language::cuda, flags, scratch->path() / "a.o");
        EXPECT_TRUE(compiled) << arch << "\n" << (compiled ? "" : compiled.error().message);
    }
    for (const char* standard : {"-std=c++11", "-std=c++14", "-std=c++20", "-std=c++23"}) {
        Flags flags;
        flags.common = {standard};
        auto compiled =
            compile_to_object(own_toolchain(), source, Language::cuda, flags, scratch->path() / "a.o");
        EXPECT_TRUE(compiled) << standard << "\n" << (compiled ? "" : compiled.error().message);
    }
}

}  // namespace
}  // namespace lockstep::compile
