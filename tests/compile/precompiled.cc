#include "compile/precompiled.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "compile/files.h"
#include "compile/unit.h"
#include "own-toolchain.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

// Headers of our own, so that they can be changed.
struct PrecompiledTest : testing::Test {
    PrecompiledTest() : scratch(std::move(*TempDir::create())) {
        toolchain.include = scratch.path();
        change_header("#pragma once\n#ifdef TWO\n#define N 2\n#else\n#define N 1\n#endif\n");
        EXPECT_TRUE(write_file(source, "static_assert(N == 1);\n"));
    }
    void change_header(const std::string& text) {
        EXPECT_TRUE(write_file(scratch.path() / "cuda_runtime.h", text));
    }
    fs::path made_with(const Flags& flags) {
        const Precompiled made = precompiled_for(toolchain, flags, Language::cuda, true, files);
        EXPECT_EQ(made.device.empty(), made.host.empty());
        EXPECT_TRUE(made.device.empty() || made.device != made.host);
        return made.device;
    }
    static Flags with(Arguments common) {
        Flags flags;
        flags.common = std::move(common);
        return flags;
    }

    TempDir scratch;
    Toolchain toolchain = own_toolchain();
    const fs::path source = scratch.path() / "a.cu";
    const base::FileCache files{scratch.path() / "cache", 1 << 30};
};

TEST_F(PrecompiledTest, IsMadeOnceForTheSameFlags) {
    ASSERT_TRUE(files.prepare());
    const fs::path calls = scratch.path() / "calls", clang = scratch.path() / "clang";
    ASSERT_TRUE(write_file(clang, fmt::format("#!/bin/sh\necho >> {}\nexec {} \"$@\"\n", calls.string(),
                                              toolchain.clang.string())));
    fs::permissions(clang, fs::perms::owner_all);
    toolchain.clang = clang;
    const fs::path first = made_with({});
    ASSERT_FALSE(first.empty());
    EXPECT_EQ(fs::file_size(calls), 2u);
    EXPECT_EQ(made_with({}), first);
    EXPECT_EQ(fs::file_size(calls), 2u);
    const fs::path other = made_with(with({"-DTWO"}));
    EXPECT_FALSE(other.empty());
    EXPECT_NE(other, first);
    EXPECT_EQ(made_with(with({"-D", "TWO"})).empty(), false);
    EXPECT_FALSE(made_with(with({"-I", "/somewhere", "-std=c++20", "-Wall", "-Werror"})).empty());
}

TEST_F(PrecompiledTest, IsNotMadeWhereOptionsMayDoAnything) {
    ASSERT_TRUE(files.prepare());
    EXPECT_TRUE(made_with(with({"-include", "other.h"})).empty());
    EXPECT_TRUE(made_with(with({"-imacros", "other.h"})).empty());
    EXPECT_TRUE(made_with(with({"-MD"})).empty());
    EXPECT_TRUE(made_with(with({"-Wp,-MD,file"})).empty());
    EXPECT_TRUE(made_with(with({"-save-temps"})).empty());
    Flags several;
    several.architectures = {80, 90};
    EXPECT_TRUE(made_with(several).empty());
    EXPECT_TRUE(precompiled_for(toolchain, {}, Language::cuda, true, base::FileCache({}, 0)).device.empty());
}

TEST_F(PrecompiledTest, FollowsItsHeaders) {
    ASSERT_TRUE(files.prepare());
    const fs::path first = made_with({});
    // Only touched.
    fs::last_write_time(scratch.path() / "cuda_runtime.h", fs::file_time_type::clock::now());
    EXPECT_EQ(made_with({}), first);
    Flags flags;
    flags.precompiled.device = first;
    auto compiled = compile_to_ptx(toolchain, source, flags, scratch.path() / "a.ptx");
    EXPECT_TRUE(compiled) << compiled.error().message;
    // Another text: what was precompiled before is not taken, and if somebody has it already, the header is.
    change_header("#pragma once\n#define N 3 // and so on\n");
    EXPECT_NE(made_with({}), first);
    compiled = compile_to_ptx(toolchain, source, flags, scratch.path() / "a.ptx");
    ASSERT_FALSE(compiled);
    EXPECT_NE(compiled.error().message.find("3 == 1"), std::string::npos) << compiled.error().message;
}

}  // namespace
}  // namespace lockstep::compile
