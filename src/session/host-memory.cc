#include "session/host-memory.h"

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>

namespace lockstep::session {

bool is_host_memory(std::uint64_t address, std::uint64_t size) {
    const std::uint64_t end = address + size;
    if (end < address) return false;
    std::ifstream maps("/proc/self/maps");
    if (!maps) return true;  // nobody can tell
    for (std::string line; address < end && std::getline(maps, line);) {
        std::uint64_t first = 0, last = 0;
        char readable = '-';
        if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %c", &first, &last, &readable) != 3) continue;
        if (last <= address) continue;
        if (first > address || readable != 'r') return false;
        address = last;
    }
    return address >= end;
}

}  // namespace lockstep::session
