// Races against what the definition says of the same accesses, byte by byte: whether there is one.
#include "check/races.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <set>
#include <vector>

namespace lockstep::check {
namespace {

constexpr std::uint32_t warps = 3, blocks = 2;
constexpr std::uint64_t global_begin = 0x700000, shared_begin = 0x10000, extent = 256;

// What a byte has seen.
struct Access {
    std::uint32_t block = 0, warp = 0;
    int lane = 0;
    std::uint32_t epoch = 0, meeting = 0;  // barriers of the block, and meetings of the warp before it
    bool writes = false;
};

class RandomAccesses {
  public:
    // `named`: instructions say which memory it is.
    RandomAccesses(unsigned seed, bool shared, bool named, int most_bytes, Findings& findings)
        : random_(seed), shared_(shared) {
        for (int bytes = 1; bytes <= most_bytes; bytes *= 2)
            for (const bool writes : {false, true}) {
                kernel::Site site;
                site.bytes = bytes;
                site.kind = writes ? kernel::SiteKind::store : kernel::SiteKind::load;
                if (named) site.space = shared ? ptx::Space::shared : ptx::Space::global;
                kernel_.sites.push_back(site);
                code_.sites.push_back({.reads = !writes, .writes = writes});
            }
        code_.kernel = &kernel_;
        if (shared) windows_.shared = {shared_begin, extent};
        races_ = std::make_unique<Races>(code_, false, memory_, order_, findings,
                                         [](std::uint32_t, std::uint32_t, int) { return std::string(); });
    }

    bool are_told() const { return !races_->racing().empty(); }
    bool are_there() const { return race_; }

    void step() {
        const std::uint32_t what = below(10);
        if (what == 0) return barrier(below(shared_ ? 1 : blocks));
        const std::uint32_t block = below(shared_ ? 1 : blocks), warp = below(warps);
        order_.at(block, warp);
        order_.go_on(~Lanes{0});
        if (what == 1) {
            order_.meet(~Lanes{0}, true);
            ++meetings_[block][warp];
            return;
        }
        access(block, warp);
    }

  private:
    std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }

    void barrier(std::uint32_t block) {
        for (std::uint32_t w = 0; w < warps; ++w) {
            order_.at(block, w);
            order_.arrive_all(~Lanes{0});
        }
        for (std::uint32_t w = 0; w < warps; ++w) {
            order_.at(block, w);
            order_.go_on(~Lanes{0});
        }
        ++epochs_[block];
    }

    void access(std::uint32_t block, std::uint32_t warp) {
        // Stores are rarer, and mostly to a part of the memory, or all would race.
        const std::uint32_t kind = below(static_cast<std::uint32_t>(kernel_.sites.size() / 2));
        const bool writes = below(4) == 0;
        const std::uint32_t site = kind * 2 + writes;
        const auto bytes = static_cast<std::uint64_t>(kernel_.sites[site].bytes);
        const std::uint64_t places = extent / bytes, begin = shared_ ? shared_begin : global_begin;
        Lanes mask = ~Lanes{0};
        switch (below(4)) {
            case 0: mask = (Lanes{1} << (1 + below(31))) - 1; break;
            case 1: mask = Lanes{1} << below(32); break;
            case 2: mask = static_cast<Lanes>(random_()) | 1; break;
            default: break;
        }
        std::uint64_t addresses[warp_lanes];
        const std::uint32_t form = below(5);
        const std::uint64_t first = below(static_cast<std::uint32_t>(places));
        // Linear where it fits: neighbours, or all at one place.
        const std::uint64_t step = form == 0 ? 0 : 1;
        if (form <= 1 && first + step * 31 < places) {
            for (std::uint64_t lane = 0; lane < warp_lanes; ++lane)
                addresses[lane] = begin + (first + step * lane) * bytes;
            order_.at(block, warp);
            races_->access(site, mask, addresses[0], static_cast<std::int64_t>(step * bytes), windows_);
        } else if (form == 4) {
            // Rows anywhere, one behind the other, or at the same place; of neighbours, or all at one place.
            events::RowsAccess rows{.mask = mask};
            rows.rows = 2u << below(2);
            rows.stride = below(3) ? static_cast<std::int32_t>(bytes) : 0;
            const std::uint64_t row_bytes =
                (rows.stride ? static_cast<std::uint64_t>(rows.width()) : 1) * bytes;
            if (row_bytes > extent) return;
            const auto anywhere = [&] {
                return begin + below(static_cast<std::uint32_t>((extent - row_bytes) / bytes + 1)) * bytes;
            };
            rows.first = anywhere();
            for (std::uint32_t row = 1; row < rows.rows; ++row) {
                const std::uint64_t behind = rows.begin(row - 1) + row_bytes;
                const std::uint32_t where = below(3);
                const std::uint64_t at = where == 0 ? rows.begin(row - 1)
                                         : where == 1 && behind + row_bytes <= begin + extent ? behind
                                                                                              : anywhere();
                rows.distances[row - 1] = static_cast<std::int64_t>(at - rows.first);
            }
            const events::ScatteredAccess all = rows.scattered();
            std::copy_n(all.addresses, warp_lanes, addresses);
            order_.at(block, warp);
            races_->access(site, rows, windows_);
        } else {
            std::uint64_t place = first;
            for (std::uint64_t& address : addresses) {
                address = begin + place * bytes;
                const std::uint32_t next = below(8);  // mostly the neighbour, or the same
                place = next < 5   ? (place + 1) % places
                        : next < 7 ? place
                                   : below(static_cast<std::uint32_t>(places));
            }
            order_.at(block, warp);
            races_->access(site, mask, addresses, windows_);
        }
        for (int lane = 0; lane < warp_lanes; ++lane) {
            if (!(mask >> lane & 1)) continue;
            const Access now{block, warp, lane, epochs_[block], meetings_[block][warp], writes};
            for (std::uint64_t b = 0; b < bytes; ++b) {
                std::vector<Access>& seen = seen_[addresses[lane] - begin + b];
                for (const Access& earlier : seen) race_ |= is_race(earlier, now);
                seen.push_back(now);
            }
        }
    }

    static bool is_race(const Access& a, const Access& b) {
        if (!a.writes && !b.writes) return false;
        if (a.block != b.block) return true;
        if (a.epoch < b.epoch) return false;
        if (a.warp != b.warp) return true;
        return a.lane != b.lane && a.meeting == b.meeting;
    }

    std::mt19937 random_;
    bool shared_;
    kernel::Kernel kernel_;
    KernelCode code_;
    RaceMemory memory_;
    Order order_{warps};
    events::Windows windows_;
    std::unique_ptr<Races> races_;
    std::array<std::uint32_t, blocks> epochs_{};
    std::array<std::array<std::uint32_t, warps>, blocks> meetings_{};
    std::array<std::vector<Access>, extent> seen_{};
    bool race_ = false;
};

class Races_ : public testing::TestWithParam<bool> {};

TEST_P(Races_, AreThoseOfTheDefinition) {
    const auto file = std::filesystem::temp_directory_path() / "lockstep-races-test";
    auto findings = Findings::open(file);
    ASSERT_TRUE(findings);
    int with = 0, without = 0;
    for (unsigned seed = 0; seed < 4000; ++seed) {
        RandomAccesses accesses(seed, GetParam(), seed % 4 >= 2, seed % 2 ? 16 : 4, **findings);
        for (unsigned i = 0; i < 2 + seed % 12; ++i) {
            accesses.step();
            ASSERT_EQ(accesses.are_told(), accesses.are_there()) << "seed " << seed << ", step " << i;
            if (accesses.are_there()) break;
        }
        ++(accesses.are_there() ? with : without);
    }
    std::filesystem::remove(file);
    EXPECT_GT(with, 500);
    EXPECT_GT(without, 500);
}

// An instruction that reads a word, and one that writes one.
struct ReadAndWrite {
    explicit ReadAndWrite(ptx::Space space) {
        for (const bool writes : {false, true}) {
            kernel::Site site;
            site.bytes = 4;
            site.kind = writes ? kernel::SiteKind::store : kernel::SiteKind::load;
            site.space = space;
            kernel.sites.push_back(site);
            code.sites.push_back({.reads = !writes, .writes = writes});
        }
        code.kernel = &kernel;
    }
    kernel::Kernel kernel;
    KernelCode code;
};
std::string nobody(std::uint32_t, std::uint32_t, int) { return ""; }

// Reads of what two blocks have read are passed over, until somebody writes there.
TEST(RacesOfReaders, AreSeenWhereManyHaveRead) {
    const auto file = std::filesystem::temp_directory_path() / "lockstep-readers-test";
    auto findings = Findings::open(file);
    ASSERT_TRUE(findings);
    const ReadAndWrite kernel(ptx::Space::global);
    for (const std::int32_t stride : {0, 4}) {
        RaceMemory memory;
        Order order(1);
        Races races(kernel.code, false, memory, order, **findings, nobody);
        const auto read = [&](Races& by, std::uint64_t address) {
            events::RowsAccess rows{.mask = ~Lanes{0}, .stride = stride, .rows = 2, .first = address};
            by.access(0, rows, {});
        };
        for (std::uint32_t block = 0; block < 4; ++block) {
            order.at(block, 0);
            for (std::uint64_t at = 0; at < 128; at += stride ? 64 : 4) read(races, global_begin + at);
        }
        EXPECT_TRUE(races.racing().empty());
        order.at(9, 0);
        races.access(1, ~Lanes{0}, global_begin, 4, {});
        EXPECT_EQ(races.racing(), (std::set<std::uint32_t>{0, 1})) << stride;
        // Those that come after it are not passed over.
        memory.global.instances.forget();
        Races next(kernel.code, false, memory, order, **findings, nobody);
        order.at(10, 0);
        next.access(1, ~Lanes{0}, global_begin, 4, {});
        order.at(11, 0);
        read(next, global_begin);
        EXPECT_EQ(next.racing(), (std::set<std::uint32_t>{0, 1})) << stride;
    }
    std::filesystem::remove(file);
}

// Of rounds that are said to be quiet no two accesses may race.
TEST(QuietRounds_, AreWithoutRaces) {
    const auto file = std::filesystem::temp_directory_path() / "lockstep-rounds-test";
    auto findings = Findings::open(file);
    ASSERT_TRUE(findings);
    const ReadAndWrite kernel(ptx::Space::shared);
    RaceMemory memory;
    Order order(warps);
    RaceLog log(kernel.code, **findings, nobody, {});
    RaceJudge judge(kernel.code, false, memory, order, log);
    QuietRounds rounds(judge);
    order.at(0, 0);
    int quiet = 0, between = 0;
    std::mt19937 random(1);
    const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
    for (int i = 0; i < 4000; ++i) {
        std::array<std::vector<std::byte>, warps> records;
        struct Touched {
            std::uint32_t warp, lane;
            bool writes;
        };
        std::vector<std::vector<Touched>> seen(4096);
        bool race = false;
        // A write and a read of each of some warps, in a part of its own or not: strides and masks as of
        // sums.
        const std::uint64_t step = 1u << below(3);
        const std::uint32_t those = 1 + below(warps);
        for (std::uint32_t warp = 0; warp < those; ++warp)
            for (std::uint32_t site : {1u, 0u}) {
                std::uint32_t mask = below(2) ? ~0u : 0x55555555u << below(2);
                if (below(2)) mask >>= below(31);
                const std::uint64_t first = shared_begin + 4 * (256 * warp + below(3) * below(24));
                events::ScatteredAccess all;
                const std::uint32_t form = below(3);
                const auto keep = [&](const auto& record, std::size_t size) {
                    const auto* bytes = reinterpret_cast<const std::byte*>(&record);
                    records[warp].insert(records[warp].end(), bytes, bytes + size);
                };
                if (form < 2) {
                    const events::LinearAccess line{events::tagged(events::Tag::linear_access, site), mask,
                                                    first, static_cast<std::int64_t>(4 * step)};
                    events::lane_addresses(line, all.addresses);
                    all.word = events::tagged(events::Tag::scattered_access, site), all.mask = mask;
                    form == 0 ? keep(line, sizeof line) : keep(all, sizeof all);
                } else {
                    events::RowsAccess rows{.word = events::tagged(events::Tag::rows_access, site),
                                            .mask = mask,
                                            .stride = static_cast<std::int32_t>(4 * below(3)),
                                            .rows = 2,
                                            .first = first};
                    rows.distances[0] = 4 * below(40);
                    all = rows.scattered();
                    keep(rows, rows.size());
                }
                for (std::uint32_t lane = 0; lane < warp_lanes; ++lane) {
                    if (!(mask >> lane & 1)) continue;
                    auto& here = seen[(all.addresses[lane] - shared_begin) / 4];
                    for (const Touched& other : here)
                        race |= (site || other.writes) && (other.warp != warp || other.lane != lane);
                    here.push_back({warp, lane, site == 1});
                }
            }
        std::vector<events::Batch> batches;
        std::vector<const events::Batch*> pointers;
        for (std::uint32_t warp = 0; warp < those; ++warp) {
            batches.push_back({.records = records[warp], .warp = warp});
            batches.back().windows.shared = {shared_begin, 16384};
        }
        for (const events::Batch& batch : batches) pointers.push_back(&batch);
        const bool said = rounds.is_quiet(pointers);
        ASSERT_FALSE(said && race) << i;
        quiet += said;
        between += !race;
    }
    std::filesystem::remove(file);
    EXPECT_GT(quiet, 400);
    EXPECT_GT(between, quiet);
}

// In a sum of neighbours a lane adds what another of its warp has left, which does nothing in that step; and
// lanes with a stride that grows, as the code runs, read what lies between.
TEST(QuietRounds_, AreThoseOfSumsWithinAWarp) {
    const auto file = std::filesystem::temp_directory_path() / "lockstep-sums-test";
    auto findings = Findings::open(file);
    ASSERT_TRUE(findings);
    const ReadAndWrite kernel(ptx::Space::shared);
    RaceMemory memory;
    Order order(warps);
    RaceLog log(kernel.code, **findings, nobody, {});
    RaceJudge judge(kernel.code, false, memory, order, log);
    QuietRounds rounds(judge);
    order.at(0, 0);
    const auto is_quiet = [&](const std::vector<events::ScatteredAccess>& accesses) {
        const auto* bytes = reinterpret_cast<const std::byte*>(accesses.data());
        events::Batch batch{.records = {bytes, accesses.size() * sizeof accesses[0]}};
        batch.windows.shared = {shared_begin, 16384};
        const events::Batch* const one = &batch;
        return rounds.is_quiet({&one, 1});
    };
    const auto access = [](std::uint32_t site, Lanes mask, std::uint64_t first, std::uint64_t step) {
        events::ScatteredAccess all{events::tagged(events::Tag::scattered_access, site), mask, {}};
        for (std::uint64_t lane = 0; lane < warp_lanes; ++lane)
            all.addresses[lane] = shared_begin + 4 * (first + step * lane);
        return all;
    };
    constexpr Lanes even = 0x55555555;
    EXPECT_TRUE(is_quiet({access(0, even, 1, 1), access(0, even, 0, 1), access(1, even, 0, 1)}));
    EXPECT_FALSE(is_quiet({access(0, even, 2, 1), access(1, even, 0, 1)}));
    EXPECT_TRUE(is_quiet({access(0, ~Lanes{0}, 2, 4), access(1, ~Lanes{0}, 0, 4)}));
    EXPECT_FALSE(is_quiet({access(0, ~Lanes{0}, 4, 4), access(1, ~Lanes{0}, 0, 4)}));
    std::filesystem::remove(file);
}

INSTANTIATE_TEST_SUITE_P(Memory, Races_, testing::Bool(),
                         [](const auto& info) { return info.param ? "Shared" : "Global"; });

}  // namespace
}  // namespace lockstep::check
