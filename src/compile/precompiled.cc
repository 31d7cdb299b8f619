#include "compile/precompiled.h"

#include "base/hash.h"
#include "compile/cache.h"
#include "compile/depfile.h"
#include "compile/files.h"
#include "compile/identity.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

// Flags that change what the headers mean; others may be added when the result is used.
bool counts(const std::string& flag) { return flag.starts_with("-std=") || flag == "-DNDEBUG"; }

}  // namespace

std::vector<std::string> long_headers_in(std::string_view source, const Flags& flags) {
    constexpr std::string_view switches = "CUDA_NO_";  // CUDA_NO_HALF, __CUDA_NO_BFLOAT16_OPERATORS__ …
    if (source.find(switches) != std::string_view::npos) return {};
    for (const std::string& flag : flags.common)
        if (flag.find(switches) != std::string::npos) return {};
    std::vector<std::string> found;
    for (const char* name : {"cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h"})
        if (source.find(std::string("#include <") + name + ">") != std::string_view::npos)
            found.emplace_back(name);
    return found;
}

Result<fs::path> precompiled_headers(const Toolchain& toolchain, const Flags& flags,
                                     const std::vector<std::string>& more, const base::FileCache& files) {
    Flags kept = flags;
    kept.precompiled.clear();
    kept.no_warnings = true;
    std::erase_if(kept.common, [](const std::string& flag) { return !counts(flag); });
    for (const std::string& header : more)
        kept.common.insert(kept.common.end(), {"-include", (toolchain.include / header).string()});
    // It includes itself, before: its guard makes of the file what the option has made already.
    Arguments command =
        device_command(toolchain, toolchain.include / "cuda_runtime.h", kept, kept.architectures.back());
    command.insert(command.end(), {"-Xclang", "-emit-pch"});
    base::Hash hash;
    hash.add(identity(toolchain.clang));
    for (const std::string& word : command) hash.add(word);
    const std::string key = hash.hex();
    const Cache cache(files);
    if (auto found = cache.find(key)) return found->program;

    auto scratch = TempDir::create();
    if (!scratch) return scratch.error();
    const fs::path output = scratch->path() / "headers.pch", dependencies = scratch->path() / "headers.d";
    command.insert(command.end(), {"-MD", "-MF", dependencies.string(), "-o", output.string()});
    auto finished = run(command, scratch->path());
    if (!finished) return finished.error();
    if (!finished->status.ok()) return Error{"CUDA's headers: " + finished->errors, {}};
    auto stored = cache.store(key, output, parse_depfile(read_file(dependencies).value_or("")), "");
    if (!stored) return stored.error();
    return stored->program;
}

}  // namespace lockstep::compile
