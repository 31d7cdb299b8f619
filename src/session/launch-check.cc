#include "session/launch-check.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/demangle.h"
#include "gpu/block-limits.h"
#include "gpu/occupancy.h"

namespace lockstep::session {
namespace {

std::string text(const exec::Dim3& d) { return fmt::format("({}, {}, {})", d.x, d.y, d.z); }

bool any_zero(const exec::Dim3& d) { return d.x == 0 || d.y == 0 || d.z == 0; }

bool exceeds(const exec::Dim3& d, const std::uint32_t (&most)[3]) {
    return d.x > most[0] || d.y > most[1] || d.z > most[2];
}

bool same(const exec::Dim3& one, const std::array<std::uint32_t, 3>& other) {
    return one.x == other[0] && one.y == other[1] && one.z == other[2];
}

std::optional<LaunchObstacle> cluster_obstacle(const gpu::GpuModel& gpu, const exec::KernelInfo& kernel,
                                               const KernelSettings& settings, const LaunchShape& shape) {
    const auto fail = [](std::string reason) {
        return LaunchObstacle{Status::invalid_cluster_size, std::move(reason)};
    };
    const auto cluster = cluster_of(kernel, shape);
    if (!cluster && kernel.explicit_cluster)
        return fail(
            "it must be launched in clusters (.explicitcluster), and the "
            "launch does not say how large");
    if (!cluster) return {};
    if (gpu.compute_capability() < 90 && cluster->count() != 1)
        return LaunchObstacle{Status::not_supported,
                              "clusters of blocks, which GPUs have from compute capability 9.0 on"};
    if (any_zero(*cluster)) return fail(fmt::format("clusters of {} blocks", text(*cluster)));
    if (kernel.cluster[0] != 0 && !same(*cluster, kernel.cluster))
        return fail(fmt::format("clusters of {} blocks, and the kernel was compiled for ({}, {}, {})",
                                text(*cluster), kernel.cluster[0], kernel.cluster[1], kernel.cluster[2]));
    const std::uint64_t most = most_blocks_of_cluster(settings);
    if (cluster->count() > most)
        return fail(fmt::format("clusters of {} blocks; the limit is {}{}", cluster->count(), most,
                                cluster->count() <= largest_cluster
                                    ? " (16 after cudaFuncSetAttribute with "
                                      "cudaFuncAttributeNonPortableClusterSizeAllowed)"
                                    : ""));
    if (shape.grid.x % cluster->x || shape.grid.y % cluster->y || shape.grid.z % cluster->z)
        return fail(fmt::format("the grid {} cannot be divided into clusters of {} blocks", text(shape.grid),
                                text(*cluster)));
    return {};
}

std::string text(const std::uint32_t (&d)[3]) { return fmt::format("({}, {}, {})", d[0], d[1], d[2]); }

}  // namespace

int KernelSettings::carveout(CacheConfig of_device) const {
    if (const int own = shared_carveout; own >= 0) return own;
    const CacheConfig config = cache_config;
    switch (config == CacheConfig::none ? of_device : config) {
        case CacheConfig::none: return gpu::carveout_unsaid;
        case CacheConfig::prefer_shared: return 100;
        case CacheConfig::prefer_l1: return gpu::carveout_least;
        case CacheConfig::prefer_equal: return 50;
    }
    return gpu::carveout_unsaid;
}

std::optional<exec::Dim3> cluster_of(const exec::KernelInfo& kernel, const LaunchShape& shape) {
    if (shape.cluster) return shape.cluster;
    if (kernel.cluster[0] == 0) return {};
    return exec::Dim3{kernel.cluster[0], kernel.cluster[1], kernel.cluster[2]};
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
        return fail(Status::invalid_value,
                    fmt::format("the block {} has {} threads; __launch_bounds__ of "
                                "the kernel promises at most {}",
                                text(shape.block), threads, kernel.max_threads_per_block));
    if (auto obstacle = cluster_obstacle(gpu, kernel, settings, shape)) return obstacle;
    if (const auto reason = gpu::shared_obstacle(gpu, kernel.static_shared_bytes))
        return fail(Status::invalid_value, *reason);
    const std::uint64_t most_shared = dynamic_shared_limit(gpu, kernel, settings);
    if (shape.dynamic_shared > most_shared) {
        const char* hint = shape.dynamic_shared + kernel.static_shared_bytes <= gpu.shared_per_block_optin
                               ? " (more is available after cudaFuncSetAttribute with "
                                 "cudaFuncAttributeMaxDynamicSharedMemorySize)"
                               : "";
        // A cooperative grid of which not one block fits is too large, as an H200 has it.
        return fail(shape.cooperative ? Status::cooperative_launch_too_large : Status::invalid_value,
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
    return Outcome(
        obstacle.status,
        fmt::format("kernel '{}' was not launched: {}", base::demangle(kernel.name), obstacle.reason), true);
}

}  // namespace lockstep::session
