#include "compile/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fstream>
#include <vector>

namespace lockstep::compile {

namespace fs = std::filesystem;

Result<void> write_file(const fs::path& file, std::string_view bytes, const std::string& name) {
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out)
        return Error{fmt::format("cannot write {}: {}", name.empty() ? file.string() : name, strerror(errno)),
                     {}};
    return {};
}

Result<void> check_input(const fs::path& file) {
    const auto fail = [&](const char* reason) { return Error{file.string() + reason, {}}; };
    struct stat info{}, own{};
    if (stat(file.c_str(), &info) != 0)
        return errno == ENOENT ? fail(": no such file") : Error{file.string() + ": " + strerror(errno), {}};
    if (S_ISDIR(info.st_mode)) return fail(" is a directory");
    if (S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode) || S_ISSOCK(info.st_mode))
        return fail(" is a device, and not a file to be read");
    for (const int output : {STDOUT_FILENO, STDERR_FILENO})
        if (!S_ISREG(info.st_mode) && fstat(output, &own) == 0 && own.st_dev == info.st_dev &&
            own.st_ino == info.st_ino)
            return fail(" is where this command writes, and not a file to be read");
    if (access(file.c_str(), R_OK) != 0) return Error{file.string() + ": " + strerror(errno), {}};
    return {};
}

namespace {

constexpr std::string_view temporary_prefix = "lockstep-tmp-";

// Closed at the end of its life; negative where it is no directory.
struct Descriptor {
    explicit Descriptor(const fs::path& directory)
        : number(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) {}
    ~Descriptor() {
        if (number >= 0) close(number);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number;
};

std::vector<fs::path> temporary_parents() {
    std::vector<fs::path> parents;
    if (const char* given = getenv("TMPDIR"); given && *given) parents.push_back(given);
    parents.insert(parents.end(), {"/tmp", "/var/tmp", "/dev/shm"});
    return parents;
}

// One that was made this minute may not have its lock yet.
void remove_abandoned_in(const fs::path& parent) {
    constexpr std::time_t young = 60;
    std::error_code failed;
    for (fs::directory_iterator entry(parent, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        if (!entry->path().filename().string().starts_with(temporary_prefix)) continue;
        const Descriptor directory(entry->path());
        struct stat info{};
        if (directory.number < 0 || fstat(directory.number, &info) != 0 || info.st_uid != geteuid()) continue;
        if (info.st_mtime > std::time(nullptr) - young) continue;
        if (flock(directory.number, LOCK_EX | LOCK_NB) != 0) continue;
        std::error_code ignored;
        fs::remove_all(entry->path(), ignored);
    }
}

}  // namespace

Result<TempDir> TempDir::create() {
    std::string reason;
    for (const fs::path& parent : temporary_parents()) {
        std::string pattern = (parent / fmt::format("{}XXXXXX", temporary_prefix)).string();
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

void TempDir::remove_abandoned() { remove_abandoned_in(temporary_parents().front()); }

TempDir::TempDir(fs::path path)
    : path_(std::move(path)), lock_(open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (lock_ >= 0) flock(lock_, LOCK_EX | LOCK_NB);
}

TempDir::~TempDir() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
    if (lock_ >= 0) close(lock_);
}

}  // namespace lockstep::compile
