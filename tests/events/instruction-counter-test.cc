#include "events/instruction-counter.h"

#include <gtest/gtest.h>

#include <cstring>

#include "events/records.h"

namespace lockstep::events {
namespace {

template <class T>
void append(std::vector<std::byte>& out, const T& record) {
    out.resize(out.size() + sizeof record);
    std::memcpy(out.data() + out.size() - sizeof record, &record, sizeof record);
}

TEST(InstructionCounter, CountsWarpsAndThreadsAndSkipsAccesses) {
    std::vector<kernel::NumberedBlock> blocks{{0, 0, 6, 0}, {0, 1, 3, 1}, {0, 2, 4, 0}};
    InstructionCounter counter(blocks);
    std::vector<std::byte> batch;
    append(batch, BlockRecord{tagged(Tag::block, 0), 0xffffffffu});
    append(batch, LinearAccess{tagged(Tag::linear_access, 5), 1, 0x1000, 4});
    append(batch, BlockRecord{tagged(Tag::block, 1), 0x3u});
    append(batch, ScatteredAccess{tagged(Tag::scattered_access, 6), 7, {}});
    append(batch, SplitRecord{tagged(Tag::split, 1), 0x3u, 0x1u});
    append(batch, BlockRecord{tagged(Tag::block, 1), 0x1u});
    counter.records({batch});
    EXPECT_EQ(counter.warp_instructions, 16u);
    EXPECT_EQ(counter.thread_instructions, 10u * 32 + 3 * 2 + 3 * 1);
}

}  // namespace
}  // namespace lockstep::events
