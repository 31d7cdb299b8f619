#include "compile/hard-coded-lanes.h"

#include <gtest/gtest.h>

namespace lockstep::compile {
namespace {

// The lines that are warned of.
std::string lines_in(const std::string& source) {
    std::string numbers;
    const std::string text = hard_coded_lanes({{"f", source}});
    for (std::size_t at = 0; (at = text.find("f:", at)) != std::string::npos; ++at)
        if (at == 0 || text[at - 1] == '\n')
            numbers += text.substr(at + 2, text.find(':', at + 2) - at - 2) + " ";
    return numbers;
}
// Of a program that exchanges values in its first line.
std::string lines_of(const std::string& body) { return lines_in("int x = __shfl_down(v, 1);\n" + body); }
// Of a kernel that does.
std::string lines_of_kernel(const std::string& body) {
    return lines_in("__global__ void kernel(float* p) {\n" + body + "}\n");
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
    EXPECT_EQ(lines_in("int x = threadIdx.x % 32;\n"), "");
}

TEST(HardCodedLanes, HaveNamesOfTheirOwn) {
    EXPECT_EQ(lines_in("#define LANES 32\n"
                       "__device__ float sum(float v) {\n"
                       "    for (int d = LANES / 2; d > 0; d /= 2) v += __shfl_down(v, d);\n"
                       "    return v;\n"
                       "}\n"
                       "__global__ void kernel(float* p) {\n"
                       "    float v = sum(p[threadIdx.x]);\n"
                       "    if (threadIdx.x % LANES == 0) p[threadIdx.x / LANES] = v;\n"
                       "}\n"),
              "3 8 ");
    EXPECT_EQ(lines_in("constexpr int kGroup = 32;\n"
                       "__global__ void kernel(int* p) {\n"
                       "    int lane = threadIdx.x & (kGroup - 1);\n"
                       "    if (__any(p[lane])) p[0] = 1;\n"
                       "}\n"),
              "3 ");
    EXPECT_EQ(lines_in("template <int W = 32>\n"
                       "__device__ int total(int v) {\n"
                       "    for (int d = 1; d < W; d *= 2) {\n"
                       "        int u = __shfl_up(v, d);\n"
                       "        if (threadIdx.x % W >= d) v += u;\n"
                       "    }\n"
                       "    return __shfl(v, 31);\n"
                       "}\n"),
              "3 5 7 ");
}

TEST(HardCodedLanes, OfAnotherGpusBranchAreRight) {
    EXPECT_EQ(
        lines_in("#ifdef __HIP_PLATFORM_AMD__\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n"
                 "__global__ void kernel(int* p) {\n"
                 "    int lane = threadIdx.x % WARP_SIZE;\n"
                 "    for (int d = WARP_SIZE / 2; d; d >>= 1) p[lane] += __shfl_xor(p[lane], d);\n"
                 "}\n"),
        "");
}

// Two groups of 32 in a wavefront.
TEST(HardCodedLanes, WithAWidthAreRight) {
    EXPECT_EQ(lines_of_kernel("    int lane = threadIdx.x % 32, group = threadIdx.x / 32;\n"
                              "    float v = p[threadIdx.x];\n"
                              "    for (int d = 16; d > 0; d >>= 1) v += __shfl_down(v, d, 32);\n"
                              "    if (lane == 0) p[group] = v;\n"),
              "");
    EXPECT_EQ(
        lines_in(
            "#define W 32\n__global__ void kernel(int* p) {\n"
            "    int lane = threadIdx.x % W;\n    p[lane] = __shfl_xor_sync(~0ull, p[lane], 1, W);\n}\n"),
        "");
    EXPECT_EQ(lines_of_kernel("    int lane = threadIdx.x % 32;\n    float v = __shfl(p[lane], 0, 32);\n"
                              "    if (__ballot(v > 0)) p[0] = v;\n"),
              "2 ");
}

// Only where lanes exchange, and where such a function is called.
TEST(HardCodedLanes, OfOtherKernelsAreAnyNumber) {
    EXPECT_EQ(lines_in("__global__ void transpose(float* p) {\n"
                       "    __shared__ float tile[32][33];\n"
                       "    int x = threadIdx.x % 32, y = threadIdx.x / 32;\n"
                       "    tile[y][x] = p[threadIdx.x];\n"
                       "}\n"
                       "__global__ void vote(int* p) { if (__all(p[threadIdx.x])) p[0] = 1; }\n"
                       "int main() { int threads = 256, warps = threads / 32; vote<<<1, threads>>>(0); }\n"),
              "");
    EXPECT_EQ(lines_in("#define SUM(v) v += __shfl_xor(v, 32)\n"
                       "struct Block {\n"
                       "    __device__ int run(int v) const {\n"
                       "        SUM(v);\n"
                       "        return threadIdx.x >> 5;\n"
                       "    }\n"
                       "};\n"),
              "5 ");
}

TEST(HardCodedLanes, InUnrolledExchanges) {
    EXPECT_EQ(lines_of_kernel("    float v = p[0];\n    v += __shfl_xor(v, 16);\n    v += __shfl_xor(v, 8);\n"
                              "    v += __shfl_xor(v, 4);\n"),
              "3 ");
    EXPECT_EQ(
        lines_of_kernel("    float v = p[0];\n    v += __shfl_xor(v, 32);\n    v += __shfl_xor(v, 16);\n"),
        "");
    EXPECT_EQ(
        lines_of_kernel("    float v = p[0];\n    v += __shfl_xor(v, 8);\n    v += __shfl_xor(v, 4);\n"), "");
    EXPECT_EQ(
        lines_of_kernel("    for (int d = 16;\n         d;\n         d = d / 2) {\n        float u = p[d];\n"
                        "        u += __shfl_down(u, d);\n    }\n"),
        "2 ");
    EXPECT_EQ(lines_of_kernel("    for (int d = 1; d <= 16; d <<= 1) p[0] += __shfl_up(p[0], d);\n"), "2 ");
    EXPECT_EQ(lines_of_kernel("    for (int d = 1; d < warpSize; d <<= 1) p[0] += __shfl_up(p[0], d);\n"),
              "");
}

TEST(HardCodedLanes, InMasks) {
    EXPECT_EQ(lines_of_kernel("    unsigned long long m = __ballot(p[0] > 0);\n    int lane = __lane_id();\n"
                              "    int rank = __popcll(m & ((1 << lane) - 1));\n"),
              "4 ");
    EXPECT_EQ(lines_of_kernel("    unsigned long long m = __ballot(p[0] > 0);\n"
                              "    int rank = __popcll(m & ((1ull << __lane_id()) - 1));\n"),
              "");
    EXPECT_EQ(lines_of_kernel("    if (__ballot(p[0] > 0) == 0xffffffff) p[1] = 1;\n"), "2 ");
    EXPECT_EQ(lines_of_kernel("    if (__ballot(p[0] > 0) == 0xffffffffffffffffull) p[1] = 1;\n"), "");
    EXPECT_EQ(lines_of_kernel(
                  "    auto active_mask = __activemask();\n    if (active_mask != 0xFFFFFFFFu) return;\n"),
              "3 ");
    EXPECT_EQ(lines_of_kernel("    int n = __popc((unsigned)__ballot(p[0] > 0));\n"), "2 ");
    EXPECT_EQ(lines_of_kernel("    int n = __popc(static_cast<unsigned int>(__ballot(p[0] > 0)));\n"), "2 ");
    EXPECT_EQ(lines_of_kernel("    if (p[3] == 0xffffffff) p[0] = __any(1);\n"), "");
}

TEST(HardCodedLanes, InArraysAndTheLastLane) {
    EXPECT_EQ(lines_of_kernel("    __shared__ float part[32];\n    int lane = threadIdx.x % warpSize;\n"
                              "    part[lane] = __shfl(p[lane], 0);\n"),
              "4 ");
    // One for each wavefront is enough: a block has 16 at most.
    EXPECT_EQ(lines_of_kernel("    __shared__ float part[32];\n    int lane = threadIdx.x % warpSize;\n"
                              "    if (lane == 0) part[threadIdx.x / warpSize] = __shfl(p[lane], 0);\n"
                              "    float v = threadIdx.x < blockDim.x / warpSize ? part[lane] : 0;\n"),
              "");
    EXPECT_EQ(lines_of_kernel("    int laneId = __lane_id();\n    float v = __shfl_up(p[0], 1);\n"
                              "    if (laneId == 31) p[1] = v;\n"),
              "4 ");
    EXPECT_EQ(lines_of_kernel("    int warps = (blockDim.x + 31) / 32;\n    p[warps] = __any(1);\n"), "2 ");
    EXPECT_EQ(lines_of_kernel("    int warps = blockDim.x >> 5;\n    p[warps] = __any(1);\n"), "2 ");
}

// A header has the names, the source uses them.
TEST(HardCodedLanes, InAHeader) {
    EXPECT_EQ(
        hard_coded_lanes({{"main.hip",
                           "#include \"lanes.h\"\n__global__ void kernel(int* p) {\n"
                           "    p[threadIdx.x / kWarp] = __shfl(p[0], 0);\n}\n"},
                          {"lanes.h", "static const int kWarp = 32;\n"}}),
        "main.hip:3: warning: this divides by 32, and a wavefront of this GPU has 64 lanes: warpSize is its "
        "size\n");
}

}  // namespace
}  // namespace lockstep::compile
