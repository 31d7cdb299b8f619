// Counts executed instructions: one a warp, and one a thread.
#pragma once
#include <vector>

#include "events/observer.h"

namespace lockstep::events {

class InstructionCounter : public Observer {
  public:
    explicit InstructionCounter(const std::vector<ObservedBlock>& blocks) : blocks_(blocks) {}
    void records(const Batch& batch) override;

    std::uint64_t warp_instructions = 0;
    std::uint64_t thread_instructions = 0;

  private:
    const std::vector<ObservedBlock>& blocks_;
};

}  // namespace lockstep::events
