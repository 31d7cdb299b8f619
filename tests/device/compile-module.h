// Modules of LLVM IR through the device compiler.
#pragma once
#include <gtest/gtest.h>

#include "compile/files.h"
#include "compile/process.h"

namespace lockstep::device {

// The PTX of a module whose kernel is @k.
inline std::string compile_module(const std::string& module, std::vector<std::string> options = {}) {
    const auto folder = std::move(*compile::TempDir::create());
    const std::string input = folder.path() / "k.ll", output = folder.path() / "k.ptx";
    EXPECT_TRUE(compile::write_file(input, "target triple = \"nvptx64-nvidia-cuda\"\n" + module + R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
)"));
    std::vector<std::string> command = {LOCKSTEP_BUILD_DIR "/lib/lockstep-device", input, "-o", output};
    command.insert(command.end(), options.begin(), options.end());
    auto child = compile::Child::start(command, {});
    EXPECT_TRUE(child && child->wait().ok());
    return compile::read_file(output).value_or("");
}

inline int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

}  // namespace lockstep::device
