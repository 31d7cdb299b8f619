#include "base/fill-memory.h"

#include <algorithm>
#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace lockstep::base {
namespace {

constexpr std::size_t piece = 16;  // one store; all values end where a piece does
using Piece = std::array<std::byte, piece>;

#if defined(__x86_64__)

// More than caches keep: a store to a line that is in none would read it first.
constexpr std::size_t past_caches = std::size_t{32} << 20;

std::byte* fill_past_caches(std::byte* to, const std::byte* end, const Piece& pattern) {
    const __m128i values = _mm_loadu_si128(reinterpret_cast<const __m128i*>(pattern.data()));
    for (; to + piece <= end; to += piece) _mm_stream_si128(reinterpret_cast<__m128i*>(to), values);
    _mm_sfence();  // such stores are in no order with others
    return to;
}

#endif

}  // namespace

void fill_memory(void* to, std::size_t bytes, std::uint32_t value, int value_bytes) {
    Piece pattern;
    for (std::size_t i = 0; i < piece; ++i)
        pattern[i] = static_cast<std::byte>(value >> i % static_cast<std::size_t>(value_bytes) * 8);
    auto* at = static_cast<std::byte*>(to);
    std::byte* const end = at + bytes;
#if defined(__x86_64__)
    if (bytes >= past_caches) {
        const std::size_t over = reinterpret_cast<std::uintptr_t>(at) % piece;
        const std::size_t head = over ? piece - over : 0;
        std::memcpy(at, pattern.data(), head);
        at = fill_past_caches(at + head, end, pattern);
    }
#endif
    if (value_bytes == 1) {
        std::memset(at, static_cast<int>(value & 0xFF), static_cast<std::size_t>(end - at));
        return;
    }
    for (; at + piece <= end; at += piece) std::memcpy(at, pattern.data(), piece);
    std::memcpy(at, pattern.data(), static_cast<std::size_t>(end - at));
}

}  // namespace lockstep::base
