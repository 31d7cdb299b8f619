#include "compile/files.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

namespace lockstep::compile {

namespace fs = std::filesystem;

std::optional<std::string> read_file(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::error_code ignored;
    if (!in || fs::is_directory(file, ignored)) return {};
    return std::string(std::istreambuf_iterator<char>(in), {});
}

Result<void> write_file(const fs::path& file, std::string_view bytes) {
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) return Error{fmt::format("cannot write {}: {}", file.string(), strerror(errno)), {}};
    return {};
}

Result<TempDir> TempDir::create() {
    std::vector<fs::path> parents;
    if (const char* given = getenv("TMPDIR"); given && *given) parents.push_back(given);
    parents.insert(parents.end(), {"/tmp", "/var/tmp", "/dev/shm"});
    std::string reason;
    for (const fs::path& parent : parents) {
        std::string pattern = (parent / "lockstep-XXXXXX").string();
        if (!mkdtemp(pattern.data())) {
            if (reason.empty()) reason = fmt::format("{}: {}", parent.string(), strerror(errno));
            continue;
        }
        TempDir made{fs::path(pattern)};
        // A full disk lets a directory be made, but no file be filled.
        const std::string probe(65536, 'x');
        if (auto written = write_file(made.path() / "probe", probe); !written) {
            if (reason.empty()) reason = written.error().message;
            continue;
        }
        std::error_code ignored;
        fs::remove(made.path() / "probe", ignored);
        return made;
    }
    return Error{
        fmt::format("no temporary directory can be written ({}); set TMPDIR to one that can", reason), {}};
}

TempDir::~TempDir() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
}

}  // namespace lockstep::compile
