// What the tensor cores of each model reach at most is what was published of that GPU: from PTX, over the
// machine view and the models' figures, to operations a second.
#include <gtest/gtest.h>

#include "kernel/kernel.h"
#include "machine/view.h"
#include "ptx/parser.h"
#include "timing/models.h"
#include "timing/units.h"

namespace lockstep::timing {
namespace {

// Operations a second of the whole GPU when every scheduler's tensor core is always busy with this
// instruction.
double peak(const gpu::GpuModel& gpu, const std::string& instruction, double products, double clock_mhz) {
    const std::string text =
        ".version 8.4\n.target sm_90a\n.address_size 64\n.visible .entry k()\n{\n"
        ".reg .b32 %r<20>; .reg .f32 %f<20>; .reg .f64 %d<20>; .reg .b64 %rd<4>;\n" +
        instruction + ";\nret;\n}\n";
    auto module = ptx::parse(text, "test");
    EXPECT_TRUE(module) << module.error().to_string();
    if (!module) return 0;
    const auto kernel = kernel::analyse(kernel::source_of(*module, 0));
    EXPECT_TRUE(kernel) << kernel.error().to_string();
    if (!kernel) return 0;
    double cycles = 0;
    const auto views = machine::look(*kernel, gpu, {});
    for (const machine::Block& block : views[0].blocks)
        for (const machine::Instruction& one : block.code)
            if (machine::is_tensor(one.row().pipe))
                cycles += issue_interval(one.row().unit, gpu) * one.times * one.issues;
    EXPECT_GT(cycles, 0) << instruction;
    return 2 * products / cycles * gpu.timing.schedulers * gpu.sms * clock_mhz * 1e6;
}

struct Published {
    const char* gpu;
    const char* what;
    double tera;  // operations a second, of matrices without zeros left out but where it says so
    double clock_mhz;
};

// Instructions, and the products of each.
constexpr const char* of_f16 =
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
    "{%f0,%f1,%f2,%f3},{%r0,%r1,%r2,%r3},{%r4,%r5},{%f0,%f1,%f2,%f3}";
constexpr const char* of_f16_sums =
    "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r6,%r7},{%r0,%r1,%r2,%r3},{%r4,%r5},{%r6,%r7}";
constexpr const char* of_bf16 =
    "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
    "{%f0,%f1,%f2,%f3},{%r0,%r1,%r2,%r3},{%r4,%r5},{%f0,%f1,%f2,%f3}";
constexpr const char* of_tf32 =
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
    "{%f0,%f1,%f2,%f3},{%r0,%r1,%r2,%r3},{%r4,%r5},{%f0,%f1,%f2,%f3}";
constexpr const char* of_e4m3 =
    "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 "
    "{%f0,%f1,%f2,%f3},{%r0,%r1,%r2,%r3},{%r4,%r5},{%f0,%f1,%f2,%f3}";
constexpr const char* of_s8 =
    "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
    "{%r6,%r7,%r8,%r9},{%r0,%r1,%r2,%r3},{%r4,%r5},{%r6,%r7,%r8,%r9}";
constexpr const char* of_s4 =
    "mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32 "
    "{%r6,%r7,%r8,%r9},{%r0,%r1,%r2,%r3},{%r4,%r5},{%r6,%r7,%r8,%r9}";
constexpr const char* of_sparse =
    "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 "
    "{%f0,%f1,%f2,%f3},{%r0,%r1,%r2,%r3},"
    "{%r4,%r5,%r6,%r7},{%f0,%f1,%f2,%f3},%r8,0";
constexpr const char* of_f64 =
    "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d0,%d1},{%d2},{%d3},{%d0,%d1}";
constexpr const char* of_wmma =
    "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 "
    "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7},{%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7},"
    "{%r8,%r9,%r10,%r11,%r12,%r13,%r14,%r15},{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}";
constexpr const char* of_group =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0,%f1,%f2,%f3},%rd0,%rd1,1,1,1,0,0";

struct Peak {
    Published published;
    const char* instruction;
    double products;
};
// [V] NVIDIA Tesla V100 GPU Architecture (2017). [A] NVIDIA A100 Tensor Core GPU Architecture (2020).
// [G] NVIDIA Ampere GA102 GPU Architecture (2020), appendix A. [L] NVIDIA Ada GPU Architecture (2022),
// appendix A. [H] NVIDIA H100 Tensor Core GPU Architecture (2022), whose SMs the H200 has, at their clock for
// tensor cores.
const Peak peaks[] = {
    {{"v100", "f16 [V]", 125, 1530}, of_wmma, 4096},
    {{"a100", "f16 [A]", 312, 1410}, of_f16, 2048},
    {{"a100", "f16, sums too [A]", 312, 1410}, of_f16_sums, 2048},
    {{"a100", "bf16 [A]", 312, 1410}, of_bf16, 2048},
    {{"a100", "tf32 [A]", 156, 1410}, of_tf32, 1024},
    {{"a100", "sparse f16 [A]", 624, 1410}, of_sparse, 4096},
    {{"a100", "int8 [A]", 624, 1410}, of_s8, 4096},
    {{"a100", "int4 [A]", 1248, 1410}, of_s4, 8192},
    {{"a100", "f64 [A]", 19.5, 1410}, of_f64, 256},
    {{"rtx3090", "f16 [G]", 71, 1695}, of_f16, 2048},
    {{"rtx3090", "f16, sums too [G]", 142, 1695}, of_f16_sums, 2048},
    {{"rtx3090", "tf32 [G]", 35.6, 1695}, of_tf32, 1024},
    {{"rtx3090", "sparse f16 [G]", 142, 1695}, of_sparse, 4096},
    {{"rtx3090", "int8 [G]", 284, 1695}, of_s8, 4096},
    {{"rtx3090", "int4 [G]", 568, 1695}, of_s4, 8192},
    {{"rtx4090", "f16 [L]", 165.2, 2520}, of_f16, 2048},
    {{"rtx4090", "f16, sums too [L]", 330.3, 2520}, of_f16_sums, 2048},
    {{"rtx4090", "tf32 [L]", 82.6, 2520}, of_tf32, 1024},
    {{"rtx4090", "e4m3 [L]", 330.3, 2520}, of_e4m3, 4096},
    {{"rtx4090", "int8 [L]", 660.6, 2520}, of_s8, 4096},
    {{"rtx4090", "int4 [L]", 1321.2, 2520}, of_s4, 8192},
    {{"h200", "f16 of warpgroups [H]", 989.4, 1830}, of_group, 64 * 8 * 16 / 4.0},
};

TEST(Peak, OfTensorCoresIsThePublishedOne) {
    for (const auto& [published, instruction, products] : peaks) {
        const double tera = peak(model(published.gpu), instruction, products, published.clock_mhz) / 1e12;
        EXPECT_NEAR(tera / published.tera, 1, 0.01)
            << published.gpu << ", " << published.what << ": " << tera;
    }
}

// Theirs is the clock that was published; the H200's is its own, which tensor cores do not keep up.
TEST(Peak, IsOfTheModelsClock) {
    for (const auto& [published, instruction, products] : peaks)
        if (std::string_view(published.gpu) != "h200") {
            EXPECT_EQ(model(published.gpu).clock_mhz, published.clock_mhz) << published.gpu;
        }
}

}  // namespace
}  // namespace lockstep::timing
