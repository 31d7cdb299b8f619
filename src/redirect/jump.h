// Machine code that leads from one function to another, for both CPU families.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace lockstep::redirect {

enum class Cpu { arm64, x86_64 };

#if defined(__aarch64__)
inline constexpr Cpu this_cpu = Cpu::arm64;
#elif defined(__x86_64__)
inline constexpr Cpu this_cpu = Cpu::x86_64;
#else
#error "redirect: no such CPU family yet"
#endif

// To anywhere, with all arguments as they are. In at most `room` bytes; begins as an indirect call's target
// has to where there is room for that. Nothing: it does not fit.
std::optional<std::string> far_jump(Cpu cpu, std::uint64_t target, std::uint64_t room);

// The shortest there is, from code at `from`. Nothing: too far away, or no room.
std::optional<std::string> near_jump(Cpu cpu, std::uint64_t from, std::uint64_t target, std::uint64_t room);
// How far that reaches.
std::uint64_t near_reach(Cpu cpu);

// Calls `target` with `argument` instead of what the caller gave.
std::string jump_with_argument(Cpu cpu, std::uint64_t target, std::uint64_t argument);

}  // namespace lockstep::redirect
