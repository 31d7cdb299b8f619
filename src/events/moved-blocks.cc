#include "events/moved-blocks.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "events/visit.h"

namespace lockstep::events {
namespace {

using kernel::LaneMask;
using kernel::StepCheck;

// Wide enough for all that values of 64 bits can differ by over a grid.
__extension__ using Wide = __int128;

struct Grows {
    Wide first = 0;
    std::array<Wide, 3> steps{};
};

// Of a value that has `bits`, as its type has it.
Wide read_as(std::uint64_t bits, ptx::Type type) {
    const int unused = 64 - ptx::type_bits(type);
    if (ptx::is_signed(type)) return static_cast<std::int64_t>(bits << unused) >> unused;
    return bits << unused >> unused;
}

// The nearest distance, where values of the type wrap round.
Wide distance(std::uint64_t from, std::uint64_t to, ptx::Type type) {
    const int unused = 64 - ptx::type_bits(type);
    return static_cast<std::int64_t>((to - from) << unused) >> unused;
}

// What an operand is: something that grows, or the least or the greatest of two such.
struct Operand {
    std::array<Grows, 2> parts;
    StepCheck::Kind extreme = StepCheck::Kind::joined;  // none …
    ptx::Type type{};                                   // … or of which type
    bool is_extreme() const { return extreme != StepCheck::Kind::joined; }
};

struct Range {
    Wide least = 0, most = 0;
};

Range range_over(const Grows& value, const GridPlace& extent) {
    Range range{value.first, value.first};
    for (int axis = 0; axis < 3; ++axis) {
        const Wide far = value.steps[axis] * (extent[axis] - 1);
        (far < 0 ? range.least : range.most) += far;
    }
    return range;
}

Range range_over(const Operand& operand, const GridPlace& extent) {
    const Range range = range_over(operand.parts[0], extent);
    if (!operand.is_extreme()) return range;
    const Range other = range_over(operand.parts[1], extent);
    return operand.extreme == StepCheck::Kind::least
               ? Range{std::min(range.least, other.least), std::min(range.most, other.most)}
               : Range{std::max(range.least, other.least), std::max(range.most, other.most)};
}

Range difference_over(const Operand& a, const Operand& b, const GridPlace& extent) {
    if (a.is_extreme() || b.is_extreme()) {
        const Range of_a = range_over(a, extent), of_b = range_over(b, extent);
        return {of_a.least - of_b.most, of_a.most - of_b.least};
    }
    Grows difference{a.parts[0].first - b.parts[0].first, {}};
    for (int axis = 0; axis < 3; ++axis)
        difference.steps[axis] = a.parts[0].steps[axis] - b.parts[0].steps[axis];
    return range_over(difference, extent);
}

bool fits(const Grows& value, ptx::Type type, const GridPlace& extent) {
    const int bits = ptx::type_bits(type);
    const Wide size = Wide{1} << bits, least = ptx::is_signed(type) ? -(size / 2) : 0;
    const Range range = range_over(value, extent);
    return range.least >= least && range.most < least + size;
}

bool fits(const Operand& operand, ptx::Type type, const GridPlace& extent) {
    if (!operand.is_extreme()) return fits(operand.parts[0], type, extent);
    return std::all_of(operand.parts.begin(), operand.parts.end(), [&](const Grows& part) {
        return fits(part, type, extent) && fits(part, operand.type, extent);
    });
}

bool comes_out_alike(StepCheck::Kind kind, const Range& range) {
    switch (kind) {
        case StepCheck::Kind::less: return range.most < 0 || range.least >= 0;
        case StepCheck::Kind::less_or_equal: return range.most <= 0 || range.least > 0;
        default: return range.most < 0 || range.least > 0 || (range.least == 0 && range.most == 0);
    }
}

// Whether one grows in bits that the other, which does not grow, has not.
bool are_apart(const Grows& a, const Grows& b, const GridPlace& extent) {
    const auto grows = [&](const Grows& value) {
        for (int axis = 0; axis < 3; ++axis)
            if (extent[axis] > 1 && value.steps[axis] != 0) return true;
        return false;
    };
    if (grows(a) && grows(b)) return false;
    const Grows& moving = grows(a) ? a : b;
    const Grows& still = grows(a) ? b : a;
    if (!grows(moving)) return true;
    auto bits = static_cast<std::uint64_t>(moving.first);
    for (int axis = 0; axis < 3; ++axis)
        if (extent[axis] > 1) bits |= static_cast<std::uint64_t>(moving.steps[axis]);
    return static_cast<std::uint64_t>(still.first) < (bits & (0 - bits));
}

bool holds(const StepCheck& check, const std::array<Operand, 2>& operands, const GridPlace& extent) {
    const auto& [a, b] = operands;
    switch (check.kind) {
        case StepCheck::Kind::widened: return fits(a, check.type, extent);
        case StepCheck::Kind::joined: return are_apart(a.parts[0], b.parts[0], extent);
        default:
            return fits(a, check.type, extent) && fits(b, check.type, extent) &&
                   comes_out_alike(check.kind, difference_over(a, b, extent));
    }
}

// Makes the extent as small as the check needs it, the slowest axis first. Of one block everything holds.
void shrink(GridPlace& extent, const StepCheck& check, const std::array<Operand, 2>& operands) {
    for (int axis = 2; axis >= 0 && !holds(check, operands, extent); --axis) {
        std::uint32_t good = 0, bad = extent[axis];
        while (bad - good > 1) {
            extent[axis] = good + (bad - good) / 2;
            (holds(check, operands, extent) ? good : bad) = extent[axis];
        }
        extent[axis] = std::max(good, 1u);
    }
}

// Compares the records of blocks, and finds how values and addresses grow from one to the next.
class Comparison {
  public:
    Comparison(const kernel::Kernel& kernel, std::span<const StepCheck> checks, const BlockRecords& first,
               std::array<const BlockRecords*, 3> next, GridPlace extent)
        : kernel_(kernel), checks_(checks), first_(first), next_(next), extent_(extent) {
        for (int axis = 0; axis < 3; ++axis)
            if (extent_[axis] > 1 && !is_alike(*next_[axis])) extent_[axis] = 1;
        for (std::uint32_t warp = 0; warp < first.warps.size(); ++warp) {
            extremes_.clear();
            visit_as_recorded(first.warps[warp].records,
                              [&](std::uint32_t number, const auto& record) { look(warp, number, record); });
        }
    }
    const GridPlace& extent() const { return extent_; }
    std::vector<MovedBlocks::Moved>& moved() { return moved_; }

  private:
    // The same records, but for addresses and values.
    bool is_alike(const BlockRecords& other) const {
        if (!other.whole || other.warps.size() != first_.warps.size()) return false;
        for (std::size_t warp = 0; warp < first_.warps.size(); ++warp) {
            const std::span<const std::byte> own = first_.warps[warp].records,
                                             theirs = other.warps[warp].records;
            if (own.size() != theirs.size()) return false;
            bool same = true;
            visit_as_recorded(own, [&](std::uint32_t, const auto& record) {
                if (same) same = is_same(record, at_same_place(record, own, theirs));
            });
            if (!same) return false;
        }
        return true;
    }
    // Where the memory begins that a block or a warp has for itself: here for one, there for another.
    static std::uint64_t own_memory(const Windows& windows, ptx::Space space) {
        return space == ptx::Space::shared  ? windows.shared.begin
               : space == ptx::Space::local ? windows.local.begin
                                            : 0;
    }
    template <class Record>
    static const Record& at_same_place(const Record& record, std::span<const std::byte> own,
                                       std::span<const std::byte> theirs) {
        return *reinterpret_cast<const Record*>(theirs.data() +
                                                (reinterpret_cast<const std::byte*>(&record) - own.data()));
    }
    // What comes before addresses and values: with it, the sizes and kinds of records agree so far.
    template <class Record>
    static bool is_same(const Record& a, const Record& b) {
        if (a.word != b.word || a.mask != b.mask) return false;
        if constexpr (std::is_same_v<Record, SplitRecord>) return a.taken == b.taken;
        if constexpr (std::is_same_v<Record, LinearAccess>) return a.stride == b.stride;
        if constexpr (std::is_same_v<Record, RowsAccess>)
            return a.stride == b.stride && a.rows == b.rows &&
                   std::equal(a.distances, a.distances + a.rows - 1, b.distances);
        return true;
    }
    static bool is_same(const SlowWayRecord& a, const SlowWayRecord& b) {
        return a.word == b.word && a.count == b.count && std::memcmp(&a, &b, a.size()) == 0;
    }
    static bool is_same(const AllocationRecord&, const AllocationRecord&) { return false; }
    static bool is_same(const ReleaseRecord&, const ReleaseRecord&) { return false; }
    static bool is_same(const TextureAccess&, const TextureAccess&) { return false; }
    static bool is_same(const BulkAccess&, const BulkAccess&) { return false; }

    template <class Record>
    const Record& next_of(int axis, std::uint32_t warp, const Record& record) const {
        return at_same_place(record, first_.warps[warp].records, next_[axis]->warps[warp].records);
    }

    template <class Record>
    void look(std::uint32_t warp, std::uint32_t number, const Record& record) {
        if constexpr (std::is_same_v<Record, ValuesRecord>)
            look_at_values(warp, number, record);
        else if constexpr (std::is_same_v<Record, LinearAccess> || std::is_same_v<Record, RowsAccess>)
            look_at_addresses(warp, number, record, &record.first, 1, LaneMask::of(0));
        else if constexpr (std::is_same_v<Record, ScatteredAccess>)
            look_at_addresses(warp, number, record, record.addresses, kernel::warp_lanes,
                              LaneMask(record.mask));
    }

    void look_at_values(std::uint32_t warp, std::uint32_t number, const ValuesRecord& record) {
        const StepCheck& check = checks_[number];
        std::array<const ValuesRecord*, 3> next{};
        for (int axis = 0; axis < 3; ++axis)
            if (extent_[axis] > 1) next[axis] = &next_of(axis, warp, record);
        LaneMask(record.mask).for_each([&](int lane) {
            std::array<Operand, 2> operands;
            for (std::uint32_t i = 0; i < check.count(); ++i) {
                if (check.extremes[i]) {
                    operands[i] = extremes_[*check.extremes[i]][static_cast<std::size_t>(lane)];
                    continue;
                }
                const std::uint64_t here = record.values[i][lane];
                Grows& value = operands[i].parts[0];
                value.first = read_as(here, check.type);
                for (int axis = 0; axis < 3; ++axis)
                    if (next[axis])
                        value.steps[axis] = distance(here, next[axis]->values[i][lane], check.type);
            }
            if (check.is_extreme())
                extremes_[number][static_cast<std::size_t>(lane)] = {
                    {operands[0].parts[0], operands[1].parts[0]}, check.kind, check.type};
            else
                shrink(extent_, check, operands);
        });
    }

    template <class Record>
    void look_at_addresses(std::uint32_t warp, std::uint32_t site, const Record& record,
                           const std::uint64_t* addresses, std::uint32_t count, LaneMask lanes) {
        const auto place = static_cast<std::uint32_t>(reinterpret_cast<const std::byte*>(addresses) -
                                                      first_.warps[warp].records.data());
        const ptx::Space space = kernel_.sites[site].space;
        MovedBlocks::Moved& moved = moved_.emplace_back();
        moved.warp = warp;
        moved.at = place;
        moved.lanes = count > 1;
        for (int axis = 0; axis < 3; ++axis) {
            if (extent_[axis] == 1) continue;
            const auto* next = reinterpret_cast<const std::uint64_t*>(
                reinterpret_cast<const std::byte*>(&next_of(axis, warp, record)) +
                (reinterpret_cast<const std::byte*>(addresses) -
                 reinterpret_cast<const std::byte*>(&record)));
            const std::uint64_t apart = own_memory(next_[axis]->warps[warp].windows, space) -
                                        own_memory(first_.warps[warp].windows, space);
            const auto grown = [&](int lane) { return next[lane] - addresses[lane] - apart; };
            const std::uint64_t step = grown(lanes.first());
            bool same = step == 0 || space == ptx::Space::global;
            lanes.for_each([&](int lane) { same &= grown(lane) == step; });
            if (!same) extent_[axis] = 1;
            moved.steps[axis] = static_cast<std::int64_t>(step);
        }
    }

    const kernel::Kernel& kernel_;
    std::span<const StepCheck> checks_;
    const BlockRecords& first_;
    std::array<const BlockRecords*, 3> next_;
    GridPlace extent_;
    std::vector<MovedBlocks::Moved> moved_;
    // By check, of the warp that is looked at: what its lanes have found last.
    std::map<std::uint32_t, std::array<Operand, kernel::warp_lanes>> extremes_;
};

// The first block's records without values, which nobody else knows, and the addresses where they are then.
BlockRecords without_values(const BlockRecords& block, std::vector<MovedBlocks::Moved>& moved) {
    BlockRecords all;
    auto next = moved.begin();
    for (std::uint32_t w = 0; w < block.warps.size(); ++w) {
        const std::span<const std::byte> records = block.warps[w].records;
        std::vector<std::byte> kept;
        visit_as_recorded(records, [&]<class Record>(std::uint32_t, const Record& record) {
            const auto* bytes = reinterpret_cast<const std::byte*>(&record);
            const auto begin = static_cast<std::size_t>(bytes - records.data());
            if constexpr (!std::is_same_v<Record, ValuesRecord>) {
                for (; next != moved.end() && next->warp == w && next->at < begin + size_of(record); ++next)
                    next->at = static_cast<std::uint32_t>(kept.size() + next->at - begin);
                kept.insert(kept.end(), bytes, bytes + size_of(record));
            }
        });
        all.warps.push_back(block.warps[w]);
        all.warps.back().recorded = profile_wants;
        all.bytes.push_back(std::move(kept));
        all.warps.back().records = all.bytes.back();
    }
    return all;
}

}  // namespace

void BlockKeeper::records(const Batch& batch) {
    BlockRecords& block = blocks_[batch.block];
    if (block.warps.size() <= batch.warp) {
        block.warps.resize(batch.warp + 1);
        block.bytes.resize(batch.warp + 1);
    }
    std::vector<std::byte>& bytes = block.bytes[batch.warp];
    if (bytes.size() + batch.records.size() > most_bytes) block.whole = false;
    if (!block.whole) return;
    bytes.insert(bytes.end(), batch.records.begin(), batch.records.end());
    block.warps[batch.warp] = batch;
    block.warps[batch.warp].records = bytes;
}

MovedBlocks MovedBlocks::find(const kernel::Kernel& kernel, std::span<const StepCheck> checks,
                              const GridPlace& grid, const GridBox& box, const BlockRecords& first,
                              const std::array<const BlockRecords*, 3>& next) {
    GridPlace extent{};
    for (int axis = 0; axis < 3; ++axis) extent[axis] = first.whole ? box.end[axis] - box.begin[axis] : 1;
    Comparison compared(kernel, checks, first, next, extent);
    MovedBlocks blocks;
    blocks.grid_ = grid;
    blocks.box_.begin = box.begin;
    for (int axis = 0; axis < 3; ++axis) blocks.box_.end[axis] = box.begin[axis] + compared.extent()[axis];
    blocks.moved_ = std::move(compared.moved());
    blocks.first_ = without_values(first, blocks.moved_);
    blocks.other_ = blocks.first_;
    for (std::size_t w = 0; w < blocks.other_.warps.size(); ++w)
        blocks.other_.warps[w].records = blocks.other_.bytes[w];
    for (const Moved& moved : blocks.moved_)
        for (int axis = 0; axis < 3; ++axis) {
            if (compared.extent()[axis] == 1) continue;
            const auto step = static_cast<std::uint64_t>(moved.steps[axis]);
            const std::uint64_t whole = std::gcd(step, form_bytes);
            blocks.periods_[axis] =
                std::max(blocks.periods_[axis], static_cast<std::uint32_t>(form_bytes / whole));
        }
    return blocks;
}

bool MovedBlocks::is_seen(std::uint64_t block) const {
    return std::binary_search(seen_.begin(), seen_.end(), block);
}

bool MovedBlocks::has(std::uint64_t block) const {
    const GridPlace place = place_of(block, grid_);
    for (int axis = 0; axis < 3; ++axis)
        if (place[axis] < box_.begin[axis] || place[axis] >= box_.end[axis]) return false;
    return true;
}

void MovedBlocks::for_each_form(const std::function<void(const Form&)>& f) const {
    GridPlace at{};
    for (at[2] = 0; at[2] < periods_[2]; ++at[2])
        for (at[1] = 0; at[1] < periods_[1]; ++at[1])
            for (at[0] = 0; at[0] < periods_[0]; ++at[0]) {
                Form form;
                form.unseen = 1;
                for (int axis = 0; axis < 3; ++axis) {
                    form.first[axis] = box_.begin[axis] + at[axis];
                    const std::uint32_t extent = box_.end[axis] - box_.begin[axis];
                    form.count[axis] = at[axis] < extent ? (extent - at[axis] - 1) / periods_[axis] + 1 : 0;
                    form.unseen *= form.count[axis];
                }
                if (form.unseen == 0) continue;
                for (const std::uint64_t block : seen_) {
                    const GridPlace place = place_of(block, grid_);
                    bool has = true;
                    for (int axis = 0; axis < 3; ++axis)
                        has &= (place[axis] - box_.begin[axis]) % periods_[axis] == at[axis];
                    form.unseen -= has;
                }
                f(form);
            }
}

std::span<const Batch> MovedBlocks::records_of(const GridPlace& block) {
    for (std::size_t w = 0; w < first_.bytes.size(); ++w) {
        std::copy(first_.bytes[w].begin(), first_.bytes[w].end(), other_.bytes[w].begin());
        other_.warps[w].block = number_of(block, grid_);
    }
    for (const Moved& one : moved_) {
        std::uint64_t by = 0;
        for (int axis = 0; axis < 3; ++axis)
            by += static_cast<std::uint64_t>(one.steps[axis]) * (block[axis] - box_.begin[axis]);
        auto* addresses = reinterpret_cast<std::uint64_t*>(other_.bytes[one.warp].data() + one.at);
        for (int lane = 0; lane < (one.lanes ? kernel::warp_lanes : 1); ++lane) addresses[lane] += by;
    }
    return other_.warps;
}

}  // namespace lockstep::events
