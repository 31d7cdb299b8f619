// lockstep cache: what is kept for the next run, and how to be rid of it.
#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "base/file-cache.h"
#include "cli/command.h"

namespace lockstep::cli {
namespace cache_command {

struct Options {
    bool clear = false, path = false;
};

constexpr const char* footer =
    "Programs are kept with the list of the files that they were made of, kernels as machine code, so that "
    "the\n"
    "second run starts at once; CUDA's headers precompiled, so that other programs compile faster.\n"
    "Everything can be made anew: the folder may be removed at any time.\n"
    "LOCKSTEP_CACHE moves it; LOCKSTEP_CACHE_SIZE bounds it (1G unless set; what has not been used for "
    "longest\n"
    "goes first; 0 keeps nothing).";

std::string size_text(std::uint64_t bytes) {
    constexpr double mega = 1 << 20;
    return fmt::format("{:.1f} MiB", static_cast<double>(bytes) / mega);
}

int show(const base::CacheSettings& settings, const base::FileCache& cache) {
    fmt::print("{}\n\n{:<12}{:>8}{:>14}\n", settings.directory.string(), "kind", "files", "size");
    base::FileCache::Usage total;
    for (const auto& [kind, usage] : cache.usage()) {
        fmt::print("{:<12}{:>8}{:>14}\n", kind, usage.files, size_text(usage.bytes));
        total.files += usage.files;
        total.bytes += usage.bytes;
    }
    fmt::print("{:<12}{:>8}{:>14} of {}\n", "all", total.files, size_text(total.bytes),
               size_text(settings.limit));
    return 0;
}

int run(const Options& options) {
    auto settings = base::cache_settings([](const char* name) { return std::getenv(name); });
    if (!settings) return fail(settings.error().to_string());
    if (settings->directory.empty()) return fail("there is no cache: neither LOCKSTEP_CACHE nor HOME is set");
    const base::FileCache cache(*settings);
    if (options.path) fmt::print("{}\n", settings->directory.string());
    if (options.clear)
        if (auto cleared = cache.clear(); !cleared) return fail(cleared.error().to_string());
    return options.path || options.clear ? 0 : show(*settings, cache);
}

}  // namespace cache_command

void add_cache(CommandLine& line, Context& context) {
    using namespace cache_command;
    auto options = std::make_shared<Options>();
    const Command command =
        line.add_command("cache", "What is kept for the next run: where, how much; remove it");
    command.footer(footer);
    command.add_flag("--clear", options->clear, "Remove everything that is kept");
    command.add_flag("--path", options->path, "Print the folder's name only");
    command.callback([options, &context] { context.status = run(*options); });
}

}  // namespace lockstep::cli
