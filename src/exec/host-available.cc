#include "exec/host-available.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

namespace lockstep::exec {
namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t host_margin = 256 << 20;

std::uint64_t read_number(const char* file) {
    std::ifstream stream(file);
    std::uint64_t value = 0;
    return stream >> value ? value : unlimited;  // "max", or no such file
}

}  // namespace

std::uint64_t host_available() {
    std::uint64_t available = unlimited;
    std::ifstream meminfo("/proc/meminfo");
    for (std::string line; std::getline(meminfo, line);) {
        std::istringstream fields(line);
        std::string key;
        std::uint64_t kib = 0;
        if (fields >> key >> kib && key == "MemAvailable:") available = kib << 10;
    }
    const std::uint64_t limit = read_number("/sys/fs/cgroup/memory.max");
    const std::uint64_t taken = read_number("/sys/fs/cgroup/memory.current");
    if (limit != unlimited && taken != unlimited)
        available = std::min(available, limit - std::min(limit, taken));
    if (available == unlimited) return unlimited;
    return available - std::min(available, host_margin);
}

}  // namespace lockstep::exec
