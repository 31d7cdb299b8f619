// Little's law: the parallelism that hides a latency is latency times throughput. How many operations an SM
// must have in flight to keep its arithmetic units busy, and how many bytes the GPU to keep its memory busy.
#pragma once
#include <cstdint>

#include "gpu/model.h"

namespace lockstep::gpu {

struct ArithmeticParallelism {
    int latency_cycles = 0;
    int per_cycle = 0;   // operations an SM
    int operations = 0;  // in flight, an SM
    int warps = 0;       // an SM, with one operation in flight a thread
};

struct MemoryParallelism {
    int latency_cycles = 0;
    int bandwidth_gbs = 0;
    int clock_mhz = 0;
    int bytes_per_cycle = 0;
    int kilobytes = 0;  // 1000 bytes, in flight on the whole GPU
    int bytes_per_thread = 0;
    std::uint64_t threads = 0, warps = 0;
    int warps_per_sm = 0;
    int warps_per_sm_full_chip = 0;
};

ArithmeticParallelism arithmetic_parallelism(const GpuModel& gpu);
// Latencies are estimates, so the steps are rounded as on paper: whole bytes a cycle, whole kilobytes.
MemoryParallelism memory_parallelism(const GpuModel& gpu, int bytes_per_thread);

}  // namespace lockstep::gpu
