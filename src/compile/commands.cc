#include "compile/commands.h"

#include <fmt/format.h>

#include <set>

#include "base/hash.h"
#include "compile/architectures.h"
#include "compile/template-libraries.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

void append(Arguments& to, const Arguments& from) { to.insert(to.end(), from.begin(), from.end()); }

// The compute capabilities that there is code for, as nvcc tells both passes: 750,900. CUB's names have it.
std::string architecture_list(const Flags& flags) {
    const std::set<int> sorted(flags.architectures.begin(), flags.architectures.end());
    std::string list;
    for (const int architecture : sorted) list += fmt::format("{}{}0", list.empty() ? "" : ",", architecture);
    return list;
}

void append_header(Arguments& command, const fs::path& header, const fs::path& precompiled) {
    if (precompiled.empty())
        append(command, {"-include", header.string()});
    else
        append(command, {"-Xclang", "-include-pch", "-Xclang", precompiled.string(),
                         // Since C++20 it would compare, as if they were modules, what the headers declare
                         // for the host with the same for the device.
                         "-Xclang", "-fno-cxx-modules"});
}

// CUB and Thrust want NVIDIA's libcu++, where that is installed with them; all else has ours.
void append_include(Arguments& command, const Toolchain& toolchain, const fs::path& source,
                    const Flags& flags) {
    // Files are asked of the last of these first, which may name the copies of the first.
    append(command, flags.respelled);
    if (!toolchain.libcudacxx.empty() && includes_cub_or_thrust(source, flags.common))
        append(command, {"-ivfsoverlay", toolchain.libcudacxx.string(), "-isystem", "/lockstep/libcu++"});
    append(command, {"-isystem", toolchain.include.string()});
}

void append_cuda(Arguments& command, const Toolchain& toolchain, const fs::path& source, const Flags& flags,
                 int architecture, const fs::path& precompiled) {
    append(command, {"-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "-Xclang",
                     "-target-sdk-version=12.5",
                     "--cuda-gpu-arch=sm_" + architecture_name(architecture, flags.specific),
                     "-D__CUDA_ARCH_LIST__=" + architecture_list(flags),
                     // libcu++ declares f(...), which is never called, to choose among overloads.
                     "-Xclang", "-fcuda-allow-variadic-functions",
                     // It is about this compiler's own CUDA installation, of which there is none.
                     "-Wno-unknown-cuda-version",
                     // Loops that `#pragma unroll` asks for and the optimiser leaves as they are: nvcc says
                     // nothing, and CUB has many.
                     "-Wno-pass-failed"});
    append_include(command, toolchain, source, flags);
    append_header(command, toolchain.include / "cuda_runtime.h", precompiled);
    if (flags.run_time) command.push_back("-D__CUDACC_RTC__=1");
    // The driver knows this option for HIP only, the compiler for both: <<<>>> launches into that stream.
    if (flags.thread_stream) append(command, {"-Xclang", "-fgpu-default-stream=per-thread"});
    if (flags.relocatable) command.push_back("-D__CUDACC_RDC__=1");
}

// What both passes have in common. clang hashes its options to tell files' static variables apart, and these
// differ here: the number is given to the compiler itself, since the driver keeps it from the host's pass.
void append_hip(Arguments& command, const Toolchain& toolchain, const Flags& flags, const fs::path& source,
                const std::string& target, const fs::path& precompiled) {
    base::Hash hash;
    hash.add(fs::absolute(source).string());
    for (const std::string& flag : flags.common) hash.add(flag);
    const std::string unit = "-cuid=" + hash.hex();
    append(command, {"-x", "hip", "-nogpuinc", "--rocm-path=/nonexistent", "--offload-arch=" + target, unit,
                     "-Xclang", unit, "-isystem", toolchain.wrappers.string(), "-isystem",
                     toolchain.include.string(), "-D__HIP_PLATFORM_AMD__=1", "-Wno-pass-failed"});
    append(command, flags.respelled);
    append_header(command, toolchain.include / "lockstep" / "hip" / "preamble.h", precompiled);
    if (flags.thread_stream) command.push_back("-fgpu-default-stream=per-thread");
    if (flags.relocatable) command.push_back("-fgpu-rdc");
}

void append_general(Arguments& command, const Flags& flags, Language language) {
    // nvcc and g++ only warn of these.
    append(command,
           {"-Wno-error=c++11-narrowing", "-Wno-error=register", "-Wno-error=reserved-user-defined-literal"});
    // `x.template f()`, without arguments, is no template for clang alone.
    command.push_back("-Wno-missing-template-arg-list-after-template-kw");
    // A constexpr function that calls one which is not: neither says a word, as long as no constant is
    // wanted.
    command.push_back("-Wno-invalid-constexpr");
    if (flags.no_warnings) command.push_back("-w");
    if (flags.thread_stream && language != Language::hip)
        command.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
    if (flags.colour) command.push_back("-fcolor-diagnostics");
    for (const std::string& flag : flags.common)
        if (!is_standard_of_another(flag, language)) command.push_back(flag);
}

}  // namespace

Result<Language> language_of(const fs::path& file) {
    const std::string extension = file.extension().string();
    static const std::set<std::string> cxx = {".cc", ".cpp", ".cxx", ".c++", ".C", ".cp"};
    static const std::set<std::string> linkable = {".o", ".obj", ".a", ".so", ".lo"};
    if (extension == ".cu") return Language::cuda;
    if (extension == ".hip") return Language::hip;
    if (cxx.count(extension)) return Language::cxx;
    if (extension == ".c") return Language::c;
    if (linkable.count(extension) || file.filename().string().find(".so.") != std::string::npos)
        return Language::linkable;
    return Error{
        fmt::format(
            "{}: lockstep compiles .cu, .hip, .cc, .cpp, .cxx and .c files and links .o, .a and .so files",
            file.string()),
        {}};
}

bool is_standard_of_another(const std::string& flag, Language language) {
    return language == Language::c && (flag.starts_with("-std=c++") || flag.starts_with("-std=gnu++"));
}

Arguments device_command(const Toolchain& toolchain, const fs::path& source, const Flags& flags,
                         int architecture) {
    // clang parses; what becomes of the code is the device compiler's (src/device).
    Arguments command = {toolchain.clang.string(), "--cuda-device-only", "-c", "-emit-llvm", "-Xclang",
                         "-disable-llvm-passes"};
    append_cuda(command, toolchain, source, flags, architecture, flags.precompiled.device);
    // The PTX version that has every instruction our headers use.
    command.push_back("--cuda-feature=+ptx85");
    // Lanes that have nothing to give to a warp function hand it a variable that they never set, and so do
    // programs that nvcc has compiled for years. clang would take the parameter's value as known to be set,
    // and remove the branch that sets it in some lanes only.
    append(command, {"-Xclang", "-no-enable-noundef-analysis"});
    // What leaves the scope of a variable by `break` or `continue` goes where it goes, not by way of the
    // scope's end.
    append(command, {"-Xclang", "-disable-lifetime-markers"});
    command.push_back(flags.device_debug ? "-O0" : "-O3");
    // Line numbers always: messages about faults name the source line. They do not change the code.
    command.push_back(flags.device_debug ? "-g" : "-gline-directives-only");
    if (flags.flush_denormals) append(command, {"-fgpu-flush-denormals-to-zero", "-D__LOCKSTEP_FTZ__=1"});
    // Not clang's -ffast-math: nvcc's keeps NaN, infinities and the order of operations.
    if (flags.fast_math) append(command, {"-fgpu-approx-transcendentals", "-D__USE_FAST_MATH__=1"});
    if (!flags.precise_sqrt) command.push_back("-D__LOCKSTEP_APPROX_SQRT__=1");
    command.push_back(flags.contract ? "-ffp-contract=fast" : "-ffp-contract=off");
    append_general(command, flags, Language::cuda);
    append(command, flags.device);
    command.push_back(source.string());
    return command;
}

Arguments ptx_command(const Toolchain& toolchain, const Flags& flags, int architecture, const fs::path& ir,
                      const fs::path& ptx) {
    Arguments command = {toolchain.device_compiler.string(), "--arch", std::to_string(architecture),
                         flags.device_debug ? "-O0" : "-O3"};
    if (!flags.contract) command.push_back("--no-contract");
    if (flags.relocatable) command.push_back("--relocatable");
    if (flags.run_time) command.push_back("--keep-statics");
    if (flags.for_checks) command.push_back("--for-checks");
    if (flags.tell_overflow) command.push_back("--overflow");
    if (!flags.precise_division)
        append(command, {"--division", flags.fast_math ? "approximate" : "full-range"});
    append(command, {ir.string(), "-o", ptx.string()});
    return command;
}

namespace {

// AMD's device library. clang wants a file of it that is for the very GPU; the library that distributions
// have may be older than the GPU, and then that of the GPU before it does: it only says which instructions
// are there.
void append_device_library(Arguments& command, const fs::path& library, const std::string& target) {
    const auto version_file = [&](const std::string& number) {
        return library / ("oclc_isa_version_" + number + ".bc");
    };
    std::error_code ignored;
    if (library.empty()) {
        command.push_back("-nogpulib");
    } else if (const std::string number = target.substr(3, target.find(':') - 3);
               fs::exists(version_file(number), ignored) || number.size() < 3) {
        command.push_back("--rocm-device-lib-path=" + library.string());
    } else {
        const bool narrow = number.size() > 3;  // gfx10 and later: wavefronts of 32 lanes
        command.push_back("-nogpulib");
        for (const fs::path& file :
             {library / "ocml.bc", library / "ockl.bc", library / "oclc_daz_opt_off.bc",
              library / "oclc_unsafe_math_off.bc", library / "oclc_finite_only_off.bc",
              library / "oclc_correctly_rounded_sqrt_on.bc",
              library / (narrow ? "oclc_wavefrontsize64_off.bc" : "oclc_wavefrontsize64_on.bc"),
              version_file(narrow ? "1036" : "940"), library / "oclc_abi_version_500.bc"})
            append(command, {"-Xclang", "-mlink-builtin-bitcode", "-Xclang", file.string()});
    }
}

}  // namespace

Arguments hip_device_command(const Toolchain& toolchain, const fs::path& source, const Flags& flags,
                             const std::string& target) {
    Arguments command = {toolchain.clang.string(), "--offload-device-only", "-S", "-O3"};
    if (flags.relocatable) command.push_back("-emit-llvm");
    append_hip(command, toolchain, flags, source, target, flags.precompiled.device);
    command.push_back("-mcode-object-version=5");
    append_device_library(command, toolchain.rocm_library, target);
    command.push_back(flags.device_debug ? "-g" : "-gline-tables-only");
    // Of what this tells, diagnostics.h keeps what is about wavefronts.
    append(command, {"-Wshorten-64-to-32", "-Wno-error=shorten-64-to-32"});
    append_general(command, flags, Language::hip);
    append(command, flags.device);
    command.push_back(source.string());
    return command;
}

Arguments host_command(const Toolchain& toolchain, const fs::path& source, const Flags& flags,
                       Language language, const fs::path& fatbin) {
    Arguments command = {toolchain.clang.string(), "-c", fmt::format("-O{}", flags.host_level)};
    // CPU results then do not depend on whether the machine has a fused multiply-add.
    command.push_back("-ffp-contract=off");
    if (language == Language::cuda) {
        command.push_back("--cuda-host-only");
        append_cuda(command, toolchain, source, flags, flags.architectures.back(), flags.precompiled.host);
        if (!fatbin.empty())
            append(command, {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", fatbin.string()});
    } else if (language == Language::hip) {
        append(command, {"--offload-host-only", "-nogpulib"});
        append_hip(command, toolchain, flags, source, flags.targets.back(), flags.precompiled.host);
        if (!fatbin.empty())
            append(command, {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", fatbin.string()});
    } else {
        append(command, {"-x", language == Language::c ? "c" : "c++"});
        append_include(command, toolchain, source, flags);
        // Old C programs, which nvcc hands to gcc: what gcc only warns of must not stop them.
        if (language == Language::c)
            append(command, {"-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int",
                             "-Wno-error=int-conversion"});
    }
    // Line numbers always, as in device code: what is told of a call of the API names its line.
    command.push_back(flags.debug || flags.device_debug ? "-g" : "-gline-tables-only");
    // A function that ends with a call of another would be gone by then.
    if (flags.for_checks) command.push_back("-fno-optimize-sibling-calls");
    // nvcc leaves host code unoptimised unless told otherwise, and programs have grown up with what that
    // forgives: overflowing ints, casts between pointers, functions that end without their return.
    append(command, {"-fwrapv", "-fno-strict-aliasing", "-fno-strict-return"});
    append_general(command, flags, language);
    append(command, flags.host);
    command.push_back(source.string());
    return command;
}

}  // namespace lockstep::compile
