// One source file: from .cu to PTX and a host object, or from .cpp and .c to an object.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/commands.h"
#include "compile/fatbin.h"

namespace lockstep::compile {

struct Compiled {
    std::string messages;                             // warnings
    std::vector<std::filesystem::path> dependencies;  // every file that was read
    std::vector<FatbinPtx> device_code{};             // of each architecture
};

Result<Compiled> compile_to_ptx(const Toolchain& toolchain, const std::filesystem::path& source,
                                const Flags& flags, const std::filesystem::path& ptx);
// HIP's device code alone, for all targets, in an offload bundle (offload-bundle.h).
Result<std::string> compile_hip_code(const Toolchain& toolchain, const std::filesystem::path& source,
                                     const Flags& flags, std::string& messages);
// .cu: all passes at once; the host's waits for the device's code only at its end.
Result<Compiled> compile_to_object(const Toolchain& toolchain, const std::filesystem::path& source,
                                   Language language, const Flags& flags,
                                   const std::filesystem::path& object);

}  // namespace lockstep::compile
