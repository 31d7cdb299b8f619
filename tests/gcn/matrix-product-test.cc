#include "gcn/matrix-product.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gcn/parse.h"

namespace lockstep::gcn {
namespace {

struct MatrixCase {
    const char *target, *name;
    int d, a, b;  // registers
    std::uint32_t blocks, cycles;
};
// As AMD's matrix instruction calculator lists them.
constexpr MatrixCase matrix_cases[] = {
    {"gfx908", "v_mfma_f32_32x32x1f32", 32, 1, 1, 2, 64},
    {"gfx908", "v_mfma_f32_16x16x1f32", 16, 1, 1, 4, 32},
    {"gfx908", "v_mfma_f32_4x4x1f32", 4, 1, 1, 16, 8},
    {"gfx908", "v_mfma_f32_32x32x2f32", 16, 1, 1, 1, 64},
    {"gfx908", "v_mfma_f32_16x16x4f32", 4, 1, 1, 1, 32},
    {"gfx908", "v_mfma_f32_32x32x4f16", 32, 2, 2, 2, 64},
    {"gfx908", "v_mfma_f32_16x16x4f16", 16, 2, 2, 4, 32},
    {"gfx908", "v_mfma_f32_4x4x4f16", 4, 2, 2, 16, 8},
    {"gfx908", "v_mfma_f32_32x32x8f16", 16, 2, 2, 1, 64},
    {"gfx908", "v_mfma_f32_16x16x16f16", 4, 2, 2, 1, 32},
    {"gfx908", "v_mfma_i32_32x32x4i8", 32, 1, 1, 2, 64},
    {"gfx908", "v_mfma_i32_16x16x4i8", 16, 1, 1, 4, 32},
    {"gfx908", "v_mfma_i32_4x4x4i8", 4, 1, 1, 16, 8},
    {"gfx908", "v_mfma_i32_32x32x8i8", 16, 1, 1, 1, 64},
    {"gfx908", "v_mfma_i32_16x16x16i8", 4, 1, 1, 1, 32},
    {"gfx908", "v_mfma_f32_32x32x2bf16", 32, 1, 1, 2, 64},
    {"gfx908", "v_mfma_f32_16x16x2bf16", 16, 1, 1, 4, 32},
    {"gfx908", "v_mfma_f32_4x4x2bf16", 4, 1, 1, 16, 8},
    {"gfx908", "v_mfma_f32_32x32x4bf16", 16, 1, 1, 1, 64},
    {"gfx908", "v_mfma_f32_16x16x8bf16", 4, 1, 1, 1, 32},
    {"gfx90a", "v_mfma_f32_32x32x1f32", 32, 1, 1, 2, 64},
    {"gfx90a", "v_mfma_f32_16x16x1f32", 16, 1, 1, 4, 32},
    {"gfx90a", "v_mfma_f32_4x4x1f32", 4, 1, 1, 16, 8},
    {"gfx90a", "v_mfma_f32_32x32x2f32", 16, 1, 1, 1, 64},
    {"gfx90a", "v_mfma_f32_16x16x4f32", 4, 1, 1, 1, 32},
    {"gfx90a", "v_mfma_f32_32x32x4f16", 32, 2, 2, 2, 64},
    {"gfx90a", "v_mfma_f32_16x16x4f16", 16, 2, 2, 4, 32},
    {"gfx90a", "v_mfma_f32_4x4x4f16", 4, 2, 2, 16, 8},
    {"gfx90a", "v_mfma_f32_32x32x8f16", 16, 2, 2, 1, 64},
    {"gfx90a", "v_mfma_f32_16x16x16f16", 4, 2, 2, 1, 32},
    {"gfx90a", "v_mfma_i32_32x32x4i8", 32, 1, 1, 2, 64},
    {"gfx90a", "v_mfma_i32_16x16x4i8", 16, 1, 1, 4, 32},
    {"gfx90a", "v_mfma_i32_4x4x4i8", 4, 1, 1, 16, 8},
    {"gfx90a", "v_mfma_i32_32x32x8i8", 16, 1, 1, 1, 64},
    {"gfx90a", "v_mfma_i32_16x16x16i8", 4, 1, 1, 1, 32},
    {"gfx90a", "v_mfma_f32_32x32x4bf16_1k", 32, 2, 2, 2, 64},
    {"gfx90a", "v_mfma_f32_16x16x4bf16_1k", 16, 2, 2, 4, 32},
    {"gfx90a", "v_mfma_f32_4x4x4bf16_1k", 4, 2, 2, 16, 8},
    {"gfx90a", "v_mfma_f32_32x32x8bf16_1k", 16, 2, 2, 1, 64},
    {"gfx90a", "v_mfma_f32_16x16x16bf16_1k", 4, 2, 2, 1, 32},
    {"gfx90a", "v_mfma_f32_32x32x2bf16", 32, 1, 1, 2, 64},
    {"gfx90a", "v_mfma_f32_16x16x2bf16", 16, 1, 1, 4, 32},
    {"gfx90a", "v_mfma_f32_4x4x2bf16", 4, 1, 1, 16, 8},
    {"gfx90a", "v_mfma_f32_32x32x4bf16", 16, 1, 1, 1, 64},
    {"gfx90a", "v_mfma_f32_16x16x8bf16", 4, 1, 1, 1, 32},
    {"gfx90a", "v_mfma_f64_16x16x4f64", 8, 2, 2, 1, 32},
    {"gfx90a", "v_mfma_f64_4x4x4f64", 2, 2, 2, 4, 16},
    {"gfx942", "v_mfma_f32_16x16x8_xf32", 4, 2, 2, 1, 16},
    {"gfx942", "v_mfma_f32_32x32x4_xf32", 16, 2, 2, 1, 32},
    {"gfx942", "v_mfma_f32_32x32x1_2b_f32", 32, 1, 1, 2, 64},
    {"gfx942", "v_mfma_f32_16x16x1_4b_f32", 16, 1, 1, 4, 32},
    {"gfx942", "v_mfma_f32_4x4x1_16b_f32", 4, 1, 1, 16, 8},
    {"gfx942", "v_mfma_f32_32x32x2_f32", 16, 1, 1, 1, 64},
    {"gfx942", "v_mfma_f32_16x16x4_f32", 4, 1, 1, 1, 32},
    {"gfx942", "v_mfma_f32_32x32x4_2b_f16", 32, 2, 2, 2, 64},
    {"gfx942", "v_mfma_f32_16x16x4_4b_f16", 16, 2, 2, 4, 32},
    {"gfx942", "v_mfma_f32_4x4x4_16b_f16", 4, 2, 2, 16, 8},
    {"gfx942", "v_mfma_f32_32x32x8_f16", 16, 2, 2, 1, 32},
    {"gfx942", "v_mfma_f32_16x16x16_f16", 4, 2, 2, 1, 16},
    {"gfx942", "v_mfma_i32_32x32x4_2b_i8", 32, 1, 1, 2, 64},
    {"gfx942", "v_mfma_i32_16x16x4_4b_i8", 16, 1, 1, 4, 32},
    {"gfx942", "v_mfma_i32_4x4x4_16b_i8", 4, 1, 1, 16, 8},
    {"gfx942", "v_mfma_i32_32x32x16_i8", 16, 2, 2, 1, 32},
    {"gfx942", "v_mfma_i32_16x16x32_i8", 4, 2, 2, 1, 16},
    {"gfx942", "v_mfma_f32_32x32x4_2b_bf16", 32, 2, 2, 2, 64},
    {"gfx942", "v_mfma_f32_16x16x4_4b_bf16", 16, 2, 2, 4, 32},
    {"gfx942", "v_mfma_f32_4x4x4_16b_bf16", 4, 2, 2, 16, 8},
    {"gfx942", "v_mfma_f32_32x32x8_bf16", 16, 2, 2, 1, 32},
    {"gfx942", "v_mfma_f32_16x16x16_bf16", 4, 2, 2, 1, 16},
    {"gfx942", "v_smfmac_f32_16x16x32_f16", 4, 2, 4, 1, 16},
    {"gfx942", "v_smfmac_f32_32x32x16_f16", 16, 2, 4, 1, 32},
    {"gfx942", "v_smfmac_f32_16x16x32_bf16", 4, 2, 4, 1, 16},
    {"gfx942", "v_smfmac_f32_32x32x16_bf16", 16, 2, 4, 1, 32},
    {"gfx942", "v_smfmac_i32_16x16x64_i8", 4, 2, 4, 1, 16},
    {"gfx942", "v_smfmac_i32_32x32x32_i8", 16, 2, 4, 1, 32},
    {"gfx942", "v_mfma_f64_16x16x4_f64", 8, 2, 2, 1, 32},
    {"gfx942", "v_mfma_f64_4x4x4_4b_f64", 2, 2, 2, 4, 16},
    {"gfx942", "v_mfma_f32_16x16x32_bf8_bf8", 4, 2, 2, 1, 16},
    {"gfx942", "v_mfma_f32_16x16x32_bf8_fp8", 4, 2, 2, 1, 16},
    {"gfx942", "v_mfma_f32_16x16x32_fp8_bf8", 4, 2, 2, 1, 16},
    {"gfx942", "v_mfma_f32_16x16x32_fp8_fp8", 4, 2, 2, 1, 16},
    {"gfx942", "v_mfma_f32_32x32x16_bf8_bf8", 16, 2, 2, 1, 32},
    {"gfx942", "v_mfma_f32_32x32x16_bf8_fp8", 16, 2, 2, 1, 32},
    {"gfx942", "v_mfma_f32_32x32x16_fp8_bf8", 16, 2, 2, 1, 32},
    {"gfx942", "v_mfma_f32_32x32x16_fp8_fp8", 16, 2, 2, 1, 32},
    {"gfx942", "v_smfmac_f32_16x16x64_bf8_bf8", 4, 2, 4, 1, 16},
    {"gfx942", "v_smfmac_f32_16x16x64_bf8_fp8", 4, 2, 4, 1, 16},
    {"gfx942", "v_smfmac_f32_16x16x64_fp8_bf8", 4, 2, 4, 1, 16},
    {"gfx942", "v_smfmac_f32_16x16x64_fp8_fp8", 4, 2, 4, 1, 16},
    {"gfx942", "v_smfmac_f32_32x32x32_bf8_bf8", 16, 2, 4, 1, 32},
    {"gfx942", "v_smfmac_f32_32x32x32_bf8_fp8", 16, 2, 4, 1, 32},
    {"gfx942", "v_smfmac_f32_32x32x32_fp8_bf8", 16, 2, 4, 1, 32},
    {"gfx942", "v_smfmac_f32_32x32x32_fp8_fp8", 16, 2, 4, 1, 32},
};

std::string registers(int first, int count) {
    return count == 1 ? fmt::format("v{}", first) : fmt::format("v[{}:{}]", first, first + count - 1);
}

std::optional<MatrixProduct> product_of(const std::string& name, int d, int a, int b) {
    const bool sparse = name.starts_with("v_smfmac");
    const auto instruction =
        parse_instruction(fmt::format("{} {}, {}, {}, {}", name, registers(0, d), registers(40, a),
                                      registers(48, b), sparse ? "v60" : registers(0, d)));
    if (!instruction) return std::nullopt;
    return matrix_product(*instruction);
}

TEST(MatrixProduct, CyclesOfEachGeneration) {
    for (const MatrixCase& one : matrix_cases) {
        const auto product = product_of(one.name, one.d, one.a, one.b);
        ASSERT_TRUE(product) << one.name;
        EXPECT_EQ(product->blocks, one.blocks) << one.target << " " << one.name;
        EXPECT_EQ(product->cycles(one.target), one.cycles) << one.target << " " << one.name;
    }
}

// The rates that AMD publishes follow from it: of 304 compute units with four matrix units each at 2.1 GHz.
TEST(MatrixProduct, PeakOfAnMi300x) {
    const auto peak = [](const char* name, int d, int a, int b) {
        const auto product = product_of(name, d, a, b);
        return static_cast<double>(product->operations()) / product->cycles("gfx942") * 304 * 4 * 2.1e-3;
    };
    EXPECT_NEAR(peak("v_mfma_f32_32x32x8_f16", 16, 2, 2), 1307.4, 0.1);
    EXPECT_NEAR(peak("v_mfma_f32_32x32x4_xf32", 16, 2, 2), 653.7, 0.1);
    EXPECT_NEAR(peak("v_mfma_f32_32x32x16_fp8_fp8", 16, 2, 2), 2614.9, 0.1);
    EXPECT_NEAR(peak("v_mfma_f64_16x16x4_f64", 8, 2, 2), 163.4, 0.1);
    EXPECT_NEAR(peak("v_mfma_f32_32x32x2_f32", 16, 1, 1), 163.4, 0.1);
    // Half of a sparse product's are not made.
    EXPECT_NEAR(peak("v_smfmac_f32_32x32x16_f16", 16, 2, 4), 1307.4, 0.1);
}

TEST(MatrixProduct, NamesThatAreNone) {
    EXPECT_FALSE(product_of("v_mfma_f32_32x32x8f16", 8, 2, 2));  // registers for no whole block
    EXPECT_FALSE(product_of("v_mfma_f32_32x32x8f16", 16, 1, 2));
    EXPECT_FALSE(product_of("v_mfma_f32_16x16x32_fp4_fp8", 4, 2, 2));
    EXPECT_FALSE(product_of("v_mfma_i32_32x32x8f16", 16, 2, 2));
    EXPECT_FALSE(product_of("v_mfma_f32_8x8x8f16", 16, 2, 2));
    EXPECT_FALSE(matrix_product(*parse_instruction("v_fma_f32 v0, v1, v2, v3")));
}

}  // namespace
}  // namespace lockstep::gcn
