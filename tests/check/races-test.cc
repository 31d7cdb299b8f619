// Races against what the definition says of the same accesses, byte by byte: whether there is one.
#include "check/races.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <random>
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
    RandomAccesses(unsigned seed, bool shared, int most_bytes, Findings& findings)
        : random_(seed), shared_(shared) {
        for (int bytes = 1; bytes <= most_bytes; bytes *= 2)
            for (const bool writes : {false, true}) {
                kernel::Site site;
                site.bytes = bytes;
                site.kind = writes ? kernel::SiteKind::store : kernel::SiteKind::load;
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
        const std::uint32_t form = below(4);
        const std::uint64_t first = below(static_cast<std::uint32_t>(places));
        // Linear where it fits: neighbours, or all at one place.
        const std::uint64_t step = form == 0 ? 0 : 1;
        if (form <= 1 && first + step * 31 < places) {
            for (std::uint64_t lane = 0; lane < warp_lanes; ++lane)
                addresses[lane] = begin + (first + step * lane) * bytes;
            order_.at(block, warp);
            races_->access(site, mask, addresses[0], static_cast<std::int64_t>(step * bytes), windows_);
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
        RandomAccesses accesses(seed, GetParam(), seed % 2 ? 16 : 4, **findings);
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

INSTANTIATE_TEST_SUITE_P(Memory, Races_, testing::Bool(),
                         [](const auto& info) { return info.param ? "Shared" : "Global"; });

}  // namespace
}  // namespace lockstep::check
