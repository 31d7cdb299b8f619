#include "compile/hard-coded-lanes.h"

#include <gtest/gtest.h>

namespace lockstep::compile {
namespace {

// The lines that are warned of, of a program that exchanges values.
std::string lines_of(const std::string& body) {
    std::string numbers;
    const std::string text = hard_coded_lanes("f", "int x = __shfl_down(v, 1);\n" + body);
    for (std::size_t at = 0; (at = text.find("f:", at)) != std::string::npos; ++at)
        if (at == 0 || text[at - 1] == '\n')
            numbers += text.substr(at + 2, text.find(':', at + 2) - at - 2) + " ";
    return numbers;
}

TEST(HardCodedLanes, AreWarnedOfAtTheirLines) {
    EXPECT_EQ(lines_of("int lane = threadIdx.x % 32;\nint warp = tid / 32;\n"), "2 3 ");
    EXPECT_EQ(lines_of("int lane = threadIdx.x & 31;\nint w = threadIdx.x >> 5;\n"), "2 3 ");
    EXPECT_EQ(lines_of("#define WARP_SIZE 32\nconstexpr int warpSize_ = 32;\n"), "2 3 ");
    EXPECT_EQ(lines_of("for (int d = 16; d > 0; d >>= 1)\n    sum += __shfl_down(sum, d);\n"), "2 ");
}

TEST(HardCodedLanes, AreNotSeenWhereTheyAreNone) {
    EXPECT_EQ(lines_of("int lane = threadIdx.x % warpSize;\nint tile = threadIdx.x % 16;\n"), "");
    EXPECT_EQ(
        lines_of("// threadIdx.x % 32\n/* tid / 32 */ const char* s = \"tid % 32\";\nint n = count / 32;\n"),
        "");
    EXPECT_EQ(lines_of("for (int d = 16; d > 0; d >>= 1) sum += part[d];\nint w = threadIdx.x % 320;\n"), "");
    EXPECT_EQ(hard_coded_lanes("f", "int x = threadIdx.x % 32;\n"), "");
}

}  // namespace
}  // namespace lockstep::compile
