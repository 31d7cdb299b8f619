#include "compile/unit.h"

#include <gtest/gtest.h>

#include "compile/executable.h"
#include "compile/fatbin.h"
#include "compile/files.h"
#include "own-toolchain.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

struct UnitTest : testing::Test {
    UnitTest() : scratch(std::move(*TempDir::create())) {
        source = scratch.path() / "a.cu";
        object = scratch.path() / "a.o";
    }
    std::string ptx_in_object() {
        auto fatbins = fatbins_of(object);
        if (!fatbins || fatbins->empty() || (*fatbins)[0].ptx.empty()) return "";
        return (*fatbins)[0].ptx[0].text;
    }
    TempDir scratch;
    const Toolchain toolchain = own_toolchain();
    fs::path source, object;
};

TEST_F(UnitTest, TheObjectHoldsThePtx) {
    ASSERT_TRUE(write_file(
        source, "__global__ void kernel(int* p) { *p = 1; }\nint main() { kernel<<<1, 1>>>(nullptr); }\n"));
    auto compiled = compile_to_object(toolchain, source, Language::cuda, {}, object);
    ASSERT_TRUE(compiled) << compiled.error().message;
    const std::string ptx = ptx_in_object();
    EXPECT_NE(ptx.find(".entry _Z6kernelPi"), std::string::npos);
    EXPECT_NE(ptx.find(".loc"), std::string::npos);
}

TEST_F(UnitTest, LargePtxFitsThroughThePipe) {
    std::string text;
    for (int i = 0; i < 400; ++i)
        text += "__global__ void k" + std::to_string(i) +
                "(int* p) { p[threadIdx.x] += " + std::to_string(i) + "; }\n";
    ASSERT_TRUE(write_file(source, text));
    auto compiled = compile_to_object(toolchain, source, Language::cuda, {}, object);
    ASSERT_TRUE(compiled) << compiled.error().message;
    EXPECT_GT(ptx_in_object().size(), 100000u);
}

TEST_F(UnitTest, ErrorsAreClangsOwnWithTheirLines) {
    ASSERT_TRUE(write_file(source, "__global__ void k() {\n    undefined_name();\n}\nint main() {}\n"));
    auto compiled = compile_to_object(toolchain, source, Language::cuda, {}, object);
    ASSERT_FALSE(compiled);
    const std::string message = compiled.error().message;
    EXPECT_NE(message.find("a.cu:2:5: error:"), std::string::npos) << message;
    EXPECT_EQ(message.find("a.cu:2:5: error:"), message.rfind("a.cu:2:5: error:"))
        << "said twice: " << message;
}

// Wrong only for the host: the device pass succeeds and must not wait for the host's for ever.
TEST_F(UnitTest, HostOnlyErrors) {
    ASSERT_TRUE(write_file(source, "#ifndef __CUDA_ARCH__\n#error host\n#endif\n"));
    auto compiled = compile_to_object(toolchain, source, Language::cuda, {}, object);
    ASSERT_FALSE(compiled);
    EXPECT_NE(compiled.error().message.find("a.cu:2:2: error: host"), std::string::npos);
}

TEST_F(UnitTest, DeviceOnlyErrors) {
    ASSERT_TRUE(write_file(source, "#ifdef __CUDA_ARCH__\n#error device\n#endif\n"));
    auto compiled = compile_to_object(toolchain, source, Language::cuda, {}, object);
    ASSERT_FALSE(compiled);
    EXPECT_NE(compiled.error().message.find("a.cu:2:2: error: device"), std::string::npos);
}

TEST_F(UnitTest, RelocatableObjectsShowTheirVariables) {
    ASSERT_TRUE(write_file(source,
                           "__device__ int shown;\nstatic __device__ int hidden;\n__device__ int f(int x) { "
                           "return x + shown + hidden; }\n"
                           "int main() { cudaMemcpyToSymbol(hidden, &shown, 4); }\n"));
    Flags flags;
    flags.relocatable = true;
    auto compiled = compile_to_object(toolchain, source, Language::cuda, flags, object);
    ASSERT_TRUE(compiled) << compiled.error().message;
    auto fatbins = fatbins_of(object);
    ASSERT_TRUE(fatbins && !fatbins->empty());
    EXPECT_TRUE((*fatbins)[0].ptx[0].relocatable);
    auto symbols = run({"nm", object.string()}, scratch.path());
    ASSERT_TRUE(symbols);
    EXPECT_NE(symbols->output.find(" B shown"), std::string::npos) << symbols->output;
    EXPECT_NE(symbols->output.find(" b _ZL6hidden"), std::string::npos) << symbols->output;
}

// nvcc's meaning: approximations and flushing, but NaN stays NaN and sums keep their order.
TEST_F(UnitTest, FastMathGivesApproximations) {
    ASSERT_TRUE(write_file(
        source,
        "__global__ void k(float* p, bool* b) { *p = expf(*p) / p[1] + sqrtf(p[2]); *b = isnan(*p); }\n"));
    Flags flags;
    flags.fast_math = flags.flush_denormals = true;
    flags.precise_division = flags.precise_sqrt = false;
    const fs::path ptx_file = scratch.path() / "a.ptx";
    auto compiled = compile_to_ptx(toolchain, source, flags, ptx_file);
    ASSERT_TRUE(compiled) << compiled.error().message;
    EXPECT_EQ(compiled->messages, "");
    const std::string ptx = read_file(ptx_file).value_or("");
    for (const char* instruction :
         {"ex2.approx.ftz.f32", "div.approx.ftz.f32", "sqrt.approx.ftz.f32", "setp.nan.ftz.f32"})
        EXPECT_NE(ptx.find(instruction), std::string::npos) << instruction << "\n" << ptx;
}

TEST_F(UnitTest, NoSuchFile) {
    auto compiled = compile_to_object(toolchain, source, Language::cuda, {}, object);
    ASSERT_FALSE(compiled);
    EXPECT_NE(compiled.error().message.find("no such file"), std::string::npos);
}

TEST(Languages, ByExtension) {
    EXPECT_EQ(*language_of("a.cu"), Language::cuda);
    EXPECT_EQ(*language_of("a.cpp"), Language::cxx);
    EXPECT_EQ(*language_of("a.c"), Language::c);
    EXPECT_EQ(*language_of("libx.so.1.2"), Language::linkable);
    EXPECT_FALSE(language_of("a.txt"));
}

TEST(Processes, StatusAndOutput) {
    auto scratch = TempDir::create();
    ASSERT_TRUE(scratch);
    auto finished = run({"sh", "-c", "echo out; echo err >&2; exit 3"}, scratch->path());
    ASSERT_TRUE(finished);
    EXPECT_EQ(finished->output, "out\n");
    EXPECT_EQ(finished->errors, "err\n");
    EXPECT_EQ(finished->status.code, 3);
    EXPECT_EQ(run({"sh", "-c", "kill -9 $$"}, scratch->path())->status.signal, 9);
    EXPECT_FALSE(run({"/no/such/program"}, scratch->path()));
    EXPECT_EQ(command_line({"a", "b c", "d'e"}), "a 'b c' 'd'\\''e'");
}

}  // namespace
}  // namespace lockstep::compile
