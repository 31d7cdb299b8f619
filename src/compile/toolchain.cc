#include "compile/toolchain.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <sstream>
#include <vector>

#include "base/paths.h"
#include "compile/files.h"
#include "compile/process.h"
#include "compile/toolkit.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

// Our headers include clang's own, which change between versions.
constexpr int clang_version = 19;

bool is_right_version(const fs::path& clang) {
    auto scratch = TempDir::create();
    if (!scratch) return false;
    auto finished = run({clang.string(), "-dumpversion"}, scratch->path());
    return finished && finished->status.ok() && std::atoi(finished->output.c_str()) == clang_version;
}

// The program that an environment variable names; nothing if it is not set.
Result<std::optional<fs::path>> named_by(const char* variable) {
    const char* given = getenv(variable);
    if (!given || !*given) return std::optional<fs::path>();
    if (auto found = find_program(given)) return found;
    return Error{fmt::format("{} names {}, which is no program", variable, given), {}};
}

Result<fs::path> find_clang() {
    auto named = named_by("LOCKSTEP_CLANG");
    if (!named) return named.error();
    if (*named) return **named;
    const std::string version = std::to_string(clang_version);
    if (auto found = find_program("clang++-" + version)) return *found;
    const fs::path debian = "/usr/lib/llvm-" + version + "/bin/clang++";
    if (access(debian.c_str(), X_OK) == 0) return debian;
    if (auto found = find_program("clang++"); found && is_right_version(*found)) return *found;
    return Error{
        "clang++-" + version + " is not installed; on Debian and Ubuntu: apt-get install clang-" + version,
        {}};
}

Result<fs::path> find_device_compiler(const fs::path& library) {
    auto named = named_by("LOCKSTEP_DEVICE_COMPILER");
    if (!named) return named.error();
    if (*named) return **named;
    fs::path own = library / "lockstep-device";
    if (access(own.c_str(), X_OK) == 0) return own;
    return Error{own.string() + ", a part of lockstep, is missing", {}};
}

// Beside the compiler, behind the name by which it was found.
fs::path find_wrappers(const fs::path& clang) {
    std::error_code ignored;
    return fs::canonical(clang, ignored).parent_path().parent_path() / "lib" / "clang" /
           std::to_string(clang_version) / "include" / "cuda_wrappers";
}

// A Debian package, in one of the places that it has had (beside the machine's libraries, or inside an LLVM
// that need not be ours: newer ones read what older ones wrote), or an installation of ROCm.
fs::path find_rocm_library() {
    std::error_code ignored;
    const auto is_there = [&](const fs::path& folder) { return fs::exists(folder / "ocml.bc", ignored); };
    if (const char* given = getenv("HIP_DEVICE_LIB_PATH"); given && is_there(given)) return given;
    std::vector<fs::path> roots = {"/usr/lib", "/opt/rocm"};
    for (const auto& folder : fs::directory_iterator("/usr/lib", ignored)) roots.push_back(folder.path());
    for (int version = clang_version; version >= 15; --version)
        for (const std::string& llvm :
             {"/usr/lib/llvm-" + std::to_string(version), std::string("/opt/rocm/lib/llvm")})
            for (const char* folder : {"", "lib"})
                roots.push_back(fs::path(llvm) / "lib" / "clang" / std::to_string(version) / folder);
    for (const fs::path& root : roots)
        if (is_there(root / "amdgcn" / "bitcode")) return root / "amdgcn" / "bitcode";
    return {};
}

// From version 2 on, in which CUB, Thrust and libcu++ are one thing; an older CUB wants none.
fs::path find_libcudacxx(const void* address) {
    const auto toolkit = base::find_resource("toolkit", address);
    std::error_code ignored;
    if (!toolkit || !fs::exists("/usr/include/cuda/__cccl_config", ignored)) return {};
    return *toolkit / "libcu++.yaml";
}

// In PATH, in the installation that a variable names, or where it usually is.
std::optional<fs::path> find_vendor_program(const std::string& name,
                                            std::initializer_list<const char*> variables,
                                            const fs::path& usual) {
    std::vector<fs::path> candidates;
    std::istringstream directories(getenv("PATH") ? getenv("PATH") : "");
    for (std::string directory; std::getline(directories, directory, ':');)
        candidates.push_back(fs::path(directory.empty() ? "." : directory) / name);
    for (const char* variable : variables)
        if (const char* home = getenv(variable)) candidates.push_back(fs::path(home) / "bin" / name);
    candidates.push_back(usual / "bin" / name);
    // The one that `lockstep shims` puts there is this command itself.
    for (const fs::path& candidate : candidates)
        if (auto found = find_program(candidate); found && !is_toolkit_program(*found)) return *found;
    return {};
}

}  // namespace

Result<Toolchain> find_libraries(const void* address) {
    Toolchain toolchain;
    auto include = base::find_resource("include", address);
    if (!include) return include.error();
    toolchain.include = *include;
    toolchain.libcudacxx = find_libcudacxx(address);
    auto library = base::find_library_dir(address);
    if (!library) return library.error();
    toolchain.library = *library;
    return toolchain;
}

Result<Toolchain> find_toolchain(const void* address) {
    auto clang = find_clang();
    if (!clang) return clang.error();
    auto toolchain = find_libraries(address);
    if (!toolchain) return toolchain;
    toolchain->clang = *clang;
    auto device_compiler = find_device_compiler(toolchain->library);
    if (!device_compiler) return device_compiler.error();
    toolchain->device_compiler = *device_compiler;
    toolchain->wrappers = find_wrappers(*clang);
    toolchain->rocm_library = find_rocm_library();
    return toolchain;
}

std::optional<fs::path> find_cuda_program(const std::string& name) {
    return find_vendor_program(name, {"CUDA_HOME", "CUDA_PATH"}, "/usr/local/cuda");
}

std::optional<fs::path> find_rocm_program(const std::string& name) {
    return find_vendor_program(name, {"ROCM_PATH", "HIP_PATH"}, "/opt/rocm");
}

Result<fs::path> find_nvcc() {
    if (auto nvcc = find_cuda_program("nvcc")) return *nvcc;
    return Error{"--compiler nvcc: nvcc is not installed (looked in PATH, $CUDA_HOME and /usr/local/cuda)",
                 {}};
}

Result<fs::path> find_hipcc() {
    if (auto hipcc = find_rocm_program("hipcc")) return *hipcc;
    return Error{"hipcc is not installed (looked in PATH, $ROCM_PATH, $HIP_PATH and /opt/rocm)", {}};
}

}  // namespace lockstep::compile
