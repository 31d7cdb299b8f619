#include "compile/precompiled.h"

#include <algorithm>
#include <future>

#include "base/hash.h"
#include "compile/cache.h"
#include "compile/depfile.h"
#include "compile/files.h"
#include "compile/identity.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

// It includes itself, before: its guard makes of the file what the option has made already.
fs::path header(const Toolchain& toolchain) { return toolchain.include / "cuda_runtime.h"; }
// What stands before every HIP program; its other headers are short.
fs::path hip_header(const Toolchain& toolchain) {
    return toolchain.include / "lockstep" / "hip" / "preamble.h";
}

bool begins_with_any(const std::string& word, std::initializer_list<std::string_view> beginnings) {
    return std::ranges::any_of(beginnings, [&](std::string_view one) { return word.starts_with(one); });
}

bool names_folder(const std::string& option) {
    return option == "-I" || option == "-isystem" || option == "-iquote" || option == "-idirafter";
}

bool names_folder_from_here(const Arguments& command) {
    for (std::size_t i = 0; i < command.size(); ++i) {
        if (names_folder(command[i])) {
            if (i + 1 < command.size() && fs::path(command[i + 1]).is_relative()) return true;
        } else if (command[i].starts_with("-I") && fs::path(command[i].substr(2)).is_relative()) {
            return true;
        }
    }
    return false;
}

// Whether headers read with these options, and the code after them with the same, are as if read at once.
bool are_known(const Arguments& options) {
    for (std::size_t i = 0; i < options.size(); ++i) {
        const std::string& word = options[i];
        if (word == "-D" || word == "-U" || names_folder(word))
            ++i;
        else if (!begins_with_any(word,
                                  {
                                      "-I",
                                      "-D",
                                      "-U",
                                      "-std=",
                                      "-O",
                                      "-g",
                                      "-f",
                                      "-m",
                                      "-W",
                                      "-pedantic",
                                  }) &&
                 word != "-w" && word != "-pthread")
            return false;
        else if (begins_with_any(word, {"-Wp,", "-Wa,", "-Wl,", "-ftime-trace", "-fmodule", "-finclude"}))
            return false;
    }
    return true;
}

// `command`: a pass over a header.
Result<fs::path> kept(const Toolchain& toolchain, Arguments command, const base::FileCache& files) {
    // Headers that were only touched are the same.
    command.insert(command.end(), {"-Xclang", "-emit-pch", "-Xclang", "-fno-cxx-modules",
                                   "-fpch-validate-input-files-content"});
    base::Hash hash;
    hash.add(identity(toolchain.clang));
    for (const std::string& word : command) hash.add(word);
    std::error_code ignored;
    if (names_folder_from_here(command)) hash.add(fs::current_path(ignored).string());
    const std::string key = hash.hex();
    const Cache cache(files, "headers");
    if (auto found = cache.find(key)) return found->file;

    auto scratch = TempDir::create();
    if (!scratch) return scratch.error();
    const fs::path output = scratch->path() / "headers.pch", dependencies = scratch->path() / "headers.d";
    command.insert(command.end(), {"-MD", "-MF", dependencies.string(), "-o", output.string()});
    auto finished = run(command, scratch->path());
    if (!finished) return finished.error();
    if (!finished->status.ok()) return Error{"precompiled headers: " + finished->errors, {}};
    auto stored = cache.store(key, output, parse_depfile(read_file(dependencies).value_or("")), "");
    if (!stored) return stored.error();
    return stored->file;
}

// What is said of headers is not said of the program.
Flags silent(Flags flags) {
    flags.precompiled = {};
    flags.no_warnings = true;
    flags.colour = false;
    flags.for_checks = flags.tell_overflow = false;  // no declaration depends on them
    return flags;
}

}  // namespace

Precompiled precompiled_for(const Toolchain& toolchain, const Flags& flags, Language language, bool host,
                            const base::FileCache& files) {
    const bool hip = language == Language::hip;
    if (!files.in_use() || (hip ? flags.targets.size() : flags.architectures.size()) != 1) return {};
    if (!are_known(flags.common) || !are_known(flags.host) || !are_known(flags.device)) return {};
    const Flags with = silent(flags);
    const fs::path source = hip ? hip_header(toolchain) : header(toolchain);
    // Where it cannot be made, the program's own compilation tells why.
    const auto made = [&](const Arguments& command) {
        auto file = kept(toolchain, command, files);
        return file ? *file : fs::path();
    };
    std::future<fs::path> other;
    if (host)
        other = std::async(std::launch::async, made, host_command(toolchain, source, with, language, {}));
    Precompiled result;
    result.device = made(hip ? hip_device_command(toolchain, source, with, with.targets.back())
                             : device_command(toolchain, source, with, with.architectures.back()));
    if (host) result.host = other.get();
    return result;
}

Result<fs::path> precompiled_at_run_time(const Toolchain& toolchain, const Flags& flags,
                                         const std::vector<std::string>& more, const base::FileCache& files) {
    Flags with = silent(flags);
    std::erase_if(with.common,
                  [](const std::string& flag) { return !flag.starts_with("-std=") && flag != "-DNDEBUG"; });
    for (const std::string& one : more)
        with.common.insert(with.common.end(), {"-include", (toolchain.include / one).string()});
    return kept(toolchain, device_command(toolchain, header(toolchain), with, with.architectures.back()),
                files);
}

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

}  // namespace lockstep::compile
