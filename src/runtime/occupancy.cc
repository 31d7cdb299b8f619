#include "gpu/occupancy.h"

#include "runtime/call.h"

using namespace lockstep::runtime;
using lockstep::gpu::BlockDemand;

namespace {

// Finds the kernel and hands over what a block of it takes.
template <class Body>
cudaError_t with_demand(const char* name, const void* function, int threads, size_t dynamic_shared,
                        Body&& body) {
    return call(name, Waits::no, [&](Device& current) -> Outcome {
        const auto found = current.modules().function(function);
        if (!found) return found.outcome;
        if (threads <= 0) return Outcome(Status::invalid_value, "a block has at least one thread");
        const auto& info = (*found)->info();
        BlockDemand demand{threads, static_cast<int>(current.registers(**found)),
                           info.static_shared_bytes + dynamic_shared};
        const bool too_many =
            info.max_threads_per_block != 0 && threads > static_cast<int>(info.max_threads_per_block);
        return body(current.gpu(), demand, too_many);
    });
}

}  // namespace

extern "C" {

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                          size_t dynamic_shared) {
    return with_demand("cudaOccupancyMaxActiveBlocksPerMultiprocessor", function, threads, dynamic_shared,
                       [&](const auto& gpu, const BlockDemand& demand, bool too_many) -> Outcome {
                           if (!blocks) return null_pointer("blocks");
                           *blocks = too_many ? 0 : lockstep::gpu::occupancy(gpu, demand).blocks_per_sm;
                           return {};
                       });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                   int threads, size_t dynamic_shared,
                                                                   unsigned) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, dynamic_shared);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function, int blocks,
                                                      int threads) {
    return with_demand("cudaOccupancyAvailableDynamicSMemPerBlock", function, threads, 0,
                       [&](const auto& gpu, const BlockDemand& demand, bool) -> Outcome {
                           if (!bytes) return null_pointer("bytes");
                           if (blocks <= 0)
                               return Outcome(Status::invalid_value, fmt::format("{} blocks an SM", blocks));
                           *bytes = lockstep::gpu::available_dynamic_shared(gpu, demand, blocks);
                           return {};
                       });
}
}
