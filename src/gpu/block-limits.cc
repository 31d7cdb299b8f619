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
    if (gpu.warp_size == 32) return {};
    return fmt::format(
        "{} ({}) has wavefronts of {} lanes, and lockstep only executes warps of 32 threads so far: it "
        "cannot "
        "run or look at code on this GPU (lockstep gpus {} and lockstep occupancy --gpu {} --block 256 "
        "--regs 32 work)",
        gpu.name, gpu.id, gpu.warp_size, gpu.id, gpu.id);
}

}  // namespace lockstep::gpu
