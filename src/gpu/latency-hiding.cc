#include "gpu/latency-hiding.h"

#include <cmath>

namespace lockstep::gpu {
namespace {

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

int rounded(double value) { return static_cast<int>(std::lround(value)); }

}  // namespace

ArithmeticParallelism arithmetic_parallelism(const GpuModel& gpu) {
    const int latency =
        gpu.textbook.arithmetic_latency ? gpu.textbook.arithmetic_latency : gpu.timing.fma.latency;
    ArithmeticParallelism result{latency, gpu.timing.fma.lanes};
    result.operations = result.latency_cycles * result.per_cycle;
    result.warps = static_cast<int>(divide_up(result.operations, gpu.warp_size));
    return result;
}

MemoryParallelism memory_parallelism(const GpuModel& gpu, int bytes_per_thread) {
    MemoryParallelism result;
    const TextbookFigures& book = gpu.textbook;
    result.latency_cycles = book.memory_latency ? book.memory_latency : gpu.memory_latency_cycles;
    result.bandwidth_gbs = gpu.memory_bandwidth_gbs;
    result.clock_mhz = book.memory_clock_mhz ? book.memory_clock_mhz : gpu.clock_mhz;
    result.bytes_per_cycle = rounded(1000.0 * result.bandwidth_gbs / result.clock_mhz);
    result.kilobytes = rounded(result.bytes_per_cycle * result.latency_cycles / 1000.0);
    result.bytes_per_thread = bytes_per_thread;
    result.threads = divide_up(std::uint64_t{1000} * result.kilobytes, bytes_per_thread);
    result.warps = divide_up(result.threads, gpu.warp_size);
    const auto warps = static_cast<double>(result.warps);
    result.warps_per_sm = rounded(warps / gpu.sms);
    result.warps_per_sm_full_chip = rounded(warps / gpu.sms_full_chip);
    return result;
}

}  // namespace lockstep::gpu
