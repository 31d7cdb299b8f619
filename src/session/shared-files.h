// What processes of one machine share: a handle is a value that a program carries over in any way, and names
// a file without a name that its owner has open. Linux shows it to processes of the same user.
#pragma once
#include <cstdint>
#include <string>

#include "session/status.h"

namespace lockstep::session {

// A file that is closed at the end.
class OpenFile {
  public:
    explicit OpenFile(int number = -1) : number_(number) {}
    OpenFile(OpenFile&& other) noexcept : number_(other.release()) {}
    OpenFile& operator=(OpenFile&& other) noexcept;
    ~OpenFile();

    int number() const { return number_; }
    int release();
    explicit operator bool() const { return number_ >= 0; }

  private:
    int number_;
};

// As large as CUDA's handles.
struct SharedHandle {
    enum class Kind : std::uint32_t { none, memory, event };

    char magic[8]{};
    Kind kind{};
    std::int32_t process = 0, file = -1, device = 0;
    std::uint64_t inode = 0;
    std::uint64_t offset = 0, size = 0;  // of memory, in the file
    std::uint32_t slot = 0, unused = 0;
    std::uint64_t serial = 0;
};
static_assert(sizeof(SharedHandle) == 64);

SharedHandle handle_of(SharedHandle::Kind kind, int file, int device);
// Whether it is one of that kind, from whichever process.
bool is_handle(const SharedHandle& handle, SharedHandle::Kind kind);
bool is_own(const SharedHandle& handle);
// Fails where the process that made it has ended, or has closed the file.
Found<OpenFile> open_handle(const SharedHandle& handle);

// What a file is that a program got from another process, by the name that its maker gave it: "lockstep
// device 0". Empty: it is no such file, or not open.
std::string shared_name(int file);
// The number behind a prefix of such a name; -1: the name begins otherwise.
int number_in(const std::string& name, const std::string& prefix);

}  // namespace lockstep::session
