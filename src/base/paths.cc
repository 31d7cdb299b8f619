#include "base/paths.h"

#include <dlfcn.h>

#include <vector>

namespace lockstep::base {
namespace {

namespace fs = std::filesystem;

Result<fs::path> first_existing(const std::string& what, const std::vector<fs::path>& candidates) {
    std::error_code ignored;
    for (const fs::path& candidate : candidates)
        if (fs::exists(candidate, ignored)) return fs::weakly_canonical(candidate, ignored);
    std::string tried;
    for (const fs::path& candidate : candidates) tried += "\n    " + candidate.lexically_normal().string();
    return Error{"cannot find lockstep's " + what + "; looked for" + tried, {}};
}

}  // namespace

fs::path module_file(const void* address) {
    std::error_code ignored;
    Dl_info info{};
    // For the program itself dladdr gives argv[0], which may be relative to another directory.
    if (address && dladdr(address, &info) && info.dli_fname &&
        std::string_view(info.dli_fname).find(".so") != std::string_view::npos)
        return fs::weakly_canonical(info.dli_fname, ignored);
    return fs::read_symlink("/proc/self/exe", ignored);
}

Result<fs::path> find_resource(const std::string& name, const void* address) {
    const fs::path here = module_file(address).parent_path();
    const fs::path share = fs::path("share") / "lockstep" / name;
    return first_existing(name + " directory",
                          {here / share, here / ".." / share, here / ".." / ".." / share});
}

Result<fs::path> find_library_dir(const void* address) {
    const fs::path here = module_file(address).parent_path(), file = "libcudart.so.12";
    auto found =
        first_existing("runtime library", {here / "lib" / file, here / ".." / "lib" / "lockstep" / file,
                                           here / ".." / "lib" / file, here / file});
    if (!found) return found.error();
    return found->parent_path();
}

}  // namespace lockstep::base
