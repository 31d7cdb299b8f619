// Where a module's symbols lie in device memory.
#pragma once
#include <cstdint>
#include <map>
#include <string>

namespace lockstep::exec::wave {

struct Symbols {
    std::map<std::string, std::uint64_t, std::less<>> addresses;  // variables
    std::map<std::string, std::uint64_t, std::less<>> entries;    // where a variable's address lies (GOT)
};

// Where flat addresses mean the work-group's LDS and a thread's own memory: beyond all that a process has.
constexpr std::uint64_t shared_aperture = std::uint64_t{1} << 48;
constexpr std::uint64_t private_aperture = std::uint64_t{2} << 48;
constexpr std::uint64_t aperture_bytes = std::uint64_t{1} << 32;

}  // namespace lockstep::exec::wave
