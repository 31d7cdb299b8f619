#include "compile/toolkit.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/paths.h"

namespace lockstep::compile {

namespace fs = std::filesystem;

std::optional<fs::path> toolkit_root() {
    auto found = base::find_resource("toolkit");
    if (!found) return {};
    return *found;
}

bool is_toolkit_program(const fs::path& program) {
    const auto root = toolkit_root();
    std::error_code ignored;
    return root && fs::weakly_canonical(program, ignored).parent_path() == *root / "bin";
}

Arguments toolkit_library_path(const fs::path& root) { return {"-L" + (root / "lib64").string()}; }

std::string toolkit_variables(const fs::path& root, const std::vector<int>& architectures) {
    const char* path = std::getenv("PATH");
    const std::string here = (root / "bin").string();
    std::string text;
    const auto line = [&](const char* name, const std::string& value) {
        text += fmt::format("#$ {}={}\n", name, value);
    };
    line("_SPACE_", " ");
    line("_CUDART_", "cudart");
    line("_HERE_", here);
    line("_THERE_", here);
    line("TOP", root.string());
    line("NVVMIR_LIBRARY_DIR", (root / "nvvm" / "libdevice").string());
    line("PATH", here + ":" + (path ? path : ""));
    line("INCLUDES", command_line({"-I" + (root / "include").string()}));
    line("LIBRARIES", command_line(toolkit_library_path(root)));
    // NVIDIA's compilers show their architectures on their own command lines, where CMake looks for these
    // words. Ours are called otherwise.
    std::string words;
    for (const int architecture : architectures) words += fmt::format(" -arch compute_{}", architecture);
    line("_ARCHITECTURES_", words);
    return text;
}

}  // namespace lockstep::compile
