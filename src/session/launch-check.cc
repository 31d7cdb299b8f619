#include "session/launch-check.h"

#include <fmt/format.h>

#include <algorithm>

#include "gpu/block-limits.h"
#include "gpu/occupancy.h"

namespace lockstep::session {
namespace {

std::string text(const exec::Dim3& d) { return fmt::format("({}, {}, {})", d.x, d.y, d.z); }

bool any_zero(const exec::Dim3& d) { return d.x == 0 || d.y == 0 || d.z == 0; }

bool exceeds(const exec::Dim3& d, const std::uint32_t (&most)[3]) {
    return d.x > most[0] || d.y > most[1] || d.z > most[2];
}

std::string text(const std::uint32_t (&d)[3]) { return fmt::format("({}, {}, {})", d[0], d[1], d[2]); }

}  // namespace

int KernelSettings::carveout(CacheConfig of_device) const {
    if (const int own = shared_carveout; own >= 0) return own;
    const CacheConfig config = cache_config;
    switch (config == CacheConfig::none ? of_device : config) {
        case CacheConfig::none: return -1;
        case CacheConfig::prefer_shared: return 100;
        case CacheConfig::prefer_l1: return 0;
        case CacheConfig::prefer_equal: return 50;
    }
    return -1;
}

std::uint64_t dynamic_shared_limit(const gpu::GpuModel& gpu, const exec::KernelInfo& kernel,
                                   const KernelSettings& settings) {
    const std::uint64_t plain =
        gpu.shared_per_block - std::min(gpu.shared_per_block, kernel.static_shared_bytes);
    return std::max<std::uint64_t>(plain, settings.max_dynamic_shared);
}

std::optional<LaunchObstacle> launch_obstacle(const gpu::GpuModel& gpu, const exec::KernelInfo& kernel,
                                              const KernelSettings& settings, const LaunchShape& shape) {
    const auto fail = [](Status status, std::string reason) {
        return LaunchObstacle{status, std::move(reason)};
    };
    if (any_zero(shape.grid))
        return fail(Status::invalid_configuration,
                    fmt::format("the grid {} has no blocks", text(shape.grid)));
    if (exceeds(shape.grid, gpu.max_grid))
        return fail(Status::invalid_configuration,
                    fmt::format("the grid {} is larger than the GPU's limit {}", text(shape.grid),
                                text(gpu.max_grid)));
    if (const auto reason = gpu::shape_obstacle(gpu, {shape.block.x, shape.block.y, shape.block.z}))
        return fail(Status::invalid_configuration, *reason);
    const std::uint64_t threads = shape.block.count();
    if (kernel.max_threads_per_block != 0 && threads > kernel.max_threads_per_block)
        return fail(
            Status::invalid_value,
            fmt::format("the block {} has {} threads; __launch_bounds__ of the kernel promises at most {}",
                        text(shape.block), threads, kernel.max_threads_per_block));
    const auto& cluster = kernel.cluster;
    if (cluster[0] != 0 && (cluster[0] != 1 || cluster[1] != 1 || cluster[2] != 1))
        return fail(
            Status::not_supported,
            fmt::format("it needs clusters of ({}, {}, {}) blocks (.reqnctapercluster), and thread block "
                        "clusters are not implemented",
                        cluster[0], cluster[1], cluster[2]));
    if (kernel.explicit_cluster && cluster[0] == 0)
        return fail(Status::not_supported,
                    "it must be launched in clusters (.explicitcluster), and thread block clusters are not "
                    "implemented");
    if (const auto reason = gpu::shared_obstacle(gpu, kernel.static_shared_bytes))
        return fail(Status::invalid_value, *reason);
    const std::uint64_t most_shared = dynamic_shared_limit(gpu, kernel, settings);
    if (shape.dynamic_shared > most_shared) {
        const char* hint = shape.dynamic_shared + kernel.static_shared_bytes <= gpu.shared_per_block_optin
                               ? " (more is available after cudaFuncSetAttribute with "
                                 "cudaFuncAttributeMaxDynamicSharedMemorySize)"
                               : "";
        return fail(Status::invalid_value,
                    fmt::format("{} bytes of dynamic shared memory beside {} static ones; the limit is {}{}",
                                shape.dynamic_shared, kernel.static_shared_bytes, most_shared, hint));
    }
    if (shape.cooperative && gpu.compute_capability() < 60)
        return fail(
            Status::not_supported,
            "a cooperative launch (cudaDevAttrCooperativeLaunch), which GPUs have from compute capability "
            "6.0 on");
    if (shape.cooperative) {
        const auto resident =
            // Registers are estimates: no launch is refused for their sake.
            gpu::occupancy(gpu,
                           {static_cast<int>(threads), 0, kernel.static_shared_bytes + shape.dynamic_shared});
        const std::uint64_t most = static_cast<std::uint64_t>(resident.blocks_per_sm) * gpu.sms;
        if (shape.grid.count() > most)
            return fail(Status::cooperative_launch_too_large,
                        fmt::format("a cooperative grid of {} blocks; {} can be resident at once",
                                    shape.grid.count(), most));
    }
    return {};
}

Outcome refusal(const exec::KernelInfo& kernel, const LaunchObstacle& obstacle) {
    return Outcome(obstacle.status,
                   fmt::format("kernel '{}' was not launched: {}", kernel.name, obstacle.reason), true);
}

}  // namespace lockstep::session
