#include "base/read-file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace lockstep::base {

// What the system tells of the size is a guess: pipes and /proc have none, and files grow.
std::optional<std::string> read_all(int descriptor) {
    struct stat info{};
    if (fstat(descriptor, &info) != 0) return {};
    std::string bytes;
    std::size_t filled = 0;
    bytes.resize(static_cast<std::size_t>(info.st_size) + 1);
    for (;;) {
        const ssize_t count = ::read(descriptor, bytes.data() + filled, bytes.size() - filled);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return {};
        if (count == 0) break;
        filled += static_cast<std::size_t>(count);
        if (filled == bytes.size()) bytes.resize(2 * bytes.size() + 4096);
    }
    bytes.resize(filled);
    return bytes;
}

std::optional<std::string> read_file(const std::filesystem::path& file) {
    const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return {};
    auto bytes = read_all(descriptor);
    close(descriptor);
    return bytes;
}

}  // namespace lockstep::base
