// The sample of the L2's lines against caches that are simulated whole.
#include "timing/l2-sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <numeric>
#include <random>
#include <thread>
#include <tuple>
#include <unordered_map>

#include "timing/models.h"
#include "timing/records.h"
#include "timing/trace.h"

namespace lockstep::timing {
namespace {

using kernel::SiteKind;

SampledAccess access(std::uint64_t line, std::uint32_t moment, bool write = false, std::uint32_t site = 0) {
    SampledAccess made;
    made.line = line;
    made.moment = moment;
    made.site = site;
    made.sectors = 0xf;
    made.writes = write;
    made.reads = !write;
    return made;
}

class SimulatedL2 : public testing::Test {
  protected:
    L2Outcome simulate(const std::vector<SampledAccess>& entries, std::uint32_t level = 0,
                       std::uint64_t resident = 1, std::size_t sites = 2) const {
        const std::vector<SampledSite> plain(sites);  // in the order of their moments
        return simulate_l2(entries, level, plain, gpu, resident);
    }
    gpu::GpuModel gpu = h200();
};

TEST_F(SimulatedL2, FirstAMissThenHits) {
    const L2Outcome outcome = simulate({access(1, 0), access(1, 1), access(1, 2), access(2, 3)});
    EXPECT_DOUBLE_EQ(outcome.miss_share[0], 0.5);
    EXPECT_DOUBLE_EQ(outcome.read_bytes, 256);
    EXPECT_DOUBLE_EQ(outcome.write_bytes, 0);
    EXPECT_DOUBLE_EQ(outcome.written_bytes, 0);
}

TEST_F(SimulatedL2, EachSiteHasItsShare) {
    const L2Outcome outcome =
        simulate({access(1, 0, false, 0), access(1, 1, false, 1), access(2, 2, false, 1)}, 0, 1, 3);
    ASSERT_EQ(outcome.miss_share.size(), 3u);
    EXPECT_DOUBLE_EQ(outcome.miss_share[0], 1);
    EXPECT_DOUBLE_EQ(outcome.miss_share[1], 0.5);
    EXPECT_DOUBLE_EQ(outcome.miss_share[2], 0) << "was never executed";
}

// Blocks that run at once are at the same moment together: what the first of them misses is on its way to the
// others, and there when they come later. What a block has had is in its L1.
TEST_F(SimulatedL2, WhatOthersMissAtTheSameMomentIsOnItsWay) {
    const auto of_block = [](std::uint64_t block, std::uint32_t moment) {
        SampledAccess made = access(1, moment);
        made.block = block;
        return made;
    };
    const std::vector<SampledAccess> together{of_block(0, 0), of_block(1, 0), of_block(2, 0),
                                              of_block(3, 0), of_block(1, 1), of_block(2, 1)};
    EXPECT_DOUBLE_EQ(simulate(together, 0, 4).wait_share[0], 1);
    EXPECT_DOUBLE_EQ(simulate(together, 0, 1).wait_share[0], 0) << "one after the other";
    const std::vector<SampledAccess> later{of_block(0, 0), of_block(1, 0), of_block(2, 5)};
    EXPECT_DOUBLE_EQ(simulate(later, 0, 4).wait_share[0], 0.5);
    EXPECT_DOUBLE_EQ(simulate({of_block(0, 0), of_block(0, 0)}, 0, 4).wait_share[0], 0) << "its own";
}

// Of four lines two are in the sample, where one of eight was to be expected.
TEST_F(SimulatedL2, AccessesThatWereCountedSayWhatTheSampleStandsFor) {
    const std::vector<SampledAccess> entries = {access(1, 0), access(2, 0), access(1, 1), access(2, 1)};
    EXPECT_DOUBLE_EQ(simulate(entries, 3).read_bytes, 2 * 8 * 128);
    const std::vector<SampledSite> counted = {{0, 4 * 2 * 4}};
    const L2Outcome outcome = simulate_l2(entries, 3, counted, gpu, 1);
    EXPECT_DOUBLE_EQ(outcome.read_bytes, 4 * 128);
    EXPECT_DOUBLE_EQ(outcome.miss_share[0], 0.5);
}

// Instructions of one moment ask in the order in which they are issued.
TEST_F(SimulatedL2, TheFirstToBeIssuedMisses) {
    const std::vector<SampledSite> sites = {{1, 0}, {0, 0}};
    const std::vector<SampledAccess> entries = {access(1, 0, false, 0), access(1, 0, false, 1)};
    const L2Outcome outcome = simulate_l2(entries, 0, sites, gpu, 1);
    EXPECT_DOUBLE_EQ(outcome.miss_share[0], 0);
    EXPECT_DOUBLE_EQ(outcome.miss_share[1], 1);
}

TEST_F(SimulatedL2, WhatWasWrittenIsThere) {
    const L2Outcome outcome = simulate({access(1, 0, true, 0), access(1, 1, false, 1)});
    EXPECT_DOUBLE_EQ(outcome.miss_share[1], 0);
    EXPECT_DOUBLE_EQ(outcome.read_bytes, 0);
    EXPECT_DOUBLE_EQ(outcome.written_bytes, 128);
    EXPECT_DOUBLE_EQ(outcome.write_bytes, 0) << "stays in the cache";
}

TEST_F(SimulatedL2, ASectorBringsItsNeighbour) {
    SampledAccess first = access(1, 0), second = access(1, 1), third = access(1, 2);
    first.sectors = 1;
    second.sectors = 2;
    third.sectors = 4;
    const L2Outcome outcome = simulate({first, second, third});
    EXPECT_NEAR(outcome.miss_share[0], 2.0 / 3, 1e-12);
    EXPECT_DOUBLE_EQ(outcome.read_bytes, 128);
}

TEST_F(SimulatedL2, WrittenBackWhatDoesNotFit) {
    gpu.timing.l2_effective_bytes = 64 * line_bytes;
    std::vector<SampledAccess> entries;
    for (std::uint32_t i = 0; i < 1000; ++i) entries.push_back(access(i, i, true));
    const L2Outcome outcome = simulate(entries);
    EXPECT_DOUBLE_EQ(outcome.written_bytes, 128000);
    // All but what the cache still holds.
    EXPECT_DOUBLE_EQ(outcome.write_bytes, (1000 - 64) * 128);
}

// Blocks that run at the same time share what they read; one after the other, too much lies between.
TEST_F(SimulatedL2, ResidentBlocksAdvanceTogether) {
    gpu.timing.l2_effective_bytes = 256 * line_bytes;
    std::vector<SampledAccess> entries;
    for (std::uint64_t block = 0; block < 8; ++block)
        for (std::uint32_t i = 0; i < 4000; ++i) {
            entries.push_back(access(i, i));
            entries.back().block = block;
        }
    std::shuffle(entries.begin(), entries.end(), std::mt19937(1));  // as threads may have found them
    EXPECT_NEAR(simulate(entries, 0, 8).miss_share[0], 1.0 / 8, 0.01);
    EXPECT_NEAR(simulate(entries, 0, 4).miss_share[0], 1.0 / 4, 0.01);
    EXPECT_NEAR(simulate(entries, 0, 1).miss_share[0], 1, 0.01);
}

TEST_F(SimulatedL2, NoCacheAtAll) {
    const L2Outcome outcome = simulate({access(1, 0), access(1, 1)}, 30);
    EXPECT_DOUBLE_EQ(outcome.miss_share[0], 1);
}

// The level is the first that leaves few enough entries, in whatever order they came.
TEST(SampleLevel, FollowsFromTheEntriesAlone) {
    std::mt19937 random(1);
    for (int run = 0; run < 200; ++run) {
        std::vector<std::uint32_t> entries;
        for (int i = 0; i < 30; ++i) entries.push_back(random() % 3 ? random() % 3 : 5);
        const auto members = [&](std::uint32_t level) {
            return std::count_if(entries.begin(), entries.end(),
                                 [&](std::uint32_t one) { return one >= level; });
        };
        std::uint32_t expected = 0;
        while (members(expected) > 10) ++expected;
        SampleLevel level(10);
        SampleLevel::Found* threads[] = {&level.add_thread(), &level.add_thread()};
        for (std::uint32_t entry : entries) {
            if (entry >= level.now()) threads[random() % 2]->count(entry);
            if (random() % 4 == 0) level.settle();  // at any time
        }
        level.settle();
        EXPECT_EQ(level.now(), expected) << "run " << run;
    }
}

// A kernel with one load and one store of 4 bytes.
kernel::Kernel observed() {
    kernel::Kernel kernel;
    for (SiteKind kind : {SiteKind::load, SiteKind::store}) {
        kernel::Site site;
        site.bytes = 4;
        site.kind = kind;
        site.space = ptx::Space::global;
        kernel.sites.push_back(site);
    }
    return kernel;
}

events::Batch batch_of(const Records& records, std::uint64_t block = 0) {
    events::Batch batch;
    batch.records = records.bytes;
    batch.block = block;
    return batch;
}

TEST(L2Sampler, SeesLinesAndSectors) {
    const auto kernel = observed();
    SampleLevel level(1000);
    L2Sampler sampler(kernel, plain_accesses, level);
    sampler.records(batch_of(Records()
                                 .block(0)
                                 .linear(0, 4096, 4)
                                 .block(1)
                                 .linear(1, 8192 + 64, 4, 0xff)
                                 .block(0)
                                 .linear(0, 0, 128, 0x7),
                             5));
    const auto entries = sampler.take();
    ASSERT_EQ(entries.size(), 5u);
    EXPECT_EQ(entries[0].line, 32u);
    EXPECT_EQ(entries[0].sectors, 0xf);
    EXPECT_EQ(entries[0].block, 5u);
    EXPECT_TRUE(entries[0].reads);
    EXPECT_FALSE(entries[0].writes);
    EXPECT_EQ(entries[1].line, 64u);
    EXPECT_EQ(entries[1].sectors, 0x4);
    EXPECT_TRUE(entries[1].writes);
    EXPECT_FALSE(entries[1].reads);
    EXPECT_LT(entries[0].moment, entries[1].moment);
    EXPECT_EQ(entries[2].moment, entries[4].moment) << "one instruction";
}

// A request whose lanes lie close together is looked at line by line, any other lane by lane.
TEST(L2Sampler, LinearRequestsMakeTheEntriesOfTheirAddresses) {
    std::mt19937_64 random(5);
    auto kernel = observed();
    for (int run = 0; run < 3000; ++run) {
        const int bytes = 1 << random() % 5;
        kernel.sites[0].bytes = bytes;
        const std::uint64_t first = 4096 + random() % 300 * static_cast<unsigned>(bytes);
        const auto stride = static_cast<std::int64_t>(random() % 12) * bytes;
        std::uint32_t mask = 0;
        while (mask == 0)
            mask =
                static_cast<std::uint32_t>(random() % 3 ? ~0u << random() % 32 >> random() % 32 : random());
        std::vector<std::uint64_t> addresses;
        for (int lane = 0; lane < 32; ++lane)
            addresses.push_back(first + static_cast<std::uint64_t>(stride * lane));
        const auto entries = [&](const Records& records) {
            SampleLevel level(1000);
            L2Sampler sampler(kernel, plain_accesses, level);
            sampler.records(batch_of(records));
            std::vector<std::pair<std::uint64_t, int>> result;
            for (const SampledAccess& entry : sampler.take()) result.emplace_back(entry.line, entry.sectors);
            return result;
        };
        EXPECT_EQ(entries(Records().linear(0, first, stride, mask)),
                  entries(Records().scattered(0, addresses, mask)))
            << bytes << " bytes, stride " << stride << ", mask " << mask;
    }
}

TEST(L2Sampler, OnlyDeviceMemory) {
    auto kernel = observed();
    kernel.sites[0].space = ptx::Space::none;
    kernel.sites[1].space = ptx::Space::shared;
    SampleLevel level(1000);
    L2Sampler sampler(kernel, plain_accesses, level);
    const Records records = Records()
                                .linear(0, 0x1000, 4)
                                .linear(0, 0x9000, 4)
                                .linear(1, 0x9000, 4)
                                .scattered(0, {0x1000, 0x2000, 0xa000});
    events::Batch batch = batch_of(records);
    batch.windows.shared = {0x1000, 0x800};
    batch.windows.local = {0x2000, 0x800};
    sampler.records(batch);
    const auto entries = sampler.take();
    ASSERT_EQ(entries.size(), 2u);
    EXPECT_EQ(entries[0].line, 0x9000u / 128);
    EXPECT_EQ(entries[1].line, 0xa000u / 128);
}

// Of very many lines, about so many entries stay, and the level says how thin they are.
TEST(L2Sampler, BecomesThinner) {
    const auto kernel = observed();
    SampleLevel level(1000);
    L2Sampler sampler(kernel, plain_accesses, level);
    for (std::uint64_t i = 0; i < 64000; ++i) sampler.records(batch_of(Records().linear(0, i * 128, 4), i));
    const auto entries = sampler.take();
    EXPECT_LE(entries.size(), 1000u);
    EXPECT_GE(entries.size(), 300u);
    EXPECT_NEAR(static_cast<double>(entries.size()) * static_cast<double>(1u << level.now()), 64000, 9000);
    EXPECT_TRUE(level.now() == 6 || level.now() == 7) << level.now();
}

// Lines that are touched often, in any order, by any number of threads: what stays is the same.
TEST(L2Sampler, DoesNotDependOnOrderOrThreads) {
    const auto kernel = observed();
    std::mt19937 random(7);
    std::vector<std::uint64_t> lines;
    for (int i = 0; i < 6000; ++i) lines.push_back(random() % 3 ? random() % 20 : random() % 3000);
    const auto sample = [&](const std::vector<std::uint64_t>& order, int threads) {
        SampleLevel level(200);
        std::vector<std::vector<SampledAccess>> found(static_cast<std::size_t>(threads));
        {
            std::vector<L2Sampler> samplers;
            for (int t = 0; t < threads; ++t) samplers.emplace_back(kernel, plain_accesses, level);
            std::vector<std::thread> running;
            for (int t = 0; t < threads; ++t)
                running.emplace_back([&, t] {
                    for (std::size_t i = static_cast<std::size_t>(t); i < order.size();
                         i += static_cast<std::size_t>(threads))
                        samplers[static_cast<std::size_t>(t)].records(
                            batch_of(Records().linear(0, order[i] * 128, 4)));
                });
            for (std::thread& one : running) one.join();
            for (int t = 0; t < threads; ++t)
                found[static_cast<std::size_t>(t)] = samplers[static_cast<std::size_t>(t)].take();
        }
        std::vector<std::uint64_t> kept;
        for (const auto& one : found)
            for (const SampledAccess& entry : one) kept.push_back(entry.line);
        std::sort(kept.begin(), kept.end());
        return std::pair(level.now(), kept);
    };
    const auto expected = sample(lines, 1);
    EXPECT_GT(expected.first, 0u);
    for (int run = 0; run < 20; ++run) {
        std::shuffle(lines.begin(), lines.end(), random);
        EXPECT_EQ(sample(lines, 1), expected) << "order " << run;
        EXPECT_EQ(sample(lines, 2), expected) << "two threads, order " << run;
    }
}

// Lanes that go from line to line and back: which of these are one entry follows from the thinnest sample
// alone, not from how thin it was when they came.
TEST(L2Sampler, LanesThatComeBackDoNotDependOnOrder) {
    const auto kernel = observed();
    std::mt19937 random(9);
    std::vector<std::uint64_t> blocks(4000);
    std::iota(blocks.begin(), blocks.end(), 0u);
    const auto sample = [&] {
        SampleLevel level(600);
        L2Sampler sampler(kernel, plain_accesses, level);
        for (const std::uint64_t block : blocks) {
            std::vector<std::uint64_t> lanes;
            for (std::uint64_t lane = 0; lane < 32; ++lane)
                lanes.push_back(block * 1024 + lane % 8 * 128 + lane / 8 * 32);
            sampler.records(batch_of(Records().block(0).scattered(0, lanes), block));
        }
        std::vector<std::tuple<std::uint64_t, std::uint64_t, int>> kept;
        for (const SampledAccess& entry : sampler.take())
            kept.emplace_back(entry.block, entry.line, entry.sectors);
        std::sort(kept.begin(), kept.end());
        return std::pair(level.now(), kept);
    };
    const auto expected = sample();
    EXPECT_GT(expected.first, 3u);
    for (int run = 0; run < 20; ++run) {
        std::shuffle(blocks.begin(), blocks.end(), random);
        EXPECT_EQ(sample(), expected) << "order " << run;
    }
}

// Batches told by their form leave the same sample as one by one, moments and all.
TEST(L2Sampler, FormsChangeNothing) {
    const auto kernel = observed();
    std::mt19937_64 random(11);
    SampleLevel plain_level(500), form_level(500);
    L2Sampler plain(kernel, plain_accesses, plain_level), by_form(kernel, plain_accesses, form_level);
    events::BatchForms forms(kernel);
    int repeated = 0;
    for (std::uint64_t i = 0; i < 20000; ++i) {
        const std::uint64_t place = random() % 5000 * 128, other = random() % 5000 * 128;
        Records records;
        // Some go on with straight code that an earlier batch has entered, or end in some.
        if (random() % 2) records.block(0);
        if (random() % 4) records.linear(0, place + random() % 2 * 16, 4, random() % 2 ? ~0u : 0xf0f0u);
        if (random() % 2) records.block(1);
        if (random() % 2) {
            std::vector<std::uint64_t> lanes;
            for (std::uint64_t lane = 0; lane < 32; ++lane)
                lanes.push_back(other + lane % 4 * 256 + lane * 4);
            records.scattered(0, lanes);
        }
        if (random() % 2) records.rows(0, place, 4, {512});
        if (random() % 3) records.block(0);
        if (records.bytes.empty()) continue;
        events::Batch batch = batch_of(records, i / 16);
        batch.warp = static_cast<std::uint32_t>(i % 4);
        plain.records(batch);
        const events::BatchForms::Found found = forms.find(batch);
        ASSERT_TRUE(found.form);
        if (found.is_new) {
            by_form.learn_form(batch);
            by_form.records(batch);
        } else {
            by_form.has_form(batch, *found.form);
            ++repeated;
        }
    }
    EXPECT_GT(repeated, 10000);
    const auto expected = plain.take(), sampled = by_form.take();
    EXPECT_EQ(plain_level.now(), form_level.now());
    ASSERT_EQ(sampled.size(), expected.size());
    for (std::size_t i = 0; i < sampled.size(); ++i) {
        EXPECT_EQ(sampled[i].line, expected[i].line);
        EXPECT_EQ(sampled[i].moment, expected[i].moment);
        EXPECT_EQ(sampled[i].sectors, expected[i].sectors);
        EXPECT_EQ(sampled[i].block, expected[i].block);
        EXPECT_EQ(sampled[i].warp, expected[i].warp);
    }
}

// A cache of least recently used lines without sets.
class WholeCache {
  public:
    explicit WholeCache(std::size_t lines) : most_(lines) {}
    bool touch(std::uint64_t line) {
        const auto known = where_.find(line);
        const bool hit = known != where_.end();
        if (hit) {
            recent_.erase(known->second);
        } else if (recent_.size() == most_) {
            where_.erase(recent_.front());
            recent_.pop_front();
        }
        recent_.push_back(line);
        where_[line] = std::prev(recent_.end());
        return hit;
    }

  private:
    std::size_t most_;
    std::list<std::uint64_t> recent_;
    std::unordered_map<std::uint64_t, std::list<std::uint64_t>::iterator> where_;
};

// Some lines hot, most cold: misses of the sample against misses of all.
TEST_F(SimulatedL2, ASampleIsRightAboutTheWhole) {
    constexpr std::size_t cache_lines = 16384;
    gpu.timing.l2_effective_bytes = cache_lines * line_bytes;
    const auto kernel = observed();
    for (std::uint64_t footprint : {8000u, 20000u, 40000u, 100000u}) {
        std::mt19937 random(3);
        WholeCache whole(cache_lines);
        SampleLevel level(20000);
        L2Sampler sampler(kernel, plain_accesses, level);
        double misses = 0;
        constexpr int accesses = 400000;
        for (int i = 0; i < accesses; ++i) {
            const std::uint64_t line = random() % 2 ? random() % footprint : random() % (footprint / 10);
            misses += !whole.touch(line);
            sampler.records(batch_of(Records().block(0).linear(0, line * 128, 4)));
        }
        const L2Outcome outcome = simulate(sampler.take(), level.now());
        EXPECT_GE(level.now(), 4u);
        EXPECT_NEAR(outcome.miss_share[0], misses / accesses, 0.04) << footprint;
        EXPECT_NEAR(outcome.read_bytes / (misses * 128), 1, 0.15) << footprint;
    }
}

}  // namespace
}  // namespace lockstep::timing
