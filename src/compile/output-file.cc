#include "compile/output-file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <set>
#include <utility>

#include "compile/files.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

// The place that a name means: links followed, as far as they lead to something.
fs::path place_of(const fs::path& file) {
    std::error_code failed;
    fs::path result = fs::weakly_canonical(fs::absolute(file, failed), failed);
    return failed ? file : result;
}

bool same_file(const fs::path& a, const fs::path& b) {
    struct stat one{}, other{};
    if (stat(a.c_str(), &one) == 0 && stat(b.c_str(), &other) == 0)
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
    return place_of(a) == place_of(b);
}

// What a file holds that no report of ours has been: by its name, or its first bytes.
const char* worth_keeping(const fs::path& file, Output::Kind kind) {
    static const std::set<std::string> sources = {
        ".cu",  ".cuh", ".c",   ".cc",  ".cpp", ".cxx", ".c++", ".C",  ".h",   ".hh", ".hpp",
        ".hxx", ".inl", ".ipp", ".hip", ".ptx", ".s",   ".S",   ".py", ".f90", ".rs", ".toml"};
    if (kind == Output::Kind::translation) return nullptr;
    if (sources.count(file.extension().string())) return "a source file";
    if (kind == Output::Kind::binary) return nullptr;
    std::array<char, 16> begin{};
    std::ifstream(file, std::ios::binary).read(begin.data(), begin.size());
    const std::string_view text(begin.data(), begin.size());
    if (text.starts_with("\x7f"
                         "ELF"))
        return "a program or a library";
    if (kind == Output::Kind::report && text.starts_with("SQLite format 3")) return "a database";
    return nullptr;
}

bool writable(const fs::path& file) { return access(file.c_str(), W_OK) == 0; }

Result<void> check_place(const Output& output) {
    const auto fail = [&](const std::string& reason) {
        return Error{fmt::format("{} {}: {}", output.option, output.file.string(), reason), {}};
    };
    struct stat info{};
    const bool exists = stat(output.file.c_str(), &info) == 0;
    if (exists && S_ISDIR(info.st_mode)) return fail("this is a directory");
    if (exists && !writable(output.file)) return fail(strerror(errno));
    if (exists && !S_ISREG(info.st_mode))
        return output.kind == Output::Kind::run_file ? fail("this is no file, and a database must be one")
                                                     : Result<void>();
    if (const char* what = exists ? worth_keeping(output.file, output.kind) : nullptr)
        return fail(fmt::format("this is {}, and stays as it is (does the option lack its file?)", what));
    const fs::path folder = place_of(output.file).parent_path();
    if (stat(folder.c_str(), &info) != 0)
        return fail(fmt::format("there is no directory {}", folder.string()));
    // What permissions do not say, trying does: a disk may be read-only, or no place for files at all.
    auto tried = Replacement::create(output.file);
    return tried ? Result<void>() : fail(tried.error().message);
}

// Whether one would write over the other.
bool collide(const fs::path& a, const fs::path& b) {
    if (a == "-" || b == "-") return a == b;
    struct stat info{};
    const bool device = stat(a.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
    return !device && same_file(a, b);
}

}  // namespace

Result<void> check_outputs(std::span<const Output> outputs, std::span<const fs::path> inputs) {
    for (std::size_t o = 0; o < outputs.size(); ++o) {
        const Output& output = outputs[o];
        if (output.file.empty()) continue;
        for (const Output& other : outputs.first(o))
            if (!other.file.empty() && collide(output.file, other.file))
                return Error{fmt::format("{} and {} both write to {}", other.option, output.option,
                                         output.file == "-" ? "the standard output" : output.file.string()),
                             {}};
        if (output.file == "-" && output.kind == Output::Kind::run_file)
            return Error{fmt::format("{} -: a database cannot go to the standard output", output.option), {}};
        if (output.file == "-") continue;
        for (const fs::path& input : inputs)
            if (same_file(output.file, input))
                return Error{fmt::format("{} {}: this is an input, and would be overwritten", output.option,
                                         output.file.string()),
                             {}};
        if (auto good = check_place(output); !good) return good;
    }
    return {};
}

Result<Replacement> Replacement::create(const fs::path& file) {
    const fs::path target = place_of(file);
    struct stat info{};
    const bool exists = stat(file.c_str(), &info) == 0;
    // What is open already has a name in /dev; and a folder that lets nobody in may hold a file that can be
    // written to.
    const bool direct = exists && (!S_ISREG(info.st_mode) || file.string().starts_with("/dev/") ||
                                   access(target.parent_path().c_str(), W_OK | X_OK) != 0);
    if (direct) return Replacement(file, file);
    std::string pattern =
        (target.parent_path() / fmt::format(".{}.XXXXXX", target.filename().string())).string();
    const int made = mkostemp(pattern.data(), O_CLOEXEC);
    if (made < 0) return Error{fmt::format("cannot write {}: {}", file.string(), strerror(errno)), {}};
    Replacement replacement(pattern, target);
    // As the file that it replaces, or as any new one.
    const mode_t mask = umask(0);
    umask(mask);
    const int changed = fchmod(made, exists ? info.st_mode & 07777 : 0666 & ~mask);
    close(made);
    if (changed != 0) return Error{fmt::format("cannot write {}: {}", file.string(), strerror(errno)), {}};
    return replacement;
}

Replacement::Replacement(Replacement&& other) noexcept
    : path_(std::exchange(other.path_, {})), target_(std::exchange(other.target_, {})) {}

Replacement::~Replacement() {
    std::error_code ignored;
    if (!path_.empty() && path_ != target_) fs::remove(path_, ignored);
}

Result<void> Replacement::commit() {
    if (path_ == target_) return {};
    std::error_code failed;
    fs::rename(path_, target_, failed);
    if (failed) return Error{fmt::format("cannot write {}: {}", target_.string(), failed.message()), {}};
    path_.clear();
    return {};
}

Result<void> replace_file(const fs::path& file, std::string_view bytes) {
    auto replacement = Replacement::create(file);
    if (!replacement) return replacement.error();
    // The temporary's name would say nothing to the user.
    if (auto written = write_file(replacement->path(), bytes, file.string()); !written) return written;
    return replacement->commit();
}

}  // namespace lockstep::compile
