#include "cli/native-program.h"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "base/paths.h"
#include "compile/executable.h"
#include "compile/files.h"
#include "compile/toolkit.h"

namespace lockstep::cli {

void leave_lockstep() {
    const auto library = base::find_library_dir();
    const auto toolkit = compile::toolkit_root();
    for (const char* name : {"LD_LIBRARY_PATH", "LD_PRELOAD"}) {
        const char* const list = getenv(name);
        if (!list) continue;
        std::string kept;
        std::istringstream in(list);
        for (std::string entry; std::getline(in, entry, ':');) {
            if (library && entry.starts_with(library->string())) continue;
            if (toolkit && entry.starts_with(toolkit->string())) continue;
            kept += (kept.empty() ? "" : ":") + entry;
        }
        kept.empty() ? unsetenv(name) : setenv(name, kept.c_str(), 1);
    }
}

Prepared take_native(const std::filesystem::path& file, const Context& context) {
    // One of ours is linked to our library by its place.
    const auto library = base::find_library_dir();
    const auto bytes = library && compile::is_elf(file) ? compile::read_file(file) : std::nullopt;
    if (bytes && bytes->find(library->string()) != std::string::npos)
        return {{},
                fail(fmt::format("{}: lockstep has built this for the simulated GPU; for a real one give its "
                                 "source, or build it with NVIDIA's nvcc",
                                 file.string()))};
    return {StartableProgram{startable_path(file), file.string(), context.after_dashes, {}}, 0};
}

}  // namespace lockstep::cli
