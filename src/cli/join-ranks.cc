#include "cli/join-ranks.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/paths.h"

namespace lockstep::cli {
namespace {

int number(const char* variable, int fallback) {
    const char* text = getenv(variable);
    return text && *text ? std::atoi(text) : fallback;
}

}  // namespace

RankOfProcess rank_of_process() {
    RankOfProcess process;
    process.rank = std::max(0, number("OMPI_COMM_WORLD_RANK", 0));
    process.size = std::max(1, number("OMPI_COMM_WORLD_SIZE", 1));
    process.on_this_machine = std::max(1, number("OMPI_COMM_WORLD_LOCAL_SIZE", 1));
    return process;
}

Result<std::unique_ptr<sweep::Ranks>> join_ranks() {
    auto directory = base::find_library_dir();
    if (!directory) return directory.error();
    const std::filesystem::path file = *directory / "liblockstep-mpi.so";
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        return Error{
            fmt::format("this lockstep was built without MPI and cannot run under mpirun: there is no {}; "
                        "build it where libopenmpi-dev is installed",
                        file.string()),
            {}};
    // Open MPI loads parts of itself that look for its symbols in the whole process.
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (!library) return Error{fmt::format("cannot load MPI: {}", dlerror()), {}};
    const auto join = reinterpret_cast<sweep::JoinRanks>(dlsym(library, "lockstep_join_ranks"));
    if (!join) return Error{fmt::format("{} is not lockstep's: {}", file.string(), dlerror()), {}};
    return std::unique_ptr<sweep::Ranks>(join());
}

}  // namespace lockstep::cli
