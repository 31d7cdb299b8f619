// The JIT's time grows about as a kernel does: code that has no branches is compiled at two sizes, and the
// larger may take twice its share. CPU time, so that other work on the machine does not count.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "../../bench/growing-kernels.h"
#include "exec/engine.h"

namespace lockstep::exec {
namespace {

class CompileTime : public testing::TestWithParam<std::string> {
  protected:
    double seconds(const std::string& ptx) {
        auto model = gpu::load_model(LOCKSTEP_SOURCE_DIR "/gpus/h200.toml");
        EXPECT_TRUE(model);
        auto module = Module::load(ptx, "kernel.ptx", memory_, *model, {});
        EXPECT_TRUE(module) << module.error().to_string();
        const std::clock_t before = std::clock();
        auto done = compile_for(*(*module)->find_kernel("kernel"), "", "");
        EXPECT_TRUE(done) << done.error().to_string();
        return static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    }

    DeviceMemory memory_{std::uint64_t{1} << 28};
};

TEST_P(CompileTime, IsAboutLinear) {
    const auto& kernels = bench::growing_kernels();
    auto kernel = std::ranges::find(kernels, GetParam(), &bench::GrowingKernel::name);
    ASSERT_NE(kernel, kernels.end());
    const int size = 2 * kernel->size;
    seconds(kernel->make(1));  // sets LLVM up
    // The smaller one three times: it is short enough to be disturbed.
    double small = seconds(kernel->make(size));
    for (int i = 0; i < 2; ++i) small = std::min(small, seconds(kernel->make(size)));
    EXPECT_LT(seconds(kernel->make(4 * size)), 8 * small);
}

INSTANTIATE_TEST_SUITE_P(, CompileTime,
                         testing::Values("fma", "chain", "add", "loads", "stores", "functions"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace lockstep::exec
