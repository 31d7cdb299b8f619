#include "events/parted-lanes.h"

#include <gtest/gtest.h>

#include <string>

#include "events/visit.h"
#include "kernel/meeting-places.h"

namespace lockstep::events {
namespace {

// What is told, in short: a block's number and lanes, accesses, branches that part a warp.
class Listener : public Observer {
  public:
    Wants wants() const override { return profile_wants; }
    void records(const Batch& batch) override {
        visit(
            batch.records,
            Visitor{[&](std::uint32_t number, const BlockRecord& record) { note('B', number, record.mask); },
                    [&](std::uint32_t number, const SplitRecord& record) {
                        note('/', number, record.mask);
                        note('>', number, record.taken);
                    },
                    [&](std::uint32_t number, const LinearAccess& record) { note('a', number, record.mask); },
                    [&](std::uint32_t number, const SlowWayRecord& record) {
                        note('s', number, record.lanes[0].mask);
                    },
                    [&](std::uint32_t number, const MatchRecord& record) {
                        note('m', record.values, record.mask);
                        (void)number;
                    }});
    }
    void block_ended(std::uint64_t) override { told += "."; }
    std::string told;

  private:
    void note(char what, std::uint32_t number, WarpBits mask) {
        char text[32];
        std::snprintf(text, sizeof text, "%c%u:%x ", what, number, mask);
        told += text;
    }
};

class Told {
  public:
    template <class Record>
    Told& operator<<(const Record& record) {
        const auto* const bytes = reinterpret_cast<const std::byte*>(&record);
        records_.insert(records_.end(), bytes, bytes + size_of(record));
        return *this;
    }
    Told& block(std::uint32_t number, WarpBits mask) {
        return *this << BlockRecord{tagged(Tag::block, number), mask};
    }
    Told& split(std::uint32_t number, WarpBits mask, WarpBits taken) {
        return *this << SplitRecord{tagged(Tag::split, number), mask, taken};
    }
    Told& access(std::uint32_t site, WarpBits mask) {
        return *this << LinearAccess{tagged(Tag::linear_access, site), mask, 0x1000, 4};
    }
    // As others are told of it, in batches of so many bytes.
    std::string through(const std::vector<kernel::Meeting>& meetings, std::size_t batches = 1) {
        Listener listener;
        PartedLanes lanes(meetings, {&listener});
        std::vector<std::size_t> ends;
        visit_as_recorded(records_, [&](std::uint32_t, const auto& record) {
            ends.push_back(
                static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&record) - records_.data()));
        });
        std::size_t begin = 0;
        for (std::size_t i = 1; i <= batches; ++i) {
            const std::size_t end = i == batches ? records_.size() : ends[ends.size() * i / batches];
            lanes.records({.records = std::span(records_).subspan(begin, end - begin)});
            begin = end;
        }
        lanes.block_ended(0);
        return listener.told;
    }

  private:
    std::vector<std::byte> records_;
};

constexpr kernel::Meeting nobody;
constexpr kernel::Meeting at(std::uint32_t place) { return {.place = place}; }
// 0: a loop's turn, which some leave for 2; 1: its rest; 2: work of those; 3: the end, where all meet.
const std::vector<kernel::Meeting> early_exit{{.place = 3, .leaves = 0, .begin = 0, .end = 2},
                                              {.place = 3, .leaves = 0, .begin = 0, .end = 2},
                                              nobody,
                                              nobody};

TEST(PartedLanes, ThoseWhoLeaveALoopWorkByThemselves) {
    Told told;
    told.block(0, 0xff).split(0, 0xff, 0x3).block(1, 0xfc).block(0, 0xfc).split(0, 0xfc, 0xc);
    told.block(1, 0xf0).split(1, 0xf0, 0x80);  // one leaves by the loop's own end
    told.block(0, 0x70).block(1, 0x70);
    told.block(2, 0xf).access(7, 0xb).block(3, 0xff).access(8, 0xff);
    for (const std::size_t batches : {1, 2, 5, 14})
        EXPECT_EQ(told.through(early_exit, batches),
                  "B0:ff /0:ff >0:3 B1:fc B0:fc /0:fc >0:c B1:f0 /1:f0 >1:80 B0:70 B1:70 "
                  "B2:3 a7:3 B2:c a7:8 B3:ff a8:ff .")
            << batches;
}

TEST(PartedLanes, SidesOfAnIfMeetAtItsEnd) {
    Told told;
    told.block(0, ~0u).split(0, ~0u, 0xff).block(1, 0xff).access(1, 0xff).block(2, ~0xffu).block(3, ~0u);
    EXPECT_EQ(told.through({at(3), nobody, nobody, nobody}),
              "B0:ffffffff /0:ffffffff >0:ff B2:ffffff00 B1:ff a1:ff B3:ffffffff .");
}

// The branch of a block that was predicated parts nobody.
TEST(PartedLanes, PredicatesLeaveLanesTogether) {
    Told told;
    told.block(0, 0xf).split(0, 0xf, 0x3).block(1, 0xc).split(1, 0xc, 0x4).block(2, 0x7).block(3, 0xf);
    EXPECT_EQ(told.through({nobody, nobody, nobody, nobody}), "B0:f /0:f >0:3 B1:c /1:c >1:4 B2:7 B3:f .");
    // Otherwise `if (a || b)` is entered twice.
    EXPECT_EQ(told.through({at(3), at(3), nobody, nobody}), "B0:f /0:f >0:3 B2:3 B1:c /1:c >1:4 B2:4 B3:f .");
}

TEST(PartedLanes, WhatNeverMeetsIsToldAtTheEnd) {
    Told told;
    told.block(0, 0xf).split(0, 0xf, 0x1).block(1, 0xe).block(2, 0xf);
    EXPECT_EQ(told.through({at(kernel::meet_nowhere), nobody, nobody}), "B0:f /0:f >0:1 B1:e B2:e B2:1 .");
}

TEST(PartedLanes, RecordsOfSeveralLanesAreToldByPart) {
    Told told;
    told.block(0, 0xf).split(0, 0xf, 0x3).block(1, 0xc).split(1, 0xc, 0x4).block(2, 0x7);
    told << SlowWayRecord{tagged(Tag::slow_way, 1),
                          2,
                          {{static_cast<std::uint32_t>(kernel::SlowPath::usual), 0x3},
                           {static_cast<std::uint32_t>(kernel::SlowPath::zero), 0x4}}};
    told << MatchRecord{tagged(Tag::match, 2), 0x7, 3, 0};
    told.block(3, 0xf);
    EXPECT_EQ(told.through({at(3), at(3), nobody, nobody}),
              "B0:f /0:f >0:3 B2:3 m2:3 B1:c /1:c >1:4 B2:4 s1:4 m1:4 B3:f .");
}

}  // namespace
}  // namespace lockstep::events
