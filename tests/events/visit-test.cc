#include "events/visit.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace lockstep::events {
namespace {

class Records : public testing::Test {
  protected:
    template <class Record>
    void add(const Record& record) {
        bytes.resize(bytes.size() + sizeof record);
        std::memcpy(bytes.data() + bytes.size() - sizeof record, &record, sizeof record);
    }
    void SetUp() override {
        add(BlockRecord{tagged(Tag::block, 7), 1});
        add(LinearAccess{tagged(Tag::linear_access, 1), 1, 0x1000, 4});
        add(ScatteredAccess{tagged(Tag::scattered_access, 2), 1, {}});
        add(SplitRecord{tagged(Tag::split, 7), 3, 1});
        add(BarrierRecord{tagged(Tag::barrier, 3), 1, 0, 0});
        add(FenceRecord{tagged(Tag::fence, 4), 1});
        add(AllocationRecord{tagged(Tag::allocation, 5), 0, 0x2000, 8});
        add(ReleaseRecord{tagged(Tag::release, 6), 0, 0x2000});
        add(BlockRecord{tagged(Tag::block, 8), 1});
    }
    std::vector<std::byte> bytes;
};

TEST_F(Records, AreVisitedInOrder) {
    std::string seen;
    visit(bytes, [&]<class Record>(std::uint32_t number, const Record& record) {
        EXPECT_EQ(tag_of(record.word), Record::tag);
        seen += std::to_string(number) + " ";
    });
    EXPECT_EQ(seen, "7 1 2 7 3 4 5 6 8 ");
}

TEST_F(Records, OthersArePassedOver) {
    std::string seen;
    visit(bytes, Visitor{[&](std::uint32_t number, const BlockRecord&) { seen += std::to_string(number); },
                         [&](std::uint32_t, const FenceRecord&) { seen += "f"; }});
    EXPECT_EQ(seen, "7f8");
}

TEST_F(Records, AreKeptByWhatIsWanted) {
    const auto count = [](const std::vector<std::byte>& some) {
        int records = 0;
        visit(some, [&](std::uint32_t, const auto&) { ++records; });
        return records;
    };
    EXPECT_EQ(count(only(bytes, Wants::blocks)), 2);
    EXPECT_EQ(count(only(bytes, Wants::accesses | Wants::splits)), 3);
    EXPECT_EQ(count(only(bytes, profile_wants)), 5);
    EXPECT_EQ(count(only(bytes, Wants::allocations)), 2);
    EXPECT_EQ(count(only(bytes, Wants())), 0);
}

// Of rows: 0x1000 …, and 0x400 further, four bytes a lane.
TEST_F(Records, RowsAreToldAsScatteredAccesses) {
    bytes.clear();
    const RowsAccess rows{tagged(Tag::rows_access, 5), 0xffff0001, 4, 2, 0x1000, {0x400, 0, 0}};
    add(rows);
    bytes.resize(rows.size());
    add(BlockRecord{tagged(Tag::block, 8), 1});
    EXPECT_EQ(rows.size(), 32u);
    EXPECT_EQ(whole_bytes(bytes), sizeof(ScatteredAccess) + sizeof(BlockRecord));
    int seen = 0;
    const auto look = [&](std::uint32_t number, const ScatteredAccess& record) {
        ++seen;
        EXPECT_EQ(number, 5u);
        EXPECT_EQ(record.word, tagged(Tag::scattered_access, 5));
        EXPECT_EQ(record.mask, 0xffff0001u);
        EXPECT_EQ(record.addresses[0], 0x1000u);
        EXPECT_EQ(record.addresses[15], 0x103cu);
        EXPECT_EQ(record.addresses[16], 0x1400u);
        EXPECT_EQ(record.addresses[31], 0x143cu);
    };
    visit(bytes, Visitor{look, [&](std::uint32_t, const BlockRecord&) { ++seen; }});
    EXPECT_EQ(seen, 2);
    visit(only(bytes, Wants::accesses), Visitor{look});
    EXPECT_EQ(seen, 3);
}

TEST_F(Records, TagsAndNumbersFitInOneWord) {
    const std::uint32_t largest = kernel::max_numbers - 1;
    for (Tag tag : {Tag::block, Tag::release}) {
        EXPECT_EQ(tag_of(tagged(tag, largest)), tag);
        EXPECT_EQ(number_of(tagged(tag, largest)), largest);
    }
}

TEST(Wants, WhatSynchronisesIsToldInOrder) {
    EXPECT_FALSE(profile_wants.ordered());
    EXPECT_TRUE((profile_wants | Wants::barriers).ordered());
    EXPECT_TRUE(Wants().nothing());
}

}  // namespace
}  // namespace lockstep::events
