#include "events/instruction-counter.h"

#include "events/visit.h"

namespace lockstep::events {

InstructionCounter::InstructionCounter(const std::vector<kernel::NumberedBlock>& blocks)
    : instructions_(blocks.size()) {
    for (const kernel::NumberedBlock& block : blocks) instructions_[block.entered_with] += block.instructions;
}

void InstructionCounter::records(const Batch& batch) {
    visit(batch.records, Visitor{[&](std::uint32_t block, const BlockRecord& record) {
              warp_instructions += instructions_[block];
              thread_instructions +=
                  instructions_[block] * static_cast<unsigned>(kernel::LaneMask(record.mask).count());
          }});
}

}  // namespace lockstep::events
