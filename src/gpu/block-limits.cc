#include "gpu/block-limits.h"

#include <fmt/format.h>

#include <charconv>

#include "gpu/occupancy.h"

namespace lockstep::gpu {

std::string to_string(const Dimensions& d) { return fmt::format("({}, {}, {})", d[0], d[1], d[2]); }

std::optional<Dimensions> parse_dimensions(std::string_view text) {
    Dimensions shape{1, 1, 1};
    const char* at = text.data();
    const char* end = at + text.size();
    for (std::uint32_t& extent : shape) {
        const auto [next, failed] = std::from_chars(at, end, extent);
        if (failed != std::errc() || (next != end && *next != 'x' && *next != ',')) break;
        if (next == end) return shape;
        at = next + 1;
    }
    return {};
}

std::optional<std::string> shape_obstacle(const GpuModel& gpu, const Dimensions& block) {
    if (block[0] == 0 || block[1] == 0 || block[2] == 0)
        return fmt::format("the block {} has no threads", to_string(block));
    const Dimensions most{gpu.max_block[0], gpu.max_block[1], gpu.max_block[2]};
    if (block[0] > most[0] || block[1] > most[1] || block[2] > most[2])
        return fmt::format("the block {} is larger than the GPU's limit {}", to_string(block),
                           to_string(most));
    if (count(block) > static_cast<std::uint64_t>(gpu.max_threads_per_block))
        return fmt::format("the block {} has {} threads; the GPU's limit is {}", to_string(block),
                           count(block), gpu.max_threads_per_block);
    return {};
}

std::optional<std::string> register_obstacle(const GpuModel& gpu, std::uint64_t threads, int registers) {
    if (registers > gpu.max_registers_per_thread)
        return fmt::format("{} registers a thread; the GPU's limit is {}", registers,
                           gpu.max_registers_per_thread);
    const Occupancy fits = occupancy(gpu, {static_cast<int>(threads), registers, 0});
    if (fits.by_registers == 0)
        return fmt::format(
            "{} threads with {} registers each take more than the {} registers that a block "
            "may have",
            threads, registers, gpu.registers_per_block);
    return {};
}

std::optional<std::string> shared_obstacle(const GpuModel& gpu, std::uint64_t bytes) {
    if (bytes <= gpu.shared_per_block_optin) return {};
    return fmt::format("{} bytes of shared memory a block; the GPU's limit is {}", bytes,
                       gpu.shared_per_block_optin);
}

std::optional<std::string> execution_obstacle(const GpuModel& gpu) {
    if (gpu.target.empty()) return {};
    return fmt::format(
        "{0} ({1}) is an AMD GPU, with wavefronts of {2} lanes: CUDA programs do not run on it. Choose "
        "another with --gpu or "
        "LOCKSTEP_GPU, or run the program's HIP version (lockstep run --gpu {1} PROG.hip; lockstep gpus {1} "
        "and lockstep "
        "occupancy --gpu {1} --block 256 --regs 32 work)",
        gpu.name, gpu.id, gpu.warp_size);
}

std::optional<std::string> hip_obstacle(const GpuModel& gpu) {
    if (!gpu.target.empty()) return {};
    return fmt::format(
        "{} ({}) is no AMD GPU: HIP programs do not run on it. Choose one with --gpu or LOCKSTEP_GPU, {} for "
        "example, or run "
        "the program's CUDA version",
        gpu.name, gpu.id, default_hip_model);
}

}  // namespace lockstep::gpu
