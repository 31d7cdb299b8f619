// Whole kernels against what an H200 counted. Its recordings are of 2^24 elements; every block does the same,
// so a block's share of them is compared with few blocks here.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "counters/launch-counter.h"
#include "counters/launch-counts.h"
#include "metrics/plain-view.h"
#include "exec/engine.h"
#include "metrics/launch.h"
#include "metrics/metric.h"

namespace lockstep::counters {
namespace {

struct Recorded {
    const char* kernel;
    std::uint32_t elements_per_thread;
    // Of one block of 512 threads.
    double load_requests, load_sectors, store_requests, store_sectors;
    double load_efficiency, store_efficiency;  // as ncu prints them, two places
};

// reduce_int of the recordings, divided by the blocks of the grid.
const Recorded recorded[] = {
    {"_Z10neighboredPiS_j", 1, 191, 511, 96, 256, 25.02, 25.00},
    {"_Z14neighboredLessPiS_j", 1, 41, 511, 21, 256, 25.02, 25.00},
    {"_Z11interleavedPiS_j", 1, 41, 133, 21, 67, 96.15, 95.52},
    {"_Z9unrollingILi2EEvPiS0_j", 2, 73, 261, 37, 131, 98.04, 97.71},
    {"_Z9unrollingILi4EEvPiS0_j", 4, 105, 389, 37, 131, 98.68, 97.71},
    {"_Z9unrollingILi8EEvPiS0_j", 8, 169, 645, 37, 131, 99.21, 97.71},
    {"_Z12unrollWarps8PiS_j", 8, 169, 676, 37, 145, 99.43, 99.40},
    {"_Z20completeUnrollWarps8PiS_j", 8, 169, 676, 37, 145, 99.43, 99.40},
    {"_Z14completeUnrollILj512EEvPiS0_j", 8, 169, 676, 37, 145, 99.43, 99.40},
};

double value(const LaunchCounts& counts, const char* name) {
    return metrics::select_metrics(name)->front().metric->value(metrics::Launch{counts, std::nullopt}).value();
}

class Reduction : public testing::TestWithParam<Recorded> {};

TEST_P(Reduction, CountsAsAnH200Does) {
    const Recorded& expected = GetParam();
    auto gpu = gpu::load_model(LOCKSTEP_SOURCE_DIR "/gpus/h200.toml");
    ASSERT_TRUE(gpu);
    std::ifstream file(LOCKSTEP_SOURCE_DIR "/tests/metrics/data/reduce-int.ptx");
    const std::string ptx{std::istreambuf_iterator<char>(file), {}};
    exec::DeviceMemory memory(1 << 24);
    auto module = exec::Module::load(ptx, "reduce-int", memory, *gpu, exec::Options{.threads = 3});
    ASSERT_TRUE(module) << module.error().to_string();
    const exec::Kernel* kernel = (*module)->find_kernel(expected.kernel);
    ASSERT_TRUE(kernel);

    constexpr std::uint32_t blocks = 8, threads = 512;
    const std::uint32_t n = blocks * threads * expected.elements_per_thread;
    const std::uint64_t in = *memory.allocate(n * 4, exec::MemoryKind::device);
    const std::uint64_t out = *memory.allocate(blocks * 4, exec::MemoryKind::device);
    for (std::uint32_t i = 0; i < n; ++i) reinterpret_cast<std::uint32_t*>(in)[i] = i % 7;
    std::vector<std::byte> params(20);
    std::memcpy(params.data(), &in, 8);
    std::memcpy(params.data() + 8, &out, 8);
    std::memcpy(params.data() + 16, &n, 4);
    exec::Launch launch{.grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .params = params};

    auto observed = exec::observe(*kernel, launch, events::profile_wants);
    ASSERT_FALSE(observed.fault) << observed.fault->message;
    const std::vector<machine::View> views = plain_views(*observed.kernel);
    const std::vector<MachineAccess> accesses = machine_accesses(*observed.kernel, views, *gpu);
    std::vector<LaunchCounter> counters;
    for (std::size_t i = 0; i < exec::worker_threads(*kernel); ++i)
        counters.emplace_back(*observed.kernel, accesses);
    std::vector<events::Observers> observers;
    for (LaunchCounter& counter : counters) observers.push_back({&counter});
    auto fault = exec::run(*kernel, launch, observers);
    ASSERT_FALSE(fault) << fault->message;
    std::uint64_t sum = 0, right = 0;
    for (std::uint32_t b = 0; b < blocks; ++b) sum += reinterpret_cast<std::uint32_t*>(out)[b];
    for (std::uint32_t i = 0; i < n; ++i) right += i % 7;
    EXPECT_EQ(sum, right);

    RawCounts raw = counters[0].counts();
    for (std::size_t i = 1; i < counters.size(); ++i) raw.add(counters[i].counts());
    LaunchConfig config{.grid = {blocks, 1, 1}, .block = {threads, 1, 1}};
    LaunchCounts counts = count_launch(*observed.kernel, views, accesses, *gpu, config, raw);
    EXPECT_EQ(value(counts, "global_load_requests"), blocks * expected.load_requests);
    EXPECT_EQ(value(counts, "gld_transactions"), blocks * expected.load_sectors);
    EXPECT_EQ(value(counts, "global_store_requests"), blocks * expected.store_requests);
    EXPECT_EQ(value(counts, "gst_transactions"), blocks * expected.store_sectors);
    EXPECT_NEAR(value(counts, "gld_efficiency"), expected.load_efficiency, 0.005);
    EXPECT_NEAR(value(counts, "gst_efficiency"), expected.store_efficiency, 0.005);
    EXPECT_EQ(value(counts, "warps_launched"), blocks * 16);
}

INSTANTIATE_TEST_SUITE_P(H200, Reduction, testing::ValuesIn(recorded),
                         [](const auto& info) { return std::to_string(info.index); });

}  // namespace
}  // namespace lockstep::counters
