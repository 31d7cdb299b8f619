#include "compile/template-libraries.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "compile/commands.h"
#include "compile/files.h"
#include "own-toolchain.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

struct TemplateLibraries : testing::Test {
    TemplateLibraries() : scratch(std::move(*TempDir::create())) {
        fs::create_directories(scratch.path() / "far");
        write("far/sorts.h", "#pragma once\n#include <thrust/sort.h>\n");
        write("circle.h", "#include \"circle.h\"\n#include <vector>\n");
    }
    void write(const std::string& name, const std::string& text) {
        EXPECT_TRUE(write_file(scratch.path() / name, text));
    }
    fs::path source(const std::string& text) {
        write("a.cu", text);
        return scratch.path() / "a.cu";
    }

    TempDir scratch;
};

TEST_F(TemplateLibraries, InTheSource) {
    EXPECT_TRUE(includes_cub_or_thrust(source("int x;\n #  include<cub/cub.cuh>\n"), {}));
    EXPECT_TRUE(includes_cub_or_thrust(source("#include \"thrust/scan.h\""), {}));
    EXPECT_FALSE(includes_cub_or_thrust(source("// thrust/scan.h\n#include <cubic/x.h>\n#include"), {}));
    EXPECT_FALSE(includes_cub_or_thrust(scratch.path() / "none.cu", {}));
}

TEST_F(TemplateLibraries, InHeadersOfItsOwn) {
    EXPECT_TRUE(includes_cub_or_thrust(source("#include \"far/sorts.h\"\n"), {}));
    EXPECT_FALSE(includes_cub_or_thrust(source("#include <sorts.h>\n"), {}));
    const std::string folder = (scratch.path() / "far").string();
    EXPECT_TRUE(includes_cub_or_thrust(source("#include <sorts.h>\n"), {"-O2", "-I" + folder}));
    EXPECT_TRUE(includes_cub_or_thrust(source("#include <sorts.h>\n"), {"-isystem", folder}));
    EXPECT_FALSE(includes_cub_or_thrust(source("#include \"circle.h\"\n"), {"-I" + folder}));
}

// NVIDIA's libcu++ goes before ours for these programs alone.
TEST_F(TemplateLibraries, HaveTheirLibrary) {
    Toolchain toolchain = own_toolchain();
    toolchain.libcudacxx = "/installed";
    Flags flags;
    flags.architectures = {90};
    const auto place = [&](const Arguments& command, const std::string& folder) {
        return std::find(command.begin(), command.end(), folder) - command.begin();
    };
    for (const bool host : {false, true}) {
        const auto command = [&](const char* text) {
            return host ? host_command(toolchain, source(text), flags, Language::cuda, {})
                        : device_command(toolchain, source(text), flags, 90);
        };
        const Arguments with = command("#include <cub/cub.cuh>\n"),
                        without = command("#include <cuda/barrier>\n");
        EXPECT_LT(place(with, "/installed"), place(with, toolchain.include.string()));
        EXPECT_EQ(std::count(without.begin(), without.end(), "/installed"), 0);
    }
    toolchain.libcudacxx.clear();
    const Arguments missing = device_command(toolchain, source("#include <cub/cub.cuh>\n"), flags, 90);
    EXPECT_EQ(std::count(missing.begin(), missing.end(), ""), 0);
}

}  // namespace
}  // namespace lockstep::compile
