// The memory that the host can still back device memory with.
#pragma once
#include <cstdint>

namespace lockstep::exec {

// The machine's available memory, less where a container has a limit, and less a margin. The largest number:
// nobody can tell.
std::uint64_t host_available();

}  // namespace lockstep::exec
