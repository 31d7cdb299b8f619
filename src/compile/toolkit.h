// A folder that is laid out as a CUDA toolkit: bin with NVIDIA's names for our commands, include, lib64.
// Build systems look for such a root, and ask nvcc for what is in it.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "compile/process.h"

namespace lockstep::compile {

// The release whose place we take, in headers, libraries and what nvcc says of itself.
constexpr const char* cuda_release = "12.5";
constexpr const char* cuda_version = "12.5.82";

// What programs and build systems call the folder in their environment.
constexpr const char* toolkit_root_variables[] = {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT"};

// Nothing where this build or installation is without it.
std::optional<std::filesystem::path> toolkit_root();

// Whether a program is one of that folder's, under whatever name it was found.
bool is_toolkit_program(const std::filesystem::path& program);

// What nvcc's -v and --dryrun print of its surroundings before the commands, as "NAME=value" lines behind
// "#$ ": CMake reads there where libraries and headers are, and which architectures are the default.
std::string toolkit_variables(const std::filesystem::path& root, const std::vector<int>& architectures);

// What those lines call LIBRARIES: a linker's command that has the same words is the one that CMake takes
// libraries from.
Arguments toolkit_library_path(const std::filesystem::path& root);

}  // namespace lockstep::compile
