// The host's memory, as the operating system has it.
#pragma once
#include <cstdint>

namespace lockstep::session {

// Whether all of these bytes are there and may be read: what a kernel is let into must not end the process.
bool is_host_memory(std::uint64_t address, std::uint64_t size);

}  // namespace lockstep::session
