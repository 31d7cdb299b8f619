#include "gpu/occupancy.h"

#include <algorithm>

#include "runtime/call.h"
#include "runtime/libraries.h"
#include "session/launch-check.h"

using namespace lockstep::runtime;
using lockstep::gpu::BlockDemand;

namespace {

// Finds the kernel and hands over what a block of it takes. Whether its launch bounds allow such a block is
// not asked.
template <class Body>
cudaError_t with_demand(const char* name, const void* function, int threads, size_t dynamic_shared,
                        Body&& body) {
    return call(name, Waits::no, [&](Device& current) -> Outcome {
        const auto found = function_on(current, function);
        if (!found) return found.outcome;
        if (threads <= 0) return Outcome(Status::invalid_value, "a block has at least one thread");
        const auto& info = (*found)->info();
        BlockDemand demand{threads, static_cast<int>(current.resources(**found).registers),
                           info.static_shared_bytes + dynamic_shared};
        return body(current.gpu(), demand, (*found)->settings);
    });
}

Outcome no_clusters() {
    return {Status::not_supported, "clusters of blocks, which GPUs have from compute capability 9.0 on"};
}

}  // namespace

extern "C" {

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                          size_t dynamic_shared) {
    return with_demand("cudaOccupancyMaxActiveBlocksPerMultiprocessor", function, threads, dynamic_shared,
                       [&](const auto& gpu, const BlockDemand& demand, const auto&) -> Outcome {
                           if (!blocks) return null_pointer("blocks");
                           *blocks = lockstep::gpu::occupancy(gpu, demand).blocks_per_sm;
                           return {};
                       });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                   int threads, size_t dynamic_shared,
                                                                   unsigned flags) {
    if (flags > cudaOccupancyDisableCachingOverride)
        return finish("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", unknown_flags(flags));
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, dynamic_shared);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function, int blocks,
                                                      int threads) {
    return with_demand(
        "cudaOccupancyAvailableDynamicSMemPerBlock", function, threads, 0,
        [&](const auto& gpu, const BlockDemand& demand, const auto& settings) -> Outcome {
            if (!bytes) return null_pointer("bytes");
            if (blocks <= 0 || lockstep::gpu::occupancy(gpu, demand).blocks_per_sm < blocks)
                return Outcome(Status::invalid_value,
                               fmt::format("{} blocks of {} threads an SM", blocks, demand.threads));
            // No more than the kernel has been allowed.
            const std::uint64_t opted = settings.max_dynamic_shared;
            const std::uint64_t allowed =
                opted != 0 ? opted
                           : gpu.shared_per_block -
                                 std::min<std::uint64_t>(demand.shared_bytes, gpu.shared_per_block);
            *bytes = std::min(lockstep::gpu::available_dynamic_shared(gpu, demand, blocks), allowed);
            return {};
        });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* size, const void* function,
                                                 const cudaLaunchConfig_t* config) {
    return call("cudaOccupancyMaxPotentialClusterSize", Waits::no, [&](Device& current) -> Outcome {
        if (!size || !config) return null_pointer(size ? "config" : "size");
        const auto found = function_on(current, function);
        if (!found) return found.outcome;
        if (current.gpu().compute_capability() < 90) return no_clusters();
        *size = static_cast<int>(lockstep::session::most_blocks_of_cluster((*found)->settings));
        return {};
    });
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                           const cudaLaunchConfig_t* config) {
    if (!config) return cudaErrorInvalidValue;
    const dim3 block = config->blockDim;
    return with_demand("cudaOccupancyMaxActiveClusters", function,
                       static_cast<int>(block.x * block.y * block.z), config->dynamicSmemBytes,
                       [&](const auto& gpu, const BlockDemand& demand, const auto& settings) -> Outcome {
                           if (!clusters) return null_pointer("clusters");
                           if (gpu.compute_capability() < 90) return no_clusters();
                           unsigned size = 1;
                           for (unsigned i = 0; i < config->numAttrs; ++i)
                               if (config->attrs[i].id == cudaLaunchAttributeClusterDimension) {
                                   const auto& asked = config->attrs[i].val.clusterDim;
                                   size = asked.x * asked.y * asked.z;
                               }
                           if (size == 0 || size > lockstep::session::most_blocks_of_cluster(settings))
                               return Outcome(Status::invalid_cluster_size,
                                              fmt::format("clusters of {} blocks", size));
                           *clusters = lockstep::gpu::active_clusters(gpu, demand, static_cast<int>(size));
                           return {};
                       });
}
}
