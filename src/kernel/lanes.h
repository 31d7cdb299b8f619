// Lanes of a warp, or of a wavefront: a set of them, and how many there are at most.
#pragma once
#include <bit>
#include <cstdint>

namespace lockstep::kernel {

constexpr int warp_lanes = 32;  // of every GPU that is simulated
constexpr int most_lanes = 64;  // of any: AMD's wavefronts

class LaneMask {
  public:
    constexpr LaneMask() = default;
    constexpr explicit LaneMask(std::uint64_t bits) : bits_(bits) {}
    static constexpr LaneMask of(int lane) { return LaneMask(std::uint64_t{1} << lane); }
    // The lanes first, first + 1 … of so many.
    static constexpr LaneMask range(int first, int count) {
        return LaneMask((count >= most_lanes ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1) << first);
    }

    constexpr bool empty() const { return bits_ == 0; }
    constexpr int count() const { return std::popcount(bits_); }
    constexpr bool has(int lane) const { return (bits_ >> lane & 1) != 0; }
    // Of a set that is not empty.
    constexpr int first() const { return std::countr_zero(bits_); }
    constexpr int last() const { return most_lanes - 1 - std::countl_zero(bits_); }
    // Without a gap between the first and the last.
    constexpr bool contiguous() const { return empty() || count() == last() - first() + 1; }
    constexpr LaneMask only_first() const { return LaneMask(bits_ & -bits_); }
    constexpr LaneMask without(LaneMask other) const { return LaneMask(bits_ & ~other.bits_); }
    constexpr LaneMask operator&(LaneMask other) const { return LaneMask(bits_ & other.bits_); }
    constexpr LaneMask operator|(LaneMask other) const { return LaneMask(bits_ | other.bits_); }
    constexpr LaneMask& operator|=(LaneMask other) { return *this = *this | other; }
    constexpr bool operator==(const LaneMask&) const = default;
    constexpr std::uint64_t bits() const { return bits_; }

    // Calls f(lane) for each, lowest first.
    template <class F>
    constexpr void for_each(F f) const {
        for (std::uint64_t left = bits_; left; left &= left - 1) f(std::countr_zero(left));
    }

  private:
    std::uint64_t bits_ = 0;
};

}  // namespace lockstep::kernel
