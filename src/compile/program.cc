#include "compile/program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "base/hash.h"
#include "base/paths.h"
#include "compile/cache.h"
#include "compile/hipcc-compiler.h"
#include "compile/identity.h"
#include "compile/nvcc-compiler.h"
#include "compile/precompiled.h"
#include "compile/toolchain.h"
#include "compile/version.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

std::string key_of(const ProgramRequest& request, const Toolchain& toolchain, const fs::path& compiler) {
    base::Hash hash;
    hash.add(compile::version())
        .add(identity(base::module_file()))
        .add(identity(compiler))
        .add(identity(toolchain.device_compiler))
        .add(toolchain.include.string())
        .add(toolchain.libcudacxx.string())
        .add(toolchain.library.string());
    const Flags& flags = request.flags;
    for (const Arguments* list :
         {&flags.common, &flags.host, &flags.device, &request.link, &request.native, &request.native_link}) {
        hash.add(std::to_string(list->size()));
        for (const std::string& argument : *list) hash.add(argument);
    }
    hash.add(fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {}", fmt::join(flags.architectures, ","),
                         fmt::join(flags.specific, ","), flags.host_level, flags.debug, flags.device_debug,
                         flags.flush_denormals, flags.precise_division, flags.precise_sqrt, flags.contract,
                         flags.fast_math, flags.relocatable, flags.no_warnings, flags.thread_stream,
                         flags.for_checks, flags.tell_overflow));
    hash.add(ptx::to_string(flags.assembler));
    hash.add(request.all_cuda ? "cuda"
             : request.hip    ? "hip"
                              : "")
        .add(request.on_hardware ? "hardware" : "")
        .add(request.launch_source.string());
    if (request.hip)
        hash.add(fmt::format("{}", fmt::join(flags.targets, ","))).add(toolchain.rocm_library.string());
    // Relative -I paths and __FILE__ depend on the directory.
    std::error_code ignored;
    hash.add(fs::current_path(ignored).string());
    for (const fs::path& source : request.sources) hash.add(source.string());
    return hash.hex();
}

Result<Language> language_in(const ProgramRequest& request, const fs::path& source) {
    if (request.all_cuda) return Language::cuda;
    auto language = language_of(source);
    if (language && request.hip && (*language == Language::cxx || *language == Language::cuda))
        return Language::hip;
    return language;
}

struct Built {
    std::string messages;
    std::vector<fs::path> dependencies;
};

Result<Built> build_with_clang(const ProgramRequest& request, const Toolchain& toolchain,
                               const base::FileCache& files, const fs::path& scratch,
                               const fs::path& output) {
    struct Unit {
        fs::path source, object;
        Language language;
    };
    std::vector<Unit> units;
    std::vector<fs::path> objects;
    Built built;
    for (const fs::path& source : request.sources) {
        auto language = language_in(request, source);
        if (!language) return language.error();
        if (*language == Language::linkable) {
            objects.push_back(source);
            built.dependencies.push_back(source);
            continue;
        }
        units.push_back(
            {source, scratch / fmt::format("{}-{}.o", units.size(), source.stem().string()), *language});
        objects.push_back(units.back().object);
    }

    Flags flags = request.flags;
    // A program's device code is of one kind.
    for (const Language language : {Language::cuda, Language::hip})
        if (std::ranges::any_of(units, [&](const Unit& unit) { return unit.language == language; }))
            flags.precompiled = precompiled_for(toolchain, flags, language, true, files);
    std::vector<Result<Compiled>> results(units.size(), Result<Compiled>(Compiled{}));
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i; (i = next++) < units.size();)
            results[i] =
                compile_to_object(toolchain, units[i].source, units[i].language, flags, units[i].object);
    };
    std::vector<std::thread> workers;
    const std::size_t most = std::max(1u, std::thread::hardware_concurrency());
    for (std::size_t i = 1; i < std::min(most, units.size()); ++i) workers.emplace_back(work);
    work();
    for (std::thread& worker : workers) worker.join();

    for (auto& result : results) {
        if (!result) return result.error();
        built.messages += result->messages;
        for (fs::path& file : result->dependencies)
            if (std::find(built.dependencies.begin(), built.dependencies.end(), file) ==
                built.dependencies.end())
                built.dependencies.push_back(std::move(file));
    }
    auto linked =
        link_program(toolchain, objects, {request.link, false, request.flags.verbose, request.hip}, output);
    if (!linked) return linked.error();
    built.messages += *linked;
    return built;
}

// By a vendor's own compiler.
Result<Built> build_with_other(const ProgramRequest& request, const Toolchain& toolchain,
                               const fs::path& compiler, const fs::path& scratch, const fs::path& output) {
    auto compiled = request.compiler == Compiler::nvcc
                        ? nvcc_build(compiler, toolchain, request, scratch, output)
                        : hipcc_build(compiler, request, scratch, output);
    if (!compiled) return compiled.error();
    return Built{std::move(compiled->messages), std::move(compiled->dependencies)};
}

// Somebody who names a folder wants it used; what else goes wrong with a cache costs a warning and time.
Result<base::FileCache> open_cache(const ProgramRequest& request, std::vector<std::string>& warnings) {
    if (!request.use_cache) return base::FileCache({}, 0);
    const EnvironmentCache cache = environment_cache();
    if (cache.failed && cache.asked_for) return *cache.failed;
    if (cache.failed)
        warnings.push_back(
            fmt::format("the compiled program cannot be kept for the next run: {}", cache.failed->message));
    return cache.files;
}

}  // namespace

Result<Program> build_program(const ProgramRequest& request) {
    for (const fs::path& source : request.sources) {
        std::error_code ignored;
        if (!fs::exists(source, ignored)) return Error{source.string() + ": no such file", {}};
        if (auto language = language_in(request, source); !language) return language.error();
    }
    const bool is_clang = request.compiler == Compiler::clang;
    auto toolchain = is_clang ? find_toolchain() : find_libraries();
    if (!toolchain) return toolchain.error();
    fs::path compiler = toolchain->clang;
    if (!is_clang) {
        auto found = request.compiler == Compiler::nvcc ? find_nvcc() : find_hipcc();
        if (!found) return found.error();
        compiler = *found;
    }

    Program program;
    auto files = open_cache(request, program.warnings);
    if (!files) return files.error();
    const Cache cache(*files);
    const std::string key = key_of(request, *toolchain, compiler);
    if (auto found = cache.find(key)) {
        program.file = found->file;
        program.messages = std::move(found->messages);
        program.from_cache = true;
        return program;
    }

    TempDir::remove_abandoned();
    auto scratch = TempDir::create();
    if (!scratch) return scratch.error();
    const fs::path output = scratch->path() / "program";
    auto built = is_clang ? build_with_clang(request, *toolchain, *files, scratch->path(), output)
                          : build_with_other(request, *toolchain, compiler, scratch->path(), output);
    if (!built) return built.error();
    program.messages = std::move(built->messages);
    if (files->in_use()) {
        auto stored = cache.store(key, output, built->dependencies, program.messages);
        if (stored) {
            program.file = stored->file;
            return program;
        }
        program.warnings.push_back(
            fmt::format("the compiled program cannot be kept for the next run: {}", stored.error().message));
    }
    program.file = output;
    program.temporary = std::move(*scratch);
    return program;
}

}  // namespace lockstep::compile
