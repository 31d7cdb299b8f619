// What an already built program needs to run here.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/fatbin.h"

namespace lockstep::compile {

struct Executable {
    std::vector<std::string> libraries;  // what it names as needed
    bool has_device_code = false;        // a section with fat binaries
    // CUDA's major version, of NVIDIA's runtime inside of it (redirect/static-runtime.h).
    std::optional<int> static_runtime;
    bool has_ptx = false;           // … of which at least one holds PTX
    std::vector<int> machine_code;  // the sm of entries with machine code
};

// All fat binaries in it; none is no error.
Result<std::vector<Fatbin>> fatbins_of(const std::filesystem::path& file);

bool is_elf(const std::filesystem::path& file);
Result<Executable> inspect_executable(const std::filesystem::path& file);

// Whether it, or what it loads, may bring NVIDIA's runtime along: it needs our help to call ours.
bool may_need_redirection(const Executable& executable);

// Whether its runtime is CUDA 13's: the driver's library that it finds must stand on the same.
bool has_runtime_13(const Executable& executable);

// Whether it is linked to HIP's runtime library.
bool is_hip(const Executable& executable);

// Why this program cannot run here (and how to build it so that it can), if it cannot.
std::optional<std::string> obstacle(const Executable& executable);

}  // namespace lockstep::compile
