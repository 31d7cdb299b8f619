#include "redirect/jump.h"

#include <gtest/gtest.h>

namespace lockstep::redirect {
namespace {

std::string hex(const std::optional<std::string>& code) {
    if (!code) return "nothing";
    std::string text;
    for (const char byte : *code) {
        constexpr const char* digits = "0123456789abcdef";
        const auto value = static_cast<unsigned char>(byte);
        text += digits[value >> 4];
        text += digits[value & 15];
    }
    return text;
}

constexpr std::uint64_t target = 0x0000FFFF12345678;

// As `as` writes them: bti c; ldr x16, .+8; br x16; .quad target
TEST(Jump, FarOnArm64) {
    EXPECT_EQ(hex(far_jump(Cpu::arm64, target, 20)),
              "5f2403d5500000580002"
              "1fd678563412ffff0000");
    EXPECT_EQ(hex(far_jump(Cpu::arm64, target, 16)), "5000005800021fd678563412ffff0000");
    EXPECT_EQ(hex(far_jump(Cpu::arm64, target, 15)), "nothing");
}

// endbr64; movabs r11, target; jmp r11
TEST(Jump, FarOnX86) {
    EXPECT_EQ(hex(far_jump(Cpu::x86_64, target, 17)), "f30f1efa49bb78563412ffff000041ffe3");
    EXPECT_EQ(hex(far_jump(Cpu::x86_64, target, 16)), "49bb78563412ffff000041ffe3");
    EXPECT_EQ(hex(far_jump(Cpu::x86_64, target, 12)), "nothing");
}

TEST(Jump, NearCountsFromItsPlace) {
    EXPECT_EQ(hex(near_jump(Cpu::arm64, 0x10000, 0x10010, 4)), "04000014");
    EXPECT_EQ(hex(near_jump(Cpu::arm64, 0x10010, 0x10000, 4)), "fcffff17");
    EXPECT_EQ(hex(near_jump(Cpu::arm64, 0x10000, 0x10010, 3)), "nothing");
    EXPECT_EQ(hex(near_jump(Cpu::arm64, 0x10000, 0x10000 + near_reach(Cpu::arm64), 4)), "nothing");
    EXPECT_EQ(hex(near_jump(Cpu::x86_64, 0x10000, 0x10010, 5)), "e90b000000");
    EXPECT_EQ(hex(near_jump(Cpu::x86_64, 0x10010, 0x10000, 8)), "e9ebffffff");
    EXPECT_EQ(hex(near_jump(Cpu::x86_64, 0x10000, 0x10010, 4)), "nothing");
    EXPECT_EQ(hex(near_jump(Cpu::x86_64, 0x10000, 0x10000 + near_reach(Cpu::x86_64), 5)), "nothing");
}

// bti c; ldr x0, .+12; ldr x16, .+16; br x16; .quad argument, target
// endbr64; movabs rdi, argument; movabs r11, target; jmp r11
TEST(Jump, WithAnotherArgument) {
    EXPECT_EQ(hex(jump_with_argument(Cpu::arm64, target, 0x42)),
              "5f2403d5600000589000005800021fd6"
              "4200000000000000"
              "78563412ffff0000");
    EXPECT_EQ(hex(jump_with_argument(Cpu::x86_64, target, 0x42)),
              "f30f1efa48bf4200000000000000"
              "49bb78563412ffff000041ffe3");
}

}  // namespace
}  // namespace lockstep::redirect
