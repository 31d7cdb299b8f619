// The compiler, the headers and the device compiler of this build, for tests that need no runtime library.
#pragma once
#include "compile/process.h"
#include "compile/toolchain.h"

namespace lockstep {

inline compile::Toolchain own_toolchain() {
    compile::Toolchain toolchain;
    toolchain.clang = compile::find_program("clang++-19").value_or("clang++-19");
    toolchain.device_compiler = std::filesystem::path(LOCKSTEP_BUILD_DIR) / "lib" / "lockstep-device";
    toolchain.include = std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "include";
    return toolchain;
}

}  // namespace lockstep
