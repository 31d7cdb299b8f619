// Divisions and roots whose operands need the slow way: what a warp executes more than with others, as it
// stands in ptxas's code.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "counters/launch-counter.h"
#include "counters/launch-counts.h"
#include "exec/engine.h"
#include "machine/view.h"

namespace lockstep::counters {
namespace {

constexpr std::uint32_t lanes = 32, blocks = 4;

class SlowWays : public testing::Test {
  protected:
    void SetUp() override {
        auto model = gpu::load_model(LOCKSTEP_SOURCE_DIR "/gpus/h200.toml");
        ASSERT_TRUE(model);
        gpu = *model;
    }

    // Lane i does it to values[i] (and 3.0, if it is a division): what the warps of some such blocks
    // execute in all.
    template <class Float>
    LaunchTotals run(const std::string& instruction, const std::vector<Float>& values) {
        const std::string type = sizeof(Float) == 8 ? "f64" : "f32";
        const std::string divisor = !instruction.starts_with("div") ? ""
                                    : sizeof(Float) == 8            ? ", 0d4008000000000000"
                                                                    : ", 0f40400000";
        const std::string ptx =
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 in)\n{\n"
            ".reg .b32 %r<3>; .reg .b64 %rd<4>; .reg ." +
            type +
            " %v<3>;\n"
            "ld.param.u64 %rd1, [in];\nmov.u32 %r1, %tid.x;\n"
            "mul.wide.u32 %rd2, %r1, " +
            std::to_string(sizeof(Float)) +
            ";\nadd.s64 %rd3, %rd1, %rd2;\n"
            "ld.global." +
            type + " %v1, [%rd3];\n" + instruction + "." + type + " %v2, %v1" + divisor +
            ";\n"
            "st.global." +
            type + " [%rd3 + 256], %v2;\nret;\n}\n";
        exec::DeviceMemory memory(1 << 20);
        auto module = exec::Module::load(ptx, "k", memory, gpu, exec::Options{.threads = 1});
        EXPECT_TRUE(module) << (module ? "" : module.error().to_string());
        const exec::Kernel* kernel = (*module)->find_kernel("k");
        const std::uint64_t in = *memory.allocate(256 + lanes * sizeof(Float), exec::MemoryKind::device);
        std::memcpy(reinterpret_cast<void*>(in), values.data(), lanes * sizeof(Float));
        std::vector<std::byte> params(8);
        std::memcpy(params.data(), &in, 8);
        const exec::Launch launch{.grid = {blocks, 1, 1}, .block = {lanes, 1, 1}, .params = params};
        auto observed = exec::observe(*kernel, launch, events::profile_wants);
        const std::vector<machine::View> views = machine::look(*observed.kernel, gpu, {});
        const std::vector<MachineAccess> accesses = machine_accesses(*observed.kernel, views, gpu);
        LaunchCounter counter(*observed.kernel, accesses);
        events::FormFinder finder(*observed.kernel, {&counter});
        EXPECT_FALSE(exec::run(*kernel, launch, std::vector<events::Observers>{{&finder}}));
        finder.finish();
        return count_launch(*observed.kernel, views, accesses, gpu,
                            {.grid = {blocks, 1, 1}, .block = {lanes, 1, 1}}, counter.counts())
            .totals;
    }

    struct More {
        std::uint64_t executed, active, branches, divergent;
        bool operator==(const More&) const = default;
    };
    // A warp, than with ones, where the first `count` lanes have `value`.
    template <class Float>
    More more(const std::string& instruction, Float value, std::uint32_t count) {
        std::vector<Float> values(lanes, Float{1});
        const LaunchTotals usual = run(instruction, values);
        std::fill_n(values.begin(), count, value);
        const LaunchTotals slow = run(instruction, values);
        std::uint64_t by_pipe = 0;
        for (const std::uint64_t one : slow.by_pipe) by_pipe += one;
        EXPECT_EQ(by_pipe, slow.executed);
        return {(slow.executed - usual.executed) / blocks, (slow.active - usual.active) / blocks,
                (slow.branches - usual.branches) / blocks,
                (slow.divergent_branches - usual.divergent_branches) / blocks};
    }

    gpu::GpuModel gpu;
};

// The call and its moves, 12 to the check of exponents, 13 to the check for zero, 5 to the end.
TEST_F(SlowWays, ZeroDivided) {
    EXPECT_EQ(more("div.rn", 0.0f, lanes), (More{34, lanes * 34, 8, 0}));
    EXPECT_EQ(more("div.rn", 0.0f, 1), (More{35, 34 + lanes - 1, 8, 1}));
    EXPECT_EQ(more("div.rn", 0.0, lanes), (More{67, lanes * 67, 7, 0}));
}

TEST_F(SlowWays, DenormalDivided) {
    EXPECT_EQ(more("div.rn", 0x1p-140f, lanes), (More{95, lanes * 95, 14, 0}));
    EXPECT_EQ(more("div.rn", 0x1p-110f, lanes), (More{44, lanes * 44, 5, 0}));
    EXPECT_EQ(more("div.rn", 0x1p-1000, lanes), (More{62, lanes * 62, 4, 0}));
}

// The usual code of a root lies behind its branch: lanes of the slow way do not execute it.
TEST_F(SlowWays, Roots) {
    EXPECT_EQ(more("sqrt.rn", 0.0f, lanes), (More{7, lanes * 7, 4, 0}));
    EXPECT_EQ(more("sqrt.rn", 0.0f, 1), (More{12, 7, 4, 1}));
    EXPECT_EQ(more("sqrt.rn", -1.0f, lanes), (More{10, lanes * 10, 5, 0}));
    EXPECT_EQ(more("sqrt.rn", 0.0, lanes), (More{18, lanes * 18, 4, 0}));
    EXPECT_EQ(more("rsqrt.approx", 0.0, lanes), (More{12, lanes * 12, 3, 0}));
}

TEST_F(SlowWays, Reciprocals) {
    EXPECT_EQ(more("rcp.rn", 0.0f, lanes), (More{19, lanes * 19, 5, 0}));
    EXPECT_EQ(more("rcp.rn", 0x1p126f, 2), (More{47, 2 * 42 + lanes - 2, 6, 1}));
    EXPECT_EQ(more("rcp.rn", 0.0, lanes), (More{16, lanes * 16, 4, 0}));
}

TEST_F(SlowWays, ApproximationsHaveNone) {
    EXPECT_EQ(more("div.full", 0.0f, lanes), (More{0, 0, 0, 0}));
    EXPECT_EQ(more("sqrt.approx", 0.0f, lanes), (More{0, 0, 0, 0}));
}

}  // namespace
}  // namespace lockstep::counters
