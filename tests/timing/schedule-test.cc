// The order of straight code: what may move, what may not, and that nothing is lost.
#include "timing/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace lockstep::timing {
namespace {

using Slots = std::vector<std::uint16_t>;

// Operations are told apart by their places.
class Straight {
  public:
    Item& arithmetic(const Slots& targets, const Slots& sources, std::uint16_t latency = 4) {
        Item& item = add(Unit::fma, targets, sources);
        item.op.latency = latency;
        return item;
    }
    Item& load(const Slots& targets, const Slots& sources = {}, MemoryOrder order = MemoryOrder::load) {
        Item& item = add(Unit::memory, targets, sources);
        item.op.reads_memory = true;
        item.order = order;
        return item;
    }
    Item& store(const Slots& sources) {
        Item& item = add(Unit::memory, {}, sources);
        item.order = MemoryOrder::store;
        return item;
    }
    Item& barrier() {
        Item& item = add(Unit::barrier, {}, {});
        item.order = MemoryOrder::barrier;
        return item;
    }
    Item& fence() {
        Item& item = add(Unit::fence, {}, {});
        item.order = MemoryOrder::wall;
        return item;
    }
    Item& branch() {
        Item& item = add(Unit::branch, {}, {});
        item.op.latency = 7;
        item.ends_block = true;
        return item;
    }

    // Where in the new order each item stands.
    std::vector<std::size_t> positions(int room = 64) const {
        const std::vector<Op> ops = schedule(items_, {.room = room});
        EXPECT_EQ(ops.size(), items_.size());
        std::vector<std::size_t> at(items_.size(), ~std::size_t{0});
        for (std::size_t i = 0; i < ops.size(); ++i) {
            EXPECT_LT(ops[i].place, items_.size());
            EXPECT_EQ(at[ops[i].place], ~std::size_t{0}) << "twice";
            at[ops[i].place] = i;
        }
        return at;
    }
    const std::vector<Item>& items() const { return items_; }

  private:
    Item& add(Unit unit, const Slots& targets, const Slots& sources) {
        Item item;
        item.op.unit = unit;
        item.op.place = static_cast<std::uint32_t>(items_.size());
        for (std::uint16_t slot : targets) item.op.targets[item.op.target_count++] = slot;
        for (std::uint16_t slot : sources) item.op.sources[item.op.source_count++] = slot;
        return items_.emplace_back(item);
    }
    std::vector<Item> items_;
};

void at_base(Item& item, std::int64_t base, std::int64_t first, std::int64_t last) {
    item.base = base;
    item.first = first;
    item.last = last;
}

TEST(Schedule, LoadsComeFirstAndTogether) {
    Straight code;
    // load, use, load, use …: as a loop body of the PTX has them.
    for (std::uint16_t i = 0; i < 6; ++i) {
        code.load({i});
        code.arithmetic({10}, {10, i});
    }
    const auto at = code.positions();
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_LT(at[2 * i], 6u) << "load " << i;
        EXPECT_GE(at[2 * i + 1], 6u) << "use " << i;
    }
}

TEST(Schedule, WhatIsWaitedForLongestGoesFirst) {
    Straight code;
    code.arithmetic({0}, {});  // nobody waits for it
    code.arithmetic({1}, {});  // begins a chain
    code.arithmetic({2}, {1});
    code.arithmetic({3}, {2});
    const auto at = code.positions();
    EXPECT_LT(at[1], at[0]);
}

TEST(Schedule, NothingThatTouchesMemoryPassesAFence) {
    Straight code;
    code.store({0});
    code.arithmetic({5}, {});
    code.load({1});
    code.load({6}, {}, MemoryOrder::free_load);
    code.fence();
    code.load({2});
    code.load({3}, {}, MemoryOrder::free_load);
    code.store({4});
    const auto at = code.positions();
    for (std::size_t before : {0u, 2u, 3u}) EXPECT_LT(at[before], at[4]);
    for (std::size_t after : {5u, 6u, 7u}) EXPECT_GT(at[after], at[4]);
}

// A square root with a branch to its slow way: the chains on both sides of it do not overlap.
TEST(Schedule, NothingPassesABranchInAnExpansion) {
    Straight code;
    code.arithmetic({0}, {});
    code.arithmetic({1}, {0});
    code.arithmetic({2}, {1}).ends_block = true;
    code.arithmetic({3}, {});  // waits for nothing before
    code.arithmetic({4}, {3}).ends_block = true;
    code.arithmetic({5}, {});
    code.arithmetic({6}, {0});
    const auto at = code.positions();
    for (std::size_t before : {0u, 1u}) EXPECT_LT(at[before], at[2]);
    EXPECT_EQ(at[2], 2u);
    EXPECT_EQ(at[3], 3u);
    EXPECT_EQ(at[4], 4u);
    for (std::size_t after : {5u, 6u}) EXPECT_GT(at[after], at[4]);
}

// As ptxas issues the loads of several turns between whose barriers shared memory is used.
TEST(Schedule, LoadsOfWhatNobodyWritesPassBarriers) {
    Straight code;
    code.store({0});
    code.barrier();
    code.load({1}, {}, MemoryOrder::free_load);
    code.load({2}).memory = 1;
    code.store({3}).memory = 1;
    code.barrier();
    code.load({4}, {}, MemoryOrder::free_load);
    const auto at = code.positions();
    for (const std::size_t free : {2u, 6u}) EXPECT_LT(at[free], at[1]);
    for (const std::size_t other : {3u, 4u}) {
        EXPECT_GT(at[other], at[1]);
        EXPECT_LT(at[other], at[5]);
    }
}

// Long unrolled loops have hundreds of accesses between barriers.
TEST(Schedule, NothingPassesABarrierFarAway) {
    Straight code;
    for (int i = 0; i < 400; ++i) code.store({0});
    for (std::uint16_t i = 0; i < 400; ++i) code.load({static_cast<std::uint16_t>(i + 1)}).memory = 1;
    code.barrier();
    for (std::uint16_t i = 0; i < 400; ++i) code.load({static_cast<std::uint16_t>(i + 500)}).memory = 1;
    const auto at = code.positions(2000);
    for (std::size_t i = 0; i < 800; ++i) ASSERT_LT(at[i], at[800]) << i;
    for (std::size_t i = 801; i < 1201; ++i) ASSERT_GT(at[i], at[800]) << i;
}

TEST(Schedule, AStoreAndALoadThatMayOverlapKeepTheirOrder) {
    Straight code;
    code.store({0});  // bases unknown
    code.load({1});
    code.arithmetic({2}, {1});
    const auto at = code.positions();
    EXPECT_LT(at[0], at[1]);
}

TEST(Schedule, OverlapIsFoundByBytes) {
    struct Case {
        std::int64_t base, first, last;
        std::uint8_t memory;
        bool keeps_order;
    };
    // Against a store of bytes 0 to 4 of base 7 in memory 0.
    for (const Case& c : {Case{7, 4, 8, 0, false}, Case{7, 0, 4, 0, true}, Case{7, 3, 4, 0, true},
                          Case{7, -4, 0, 0, false}, Case{7, -4, 1, 0, true}, Case{8, 4, 8, 0, true},
                          Case{-1, 4, 8, 0, true}, Case{7, 0, 4, 1, false}}) {
        Straight code;
        at_base(code.store({0}), 7, 0, 4);
        Item& load = code.load({1});
        at_base(load, c.base, c.first, c.last);
        load.memory = c.memory;
        code.arithmetic({2}, {1});
        const auto at = code.positions();
        // A load that is free to go is put first: what waits for it waits long.
        EXPECT_EQ(at[0] < at[1], c.keeps_order)
            << "base " << c.base << " bytes " << c.first << " to " << c.last << " memory " << int(c.memory);
    }
}

TEST(Schedule, FreeLoadsPassStores) {
    Straight code;
    code.store({0});
    code.load({1}, {}, MemoryOrder::free_load);
    code.arithmetic({2}, {1});
    const auto at = code.positions();
    EXPECT_LT(at[1], at[0]);
}

TEST(Schedule, LoadsPassLoads) {
    Straight code;
    code.load({0});  // its result is not used
    code.load({1});
    for (std::uint16_t i = 1; i < 6; ++i) code.arithmetic({static_cast<std::uint16_t>(i + 1)}, {i});
    const auto at = code.positions();
    EXPECT_LT(at[1], at[0]);
}

// A load goes ahead of what needs others only as long as there are registers.
TEST(Schedule, LoadsAreBoundedByRegisters) {
    Straight code;
    for (std::uint16_t i = 0; i < 40; ++i) {
        code.load({i});
        code.arithmetic({100}, {100, i});
    }
    for (int room : {4, 8, 16}) {
        const std::vector<Op> ops = schedule(code.items(), {.room = room, .out = {100}});
        int open = 0, most = 0;
        for (const Op& op : ops) {
            op.reads_memory ? ++open : --open;
            most = std::max(most, open);
        }
        EXPECT_LE(most, room + 2);  // two words are loaded whatever there is
        EXPECT_GE(most, room - 1);  // one is the sum
    }
}

// Values that are only passed on, wide ones, and arrays leave less.
TEST(Schedule, WhatIsAliveTakesRegistersFromLoads) {
    Straight code;
    for (std::uint16_t i = 0; i < 10; ++i) {
        code.load({i});
        code.arithmetic({100}, {100, i});
    }
    const auto together = [&](const Registers& registers) {
        int count = 0;
        for (const Op& op : schedule(code.items(), registers)) {
            if (!op.reads_memory) break;
            ++count;
        }
        return count;
    };
    EXPECT_EQ(together({.room = 12}), 10);
    EXPECT_EQ(together({.room = 12, .besides = 4}), 8);
    EXPECT_EQ(together({.room = 12, .in = {100, 200, 201}, .out = {100, 200, 201}}), 9);
    EXPECT_EQ(together({.room = 12, .in = {200, 201}}), 10) << "nobody reads them";
    EXPECT_EQ(together({.room = 12, .cost = std::vector<int>(20, 2)}), 6);
    EXPECT_EQ(together({.room = 12, .cost = std::vector<int>(20, 0)}), 10);
}

TEST(Schedule, FewRegistersStillAllowSomeLoads) {
    Straight code;
    for (std::uint16_t i = 0; i < 8; ++i) code.load({i});
    for (std::uint16_t i = 0; i < 8; ++i) code.arithmetic({static_cast<std::uint16_t>(20 + i)}, {i});
    EXPECT_EQ(code.positions(0).size(), 16u);
}

TEST(Schedule, GuardsAreDependencies) {
    Straight code;
    code.arithmetic({0}, {});
    Item& guarded = code.arithmetic({1}, {});
    guarded.op.guard = 0;
    code.arithmetic({0}, {});  // the next value of the predicate
    const auto at = code.positions();
    EXPECT_LT(at[0], at[1]);
    EXPECT_LT(at[1], at[2]);
}

TEST(Schedule, APredicateIsWaitedForLongerThanASource) {
    Straight code;
    code.arithmetic({0}, {});  // read by an addition
    code.arithmetic({1}, {});  // guards one
    code.arithmetic({2}, {0});
    code.arithmetic({3}, {}).op.guard = 1;
    const auto at = code.positions();
    EXPECT_LT(at[1], at[0]);
}

TEST(Schedule, TheBranchIsLast) {
    Straight code;
    code.load({0});
    code.arithmetic({1}, {0});
    code.arithmetic({2}, {});
    code.branch();
    EXPECT_EQ(code.positions()[3], 3u);
}

TEST(Schedule, NothingFromNothing) { EXPECT_TRUE(schedule({}, {.room = 8}).empty()); }

// Whatever the code: all of it is there once, and every value is read between its write and the next.
class RandomCode : public testing::TestWithParam<int> {};

TEST_P(RandomCode, KeepsDependencies) {
    std::mt19937 random(static_cast<unsigned>(GetParam()));
    const auto below = [&](unsigned n) { return static_cast<std::uint16_t>(random() % n); };
    const std::uint16_t registers = static_cast<std::uint16_t>(4 + below(30));
    Straight code;
    const int length = 20 + below(300);
    for (int i = 0; i < length; ++i) {
        switch (below(8)) {
            case 0:
                code.store({below(registers), below(registers)}).memory = static_cast<std::uint8_t>(below(2));
                break;
            case 1:
            case 2: {
                Item& load = code.load({below(registers)}, {below(registers)},
                                       below(4) ? MemoryOrder::load : MemoryOrder::free_load);
                load.memory = static_cast<std::uint8_t>(below(2));
                break;
            }
            case 3:
                if (below(10) == 0) code.barrier();
                if (below(20) == 0) code.fence();
                break;
            default: {
                Item& item = code.arithmetic({below(registers)}, {below(registers), below(registers)},
                                             static_cast<std::uint16_t>(4 + below(20)));
                if (below(5) == 0) item.op.guard = below(registers);
                if (below(10) == 0) item.op.issues = static_cast<std::uint16_t>(2 + below(20));
                if (below(20) == 0) item.op.unit = Unit::none;
            }
        }
    }
    code.branch();
    const auto at = code.positions(1 + below(40));
    const auto& items = code.items();
    const auto reads = [](const Op& op, std::uint16_t slot) {
        return op.guard == slot || std::find(op.sources.begin(), op.sources.begin() + op.source_count,
                                             slot) != op.sources.begin() + op.source_count;
    };
    const auto writes = [](const Op& op, std::uint16_t slot) {
        return std::find(op.targets.begin(), op.targets.begin() + op.target_count, slot) !=
               op.targets.begin() + op.target_count;
    };
    for (std::size_t a = 0; a < items.size(); ++a)
        for (std::size_t b = a + 1; b < items.size(); ++b) {
            const Item &x = items[a], &y = items[b];
            bool ordered = y.ends_block;
            for (std::uint16_t r = 0; r < registers; ++r)
                ordered |= (writes(x.op, r) && (reads(y.op, r) || writes(y.op, r))) ||
                           (reads(x.op, r) && writes(y.op, r));
            const bool memory = x.order != MemoryOrder::none && y.order != MemoryOrder::none;
            const bool one_free = x.order == MemoryOrder::free_load || y.order == MemoryOrder::free_load;
            const auto one_is = [&](MemoryOrder order) { return x.order == order || y.order == order; };
            ordered |= memory && (one_is(MemoryOrder::wall) || (one_is(MemoryOrder::barrier) && !one_free));
            const bool one_writes = one_is(MemoryOrder::store);
            ordered |= memory && one_writes && !one_free && x.memory == y.memory;
            if (ordered) {
                ASSERT_LT(at[a], at[b]) << "items " << a << " and " << b;
            }
        }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomCode, testing::Range(1, 41));

}  // namespace
}  // namespace lockstep::timing
