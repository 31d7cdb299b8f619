// Records to raw counts: what is remembered must not differ from what is computed.
#include "counters/launch-counter.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <utility>

#include "counters/banks.h"
#include "counters/coalescing.h"

namespace lockstep::counters {
namespace {

using events::Tag;
using kernel::SiteKind;

class Records {
  public:
    template <class T>
    void add(const T& record) {
        bytes_.resize(bytes_.size() + sizeof record);
        std::memcpy(bytes_.data() + bytes_.size() - sizeof record, &record, sizeof record);
    }
    void feed(LaunchCounter& counter, events::Batch batch = {}) {
        batch.records = bytes_;
        counter.records(batch);
        last_ = std::exchange(bytes_, {});
    }
    const std::vector<std::byte>& last() const { return last_; }  // that were fed

  private:
    std::vector<std::byte> bytes_, last_;
};

kernel::Kernel kernel_with(std::vector<kernel::Site> sites, std::size_t blocks = 1) {
    kernel::Kernel kernel;
    kernel.sites = std::move(sites);
    for (std::uint32_t b = 0; b < blocks; ++b) kernel.blocks.push_back({0, b, 1, b});
    return kernel;
}

kernel::Site site(SiteKind kind, ptx::Space space, int bytes) {
    kernel::Site s;
    s.kind = kind, s.space = space, s.bytes = bytes;
    return s;
}

// The machine does what the PTX says.
std::vector<MachineAccess> plain(const kernel::Kernel& kernel) {
    std::vector<MachineAccess> accesses;
    for (const kernel::Site& site : kernel.sites)
        accesses.push_back({.bytes = static_cast<std::uint32_t>(site.bytes), .kind = site.kind});
    return accesses;
}

TEST(LaunchCounter, BlocksAndSplits) {
    auto kernel = kernel_with({}, 3);
    LaunchCounter counter(kernel, {});
    Records records;
    records.add(events::BlockRecord{events::tagged(Tag::block, 0), ~0u});
    records.add(events::BlockRecord{events::tagged(Tag::block, 2), 0x7u});
    records.add(events::SplitRecord{events::tagged(Tag::split, 2), 0x7u, 0x3u});
    records.add(events::BlockRecord{events::tagged(Tag::block, 2), 0x1u});
    records.feed(counter);
    RawCounts counts = counter.counts();
    EXPECT_EQ(counts.blocks[0], (BlockCounts{1, 32, 0, 0}));
    EXPECT_EQ(counts.blocks[1], (BlockCounts{}));
    EXPECT_EQ(counts.blocks[2], (BlockCounts{2, 4, 1, 2}));
    counts.add(counter.counts());
    EXPECT_EQ(counts.blocks[2], (BlockCounts{4, 8, 2, 4}));
}

TEST(LaunchCounter, ABlockThatAlwaysFollowsHasNoRecordOfItsOwn) {
    auto kernel = kernel_with({}, 3);
    kernel.blocks[1].entered_with = 0;
    LaunchCounter counter(kernel, {});
    Records records;
    records.add(events::BlockRecord{events::tagged(Tag::block, 0), 0xffu});
    records.add(events::SplitRecord{events::tagged(Tag::split, 1), 0xffu, 0x3u});
    records.feed(counter);
    EXPECT_EQ(counter.counts().blocks[1], (BlockCounts{1, 8, 1, 2}));
    EXPECT_EQ(counter.counts().blocks[2], (BlockCounts{}));
}

TEST(LaunchCounter, RepeatedFormsAreCountedAsIfEachWereNew) {
    std::mt19937_64 random(3);
    const std::vector<kernel::Site> sites{
        site(SiteKind::load, ptx::Space::global, 4), site(SiteKind::store, ptx::Space::global, 16),
        site(SiteKind::load, ptx::Space::shared, 4), site(SiteKind::load, ptx::Space::shared, 8)};
    auto kernel = kernel_with(sites);
    const std::uint32_t bytes[] = {4, 16, 4, 8};
    for (const Transactions rule : {Transactions::sectors, Transactions::lines, Transactions::whole_lines}) {
        auto accesses = plain(kernel);
        for (MachineAccess& access : accesses) access.transactions = rule;
        LaunchCounter counter(kernel, accesses);
        std::vector<SiteCounts> expected(sites.size());
        Records records;
        // Few forms, so that most come again, at once or later.
        for (int i = 0; i < 20000; ++i) {
            const auto number = static_cast<std::uint32_t>(random() % sites.size());
            const std::uint32_t mask = random() % 3 ? ~0u : random() % 2 ? 0xffu : 0x55550000u;
            std::uint64_t first = 0x10000 + random() % 64 * bytes[number];
            std::uint64_t addresses[32];
            if (random() % 2) {
                std::int64_t stride = static_cast<std::int64_t>(random() % 3) * bytes[number];
                for (int lane = 0; lane < 32; ++lane) addresses[lane] = first + stride * lane;
                records.add(
                    events::LinearAccess{events::tagged(Tag::linear_access, number), mask, first, stride});
            } else {
                events::ScatteredAccess access{events::tagged(Tag::scattered_access, number), mask, {}};
                std::uint64_t turn = random() % 2 + 1;
                for (std::uint64_t lane = 0; lane < 32; ++lane)
                    access.addresses[lane] = addresses[lane] =
                        first + lane * lane * turn % 64 * bytes[number];
                records.add(access);
            }
            Request request{kernel::LaneMask(mask), bytes[number], addresses};
            AccessCounts& counts =
                expected[number][static_cast<std::size_t>(number < 2 ? Memory::global : Memory::shared)];
            ++counts.requests;
            counts.lanes += static_cast<unsigned>(std::popcount(mask));
            if (number < 2) {
                Coalesced touched = coalesce(request, rule);
                const auto asked = static_cast<unsigned>(std::popcount(mask)) * bytes[number];
                counts.bytes += rule == Transactions::sectors ? touched.bytes : asked;
                counts.sectors += touched.sectors;
                counts.transactions += touched.transactions;
                counts.ideal_sectors += touched.ideal_sectors();
            } else {
                Banked passes = bank_passes(request);
                counts.bytes += passes.bytes;
                counts.wavefronts += passes.wavefronts;
                counts.conflicts += passes.wavefronts - passes.parts;
                counts.ideal_wavefronts += passes.ideal_wavefronts();
            }
            if (i % 100 == 0) records.feed(counter);
        }
        records.feed(counter);
        RawCounts counts = counter.counts();
        for (std::size_t s = 0; s < sites.size(); ++s) EXPECT_EQ(counts.sites[s], expected[s]) << s;
    }
}

// Batches that repeat each other, told by their form and one by one.
TEST(LaunchCounter, BatchesOfOneFormAreCountedAsIfEachWereNew) {
    std::mt19937_64 random(5);
    auto kernel =
        kernel_with({site(SiteKind::load, ptx::Space::global, 4),
                     site(SiteKind::store, ptx::Space::shared, 8), site(SiteKind::load, ptx::Space::none, 4)},
                    2);
    const auto accesses = plain(kernel);
    LaunchCounter one_by_one(kernel, accesses), by_form(kernel, accesses);
    events::FormFinder finder(kernel, {&by_form});
    events::Batch batch;
    batch.recorded = events::profile_wants;
    std::vector<std::byte> bytes;
    for (int i = 0; i < 5000; ++i) {
        Records records;
        const std::uint64_t place = 0x10000 + random() % 1000 * 128, start = random() % 3 * 32;
        const std::uint32_t mask = random() % 4 ? ~0u : 0x0ff0u;
        records.add(events::BlockRecord{events::tagged(Tag::block, 0), mask});
        records.add(events::LinearAccess{events::tagged(Tag::linear_access, 0), mask, place + start, 4});
        if (random() % 2) records.add(events::SplitRecord{events::tagged(Tag::split, 0), mask, 1});
        events::ScatteredAccess scattered{events::tagged(Tag::scattered_access, 1), mask, {}};
        const std::uint64_t apart = 8 * (1 + random() % 2);
        for (std::uint64_t lane = 0; lane < 32; ++lane) scattered.addresses[lane] = place + lane * apart;
        records.add(scattered);
        if (random() % 10 == 0)
            records.add(events::LinearAccess{events::tagged(Tag::linear_access, 2), mask, place, 4});
        records.add(events::BlockRecord{events::tagged(Tag::block, 1), mask});
        records.feed(one_by_one, batch);
        bytes = records.last();
        batch.records = bytes;
        finder.records(batch);
    }
    finder.finish();
    const RawCounts expected = one_by_one.counts(), found = by_form.counts();
    EXPECT_GT(expected.blocks[0].splits, 0u);
    for (std::size_t b = 0; b < kernel.blocks.size(); ++b)
        EXPECT_EQ(found.blocks[b], expected.blocks[b]) << b;
    for (std::size_t s = 0; s < kernel.sites.size(); ++s) {
        EXPECT_EQ(found.sites[s], expected.sites[s]) << s;
        EXPECT_EQ(found.patterns[s].worst(), expected.patterns[s].worst()) << s;
    }
}

TEST(LaunchCounter, AGenericAccessGoesWhereItsAddressesLie) {
    auto kernel = kernel_with({site(SiteKind::load, ptx::Space::none, 4)});
    LaunchCounter counter(kernel, plain(kernel));
    events::Batch batch;
    batch.windows.shared = {0x10000, 4096};
    batch.windows.local = {0x20000, 32 * 64};
    batch.windows.local_bytes = 64;
    Records records;
    events::ScatteredAccess mixed{events::tagged(Tag::scattered_access, 0), ~0u, {}};
    for (std::uint64_t lane = 0; lane < 32; ++lane)
        mixed.addresses[lane] = lane < 16   ? 0x10000 + lane * 4
                                : lane < 24 ? 0x20000 + lane * 64
                                            : 0x90000 + lane * 4;
    records.add(mixed);
    records.add(events::LinearAccess{events::tagged(Tag::linear_access, 0), ~0u, 0x10000, 4});
    records.add(events::LinearAccess{events::tagged(Tag::linear_access, 0), ~0u, 0x90000, 4});
    records.feed(counter, batch);
    RawCounts counts = counter.counts();
    EXPECT_EQ(counts.at(0, Memory::shared).requests, 2u);
    EXPECT_EQ(counts.at(0, Memory::shared).lanes, 48u);
    EXPECT_EQ(counts.at(0, Memory::shared).wavefronts, 2u);
    EXPECT_EQ(counts.at(0, Memory::local).requests, 1u);
    EXPECT_EQ(counts.at(0, Memory::local).sectors, 1u);
    EXPECT_EQ(counts.at(0, Memory::global).requests, 2u);
    EXPECT_EQ(counts.at(0, Memory::global).sectors, 5u);
}

TEST(LaunchCounter, LocalMemoryOfTheLanesLiesWordByWord) {
    auto kernel = kernel_with(
        {site(SiteKind::store, ptx::Space::local, 4), site(SiteKind::store, ptx::Space::local, 8)});
    LaunchCounter counter(kernel, plain(kernel));
    events::Batch batch;
    batch.windows.local = {0x20000, 32 * 64};
    batch.windows.local_bytes = 64;
    Records records;
    events::ScatteredAccess same{events::tagged(Tag::scattered_access, 0), ~0u, {}}, own = same;
    for (std::uint64_t lane = 0; lane < 32; ++lane) {
        same.addresses[lane] = 0x20000 + lane * 64 + 8;
        own.addresses[lane] = 0x20000 + lane * 64 + lane % 16 * 4;
    }
    records.add(same);
    records.feed(counter, batch);
    EXPECT_EQ(counter.counts().at(0, Memory::local).sectors, 4u);
    records.add(own);
    records.feed(counter, batch);
    EXPECT_EQ(counter.counts().at(0, Memory::local).sectors, 4u + 32);
    same.word = events::tagged(Tag::scattered_access, 1);
    records.add(same);
    records.feed(counter, batch);
    EXPECT_EQ(counter.counts().at(1, Memory::local).sectors, 8u);
    EXPECT_EQ(counter.counts().at(1, Memory::local).bytes, 256u);
    EXPECT_EQ(counter.counts().at(1, Memory::local).requests, 2u) << "an H200 asks for each word";
}

// What an H200 counts for the probes red_* and atomic_*.
TEST(LaunchCounter, AtomicsDoNotShareAnAddress) {
    auto kernel = kernel_with({site(SiteKind::reduction, ptx::Space::global, 4),
                               site(SiteKind::reduction, ptx::Space::global, 4),
                               site(SiteKind::atomic, ptx::Space::shared, 4)});
    auto accesses = plain(kernel);
    accesses[0].one_lane_for_all = true;
    accesses[2].compares = true;
    LaunchCounter counter(kernel, accesses);
    Records records;
    for (std::uint32_t number : {0u, 1u})  // all lanes at one address, as the compiler can see
        records.add(events::LinearAccess{events::tagged(Tag::linear_access, number), ~0u, 0x10000, 0});
    records.add(events::LinearAccess{events::tagged(Tag::linear_access, 2), ~0u, 0x10000, 4});
    events::ScatteredAccess pairs{events::tagged(Tag::scattered_access, 0), ~0u, {}}, four = pairs;
    for (std::uint64_t lane = 0; lane < 32; ++lane) {
        pairs.addresses[lane] = 0x10000 + lane / 2 * 4;
        four.addresses[lane] = 0x10000 + lane % 4 * 4;
    }
    records.feed(counter);
    EXPECT_EQ(counter.counts().at(0, Memory::global).sectors, 1u);
    EXPECT_EQ(counter.counts().at(1, Memory::global).sectors, 32u);
    EXPECT_EQ(counter.counts().at(2, Memory::shared).wavefronts, 2u);
    EXPECT_EQ(counter.counts().at(2, Memory::shared).conflicts, 0u);
    records.add(pairs);
    records.feed(counter);
    EXPECT_EQ(counter.counts().at(0, Memory::global).sectors, 1u + 4);
    records.add(four);
    records.feed(counter);
    EXPECT_EQ(counter.counts().at(0, Memory::global).sectors, 1u + 4 + 8);
}

TEST(LaunchCounter, AnAccessThatTheMachineDoesNotMakeIsNotCounted) {
    auto kernel = kernel_with({site(SiteKind::load, ptx::Space::shared, 4)});
    LaunchCounter counter(kernel, std::vector<MachineAccess>(1));
    Records records;
    for (int i = 0; i < 3; ++i)
        records.add(events::LinearAccess{events::tagged(Tag::linear_access, 0), ~0u, 0x10000, 4});
    records.feed(counter);
    EXPECT_EQ(counter.counts().sites[0], SiteCounts{});
}

}  // namespace
}  // namespace lockstep::counters
