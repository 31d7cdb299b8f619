#include "events/instruction-counter.h"

#include <bit>
#include <cstring>

#include "events/records.h"

namespace lockstep::events {

InstructionCounter::InstructionCounter(const std::vector<kernel::NumberedBlock>& blocks)
    : instructions_(blocks.size()) {
    for (const kernel::NumberedBlock& block : blocks) instructions_[block.entered_with] += block.instructions;
}

void InstructionCounter::records(const Batch& batch) {
    std::size_t at = 0;
    while (at < batch.records.size()) {
        BlockRecord record;
        std::memcpy(&record, batch.records.data() + at, sizeof record);
        switch (tag_of(record.word)) {
            case Tag::block: {
                std::uint64_t instructions = instructions_[number_of(record.word)];
                warp_instructions += instructions;
                thread_instructions += instructions * static_cast<unsigned>(std::popcount(record.mask));
                at += sizeof(BlockRecord);
                break;
            }
            case Tag::linear_access: at += sizeof(LinearAccess); break;
            case Tag::scattered_access: at += sizeof(ScatteredAccess); break;
            case Tag::split: at += sizeof(SplitRecord); break;
        }
    }
}

}  // namespace lockstep::events
