#include "base/hash.h"

#include <fmt/format.h>

namespace lockstep::base {

__extension__ typedef unsigned __int128 Wide;

void Hash::mix(std::string_view bytes) {
    constexpr Wide prime = (Wide{1} << 88) + 0x13b;
    Wide state = Wide{high_} << 64 | low_;
    for (const char c : bytes) state = (state ^ static_cast<unsigned char>(c)) * prime;
    high_ = static_cast<std::uint64_t>(state >> 64);
    low_ = static_cast<std::uint64_t>(state);
}

Hash& Hash::add(std::string_view bytes) {
    const std::uint64_t size = bytes.size();
    mix({reinterpret_cast<const char*>(&size), sizeof size});
    mix(bytes);
    return *this;
}

std::string Hash::hex() const { return fmt::format("{:016x}{:016x}", high_, low_); }

}  // namespace lockstep::base
