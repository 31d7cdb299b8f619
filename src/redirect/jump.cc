#include "redirect/jump.h"

namespace lockstep::redirect {
namespace {

template <class T>
void append(std::string& code, T value) {
    for (std::size_t i = 0; i < sizeof value; ++i)
        code += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xFF);
}

// x16 is the register that calls may change on their way (for veneers); BTI lets a jump through it enter a
// function.
constexpr std::uint32_t bti_c = 0xD503245F, br_x16 = 0xD61F0200;

// ldr xN, .+distance
constexpr std::uint32_t load(unsigned number, unsigned distance) {
    return 0x58000000u | (distance / 4) << 5 | number;
}

constexpr const char endbr64[] = "\xF3\x0F\x1E\xFA";
// r11 is the register that calls may change on their way.
constexpr const char move_r11[] = "\x49\xBB", jump_r11[] = "\x41\xFF\xE3", move_rdi[] = "\x48\xBF";

}  // namespace

std::optional<std::string> far_jump(Cpu cpu, std::uint64_t target, std::uint64_t room) {
    std::string code;
    if (cpu == Cpu::arm64) {
        if (room < 16) return {};
        if (room >= 20) append(code, bti_c);
        append(code, load(16, 8));
        append(code, br_x16);
        append(code, target);
    } else {
        if (room < 13) return {};
        if (room >= 17) code += endbr64;
        code += move_r11;
        append(code, target);
        code += jump_r11;
    }
    return code;
}

std::uint64_t near_reach(Cpu cpu) {
    return cpu == Cpu::arm64 ? std::uint64_t{1} << 27 : std::uint64_t{1} << 31;
}

std::optional<std::string> near_jump(Cpu cpu, std::uint64_t from, std::uint64_t target, std::uint64_t room) {
    const auto distance = static_cast<std::int64_t>(target - from);
    const auto reach = static_cast<std::int64_t>(near_reach(cpu));
    // Some bytes less than the reach: where the jump begins and from where it counts differ.
    if (distance < -reach + 16 || distance >= reach - 16) return {};
    std::string code;
    if (cpu == Cpu::arm64) {
        if (room < 4 || distance % 4 != 0) return {};
        append(code, static_cast<std::uint32_t>(0x14000000u |
                                                (static_cast<std::uint64_t>(distance / 4) & 0x3FFFFFFu)));
    } else {
        if (room < 5) return {};
        code += '\xE9';
        append(code, static_cast<std::uint32_t>(distance - 5));
    }
    return code;
}

std::string jump_with_argument(Cpu cpu, std::uint64_t target, std::uint64_t argument) {
    std::string code;
    if (cpu == Cpu::arm64) {
        append(code, bti_c);
        append(code, load(0, 12));
        append(code, load(16, 16));
        append(code, br_x16);
        append(code, argument);
        append(code, target);
    } else {
        code += endbr64;
        code += move_rdi;
        append(code, argument);
        code += move_r11;
        append(code, target);
        code += jump_r11;
    }
    return code;
}

}  // namespace lockstep::redirect
