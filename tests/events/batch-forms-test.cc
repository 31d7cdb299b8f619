// Which batches are taken for repetitions of others.
#include "events/batch-forms.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "events/records.h"

namespace lockstep::events {
namespace {

class Forms : public testing::Test {
  public:
    Forms() {
        for (const ptx::Space space : {ptx::Space::global, ptx::Space::shared, ptx::Space::none}) {
            kernel::Site site;
            site.space = space;
            kernel.sites.push_back(site);
        }
    }
    template <class Record>
    Forms& add(const Record& record, std::size_t bytes = sizeof(Record)) {
        const std::size_t at = words.size();
        words.resize(at + bytes / sizeof words[0]);
        std::memcpy(&words[at], &record, bytes);
        return *this;
    }
    Forms& block(std::uint32_t mask = ~0u) { return add(BlockRecord{tagged(Tag::block, 0), mask}); }
    Forms& linear(std::uint64_t first, std::uint32_t site = 0, std::int64_t stride = 4) {
        return add(LinearAccess{tagged(Tag::linear_access, site), ~0u, first, stride});
    }
    Forms& rows(std::uint64_t first, std::int64_t second) {
        const RowsAccess access{tagged(Tag::rows_access, 0), ~0u, 4, 2, first, {second, 0, 0}};
        return add(access, access.size());
    }
    // Lane `odd` lies `by` further.
    Forms& scattered(std::uint64_t first, int odd = 0, std::uint64_t by = 0) {
        ScatteredAccess access{tagged(Tag::scattered_access, 0), ~0u, {}};
        for (std::uint64_t lane = 0; lane < 32; ++lane) access.addresses[lane] = first + lane * lane * 4;
        access.addresses[odd] += by;
        return add(access);
    }
    // The form of what was added: its number, or -1; 'n' behind a new one.
    std::string form() {
        Batch batch;
        batch.records = std::as_bytes(std::span(words));
        const BatchForms::Found found = forms.find(batch);
        words.clear();
        return found.form ? std::to_string(found.form->number) + (found.is_new ? "n" : "") : "-1";
    }

    kernel::Kernel kernel;
    BatchForms forms{kernel};
    std::vector<std::uint64_t> words;
};

TEST_F(Forms, AccessesThatMoveByWholeLines) {
    EXPECT_EQ(block().linear(0x1000).linear(0x8010, 1).form(), "0n");
    EXPECT_EQ(block().linear(0x1080).linear(0x8010, 1).form(), "0");
    EXPECT_EQ(block().linear(0x0).linear(0x9090, 1).form(), "0") << "each by itself";
    EXPECT_EQ(block().linear(0x1040).linear(0x8010, 1).form(), "1n") << "half a line";
    EXPECT_EQ(block().linear(0x1000, 0, 8).linear(0x8010, 1).form(), "2n");
    EXPECT_EQ(block(1).linear(0x1000).linear(0x8010, 1).form(), "3n");
    EXPECT_EQ(block().linear(0x1000).form(), "4n");
    EXPECT_EQ(block().linear(0x1040).linear(0x8010, 1).form(), "1");
    EXPECT_EQ(block().linear(0x1000).linear(0x8010, 1).form(), "0");
}

// A reduction's blocks do the same, and leave their results one behind the other.
TEST_F(Forms, ThatBeginAlikeMayEndInManyWays) {
    const auto result = [&](std::uint64_t block) {
        for (int i = 0; i < 6; ++i) this->block().linear(0x1000 * block);
        return linear(0x100000 + 4 * block).form();
    };
    for (std::uint64_t block = 0; block < 32; ++block) EXPECT_EQ(result(block), std::to_string(block) + "n");
    for (std::uint64_t block = 32; block < 96; ++block) EXPECT_EQ(result(block), std::to_string(block % 32));
}

TEST_F(Forms, LanesMoveTogether) {
    EXPECT_EQ(scattered(0x1000).form(), "0n");
    EXPECT_EQ(scattered(0x1080).form(), "0");
    EXPECT_EQ(scattered(0x1020).form(), "1n");
    EXPECT_EQ(scattered(0x1000, 31, 0x80).form(), "2n");
    EXPECT_EQ(scattered(0x2000, 31, 0x80).form(), "2");
    EXPECT_EQ(rows(0x1000, 0x400).form(), "3n");
    EXPECT_EQ(rows(0x5000, 0x400).form(), "3");
    EXPECT_EQ(rows(0x5000, 0x480).form(), "4n");
    EXPECT_EQ(rows(0x5020, 0x400).form(), "5n");
}

// The last word of the record is nobody's.
TEST_F(Forms, WhatNobodyWritesDoesNotMatter) {
    EXPECT_EQ(add(SplitRecord{tagged(Tag::split, 0), 3, 1, 17}).form(), "0n");
    EXPECT_EQ(add(SplitRecord{tagged(Tag::split, 0), 3, 1, 99}).form(), "0");
    EXPECT_EQ(add(SplitRecord{tagged(Tag::split, 0), 3, 2, 17}).form(), "1n");
}

TEST_F(Forms, SlowWaysOfTheSameLanes) {
    const auto slow = [&](std::uint32_t path, std::uint32_t lanes) -> Forms& {
        const SlowWayRecord record{tagged(Tag::slow_way, 0), 2, {{0, ~lanes}, {path, lanes}}};
        return add(record, record.size());
    };
    EXPECT_EQ(slow(5, 1).block().form(), "0n");
    EXPECT_EQ(slow(5, 1).block().form(), "0");
    EXPECT_EQ(slow(5, 2).block().form(), "1n");
    EXPECT_EQ(slow(6, 1).block().form(), "2n");
}

TEST_F(Forms, WhereTheAddressDecidesThereIsNone) {
    EXPECT_EQ(linear(0x1000, 2).form(), "-1");
    EXPECT_EQ(add(FenceRecord{tagged(Tag::fence, 0), 1}).form(), "-1");
}

TEST_F(Forms, AreForgottenWhenTheyAreTooMany) {
    for (std::uint32_t mask = 1; !forms.full(); ++mask) {
        ASSERT_LT(mask, 10000u);
        ASSERT_EQ(block(mask).form(), std::to_string(mask - 1) + "n");
    }
    forms.forget();
    EXPECT_FALSE(forms.full());
    EXPECT_EQ(block(1).form(), "0n");
}

// Where nothing repeats, not every batch is kept.
TEST_F(Forms, LookingIsLeftOffForAWhile) {
    int kept = 0;
    for (std::uint32_t mask = 1; mask < 100000; ++mask) {
        kept += block(mask).form() != "-1";
        if (forms.full()) forms.forget();
    }
    EXPECT_LT(kept, 10000);
    std::string last;
    for (int i = 0; i < 10000; ++i) last = block().form();
    EXPECT_NE(last, "-1");
    EXPECT_EQ(last.find('n'), std::string::npos) << "but found again where it does";
}

}  // namespace
}  // namespace lockstep::events
