// The whole way from sources to an executable, through the cache: what `lockstep run PROG.cu` needs.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/files.h"
#include "compile/link.h"
#include "compile/unit.h"

namespace lockstep::compile {

enum class Compiler { clang, nvcc, hipcc };

struct ProgramRequest {
    std::vector<std::filesystem::path>
        sources;            // at least one of them .cu, .cpp or .c; objects and libraries too
    bool all_cuda = false;  // whatever their names say (nvcc's -x cu)
    bool hip = false;       // a HIP program: C++ files are HIP, and HIP's library is linked
    Compiler compiler = Compiler::clang;
    Flags flags;
    Arguments link;  // -L -l …
    // With another compiler than clang, in place of flags and `link`: its own options, as they were written.
    Arguments native, native_link;
    // With Compiler::nvcc: machine code, and NVIDIA's own runtime. hipcc makes nothing else.
    bool on_hardware = false;
    // A source that takes launches before the runtime does, which is a shared library then; empty: none.
    std::filesystem::path launch_source;
    bool use_cache = true;
};

struct Program {
    std::filesystem::path file;
    std::optional<TempDir> temporary;   // where `file` lies, if the cache could not take it
    std::string messages;               // the compiler's warnings
    std::vector<std::string> warnings;  // our own, such as an unwritable cache
    bool from_cache = false;
};

Result<Program> build_program(const ProgramRequest& request);

}  // namespace lockstep::compile
