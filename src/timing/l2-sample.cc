#include "timing/l2-sample.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/cpu-clones.h"
#include "counters/geometry.h"
#include "counters/memory-at.h"
#include "events/visit.h"
#include "timing/cache.h"
#include "timing/numbering.h"
#include "timing/trace.h"

namespace lockstep::timing {
namespace {

using counters::line_bytes;
using counters::sector_bytes;
using counters::sectors_between;
using kernel::LaneMask;
using kernel::SiteKind;

constexpr std::uint32_t entries_a_look = 1024;  // made between looks at how thin the sample has to be

// Spreads lines evenly, also those a power of two apart, and in words that a vector unit multiplies.
std::uint32_t hash_of(std::uint64_t line) {
    auto hash = static_cast<std::uint32_t>(line ^ line >> 32);
    hash = (hash ^ hash >> 16) * 0x85ebca6bu;
    return (hash ^ hash >> 13) * 0xc2b2ae35u;
}

// Of how many samples, each half as dense as the one before, the line is a member.
std::uint32_t level_of(std::uint64_t line) {
    return static_cast<std::uint32_t>(std::countl_zero(hash_of(line)));
}

// The bits that are 0 in the hash of a line of the sample.
std::uint32_t hash_mask(std::uint32_t level) { return static_cast<std::uint32_t>(~(0xffffffffull >> level)); }

bool in_sample(std::uint64_t line, std::uint32_t mask) { return (hash_of(line) & mask) == 0; }

// Whether any of these lines is in the sample, so many bytes behind an address. For a few, and for many.
constexpr std::uint32_t worth_a_vector = 4;
bool has_sampled(std::uint64_t address, const std::uint64_t* bytes, std::uint32_t count, std::uint32_t mask) {
    for (std::uint32_t i = 0; i < count; ++i)
        if (in_sample((address + bytes[i]) / line_bytes, mask)) return true;
    return false;
}
LOCKSTEP_CPU_CLONES bool have_sampled(std::uint64_t address, const std::uint64_t* bytes, std::uint32_t count,
                                      std::uint32_t mask) {
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < count; ++i)
        found |= (hash_of((address + bytes[i]) / line_bytes) & mask) == 0;
    return found != 0;
}

// The same for many addresses, each so far behind the one before: a bit for each of 32.
LOCKSTEP_CPU_CLONES std::uint32_t moves_in_sample(std::uint64_t address, std::uint64_t step,
                                                  const std::uint64_t* bytes, std::uint32_t count,
                                                  std::uint32_t mask) {
    std::uint32_t hits[32] = {};
    for (std::uint32_t i = 0; i < count; ++i)
        for (std::uint32_t move = 0; move < 32; ++move)
            hits[move] |= (hash_of((address + bytes[i] + move * step) / line_bytes) & mask) == 0;
    std::uint32_t found = 0;
    for (std::uint32_t move = 0; move < 32; ++move) found |= hits[move] << move;
    return found;
}

// Of all 32, whether they take part or not.
LOCKSTEP_CPU_CLONES std::uint32_t lanes_in_sample(const std::uint64_t* addresses, std::uint32_t mask) {
    std::uint32_t found = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        found |= static_cast<std::uint32_t>((hash_of(addresses[lane] / line_bytes) & mask) == 0) << lane;
    return found;
}

// Calls each(line, sectors, times) for the lines that these lanes touch, so many bytes each. Neighbours in
// one line make one; `times`: how many they would make if all the lanes of the access were looked at.
template <class Each>
void lines_of(LaneMask lanes, LaneMask of_access, const std::uint64_t* addresses, std::uint64_t bytes,
              Each each) {
    std::uint64_t last = 0;
    std::uint8_t sectors = 0;  // of the last line; none: there is none
    std::uint32_t times = 0;
    int last_lane = 0;
    lanes.for_each([&](int lane) {
        const std::uint64_t line = addresses[lane] / line_bytes, first = addresses[lane] % line_bytes;
        const std::uint8_t here =
            sectors_between(first, std::min<std::uint64_t>(first + bytes, line_bytes) - 1);
        const int before = std::exchange(last_lane, lane);
        if (sectors && line == last) {
            sectors |= here;
            times += !(LaneMask::range(before + 1, lane - before - 1) & of_access).empty();
            return;
        }
        if (sectors) each(last, sectors, times);
        last = line;
        sectors = here;
        times = 1;
    });
    if (sectors) each(last, sectors, times);
}

// The same for the lines of an access that are in the sample.
template <class Each>
void sampled_lines(const events::LinearAccess& access, std::uint64_t bytes, std::uint32_t mask, Each each) {
    if (access.stride >= 0 && access.stride <= static_cast<std::int64_t>(sector_bytes)) {
        // No sector between the first and the last lane's is left out, if no lane is.
        const auto stride = static_cast<std::uint64_t>(access.stride);
        const LaneMask lanes(access.mask);
        const auto first_lane = static_cast<std::uint64_t>(lanes.first());
        const auto last_lane = static_cast<std::uint64_t>(lanes.last());
        const bool all_lanes = lanes.contiguous();
        const std::uint64_t first = access.first + stride * first_lane;
        const std::uint64_t last = access.first + stride * last_lane;
        const std::uint64_t last_line = last / line_bytes;
        bool any = false;
        for (std::uint64_t line = first / line_bytes; line <= last_line; ++line) {
            if (!in_sample(line, mask)) continue;
            any = true;
            if (!all_lanes) break;
            each(line,
                 sectors_between(line == first / line_bytes ? first % line_bytes : 0,
                                 line == last_line
                                     ? std::min<std::uint64_t>(last % line_bytes + bytes, line_bytes) - 1
                                     : line_bytes - 1),
                 1u);
        }
        if (!any || all_lanes) return;
    }
    std::uint64_t addresses[kernel::warp_lanes];
    events::lane_addresses(access, addresses);
    lines_of(LaneMask(lanes_in_sample(addresses, mask) & access.mask), LaneMask(access.mask), addresses,
             bytes, each);
}

constexpr std::uint32_t all_lines = 0;  // as a mask of the sample

constexpr std::uint64_t spread = 0x9e3779b97f4a7c15u;

struct LineKey {
    std::uint64_t line = 0;
    bool operator==(const LineKey&) const = default;
    std::uint64_t hash() const { return line * spread; }
};

// What has been read of a line: by each block, and when its sectors were asked for last. Most lines are read
// by one block only.
class LineReads {
  public:
    struct Line {
        std::uint64_t block = no_block;                                  // that read it first,
        std::uint8_t had = 0;                                            // and what
        std::array<std::uint32_t, counters::line_sectors> fetched_at{};  // moments
    };
    // Of the line that is accessed. It is there until the next is asked for.
    Line& line(const SampledAccess& access) {
        number_ = known_.of({access.line});
        if (number_ == lines_.size()) lines_.emplace_back().block = access.block;
        return lines_[number_];
    }
    // Those of the access's sectors that its block reads for the first time.
    std::uint8_t add(Line& line, const SampledAccess& access) {
        std::uint8_t& had = line.block == access.block ? line.had : other(access.block);
        const auto fresh = static_cast<std::uint8_t>(access.sectors & ~had);
        had |= access.sectors;
        return fresh;
    }

  private:
    static constexpr std::uint64_t no_block = ~std::uint64_t{0};
    struct BlockKey {
        std::uint64_t line = 0, block = 0;  // the line's number
        bool operator==(const BlockKey&) const = default;
        std::uint64_t hash() const { return (line * spread ^ block) * spread; }
    };
    std::uint8_t& other(std::uint64_t block) {
        const std::uint32_t number = others_.of({number_, block});
        if (number == had_.size()) had_.push_back(0);
        return had_[number];
    }
    Numbering<LineKey> known_;
    std::vector<Line> lines_;
    std::uint32_t number_ = 0;  // of the line that was asked for
    Numbering<BlockKey> others_;
    std::vector<std::uint8_t> had_;  // of blocks that were not a line's first
};

// When blocks that are resident together are at the same moment together.
struct Moment {
    std::uint64_t wave = 0;  // of blocks that are resident together
    std::uint32_t moment = 0, order = 0;
    auto operator<=>(const Moment&) const = default;
    std::uint64_t hash() const { return ((wave * spread ^ moment) * spread ^ order) * spread; }
};

// An access, with what it is ordered by among those of its moment.
struct Turn {
    WarpNumber warp = 0;
    std::uint64_t line = 0;
    const SampledAccess* access = nullptr;
    // Those that compare the same are the same.
    bool operator<(const Turn& other) const {
        if (warp != other.warp) return warp < other.warp;
        if (line != other.line) return line < other.line;
        return std::tie(access->site, access->sectors) < std::tie(other.access->site, other.access->sectors);
    }
};

// All accesses in the order in which the L2 sees them: warps that are resident together advance together.
struct Turns {
    std::vector<Turn> all;
    struct Part {
        Moment when;
        std::size_t end = 0;
    };
    std::vector<Part> parts;
};

Turns in_turn(std::span<const SampledAccess> entries, std::span<const SampledSite> sites,
              std::uint64_t resident) {
    // There are few moments, and those of one mostly come in order already.
    Numbering<Moment> moments;
    std::vector<std::uint32_t> number(entries.size());
    Moment last;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Moment when{entries[i].block / resident, entries[i].moment, sites[entries[i].site].order};
        number[i] = i && when == last ? number[i - 1] : moments.of(when);
        last = when;
    }
    std::vector<std::uint32_t> sorted(moments.size());
    std::iota(sorted.begin(), sorted.end(), 0u);
    std::sort(sorted.begin(), sorted.end(),
              [&](std::uint32_t a, std::uint32_t b) { return moments.keys()[a] < moments.keys()[b]; });
    std::vector<std::size_t> sizes(moments.size()), ends(moments.size());
    for (const std::uint32_t each : number) ++sizes[each];
    std::size_t before = 0;
    for (const std::uint32_t each : sorted) {
        ends[each] = before;
        before += sizes[each];
    }
    Turns turns;
    turns.all.resize(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i)
        turns.all[ends[number[i]]++] = {entries[i].block * most_warps + entries[i].warp, entries[i].line,
                                        &entries[i]};
    auto begin = turns.all.begin();
    for (const std::uint32_t each : sorted) {
        const auto end = turns.all.begin() + static_cast<std::ptrdiff_t>(ends[each]);
        if (!std::is_sorted(begin, end)) std::sort(begin, end);
        turns.parts.push_back({moments.keys()[each], ends[each]});
        begin = end;
    }
    return turns;
}

// What the L2 keeps of a line.
struct SampledLine {
    std::uint8_t valid = 0, dirty = 0;  // sectors
};

}  // namespace

std::uint64_t SampleLevel::entries_from(std::uint32_t level) const {
    std::uint64_t all = 0;
    for (const Found& thread : threads_)
        for (std::uint32_t l = level; l < levels; ++l) all += thread.of(l);
    return all;
}

std::uint32_t SampleLevel::likely_with(std::uint64_t entries) const {
    std::uint32_t level = now();
    while (level + 1 < levels && entries >> (level + 1) >= 2 * most_) ++level;
    return level;
}

void SampleLevel::settle() {
    for (std::uint32_t current = now(); current + 1 < levels;) {
        if (entries_from(current) <= most_) return;
        if (level_.compare_exchange_strong(current, current + 1)) ++current;
    }
}

L2Sampler::L2Sampler(const kernel::Kernel& kernel, std::span<const counters::MachineAccess> accesses,
                     SampleLevel& level)
    : kernel_(kernel), accesses_(accesses), level_(level), found_(level.add_thread()) {
    // To grow in steps would move what is there, and touch twice the memory. What is not needed is never
    // touched.
    entries_.reserve(level.most_entries() + entries_a_look);
}

L2Sampler::Progress& L2Sampler::begin(const events::Batch& batch) {
    if (batch.block != block_) {
        block_ = batch.block;
        progress_.clear();
    }
    warp_ = batch.warp;
    if (progress_.size() <= warp_) progress_.resize(warp_ + 1);
    return progress_[warp_];
}

void L2Sampler::records(const events::Batch& batch) {
    Progress& progress = begin(batch);
    const kernel::Site* const sites = kernel_.sites.data();
    const auto is_global = [&](ptx::Space space, std::uint64_t address) {
        return space == ptx::Space::global ||
               (space == ptx::Space::none &&
                counters::memory_at(space, address, batch.windows) == counters::Memory::global);
    };
    events::visit(batch.records,
                  events::Visitor{
                      [&](std::uint32_t, const events::BlockRecord&) { progress.entered = true; },
                      [&](std::uint32_t number, const events::LinearAccess& record) {
                          if (!is_global(sites[number].space, record.first)) return;
                          note_access(progress);
                          linear(record, number);
                      },
                      [&](std::uint32_t number, const events::ScatteredAccess& record) {
                          const ptx::Space space = sites[number].space;
                          if (space != ptx::Space::global && space != ptx::Space::none) return;
                          note_access(progress);
                          scattered(record, number, batch);
                      },
                      [&](std::uint32_t number, const events::TextureAccess& record) {
                          if (record.requests) note_access(progress);
                          const std::uint32_t mask = hash_mask(level_.now());
                          for (std::uint32_t i = 0; i < record.count; ++i) {
                              const std::uint64_t line = record.sectors[i] / line_bytes;
                              if (!in_sample(line, mask)) continue;
                              const std::uint64_t first = record.sectors[i] % line_bytes;
                              add(line, sectors_between(first, first + sector_bytes - 1), number);
                          }
                          thin_if_due();
                      },
                      [&](std::uint32_t number, const events::BulkAccess& record) {
                          if (record.begins) note_access(progress);
                          bulk(record, number);
                      },
                  });
}

L2Sampler::FormTrace L2Sampler::trace_of(const events::Batch& batch) const {
    FormTrace trace;
    Progress progress;
    bool entered_any = false;
    const auto place = [&](const void* at) {
        return static_cast<std::uint32_t>(static_cast<const std::byte*>(at) - batch.records.data());
    };
    // `lines`: calls its argument for each line that the access touches.
    const auto access = [&](std::uint32_t number, const std::uint64_t* address, const auto& lines) {
        if (kernel_.sites[number].space != ptx::Space::global) return;
        trace.begins_inside |= !entered_any;
        note_access(progress);
        FormTrace::Access& one = trace.accesses.emplace_back();
        one.site = number;
        one.moment = progress.moment;
        one.address = place(address);
        one.first_line = static_cast<std::uint32_t>(trace.lines.size());
        one.first_touch = static_cast<std::uint32_t>(trace.touches.size());
        lines(static_cast<std::uint64_t>(kernel_.sites[number].bytes),
              [&](std::uint64_t line, std::uint8_t sectors, std::uint32_t) {
                  const std::uint64_t bytes = line * line_bytes - *address;
                  trace.touches.push_back({bytes, sectors});
                  if (std::find(trace.lines.begin() + one.first_line, trace.lines.end(), bytes) ==
                      trace.lines.end())
                      trace.lines.push_back(bytes);
              });
        one.end_line = static_cast<std::uint32_t>(trace.lines.size());
        one.end_touch = static_cast<std::uint32_t>(trace.touches.size());
    };
    events::visit_as_recorded(
        batch.records,
        events::Visitor{
            [&](std::uint32_t, const events::BlockRecord&) { progress.entered = entered_any = true; },
            [&](std::uint32_t number, const events::LinearAccess& record) {
                access(number, &record.first, [&](std::uint64_t bytes, const auto& each) {
                    sampled_lines(record, bytes, all_lines, each);
                });
            },
            [&](std::uint32_t number, const events::RowsAccess& record) {
                access(number, &record.first, [&](std::uint64_t bytes, const auto& each) {
                    lines_of(LaneMask(record.mask), LaneMask(record.mask), record.scattered().addresses,
                             bytes, each);
                });
            },
            [&](std::uint32_t number, const events::ScatteredAccess& record) {
                access(number, record.addresses, [&](std::uint64_t bytes, const auto& each) {
                    lines_of(LaneMask(record.mask), LaneMask(record.mask), record.addresses, bytes, each);
                });
            },
        });
    trace.moments = progress.moment;
    trace.enters = progress.entered;
    return trace;
}

// `address`: the access's first.
void L2Sampler::add_sampled(const FormTrace& trace, const FormTrace::Access& access, std::uint64_t address,
                            std::uint32_t mask) {
    begin_access();
    std::uint64_t last = 0;
    std::uint8_t sectors = 0;  // of the last line; none: there is none
    std::uint32_t times = 0;
    for (std::uint32_t i = access.first_touch; i < access.end_touch; ++i) {
        const FormTrace::Touch& touch = trace.touches[i];
        const std::uint64_t line = (address + touch.bytes) / line_bytes;
        if (!in_sample(line, mask)) continue;
        if (sectors && line != last)
            add_line(last, std::exchange(sectors, 0), access.site, std::exchange(times, 0));
        last = line;
        sectors |= touch.sectors;
        ++times;
    }
    if (sectors) add_line(last, sectors, access.site, times);
    thin_if_due();
}

// As records() would: what an access touches, and how it is told, is the same for all of a form.
static_assert(events::form_bytes % line_bytes == 0);
void L2Sampler::has_form(const events::Batch& batch, const events::BatchForm& form) {
    Progress& progress = begin(batch);
    const FormTrace& trace = traces_[form.number];
    const std::uint32_t before = progress.moment + (progress.entered && trace.begins_inside);
    std::uint32_t mask = hash_mask(level_.now());
    const std::byte* const records = batch.records.data();
    // Most requests have no line in the sample: they cost a look.
    for (const FormTrace::Access& access : trace.accesses) {
        const std::uint64_t address = *reinterpret_cast<const std::uint64_t*>(records + access.address);
        const std::uint64_t* const lines = trace.lines.data() + access.first_line;
        const std::uint32_t count = access.end_line - access.first_line;
        if (count < worth_a_vector ? !has_sampled(address, lines, count, mask)
                                   : !have_sampled(address, lines, count, mask))
            continue;
        progress.moment = before + access.moment;
        add_sampled(trace, access, address, mask);
        mask = hash_mask(level_.now());
    }
    const bool entered = progress.entered && trace.accesses.empty();
    progress.moment = trace.accesses.empty() ? progress.moment : before + trace.moments;
    progress.entered = trace.enters || entered;
}

// About as many as the first block's, of each.
std::uint64_t L2Sampler::touches_of(events::MovedBlocks& blocks) const {
    std::uint64_t touches = 0;
    for (const events::Batch& warp : blocks.records_of(blocks.box().begin))
        touches += trace_of(warp).touches.size();
    return touches * blocks.unseen();
}

// What a thick sample would hold and lose again is left out from the begin. Lines that many accesses share
// may have misled: then it begins as it was.
void L2Sampler::moved(events::MovedBlocks& blocks) {
    const std::uint32_t before = level_.now(), likely = level_.likely_with(touches_of(blocks));
    if (likely == before) return follow(blocks);
    const std::uint32_t thinned_to = thinned_to_;
    const std::vector<SampledAccess> entries = entries_;
    std::array<std::uint64_t, SampleLevel::levels> found{};
    for (std::uint32_t level = 0; level < found.size(); ++level) found[level] = found_.of(level);
    level_.set(likely);
    follow(blocks);
    if (level_.is_due(likely)) return;
    level_.set(before);
    for (std::uint32_t level = 0; level < found.size(); ++level) found_.set(level, found[level]);
    entries_ = entries;
    thinned_to_ = thinned_to;
    follow(blocks);
}

void L2Sampler::follow(events::MovedBlocks& blocks) {
    blocks.for_each_form([&](const events::MovedBlocks::Form& form) {
        const std::span<const events::Batch> warps = blocks.records_of(form.first);
        auto moved = blocks.moved().begin();
        for (const events::Batch& warp : warps) {
            const FormTrace trace = trace_of(warp);
            begin(warp);
            for (const FormTrace::Access& access : trace.accesses) {
                while (moved->warp != warp.warp || moved->at != access.address) ++moved;
                progress_[warp_].moment = access.moment;
                moved_along(blocks, form, *moved, trace, access,
                            *reinterpret_cast<const std::uint64_t*>(warp.records.data() + access.address));
            }
        }
    });
    block_ = ~std::uint64_t{0};
}

// What an access of a form's first block touches, in all blocks of the form that nobody has seen. `address`:
// its first.
void L2Sampler::moved_along(const events::MovedBlocks& blocks, const events::MovedBlocks::Form& form,
                            const events::MovedBlocks::Moved& moved, const FormTrace& trace,
                            const FormTrace::Access& access, std::uint64_t address) {
    const events::GridPlace& periods = blocks.periods();
    // The longest axis last: many of its blocks are looked at together.
    std::array<int, 3> axes{0, 1, 2};
    std::swap(axes[2], *std::max_element(axes.begin(), axes.end(),
                                         [&](int a, int b) { return form.count[a] < form.count[b]; }));
    const auto [slow, middle, fast] = axes;
    const auto step = [&](int axis) { return static_cast<std::uint64_t>(moved.steps[axis]) * periods[axis]; };
    const std::uint64_t* const lines = trace.lines.data() + access.first_line;
    const std::uint32_t count = access.end_line - access.first_line;
    events::GridPlace at{};
    for (at[slow] = 0; at[slow] < form.count[slow]; ++at[slow])
        for (at[middle] = 0; at[middle] < form.count[middle]; ++at[middle]) {
            const std::uint64_t row = address + at[slow] * step(slow) + at[middle] * step(middle);
            for (std::uint32_t first = 0; first < form.count[fast]; first += 32) {
                const std::uint64_t from = row + first * step(fast);
                const std::uint32_t mask = hash_mask(level_.now());
                const auto some =
                    kernel::LaneMask::range(0, static_cast<int>(std::min(form.count[fast] - first, 32u)));
                (kernel::LaneMask(moves_in_sample(from, step(fast), lines, count, mask)) & some)
                    .for_each([&](int move) {
                        at[fast] = first + static_cast<std::uint32_t>(move);
                        events::GridPlace place = form.first;
                        for (int axis = 0; axis < 3; ++axis) place[axis] += at[axis] * periods[axis];
                        block_ = events::number_of(place, blocks.grid());
                        if (blocks.is_seen(block_)) return;
                        add_sampled(trace, access, from + static_cast<std::uint64_t>(move) * step(fast),
                                    hash_mask(level_.now()));
                    });
            }
        }
}

void L2Sampler::bulk(const events::BulkAccess& access, std::uint32_t number) {
    const std::uint32_t mask = hash_mask(level_.now());
    for (std::uint32_t i = 0; i < access.count; ++i)
        counters::for_each_line(access.ranges[i].address, access.ranges[i].bytes,
                                [&](const counters::Line& line) {
                                    if (in_sample(line.address / line_bytes, mask))
                                        add(line.address / line_bytes, line.sectors, number);
                                });
    thin_if_due();
}

// What is issued together shares a moment; in which order follows from the code.
void L2Sampler::note_access(Progress& warp) {
    warp.moment += warp.entered;
    warp.entered = false;
}

void L2Sampler::linear(const events::LinearAccess& access, std::uint32_t number) {
    begin_access();
    sampled_lines(access, static_cast<std::uint64_t>(kernel_.sites[number].bytes), hash_mask(level_.now()),
                  [&](std::uint64_t line, std::uint8_t sectors, std::uint32_t times) {
                      add_line(line, sectors, number, times);
                  });
    thin_if_due();
}

void L2Sampler::scattered(const events::ScatteredAccess& access, std::uint32_t number,
                          const events::Batch& batch) {
    LaneMask lanes(lanes_in_sample(access.addresses, hash_mask(level_.now())) & access.mask);
    LaneMask all(access.mask);
    begin_access();
    if (!lanes.empty() && kernel_.sites[number].space == ptx::Space::none) {
        all.for_each([&](int lane) {
            const std::uint64_t address = access.addresses[lane];
            if (batch.windows.shared.contains(address) || batch.windows.local.contains(address))
                all = all.without(LaneMask::of(lane));
        });
        lanes = lanes & all;
    }
    lines_of(lanes, all, access.addresses, static_cast<std::uint64_t>(kernel_.sites[number].bytes),
             [&](std::uint64_t line, std::uint8_t sectors, std::uint32_t times) {
                 add_line(line, sectors, number, times);
             });
    thin_if_due();
}

void L2Sampler::add(std::uint64_t line, std::uint8_t sectors, std::uint32_t number) {
    append(line, sectors, number, 1, 0);
}

void L2Sampler::add_line(std::uint64_t line, std::uint8_t sectors, std::uint32_t number,
                         std::uint32_t times) {
    append(line, sectors, number, times, turn_);
}

void L2Sampler::append(std::uint64_t line, std::uint8_t sectors, std::uint32_t number, std::uint32_t times,
                       std::uint8_t turn) {
    const SiteKind kind = kernel_.sites[number].kind;
    if (accesses_[number].transactions == counters::Transactions::whole_lines)
        sectors = sectors_between(0, line_bytes - 1);
    entries_.push_back({line, block_, progress_[warp_].moment, warp_, number, sectors, kind != SiteKind::load,
                        kind != SiteKind::store, turn});
    found_.count(level_of(line), times);
    ++counted_;
}

void L2Sampler::thin_if_due() {
    if (counted_ < entries_a_look) return;
    counted_ = 0;
    level_.settle();
    if (level_.now() != thinned_to_) thin();
}

void L2Sampler::thin() {
    thinned_to_ = level_.now();
    // Every second one goes, by chance: all are moved, and a branch would be guessed wrong half the time.
    auto kept = entries_.begin();
    for (const SampledAccess& entry : entries_) {
        const bool stays = level_of(entry.line) >= thinned_to_;
        // What was between the two is gone.
        if (kept != entries_.begin() && kept[-1].is_one_with(entry)) {
            kept[-1].sectors |= entry.sectors;
            continue;
        }
        *kept = entry;
        kept += stays;
    }
    entries_.erase(kept, entries_.end());
}

std::vector<SampledAccess> L2Sampler::take() {
    level_.settle();
    thin();
    return std::move(entries_);
}

L2Outcome simulate_l2(std::span<const SampledAccess> entries, std::uint32_t level,
                      std::span<const SampledSite> sites, const gpu::GpuModel& gpu, std::uint64_t resident,
                      const L2Weights& weights) {
    const Turns turns = in_turn(entries, sites, std::max<std::uint64_t>(resident, 1));
    CacheOf<SampledLine> cache((gpu.timing.l2_effective_bytes / line_bytes) >> level);
    struct Seen {
        double accessed = 0, missed = 0, fetched = 0;  // sectors
        double found = 0, on_their_way = 0;            // of those that a block reads for the first time
        bool writes = false;
    };
    std::vector<Seen> seen(sites.size());
    LineReads reads;
    std::uint32_t now = 0;  // moments so far: those with another order are the same
    std::size_t at = 0;
    const Moment* last = nullptr;
    double written_back = 0, filled = 0, dirtied = 0;
    const auto access = [&](const SampledAccess& entry) {
        Seen& site = seen[entry.site];
        const double weight = weights.of(entry.block);
        const double touched = weight * counters::count_of(entry.sectors);
        site.accessed += touched;
        site.writes = entry.writes;
        SampledLine* line = cache.find(entry.line);
        if (!line) {
            SampledLine evicted;
            if (cache.lines() == 0) {
                if (entry.reads) site.missed += touched;
                return;
            }
            line = &cache.insert(entry.line, evicted);
            written_back += weight * counters::count_of(evicted.dirty);
        }
        if (entry.reads) {
            const auto missing = static_cast<std::uint8_t>(entry.sectors & ~line->valid);
            const auto fetched =
                static_cast<std::uint8_t>(fetched_with(missing, gpu.timing.dram_fetch_bytes) & ~line->valid);
            // What the block has had comes from its SM's L1. The others go on together with who misses.
            LineReads::Line& known = reads.line(entry);
            const auto found = static_cast<std::uint8_t>(reads.add(known, entry) & ~missing);
            site.found += weight * counters::count_of(found);
            for (std::uint32_t s = 0; s < counters::line_sectors; ++s) {
                if (found >> s & 1 && known.fetched_at[s] == now) site.on_their_way += weight;
                if (fetched >> s & 1) known.fetched_at[s] = now;
            }
            site.missed += weight * counters::count_of(missing);
            site.fetched += weight * counters::count_of(fetched);
            line->valid |= fetched;
            filled += weight * counters::count_of(fetched);
        }
        if (entry.writes) {
            filled += weight * counters::count_of(static_cast<std::uint8_t>(entry.sectors & ~line->valid));
            dirtied += weight * counters::count_of(static_cast<std::uint8_t>(entry.sectors & ~line->dirty));
            line->valid |= entry.sectors;
            line->dirty |= entry.sectors;
        }
    };
    for (const auto& [when, end] : turns.parts) {
        if (!last || last->wave != when.wave || last->moment != when.moment) ++now;
        last = &when;
        for (; at < end; ++at) access(*turns.all[at].access);
    }
    // What the sample stands for: where all accesses were counted, as many as these; by its lines otherwise.
    L2Outcome outcome;
    const auto by_lines = static_cast<double>(std::uint64_t{1} << level);
    double written = 0;
    for (std::size_t s = 0; s < sites.size(); ++s) {
        const Seen& site = seen[s];
        outcome.miss_share.push_back(site.accessed > 0 ? site.missed / site.accessed : 0);
        outcome.wait_share.push_back(site.found > 0 ? site.on_their_way / site.found : 0);
        if (site.accessed == 0) continue;
        const double weight = sites[s].sectors > 0 ? sites[s].sectors / site.accessed : by_lines;
        outcome.read_bytes += site.fetched * weight * sector_bytes;
        if (!site.writes) continue;
        written += site.accessed;
        outcome.written_bytes += site.accessed * weight * sector_bytes;
    }
    if (written > 0) outcome.write_bytes = written_back * outcome.written_bytes / written;
    if (weights.later > 1) {
        // Blocks that were not followed have pushed out what these wrote, but for what the cache holds at the
        // end.
        const double held = gpu.timing.l2_effective_bytes / std::max(filled * by_lines * sector_bytes, 1.0);
        outcome.write_bytes = dirtied * by_lines * sector_bytes * std::max(1 - held, 0.0);
    }
    return outcome;
}

}  // namespace lockstep::timing
