// A kernel with what its threads launched (dynamic parallelism), in time.
//
//  - A launch by a thread takes its way through the device's launcher, which does one after the other.
//  - What stands in one stream of a block runs in order. The streams of blocks run beside each other, and so
//  does
//    what is fired and forgotten.
//  - A kernel has ended when its children have; those of its tail stream begin when all else has ended.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/model.h"
#include "timing/stream-operation.h"

namespace lockstep::timing {

struct NestedOperation;

struct NestedKernels {
    std::string name;
    KernelWork work;
    bool waits = false;                     // its blocks waited for children (cudaDeviceSynchronize)
    std::vector<NestedOperation> children;  // in the order in which they were asked for
    std::vector<NestedOperation> tail;
    bool empty() const { return children.empty() && tail.empty(); }
};

struct NestedOperation {
    std::unique_ptr<NestedKernels> kernel;  // null: a copy or fill, or an event
    std::uint64_t bytes = 0;
    std::uint64_t stream = 0, block = 0;
    std::uint32_t thread = 0;
    std::uint64_t records = 0, waits_for = 0;  // events
};

// When each kernel of the tree runs.
std::vector<NestedPlacement> place_nested(const NestedKernels& root, const gpu::GpuModel& gpu);

}  // namespace lockstep::timing
