// Counts executed instructions: one a warp, and one a thread.
#pragma once
#include <vector>

#include "events/observer.h"
#include "kernel/kernel.h"

namespace lockstep::events {

class InstructionCounter : public Observer {
  public:
    explicit InstructionCounter(const std::vector<kernel::NumberedBlock>& blocks);
    Wants wants() const override { return Wants::blocks; }
    void records(const Batch& batch) override;

    std::uint64_t warp_instructions = 0;
    std::uint64_t thread_instructions = 0;

  private:
    std::vector<std::uint64_t> instructions_;  // that a record of the block stands for
};

}  // namespace lockstep::events
