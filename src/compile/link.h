// From objects to an executable or a shared library, linked to our runtime library; or to a static library.
#pragma once
#include <filesystem>
#include <vector>

#include "base/result.h"
#include "compile/unit.h"

namespace lockstep::compile {

struct LinkFlags {
    Arguments arguments;  // -L -l -Wl,… objects and libraries, in the order given
    bool shared = false;
    bool verbose = false;
    bool hip = false;                 // HIP's runtime library, in place of CUDA's
    std::filesystem::path toolkit{};  // its libraries are named as nvcc names them; empty: not at all
};

Arguments link_command(const Toolchain& toolchain, const std::vector<std::filesystem::path>& objects,
                       const LinkFlags& flags, const std::filesystem::path& output);

// The program finds the runtime library by itself (its run path is ours). Returns the linker's warnings.
Result<std::string> link_program(const Toolchain& toolchain,
                                 const std::vector<std::filesystem::path>& objects, const LinkFlags& flags,
                                 const std::filesystem::path& output);

// A static library. `options`: for ar, beyond those that make one. Returns ar's warnings.
Result<std::string> make_archive(const std::vector<std::filesystem::path>& objects, const Arguments& options,
                                 const std::filesystem::path& output, const std::filesystem::path& scratch);

}  // namespace lockstep::compile
