// Where a module's symbols lie in device memory.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lockstep::exec::wave {

struct Symbols {
    std::map<std::string, std::uint64_t, std::less<>> addresses;  // variables and functions
    std::map<std::string, std::uint64_t, std::less<>> entries;    // where such an address lies (GOT)
    // Both, one behind the other: compiled code finds them there, and depends on nothing of one process.
    std::vector<std::uint64_t> table;
};
constexpr const char* symbol_table = "lockstep_symbols";

// Where flat addresses mean the work-group's LDS and a thread's own memory: beyond all that a process has.
constexpr std::uint64_t shared_aperture = std::uint64_t{1} << 48;
constexpr std::uint64_t private_aperture = std::uint64_t{2} << 48;
constexpr std::uint64_t aperture_bytes = std::uint64_t{1} << 32;

}  // namespace lockstep::exec::wave
