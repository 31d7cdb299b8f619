// The command lines of the passes that a source file goes through: device code to LLVM IR, that to PTX, and
// host code to an object.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/process.h"
#include "compile/toolchain.h"
#include "ptx/assembler-options.h"

namespace lockstep::compile {

enum class Language { cuda, hip, cxx, c, linkable };  // linkable: objects and libraries, left to the linker

// By the file's name: .cu; .hip; .cc .cpp .cxx .c++ .C; .c; .o .a .so. Others: an error that lists these.
Result<Language> language_of(const std::filesystem::path& file);

// CUDA's headers as precompiled.h makes them, by pass; empty: they are read.
struct Precompiled {
    std::filesystem::path device, host;
};

struct Flags {
    Arguments common;     // -I -D -U -std -include … for every pass
    Arguments respelled;  // what shows clang other spellings of files (respelling.h), for every pass
    Arguments host;       // for host passes only (nvcc's -Xcompiler)
    Arguments device;     // for the device pass only
    // Device code is compiled for each (architectures.h), oldest first; where there is room for one only, for
    // the last.
    std::vector<int> architectures = {90};
    std::vector<int> specific;  // of those, the ones with what no later GPU has (sm_90a)
    std::vector<std::string> targets = {"gfx908"};  // … and HIP's
    int host_level = 2;                             // -O0 … -O3
    bool debug = false;                             // -g: of host code
    // Device code keeps what there is to find; host code keeps who called whom (its lines it has in any
    // case).
    bool for_checks = false;
    bool tell_overflow = false;  // … and what overflows
    bool device_debug = false;   // -G: of device code, unoptimised
    bool flush_denormals = false;
    bool precise_division = true;
    bool precise_sqrt = true;
    bool contract = true;  // a * b + c as one fma, on the device
    bool fast_math = false;
    bool thread_stream = false;  // the null stream is the calling thread's own
    bool relocatable = false;    // refers to device code of other files: see fatbin.h
    bool run_time = false;       // compiled while a program runs (src/nvrtc): without the host's headers
    Precompiled precompiled;
    ptx::AssemblerOptions assembler;  // kept beside the PTX, for whoever makes machine code of it
    bool no_warnings = false;
    bool colour = false;   // in messages
    bool verbose = false;  // print commands to stderr
};

Arguments device_command(const Toolchain& toolchain, const std::filesystem::path& source, const Flags& flags,
                         int architecture);
Arguments ptx_command(const Toolchain& toolchain, const Flags& flags, int architecture,
                      const std::filesystem::path& ir, const std::filesystem::path& ptx);
Arguments host_command(const Toolchain& toolchain, const std::filesystem::path& source, const Flags& flags,
                       Language language, const std::filesystem::path& fatbin);

// HIP's device code becomes the assembler's text of the GPU's own instructions (LLVM's AMDGPU back end): no
// passes of ours.
Arguments hip_device_command(const Toolchain& toolchain, const std::filesystem::path& source,
                             const Flags& flags, const std::string& target);

// gcc, which nvcc hands C files to, only warns of a standard that C does not have; clang would stop.
bool is_standard_of_another(const std::string& flag, Language language);

}  // namespace lockstep::compile
