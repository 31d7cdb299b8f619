// Machine code that is kept for the next run: the second run has it, whatever else is different in its
// process, and nothing that is wrong with the cache is more than a compilation.
#include <sys/stat.h>

#include <fstream>
#include <set>

#include "base/read-file.h"
#include "compile/files.h"
#include "kernel-run.h"

namespace lockstep::exec {
namespace {

namespace fs = std::filesystem;

// Calls functions of lockstep, of the device library and of the C library; uses variables and barriers.
constexpr const char* before = R"(
.extern .func (.param .b32 r) __nv_sinf(.param .b32 x);
.global .align 4 .u32 number = 7;
.const .align 4 .u32 other = 35;
)";
constexpr const char* body = R"(
.param .b32 x; .param .b32 r;
cvt.rn.f32.u32 %f1, %r1;
st.param.f32 [x], %f1;
call (r), __nv_sinf, (x);
ld.param.f32 %f2, [r];
add.rz.f32 %f2, %f2, %f1;
bar.sync 0;
ld.global.u32 %r2, [number];
ld.const.u32 %r3, [other];
add.u32 %r2, %r2, %r3;
add.u32 %r2, %r2, %r1;
mul.wide.u32 %rd2, %r1, 8;
add.u64 %rd2, %rd2, %rd1;
st.global.u32 [%rd2], %r2;
st.global.f32 [%rd2+4], %f2;
ret;
)";

class ObjectCacheTest : public KernelRun {
  protected:
    ObjectCacheTest() : scratch(std::move(*compile::TempDir::create())) {
        options.cache = base::FileCache(scratch.path(), 1 << 20);
        options.warnings = &warnings;
    }

    std::vector<fs::path> files() const {
        std::vector<fs::path> result;
        for (const auto& file : fs::directory_iterator(scratch.path()))
            if (file.path().filename().string().starts_with("kernel-")) result.push_back(file.path());
        return result;
    }
    // Another one where the file was written anew.
    ino_t identity() const {
        struct stat info{};
        EXPECT_EQ(files().size(), 1u);
        EXPECT_EQ(stat(files().at(0).c_str(), &info), 0);
        return info.st_ino;
    }
    std::vector<std::uint32_t> results(const std::string& before = exec::before) {
        const Ending ending = run(body, 64, 1, before);
        EXPECT_EQ(ending.text(), "");
        std::vector<std::uint32_t> words;
        for (std::size_t i = 0; i < 128; ++i) words.push_back(word(i));
        return words;
    }

    compile::TempDir scratch;
    std::vector<std::string> told;
    Warnings warnings{[this](const std::string& text) { told.push_back(text); }};
};

TEST_F(ObjectCacheTest, TheSecondRunHasIt) {
    const auto first = results();
    EXPECT_EQ(first[0], 42u);
    const ino_t kept = identity();
    EXPECT_EQ(results(), first);
    EXPECT_EQ(identity(), kept);
    // Variables lie elsewhere.
    ASSERT_TRUE(memory.allocate(12345, MemoryKind::device));
    EXPECT_EQ(results(), first);
    EXPECT_EQ(identity(), kept);
    EXPECT_TRUE(told.empty());
}

TEST_F(ObjectCacheTest, DamageCostsACompilation) {
    const auto first = results();
    const fs::path file = files().at(0);
    const std::string good = base::read_file(file).value();
    std::string flipped = good;
    flipped[good.size() / 2] ^= 0x10;
    for (const std::string& bad : {std::string(), good.substr(0, 1000), good.substr(0, good.size() - 1),
                                   flipped, std::string(good.size(), '\xff'), good + "x"}) {
        std::ofstream(file, std::ios::binary | std::ios::trunc) << bad;
        EXPECT_EQ(results(), first);
        EXPECT_TRUE(base::read_file(file) == good);
    }
    EXPECT_TRUE(told.empty());
}

TEST_F(ObjectCacheTest, WhatMakesOtherCodeIsAnotherKey) {
    results();
    std::size_t count = 1;
    const auto expect_another = [&](const std::string& what) { EXPECT_EQ(files().size(), ++count) << what; };
    run(body + std::string("ret;"), 64, 1, before);
    expect_another("text");
    options.timeout_seconds = 0;
    results();
    expect_another("no polls");
    options.count_instructions = true;
    results();
    expect_another("observed");
    options.count_instructions = false;
    options.cpu = "generic";
    results();
    expect_another("CPU");
}

TEST_F(ObjectCacheTest, FaultsAreTheSame) {
    const std::string wild =
        "mul.wide.u32 %rd2, %r1, 4096;\nadd.u64 %rd2, %rd2, %rd1;\nst.global.u32 [%rd2], 1;\nret;";
    const Ending compiled = run(wild);
    const ino_t kept = identity();
    const Ending found = run(wild);
    EXPECT_EQ(identity(), kept);
    ASSERT_TRUE(compiled.fault && found.fault);
    EXPECT_EQ(found.fault->message, compiled.fault->message);
}

TEST_F(ObjectCacheTest, ObservedKernelsAreTheSame) {
    auto model = gpu::load_model(LOCKSTEP_SOURCE_DIR "/gpus/h200.toml");
    const std::string text =
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
        ".reg .b32 %r; .reg .b64 %rd; .reg .pred %p;\nld.param.u64 %rd, [p];\n"
        "mov.u32 %r, %tid.x;\nsetp.gt.u32 %p, %r, 7;\n@%p ret;\nst.global.u32 [%rd], %r;\nret;\n}\n";
    std::vector<std::unique_ptr<Module>> modules;
    std::vector<std::shared_ptr<const kernel::Kernel>> kernels;
    for (int i = 0; i < 2; ++i) {
        auto module = Module::load(text, "test", memory, *model, options);
        ASSERT_TRUE(module);
        const Observed observed =
            observe(*(*module)->find_kernel("k"), {.block = {32, 1, 1}}, events::profile_wants);
        ASSERT_FALSE(observed.fault);
        kernels.push_back(observed.kernel);
        modules.push_back(std::move(*module));
    }
    EXPECT_EQ(files().size(), 1u);
    ASSERT_EQ(kernels[0]->functions.size(), kernels[1]->functions.size());
    EXPECT_EQ(kernels[0]->functions[0].blocks.size(), kernels[1]->functions[0].blocks.size());
    ASSERT_EQ(kernels[0]->blocks.size(), kernels[1]->blocks.size());
    for (std::size_t b = 0; b < kernels[0]->blocks.size(); ++b)
        EXPECT_EQ(kernels[0]->blocks[b].instructions, kernels[1]->blocks[b].instructions);
    ASSERT_EQ(kernels[0]->sites.size(), kernels[1]->sites.size());
    for (std::size_t s = 0; s < kernels[0]->sites.size(); ++s)
        EXPECT_EQ(kernels[0]->sites[s].ptx_line, kernels[1]->sites[s].ptx_line);
}

TEST_F(ObjectCacheTest, ACacheThatCannotBeWrittenCostsAWarning) {
    options.cache = base::FileCache("/dev/null/cache", 1 << 20);
    const auto first = results();
    EXPECT_EQ(first[0], 42u);
    EXPECT_EQ(results(), first);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_NE(told[0].find("/dev/null/cache"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::exec
