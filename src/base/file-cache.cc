#include "base/file-cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <limits>
#include <vector>

#include "base/hash.h"
#include "base/read-file.h"

namespace lockstep::base {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t key_digits = 32;
constexpr std::string_view aside_prefix = "new-";  // and six letters: on their way to their names
constexpr const char* counter_name = "added";
constexpr std::uint64_t counter_unit = 4096;
constexpr unsigned plain = 0644, executable = 0755;

struct Descriptor {
    explicit Descriptor(int number) : number(number) {}
    ~Descriptor() {
        if (number >= 0) close(number);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number;
};

std::string checksum(const fs::path& file, std::string_view bytes) {
    return Hash().add(file.filename().string()).add(bytes).hex();
}

// Read at once, and marked as used, for prune(). More than `most` bytes are none of ours.
std::optional<std::string> read_used(const fs::path& file, std::uint64_t most) {
    const Descriptor descriptor(open(file.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat info{};
    if (descriptor.number < 0 || fstat(descriptor.number, &info) != 0) return {};
    if (!S_ISREG(info.st_mode) || static_cast<std::uint64_t>(info.st_size) > most) return {};
    auto bytes = read_all(descriptor.number);
    if (bytes) futimens(descriptor.number, nullptr);
    return bytes;
}

bool is_key(std::string_view text) {
    return text.size() == key_digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// "program" of program-0123…; "unfinished" of what was on its way; "earlier" of what an earlier lockstep
// has left. Empty: not ours.
std::string kind_of(const fs::path& file) {
    const std::string name = file.filename().string();
    if (name.starts_with(aside_prefix) && name.size() == aside_prefix.size() + 6) return "unfinished";
    if (is_key(name) || (name.ends_with(".files") && is_key(std::string_view(name).substr(0, key_digits))))
        return "earlier";
    const std::size_t dash = name.find('-');
    if (dash == std::string::npos || dash == 0 || !is_key(std::string_view(name).substr(dash + 1))) return "";
    const std::string kind = name.substr(0, dash);
    return kind.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos ? kind : "";
}

struct Entry {
    fs::path path;
    std::string kind;
    fs::file_time_type used;
    std::uint64_t bytes = 0;
};

std::uint64_t size_of(const fs::path& path) {
    std::error_code failed;
    if (!fs::is_directory(path, failed)) {
        const auto size = fs::file_size(path, failed);
        return failed ? 0 : size;
    }
    std::uint64_t bytes = 0;
    for (fs::directory_iterator item(path, failed), end; !failed && item != end; item.increment(failed)) {
        std::error_code missing;
        const auto size = item->file_size(missing);
        if (!missing) bytes += size;
    }
    return bytes;
}

std::vector<Entry> entries_of(const fs::path& directory) {
    std::vector<Entry> entries;
    std::error_code failed;
    for (fs::directory_iterator item(directory, failed), end; !failed && item != end;
         item.increment(failed)) {
        std::string kind = kind_of(item->path());
        if (kind.empty()) continue;
        std::error_code missing;
        const auto used = item->last_write_time(missing);
        if (!missing) entries.push_back({item->path(), std::move(kind), used, size_of(item->path())});
    }
    return entries;
}

Error failure(const fs::path& file, const char* what) {
    return Error{fmt::format("{}: {}", file.string(), what), {}};
}

Result<std::uint64_t> size_setting(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
    const std::string_view units = "KMGT";
    const int shift = unit.empty() ? 0 : 10 * (static_cast<int>(units.find(unit[0])) + 1);
    const bool good = unit.empty() || (unit.size() == 1 && shift > 0);
    if (error != std::errc() || !good || number > std::numeric_limits<std::uint64_t>::max() >> shift)
        return Error{
            fmt::format("LOCKSTEP_CACHE_SIZE={}: expected bytes, as 1073741824, 512M or 2G; 0 keeps nothing",
                        text),
            {}};
    return number << shift;
}

}  // namespace

Result<CacheSettings> cache_settings(const std::function<const char*(const char*)>& value) {
    const auto variable = [&](const char* name) {
        const char* text = value(name);
        return std::string(text ? text : "");
    };
    CacheSettings settings;
    if (const std::string text = variable("LOCKSTEP_CACHE_SIZE"); !text.empty()) {
        auto limit = size_setting(text);
        if (!limit) return limit.error();
        settings.limit = *limit;
    }
    if (const fs::path given = variable("LOCKSTEP_CACHE"); !given.empty()) {
        settings.directory = given;
        settings.named = true;
    } else if (const fs::path home = variable("XDG_CACHE_HOME"); !home.empty()) {
        settings.directory = home / "lockstep";
    } else if (const fs::path home = variable("HOME"); !home.empty()) {
        settings.directory = home / ".cache" / "lockstep";
    }
    // The program may go to another directory.
    std::error_code failed;
    if (!settings.directory.empty()) settings.directory = fs::absolute(settings.directory, failed);
    return settings;
}

Result<void> FileCache::prepare() const {
    if (directory_.empty())
        return Error{"there is no cache directory: neither LOCKSTEP_CACHE nor HOME is set", {}};
    std::error_code failed;
    fs::create_directories(directory_, failed);
    if (failed) return failure(directory_, failed.message().c_str());
    if (access(directory_.c_str(), W_OK | X_OK) != 0) return failure(directory_, strerror(errno));
    return {};
}

fs::path FileCache::path_of(std::string_view kind, const std::string& key) const {
    return directory_ / fmt::format("{}-{}", kind, key);
}

// The checksum stands at the end, and knows the file's name.
std::optional<std::string> FileCache::read(std::string_view kind, const std::string& key) const {
    if (!in_use()) return {};
    const fs::path file = path_of(kind, key);
    auto bytes = read_used(file, limit_);
    if (!bytes || bytes->size() < key_digits) return {};
    const std::string sum = bytes->substr(bytes->size() - key_digits);
    bytes->resize(bytes->size() - key_digits);
    if (checksum(file, *bytes) != sum) return {};
    return bytes;
}

Result<void> FileCache::write(std::string_view kind, const std::string& key, std::string_view bytes) const {
    const fs::path file = path_of(kind, key);
    return put(file, fmt::format("{}{}", bytes, checksum(file, bytes)), plain);
}

std::optional<fs::path> FileCache::find(std::string_view kind, const std::string& key) const {
    if (!in_use()) return {};
    fs::path file = path_of(kind, key);
    const auto bytes = read_used(file, limit_);
    if (!bytes || Hash().add(*bytes).hex() != key || access(file.c_str(), X_OK) != 0) return {};
    return file;
}

Result<std::string> FileCache::keep(std::string_view kind, std::string_view bytes) const {
    std::string key = Hash().add(bytes).hex();
    if (auto written = put(path_of(kind, key), bytes, executable); !written) return written.error();
    return key;
}

Result<void> FileCache::put(const fs::path& file, std::string_view bytes, unsigned mode) const {
    if (auto ready = prepare(); !ready) return ready;
    if (bytes.size() > limit_ / 2)
        return Error{
            fmt::format("{} bytes are more than half of what the cache may hold (LOCKSTEP_CACHE_SIZE)",
                        bytes.size()),
            {}};
    std::string aside = (directory_ / fmt::format("{}XXXXXX", aside_prefix)).string();
    const Descriptor descriptor(mkostemp(aside.data(), O_CLOEXEC));
    if (descriptor.number < 0) return failure(directory_, strerror(errno));
    const auto write_all = [&]() -> int {
        for (std::string_view rest = bytes; !rest.empty();) {
            const ssize_t count = ::write(descriptor.number, rest.data(), rest.size());
            if (count < 0 && errno != EINTR) return errno;
            if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
        }
        if (fchmod(descriptor.number, mode) != 0) return errno;
        return rename(aside.c_str(), file.c_str()) != 0 ? errno : 0;
    };
    if (const int error = write_all()) {
        unlink(aside.c_str());
        return failure(directory_, strerror(error));
    }
    count(bytes.size());
    return {};
}

// To look at all files for each one that is written would take long where they are many. So the folder has a
// file that grows with what is written, one byte for each 4 KiB; all are looked at when that has reached a
// sixteenth of the limit, and then as much room is made.
void FileCache::count(std::uint64_t bytes) const {
    const Descriptor counter(
        open((directory_ / counter_name).c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, plain));
    if (counter.number < 0) return;
    const std::string units(bytes / counter_unit + 1, '.');
    struct stat info{};
    if (::write(counter.number, units.data(), units.size()) < 0 || fstat(counter.number, &info) != 0) return;
    if (static_cast<std::uint64_t>(info.st_size) * counter_unit < limit_ / 16) return;
    if (ftruncate(counter.number, 0) == 0) prune();
}

void FileCache::prune() const {
    std::vector<Entry> entries = entries_of(directory_);
    const auto hour_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
    std::uint64_t total = 0;
    for (const Entry& entry : entries) total += entry.bytes;
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
    for (const Entry& entry : entries) {
        const bool abandoned = entry.kind == "unfinished" && entry.used < hour_ago;
        if (total <= limit_ - limit_ / 16 && !abandoned) continue;
        std::error_code ignored;
        fs::remove_all(entry.path, ignored);
        total -= entry.bytes;
    }
}

std::map<std::string, FileCache::Usage> FileCache::usage() const {
    std::map<std::string, Usage> usage;
    if (directory_.empty()) return usage;
    for (const Entry& entry : entries_of(directory_)) {
        Usage& of_kind = usage[entry.kind];
        ++of_kind.files;
        of_kind.bytes += entry.bytes;
    }
    return usage;
}

Result<void> FileCache::clear() const {
    if (directory_.empty()) return {};
    std::error_code failed;
    for (const Entry& entry : entries_of(directory_)) {
        fs::remove_all(entry.path, failed);
        if (failed) return failure(entry.path, failed.message().c_str());
    }
    fs::remove(directory_ / counter_name, failed);
    return {};
}

}  // namespace lockstep::base
