#include "base/fill-memory.h"

#include <gtest/gtest.h>

#include <vector>

namespace lockstep::base {
namespace {

// Each byte between two guards, whatever lies around.
void expect_filled(std::size_t offset, std::size_t bytes, int value_bytes) {
    constexpr std::uint32_t value = 0x12345678;
    std::vector<std::uint8_t> memory(offset + bytes + 64, 0xEE);
    fill_memory(memory.data() + offset, bytes, value, value_bytes);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < memory.size(); ++i) {
        const bool inside = i >= offset && i < offset + bytes;
        const auto expected =
            inside
                ? static_cast<std::uint8_t>(value >> (i - offset) % static_cast<std::size_t>(value_bytes) * 8)
                : 0xEE;
        wrong += memory[i] != expected;
    }
    EXPECT_EQ(wrong, 0u) << bytes << " bytes of " << value_bytes << " at " << offset;
}

TEST(FillMemory, WidthsAndEnds) {
    for (const int width : {1, 2, 4})
        for (const std::size_t bytes :
             {std::size_t{0}, std::size_t{4}, std::size_t{12}, std::size_t{16}, std::size_t{100}})
            for (const std::size_t offset : {std::size_t{0}, std::size_t{4}, std::size_t{20}})
                expect_filled(offset, bytes, width);
}

TEST(FillMemory, PastTheCaches) {
    for (const int width : {1, 2, 4})
        for (const std::size_t offset : {std::size_t{0}, std::size_t{4}, std::size_t{12}})
            expect_filled(offset, (std::size_t{32} << 20) + 4, width);
}

}  // namespace
}  // namespace lockstep::base
