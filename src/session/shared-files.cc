#include "session/shared-files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <string_view>
#include <utility>

namespace lockstep::session {
namespace {

constexpr char magic[8] = {'l', 'o', 'c', 'k', 's', 't', 'e', 'p'};

std::uint64_t inode_of(int file) {
    struct stat status{};
    return fstat(file, &status) == 0 ? status.st_ino : 0;
}

}  // namespace

OpenFile& OpenFile::operator=(OpenFile&& other) noexcept {
    if (this != &other) {
        if (number_ >= 0) close(number_);
        number_ = other.release();
    }
    return *this;
}

OpenFile::~OpenFile() {
    if (number_ >= 0) close(number_);
}

int OpenFile::release() { return std::exchange(number_, -1); }

SharedHandle handle_of(SharedHandle::Kind kind, int file, int device) {
    SharedHandle handle;
    std::memcpy(handle.magic, magic, sizeof magic);
    handle.kind = kind;
    handle.process = getpid();
    handle.file = file;
    handle.device = device;
    handle.inode = inode_of(file);
    return handle;
}

bool is_handle(const SharedHandle& handle, SharedHandle::Kind kind) {
    return std::memcmp(handle.magic, magic, sizeof magic) == 0 && handle.kind == kind;
}

bool is_own(const SharedHandle& handle) { return handle.process == getpid(); }

Found<OpenFile> open_handle(const SharedHandle& handle) {
    OpenFile file(
        open(fmt::format("/proc/{}/fd/{}", handle.process, handle.file).c_str(), O_RDWR | O_CLOEXEC));
    if (file && inode_of(file.number()) == handle.inode) return file;
    return Outcome(Status::invalid_value,
                   fmt::format("process {}, which made the handle, has ended or does not have it any more",
                               handle.process));
}

std::string shared_name(int file) {
    constexpr std::string_view prefix = "/memfd:", suffix = " (deleted)";
    char target[256];
    const ssize_t length = readlink(fmt::format("/proc/self/fd/{}", file).c_str(), target, sizeof target);
    const std::string_view text(target, length < 0 ? 0 : static_cast<std::size_t>(length));
    if (!text.starts_with(prefix) || !text.ends_with(suffix)) return "";
    return std::string(text.substr(prefix.size(), text.size() - prefix.size() - suffix.size()));
}

int number_in(const std::string& name, const std::string& prefix) {
    if (!name.starts_with(prefix) || name.size() == prefix.size()) return -1;
    int number = 0;
    for (const char c : name.substr(prefix.size())) {
        if (c < '0' || c > '9' || number > 1000) return -1;
        number = 10 * number + (c - '0');
    }
    return number;
}

}  // namespace lockstep::session
