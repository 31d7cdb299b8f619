#include "compile/executable.h"

#include <gtest/gtest.h>

#include "compile/files.h"
#include "compile/process.h"
#include "compile/toolchain.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

// Programs as NVIDIA's own compiler builds them, where it is installed.
struct NvccProgram : testing::Test {
    NvccProgram() : scratch(std::move(*TempDir::create())) {}
    Result<Executable> build(const std::vector<std::string>& options) {
        auto nvcc = find_nvcc();
        if (!nvcc) return nvcc.error();
        const fs::path source = scratch.path() / "a.cu", program = scratch.path() / "a.out";
        if (auto written = write_file(
                source,
                "__global__ void kernel(int* p) { *p = 1; }\nint main() { kernel<<<1, 1>>>(nullptr); }\n");
            !written)
            return written.error();
        Arguments command = {nvcc->string(), source.string(), "-o", program.string()};
        command.insert(command.end(), options.begin(), options.end());
        auto finished = run(command, scratch.path());
        if (!finished) return finished.error();
        if (!finished->status.ok()) return Error{finished->output + finished->errors, {}};
        return inspect_executable(program);
    }
    TempDir scratch;
};

#define SKIP_WITHOUT_NVCC() \
    if (!find_nvcc()) GTEST_SKIP() << "nvcc is not installed"

TEST_F(NvccProgram, CompressedAndPlainPtxIsTheSame) {
    SKIP_WITHOUT_NVCC();
    std::vector<std::string> texts;
    for (const char* option : {"--compress-mode=default", "--compress-mode=size", "-no-compress"}) {
        auto executable = build({"-cudart", "shared", "-arch=compute_90", option});
        ASSERT_TRUE(executable) << executable.error().message;
        EXPECT_TRUE(executable->has_ptx);
        EXPECT_FALSE(obstacle(*executable)) << *obstacle(*executable);
        auto fatbins = fatbins_of(scratch.path() / "a.out");
        ASSERT_TRUE(fatbins);
        for (const Fatbin& fatbin : *fatbins)
            for (const FatbinPtx& entry : fatbin.ptx) texts.push_back(entry.text);
    }
    ASSERT_EQ(texts.size(), 3u);
    EXPECT_NE(texts[0].find(".entry _Z6kernelPi"), std::string::npos);
    EXPECT_EQ(texts[0], texts[1]);
    // Without compression the text is padded in front.
    EXPECT_NE(texts[2].find(".entry _Z6kernelPi"), std::string::npos);
}

TEST_F(NvccProgram, MachineCodeOnly) {
    SKIP_WITHOUT_NVCC();
    auto executable = build({"-cudart", "shared", "-gencode", "arch=compute_80,code=sm_80"});
    ASSERT_TRUE(executable) << executable.error().message;
    ASSERT_TRUE(obstacle(*executable));
    EXPECT_NE(obstacle(*executable)->find("compute_80"), std::string::npos);
}

TEST_F(NvccProgram, StaticRuntime) {
    SKIP_WITHOUT_NVCC();
    auto executable = build({"-cudart", "static", "-arch=compute_90"});
    ASSERT_TRUE(executable) << executable.error().message;
    EXPECT_TRUE(executable->static_runtime);
    EXPECT_TRUE(may_need_redirection(*executable));
    EXPECT_FALSE(obstacle(*executable));
    auto stripped = build({"-cudart", "static", "-arch=compute_90", "-Xlinker", "-s"});
    ASSERT_TRUE(stripped) << stripped.error().message;
    ASSERT_TRUE(obstacle(*stripped));
    EXPECT_NE(obstacle(*stripped)->find("-cudart shared"), std::string::npos);
}

TEST(Executables, ProgramsWithoutDeviceCodeMayRun) {
    auto executable = inspect_executable("/bin/sh");
    ASSERT_TRUE(executable) << executable.error().message;
    EXPECT_FALSE(executable->has_device_code);
    EXPECT_FALSE(obstacle(*executable));
    EXPECT_FALSE(executable->libraries.empty());
}

TEST(Executables, OtherFilesAreNone) {
    auto scratch = TempDir::create();
    ASSERT_TRUE(scratch);
    const fs::path file = scratch->path() / "text";
    ASSERT_TRUE(write_file(file, "text"));
    EXPECT_FALSE(is_elf(file));
    EXPECT_FALSE(inspect_executable(file));
    EXPECT_FALSE(inspect_executable(scratch->path() / "missing"));
    ASSERT_TRUE(write_file(file, std::string("\x7f"
                                             "ELF\x02",
                                             5)));
    EXPECT_FALSE(inspect_executable(file));
}

}  // namespace
}  // namespace lockstep::compile
