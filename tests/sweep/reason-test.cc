#include "sweep/reason.h"

#include <gtest/gtest.h>

#include "sample.h"

namespace lockstep::sweep {
namespace {

using timing::Bound;

constexpr const char* achieved = "sm__warps_active.avg.pct_of_peak_sustained_active";
constexpr const char* theoretical = "sm__maximum_warps_per_active_cycle_pct";
constexpr const char* load_sectors = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio";
constexpr const char* store_sectors = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio";

std::string why(const KernelOutcome& row, const KernelOutcome& best, double ratio = 2) {
    const gpu::GpuModel gpu = sample_gpu();
    return why_slower({row, gpu}, {best, gpu}, ratio);
}

TEST(Reason, NothingToTell) {
    EXPECT_EQ(why(sample_kernel({{achieved, 20}}), sample_kernel({{achieved, 70}}), 1.01),
              "within 2 % of the best");
    EXPECT_EQ(why(sample_kernel({}), sample_kernel({})), "");
    EXPECT_EQ(why(sample_kernel({}, {256, 1, 1}, Bound::atomics), sample_kernel({})), "bound by atomics");
}

TEST(Reason, SmallBlocksAreStartedTooSlowly) {
    gpu::GpuModel gpu = sample_gpu();
    gpu.clock_mhz = 2000;
    gpu.timing.block_launch_cycles = 1.25;
    const KernelOutcome row = sample_kernel({{achieved, 26.5}, {theoretical, 100}}, {64, 1, 1},
                                            Bound::block_rate),
                        best = sample_kernel({{achieved, 74.8}, {theoretical, 100}});
    EXPECT_EQ(why_slower({row, gpu}, {best, gpu}, 2.7),
              "blocks of 64 threads: at most 1.60 are started in a ns; occupancy 26 % against 75 %");
    gpu.timing.block_launch_cycles = 0;
    EXPECT_EQ(why_slower({row, gpu}, {best, gpu}, 2.7),
              "blocks of 64 threads end faster than new ones start; occupancy 26 % against 75 %");
}

TEST(Reason, LargeBlocksEndAsAWhole) {
    EXPECT_EQ(why(sample_kernel({{achieved, 62}, {theoretical, 100}}, {32, 32, 1}, Bound::dram_bandwidth),
                  sample_kernel({{achieved, 74.8}, {theoretical, 100}})),
              "2 blocks of 1024 threads an SM, replaced as a whole: occupancy 62 % against 75 %");
}

TEST(Reason, Occupancy) {
    EXPECT_EQ(why(sample_kernel({{achieved, 20}, {theoretical, 25}}),
                  sample_kernel({{achieved, 70}, {theoretical, 100}})),
              "room for 25 % of an SM's warps against 100 %");
    EXPECT_EQ(why(sample_kernel({{achieved, 69}, {theoretical, 100}}),
                  sample_kernel({{achieved, 70}, {theoretical, 100}})),
              "");
}

TEST(Reason, Accesses) {
    EXPECT_EQ(why(sample_kernel({{load_sectors, 8}, {achieved, 65}}),
                  sample_kernel({{load_sectors, 4}, {achieved, 69}})),
              "8 sectors a load against 4");
    EXPECT_EQ(why(sample_kernel({{load_sectors, 32}, {store_sectors, 32}}, {1, 256, 1}, Bound::l1_bandwidth),
                  sample_kernel({{load_sectors, 4}, {store_sectors, 4}})),
              "32 sectors a load against 4");
    EXPECT_EQ(why(sample_kernel({{load_sectors, 4}, {store_sectors, 8}}),
                  sample_kernel({{load_sectors, 4}, {store_sectors, 4.5}})),
              "8 sectors a store against 4.5");
}

TEST(Reason, MoreWork) {
    EXPECT_EQ(why(sample_kernel({{"launch__thread_count", 4096}, {instructions, 4000}}),
                  sample_kernel({{"launch__thread_count", 1024}, {instructions, 1000}})),
              "4 times the threads");
    EXPECT_EQ(why(sample_kernel({{"launch__thread_count", 1024}, {instructions, 1500}}),
                  sample_kernel({{"launch__thread_count", 1024}, {instructions, 1000}})),
              "1.5 times the instructions");
    EXPECT_EQ(why(sample_kernel({{"dram__bytes_read.sum", 300}, {"dram__bytes_write.sum", 100}}, {256, 1, 1},
                                Bound::dram_bandwidth),
                  sample_kernel({{"dram__bytes_read.sum", 100}, {"dram__bytes_write.sum", 100}})),
              "2 times the bytes of memory");
    EXPECT_EQ(
        why(sample_kernel({{"memory_l1_wavefronts_shared", 3200}, {"memory_l1_wavefronts_shared_ideal", 100}},
                          {256, 1, 1}, Bound::shared_bandwidth),
            sample_kernel(
                {{"memory_l1_wavefronts_shared", 100}, {"memory_l1_wavefronts_shared_ideal", 100}})),
        "bank conflicts: 32 times the passes that would do, against 1");
}

TEST(Reason, AnotherGpu) {
    gpu::GpuModel best = sample_gpu();
    best.memory_bandwidth_gbs = 4800;
    gpu::GpuModel small = best;
    small.sms = 14;
    small.memory_bandwidth_gbs = 128;
    const KernelOutcome kernel = sample_kernel({});
    EXPECT_EQ(why_slower({kernel, small}, {kernel, best}, 20),
              "memory of 128 against 4800 GB/s; 14 SMs against 132");
    const auto bound_by = [&](Bound bound) {
        const KernelOutcome row = sample_kernel({}, {64, 1, 1}, bound);
        return why_slower({row, small}, {kernel, best}, 20);
    };
    EXPECT_EQ(bound_by(Bound::dram_bandwidth), "memory of 128 against 4800 GB/s");
    EXPECT_EQ(bound_by(Bound::memory_latency), "14 SMs against 132");
    small.sms = 1;
    small.timing.block_launch_cycles = 0;
    EXPECT_EQ(bound_by(Bound::block_rate),
              "blocks of 64 threads end faster than new ones start; 1 SM against 132");
    gpu::GpuModel slow = best;
    slow.clock_mhz = 990;
    EXPECT_EQ(why_slower({kernel, slow}, {kernel, best}, 2), "990 MHz against 1980");
}

}  // namespace
}  // namespace lockstep::sweep
