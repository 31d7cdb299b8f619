// Whether a launch fits the GPU and the kernel, with the errors that CUDA gives.
#pragma once
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "exec/engine.h"
#include "gpu/model.h"
#include "session/status.h"

namespace lockstep::session {

// As CUDA numbers them.
enum class CacheConfig : int { none, prefer_shared, prefer_l1, prefer_equal };

// What a program may set for a kernel (cudaFuncSetAttribute and the like), on one thread while others launch
// it.
struct KernelSettings {
    std::atomic<std::uint32_t> max_dynamic_shared = 0;  // the opted-in size; 0: never set
    std::atomic<int> shared_carveout = -1;
    std::atomic<CacheConfig> cache_config{};
    std::atomic<bool> large_clusters = false;  // cudaFuncAttributeNonPortableClusterSizeAllowed

    // What the kernel wants, else what the device was told, as gpu::BlockDemand has it.
    int carveout(CacheConfig of_device) const;
};

struct LaunchShape {
    exec::Dim3 grid, block;
    std::uint64_t dynamic_shared = 0;
    bool cooperative = false;
    bool programmatic = false;          // it may begin before what it follows has ended
    int shared_carveout = -1;           // as gpu::BlockDemand has it
    std::optional<exec::Dim3> cluster;  // that the launch asks for
    std::uint64_t threads() const { return grid.count() * block.count(); }
};

// The dynamic shared memory that a launch of this kernel may ask for.
std::uint64_t dynamic_shared_limit(const gpu::GpuModel& gpu, const exec::KernelInfo& kernel,
                                   const KernelSettings& settings);

// The clusters that a launch of this kernel has: what it asks for, or what the
// kernel was compiled for; nothing: none.
std::optional<exec::Dim3> cluster_of(const exec::KernelInfo& kernel, const LaunchShape& shape);

// Blocks of a cluster: on every GPU that has them, and on those that we know.
constexpr std::uint64_t portable_cluster = 8, largest_cluster = 16;
inline std::uint64_t most_blocks_of_cluster(const KernelSettings& settings) {
    return settings.large_clusters ? largest_cluster : portable_cluster;
}

// Which limit a launch breaks, and the error for it.
struct LaunchObstacle {
    Status status{};
    std::string reason;
};
std::optional<LaunchObstacle> launch_obstacle(const gpu::GpuModel& gpu, const exec::KernelInfo& kernel,
                                              const KernelSettings& settings, const LaunchShape& shape);

// What such a launch returns.
Outcome refusal(const exec::KernelInfo& kernel, const LaunchObstacle& obstacle);

}  // namespace lockstep::session
