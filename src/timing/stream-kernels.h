// Kernels that run together. Each block takes a place on an SM; the earlier kernel's blocks (the
// higher-priority one's before them) take places first, and what they leave, or give back at their end, the
// next kernel's blocks take. Kernels run at the speed they have alone unless they want more of the DRAM's
// bandwidth or of the issue slots than there is; then those that want little get it, and the others share
// what is left alike.
//
// Blocks that start together are kept together, and a kernel of many waves is taken as one of a few longer
// ones: what is wanted is how kernels share a GPU, not how a block runs.
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

#include "timing/stream-operation.h"

namespace lockstep::timing {

class KernelPool {
  public:
    explicit KernelPool(int sms) : sms_(sms) {}

    // `priority`: lower numbers first.
    void add(OperationId id, const KernelWork& work, int priority);
    std::size_t size() const { return running_.size(); }

    // Blocks take free places. The kernels whose first blocks started just now.
    std::vector<OperationId> start_blocks();
    // Nanoseconds until the next blocks end; infinite if none run.
    double next() const;
    // Goes on by that much time, no more than next(). The kernels that have ended.
    std::vector<OperationId> advance(double nanoseconds);

  private:
    struct Batch {
        std::uint64_t blocks = 0;
        double left = 0;  // nanoseconds at full speed
    };
    struct Running {
        OperationId id = 0;
        int priority = 0;
        std::uint64_t waiting = 0;  // blocks that have not started
        double places = 0;          // on the whole GPU
        double block_time = 0;
        double dram = 0, issue = 0;  // share that one block wants
        bool begun = false;
        std::vector<Batch> batches;
        double speed = 1;

        double blocks_running() const;
    };
    void set_speeds();

    int sms_;
    double free_ = 1;               // of all places
    std::vector<Running> running_;  // in the order in which they take places
};

}  // namespace lockstep::timing
