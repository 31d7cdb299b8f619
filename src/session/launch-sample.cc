#include "session/launch-sample.h"

#include <algorithm>
#include <cmath>

#include "events/visit.h"
#include "kernel/waits.h"

namespace lockstep::session {
namespace {

// Parts of a grid that are counted apart, beside its first and its last block, of so many blocks at least,
// and how many of them are executed at least: enough that work which changes over the grid, or belongs to
// some blocks only, is seen.
constexpr std::uint64_t most_parts = 64, least_blocks = 8, blocks_a_part = 256;

// The range that has the block, if there is one.
bool contains(std::span<const events::BlockRange> ranges, std::uint64_t block) {
    const auto behind = std::upper_bound(
        ranges.begin(), ranges.end(), block,
        [](std::uint64_t number, const events::BlockRange& range) { return number < range.begin; });
    return behind != ranges.begin() && block < std::prev(behind)->end;
}

// Numbers from 0 to 1 that fill it evenly, and in step with no row of a grid.
double spread(std::uint64_t number) {
    constexpr double golden = 0.6180339887498949;
    const double at = (static_cast<double>(number) + 0.5) * golden;
    return at - std::floor(at);
}

// What functions that are called return is not followed.
bool heeds_other_blocks(const kernel::Kernel& kernel) {
    return kernel::heeds_other_blocks(kernel.functions.front()) ||
           std::any_of(kernel.functions.begin() + 1, kernel.functions.end(), kernel::meets_others);
}

}  // namespace

std::optional<std::string> needs_all_blocks(Function& function, const exec::Launch& launch, bool nested) {
    const exec::KernelInfo& info = function.info();
    if (exec::gcn_code(*function.kernel)) return "of AMD's machine code no part is executed";
    if (launch.cooperative) return "its launch is cooperative, and blocks may wait for each other";
    if (launch.clustered) return "its blocks form clusters";
    if (info.launches_kernels || info.launches_graphs) return "its threads may launch kernels";
    if (nested) return "another kernel has launched it, and may use its results";
    if (!function.heeds_other_blocks) {
        const auto kernel = exec::analysed(*function.kernel);
        function.heeds_other_blocks = kernel && heeds_other_blocks(**kernel);
    }
    if (*function.heeds_other_blocks)
        return "what its threads do depends on what other blocks have done, by atomics or flags";
    return {};
}

LaunchSample::LaunchSample(std::uint64_t blocks, std::span<const events::BlockRange> timed)
    : blocks_(blocks), executed_(timed.begin(), timed.end()) {
    const std::uint64_t parts = std::clamp<std::uint64_t>(blocks / blocks_a_part, 1, most_parts);
    parts_.resize(parts + 2);
    std::vector<std::uint64_t> others = {0, blocks - 1};
    for (std::size_t p = 1; p <= parts; ++p) {
        const std::uint64_t begin = first_of(p), size = first_of(p + 1) - begin;
        for (std::uint64_t b = 0; b < least_blocks; ++b)
            others.push_back(
                begin + static_cast<std::uint64_t>(spread(p * least_blocks + b) * static_cast<double>(size)));
    }
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    for (const std::uint64_t block : others)
        if (!contains(timed, block)) executed_.push_back({block, block + 1});
    std::sort(executed_.begin(), executed_.end(),
              [](const events::BlockRange& a, const events::BlockRange& b) { return a.begin < b.begin; });
    for (const events::BlockRange& range : executed_) {
        count_ += range.end - range.begin;
        for (std::uint64_t b = range.begin; b < range.end; ++b) ++parts_[part_of(b)].executed;
    }
    parts_.front().blocks = parts_.back().blocks = 1;
    for (std::size_t p = 1; p <= parts; ++p) parts_[p].blocks = first_of(p + 1) - first_of(p);
}

// Of all but the first and the last block.
std::uint64_t LaunchSample::first_of(std::size_t part) const {
    return 1 + (blocks_ - 2) * (part - 1) / (parts_.size() - 2);
}

std::size_t LaunchSample::part_of(std::uint64_t block) const {
    if (block == 0) return 0;
    if (block == blocks_ - 1) return parts_.size() - 1;
    auto part = static_cast<std::size_t>((block - 1) * (parts_.size() - 2) / (blocks_ - 2)) + 1;
    while (block < first_of(part)) --part;
    while (block >= first_of(part + 1)) ++part;
    return part;
}

SampleCounter::Part& SampleCounter::part_of(std::uint64_t block) {
    const std::size_t number = sample_.part_of(block);
    const auto known = parts_.find(number);
    if (known != parts_.end()) return known->second;
    return parts_.emplace(number, Part{counters::LaunchCounter(kernel_, accesses_)}).first->second;
}

void SampleCounter::records(const events::Batch& batch) {
    open_[batch.block] += events::whole_bytes(batch.records);
    part_of(batch.block).counter.records(batch);
}

void SampleCounter::block_ended(std::uint64_t block) {
    const auto open = open_.find(block);
    const std::uint64_t bytes = open == open_.end() ? 0 : open->second;
    if (open != open_.end()) open_.erase(open);
    timing::BlockGroup& group = part_of(block).groups[timing::group_of(bytes)];
    ++group.blocks;
    group.record_bytes += static_cast<double>(bytes);
}

Estimate estimate(const LaunchSample& sample, const std::deque<SampleCounter>& workers) {
    // Whole numbers first: these add up to the same in any order.
    struct Executed {
        counters::RawCounts counts;
        timing::BlockGroups groups{};
    };
    std::map<std::size_t, Executed> executed;
    for (const SampleCounter& worker : workers)
        for (const auto& [number, part] : worker.parts()) {
            Executed& all = executed.try_emplace(number, worker.nothing()).first->second;
            all.counts.add(part.counter.counts());
            for (const auto& [key, group] : part.groups) {
                all.groups[key].blocks += group.blocks;
                all.groups[key].record_bytes += group.record_bytes;
            }
        }
    Estimate whole{workers.front().nothing(), {}};
    for (const auto& [number, part] : executed) {
        const counters::PartOfGrid& size = sample.parts()[number];
        whole.counts.add(counters::estimate(part.counts, size));
        const double times = static_cast<double>(size.blocks) / static_cast<double>(size.executed);
        for (const auto& [key, group] : part.groups) {
            whole.groups[key].blocks += group.blocks * times;
            whole.groups[key].record_bytes += group.record_bytes * times;
        }
    }
    return whole;
}

void OnlyBlocks::records(const events::Batch& batch) {
    if (contains(blocks_, batch.block)) other_.records(batch);
}

void OnlyBlocks::block_ended(std::uint64_t block) {
    if (contains(blocks_, block)) other_.block_ended(block);
}

}  // namespace lockstep::session
