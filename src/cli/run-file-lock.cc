#include "cli/run-file-lock.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include "base/hash.h"

namespace lockstep::cli {

namespace fs = std::filesystem;

Result<RunFileLock> RunFileLock::take(const fs::path& file) {
    std::error_code failed;
    const fs::path place = fs::weakly_canonical(fs::absolute(file, failed), failed);
    struct stat folder{};
    if (failed || stat(place.parent_path().c_str(), &folder) != 0) return RunFileLock(-1);
    base::Hash hash;
    hash.add(fmt::format("{} {} {}", geteuid(), folder.st_dev, folder.st_ino)).add(place.filename().string());
    const std::string name = "lockstep-run-" + hash.hex();

    // Where there are no such sockets, the file is still replaced as a whole: the last one stays.
    const int made = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (made < 0) return RunFileLock(-1);
    RunFileLock lock(made);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    // A name that begins with a zero is no file's.
    const std::size_t length = std::min(name.size(), sizeof address.sun_path - 1);
    std::memcpy(address.sun_path + 1, name.data(), length);
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
    if (bind(made, reinterpret_cast<const sockaddr*>(&address), size) != 0 && errno == EADDRINUSE)
        return Error{
            fmt::format("{}: another lockstep is writing this run file; wait for it, or choose another "
                        "name",
                        file.string()),
            {}};
    return lock;
}

RunFileLock::~RunFileLock() {
    if (socket_ >= 0) close(socket_);
}

}  // namespace lockstep::cli
