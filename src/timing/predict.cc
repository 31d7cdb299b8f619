#include "timing/predict.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <numeric>

#include "base/beside.h"
#include "base/own-work.h"
#include "timing/bound.h"
#include "timing/fit.h"
#include "timing/imagine.h"
#include "timing/replay.h"

namespace lockstep::timing {
namespace {

double instructions_of(const BlockTrace& block, const Code& code) {
    double sum = 0;
    for (const WarpTrace& warp : block.warps)
        for (const Step& step : warp.steps) {
            sum += static_cast<double>(section_of(code, step).ops.size());
        }
    return sum;
}

std::uint64_t kept_bytes(const BlockTrace& block) {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(block.record_bytes) * block.kept));
}

// In the order of their sections. Sectors of atomics are counted another way than the sample counts them.
std::vector<SampledSite> sampled_sites(const Code& code, const kernel::Kernel& kernel,
                                       const counters::RawCounts* counts) {
    std::vector<SampledSite> sites(kernel.sites.size() + 1);  // … and all spills
    for (std::size_t s = 0; counts && s < kernel.sites.size(); ++s)
        if (const kernel::SiteKind kind = kernel.sites[s].kind;
            kind == kernel::SiteKind::load || kind == kernel::SiteKind::store)
            sites[s].sectors = static_cast<double>(counts->at(s, counters::Memory::global).sectors +
                                                   counts->at(s, counters::Memory::bulk).sectors);
    for (const Region& region : code.regions)
        for (std::size_t i = 0; i < region.once.ops.size(); ++i)
            if (const std::uint16_t access = region.once.ops[i].access; access != Op::no_access)
                sites[region.once.sites[access]].order = static_cast<std::uint32_t>(i);
    return sites;
}

// What blocks do, whenever they do it: between two moments it would depend on how far the blocks are that
// run.
void extend_counts(ReplaySums& sum, double times) {
    for (double* count : {&sum.sm.instructions, &sum.sm.l1_sectors, &sum.sm.l1_hits, &sum.memory.l2_reads,
                          &sum.memory.l2_writes, &sum.memory.l2_hits})
        *count *= times;
    for (auto& [site, rounds] : sum.sm.failed) rounds = rounds * times;
    sum.sm.l1_global = sum.sm.l1_global * times;
    sum.sm.l1_local = sum.sm.l1_local * times;
}

// What takes time: `sum` plus so many times what happened between `from` and `to`.
void extend(double& sum, double from, double to, double times) { sum += (to - from) * times; }

void extend(ReplaySums& sum, const ReplaySums& from, const ReplaySums& to, double times) {
    extend(sum.cycles, from.cycles, to.cycles, times);
    for (std::size_t s = 0; s < sum.sm.states.size(); ++s)
        extend(sum.sm.states[s], from.sm.states[s], to.sm.states[s], times);
    for (std::size_t u = 0; u < sum.sm.pipe_busy.size(); ++u)
        extend(sum.sm.pipe_busy[u], from.sm.pipe_busy[u], to.sm.pipe_busy[u], times);
    extend(sum.sm.active_cycles, from.sm.active_cycles, to.sm.active_cycles, times);
    extend(sum.sm.l1_busy, from.sm.l1_busy, to.sm.l1_busy, times);
    extend(sum.sm.shared_busy, from.sm.shared_busy, to.sm.shared_busy, times);
    extend(sum.sm.constant_busy, from.sm.constant_busy, to.sm.constant_busy, times);
    extend(sum.sm.texture_busy, from.sm.texture_busy, to.sm.texture_busy, times);
    extend(sum.dram_busy, from.dram_busy, to.dram_busy, times);
    extend(sum.l2_busy, from.l2_busy, to.l2_busy, times);
    extend(sum.atomics_busy, from.atomics_busy, to.atomics_busy, times);
    extend(sum.launch_busy, from.launch_busy, to.launch_busy, times);
    for (std::size_t p = 0; p < sum.places.size(); ++p)
        for (std::size_t s = 0; s < sum.places[p].size(); ++s)
            extend(sum.places[p][s], from.places[p][s], to.places[p][s], times);
}

// Records of a detailed replay that are kept at the same time.
constexpr std::uint64_t detailed_ahead = 2;  // times the blocks that the GPU holds

// Entries of the L2's sample, and bytes of records, that take longer than it takes to start a thread.
constexpr std::size_t worth_a_thread = 1000;
constexpr std::uint64_t worth_a_thread_bytes = 100'000;

// How long blocks are resident, by how much they did: from those that were replayed. What a block costs the
// launch is reckoned by its group, so that blocks that did the same count the same.
class Durations {
  public:
    explicit Durations(const ReplayResult& replayed) {
        for (const ReplayResult::Block& block : replayed.blocks) {
            Group& group = groups_[group_of(block.record_bytes)];
            ++group.blocks;
            group.cycles += static_cast<double>(block.end - block.begin) / block.kept;
            group.bytes += static_cast<double>(block.record_bytes);
        }
    }
    double mean(std::uint32_t group, double bytes) const {
        auto near = groups_.lower_bound(group);
        if (near == groups_.end()) near = std::prev(groups_.end());
        const double cycles = near->second.cycles / near->second.blocks;
        // A group that was not replayed takes its neighbour's time, by how much it did.
        return near->first == group ? cycles : cycles * bytes / (near->second.bytes / near->second.blocks);
    }

  private:
    struct Group {
        double blocks = 0, cycles = 0, bytes = 0;
    };
    std::map<std::uint32_t, Group> groups_;
};

}  // namespace

struct Predictor::Collected {
    std::vector<RecordedBlock> recorded;  // in the order of the grid
    RecordedBlock longest;                // of the others, where there are others
    BlockGroups groups;
    std::vector<SampledAccess> l2;
    std::uint64_t record_bytes(std::uint32_t sms, const BlockChoice& choice) const {
        std::uint64_t bytes = 0;
        for (const RecordedBlock& one : recorded)
            if (choice.find(one.block)->sm < sms)
                for (const RecordedBlock::Warp& warp : one.warps) bytes += warp.whole_bytes;
        return bytes;
    }
};

// What was replayed, and how much of the launch that is.
struct Predictor::Replayed {
    ReplaySums sums;
    std::uint32_t sms = 1, sms_used = 1;
    double longer = 1;  // than the records that were kept
    double blocks = 0, instructions = 0;
    double read_bytes = 0, write_bytes = 0;  // of device memory, whole launch
};

Predictor::Predictor(const kernel::Kernel& kernel, const Code& code,
                     std::span<const counters::MachineAccess> accesses, const gpu::GpuModel& gpu,
                     const counters::LaunchConfig& config, const gpu::Occupancy& occupancy,
                     const gpu::SharedConfiguration& shared, const Options& options)
    : kernel_(kernel),
      code_(code),
      accesses_(accesses),
      gpu_(gpu),
      blocks_(config.blocks()),
      block_threads_(static_cast<std::uint32_t>(config.threads())),
      resident_(static_cast<std::uint32_t>(std::max(occupancy.blocks_per_sm, 1))),
      used_(
          static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks_, static_cast<std::uint32_t>(gpu.sms)))),
      full_resident_(
          static_cast<std::uint32_t>(std::max(std::min(occupancy.by_threads, occupancy.by_blocks), 1))),
      l1_bytes_(gpu.timing.l1_shares_with_shared
                    ? gpu.timing.l1_bytes - std::min(gpu.timing.l1_bytes, shared.bytes)
                    : gpu.timing.l1_bytes),
      workers_(options.workers),
      what_if_(options.what_if),
      close_up_(options.close_up ? std::make_shared<CloseUp>() : nullptr),
      sampling_(options.sampling),
      host_(options.host),
      choice_(blocks_, static_cast<std::uint32_t>(gpu.sms), resident_, sampling_),
      state_(choice_, options.detailed ? held_blocks() : choice_.blocks_of_one_sm(),
             (config.threads() + static_cast<std::uint32_t>(gpu.warp_size) - 1) /
                 static_cast<std::uint32_t>(gpu.warp_size),
             sampling_) {
    if (options.detailed)
        follow();
    else if (choice_.watched_blocks() && workers_ > 1 && !options.groups_given)
        state_.all_seen = [this] { early_ = base::beside(true, [this] { return predict_sample(nullptr); }); };
    recorders_.reserve(options.workers);
    for (std::size_t w = 0; w < options.workers; ++w) recorders_.emplace_back(kernel, accesses, state_);
}

Predictor::~Predictor() {
    if (early_.valid()) early_.wait();
    if (!replaying_.joinable()) return;
    feed_->close();
    replaying_.join();
}

std::uint64_t Predictor::held_blocks() const {
    return detailed_ahead * static_cast<std::uint64_t>(gpu_.sms) *
           static_cast<std::uint64_t>(gpu_.max_blocks_per_sm);
}

ReplaySetup Predictor::setup(std::uint32_t sms, std::uint64_t blocks, const L2Outcome* l2) const {
    ReplaySetup setup;
    setup.gpu = &gpu_;
    setup.code = &code_;
    setup.sms = sms;
    setup.sms_used = used_;
    setup.resident = resident_;
    setup.l1_bytes = l1_bytes_;
    setup.l2 = l2;
    setup.sites = kernel_.sites.size() + 1;  // … and all spills
    setup.host = &host_;
    setup.blocks = blocks;
    return setup;
}

// The replay that is looked at closely, where anybody wants that.
ReplaySetup Predictor::watched(ReplaySetup replayed) const {
    if (!close_up_) return replayed;
    close_up_->sms = replayed.sms;
    close_up_->sms_used = replayed.sms_used;
    close_up_->resident = replayed.resident;
    close_up_->grid_blocks = blocks_;
    replayed.close_up = close_up_.get();
    return replayed;
}

// The replay of every block on every SM runs beside the execution, which waits where it is too far ahead.
void Predictor::follow() {
    feed_ = std::make_unique<BlockFeed>(held_blocks());
    state_.sink = [this](RecordedBlock block) {
        BlockTrace trace = TraceMaker(code_, kernel_, accesses_)
                               .trace(block, close_up_ && block.block == CloseUp::shown_block);
        feed_->put(std::move(trace));
    };
    state_.close_sink = [this] { feed_->close(); };
    replaying_ = std::thread([this] {
        const base::OwnWork own;
        double longer = 0;
        const ReplayResult result = replay(
            watched(setup(used_, blocks_, nullptr)), [this] { return feed_->next(); },
            [&](const BlockTrace* block) {
                longer += 1 / block->kept;
                state_.in_sink.fetch_sub(kept_bytes(*block), std::memory_order_relaxed);
                feed_->release(block);
            });
        followed_ = std::make_unique<Replayed>();
        followed_->sums = result.all;
        followed_->sms = followed_->sms_used = used_;
        followed_->blocks = static_cast<double>(result.blocks.size());
        followed_->longer = result.blocks.empty() ? 1 : longer / followed_->blocks;
        followed_->instructions = result.all.sm.instructions;
        followed_->read_bytes = result.all.memory.dram_read_bytes;
        followed_->write_bytes = result.all.memory.dram_write_bytes;
    });
}

Predictor::Collected Predictor::collect() {
    Collected all;
    for (Recorder& recorder : recorders_) {
        Recorder::Result one = recorder.take();
        std::move(one.blocks.begin(), one.blocks.end(), std::back_inserter(all.recorded));
        if (is_longer(one.longest, all.longest)) all.longest = std::move(one.longest);
        all.l2.insert(all.l2.end(), one.l2.begin(), one.l2.end());
        for (const auto& [key, group] : one.groups) {
            all.groups[key].blocks += group.blocks;
            all.groups[key].record_bytes += group.record_bytes;
        }
    }
    // What the L2 does not keep says nothing of it.
    if (!host_.empty())
        std::erase_if(all.l2, [&](const SampledAccess& one) { return host_.has(one.line * line_bytes); });
    std::sort(all.recorded.begin(), all.recorded.end(),
              [](const auto& a, const auto& b) { return a.block < b.block; });
    // Blocks that were not watched did as those did that were.
    const double times = choice_.blocks_a_watched();
    for (auto& [key, group] : all.groups) {
        group.blocks *= times;
        group.record_bytes *= times;
    }
    return all;
}

L2Outcome Predictor::l2_of(const Collected& all, const counters::RawCounts* counts) const {
    return simulate_l2(all.l2, state_.l2_level.now(), sampled_sites(code_, kernel_, counts), gpu_,
                       std::uint64_t{resident_} * static_cast<std::uint32_t>(gpu_.sms), choice_.l2_weights());
}

// Of the blocks of these SMs, in the order of the grid.
std::vector<BlockTrace> Predictor::traces_of(const Collected& all, std::uint32_t first_sm,
                                             std::uint32_t end_sm) const {
    std::vector<const RecordedBlock*> blocks;
    for (const RecordedBlock& block : all.recorded)
        if (const std::uint32_t sm = choice_.find(block.block)->sm; sm >= first_sm && sm < end_sm)
            blocks.push_back(&block);
    std::vector<BlockTrace> traces(blocks.size());
    const auto make = [&](std::size_t first, std::size_t last) {
        TraceMaker maker(code_, kernel_, accesses_, sampling_.warp_instructions, what_if_);
        for (std::size_t b = first; b < last; ++b)
            traces[b] = maker.trace(*blocks[b], close_up_ && blocks[b]->block == CloseUp::shown_block);
    };
    const std::size_t parts =
        std::clamp<std::size_t>(1 + all.record_bytes(end_sm, choice_) / worth_a_thread_bytes, 1,
                                std::min(workers_, std::max<std::size_t>(blocks.size(), 1)));
    const auto end_of = [&](std::size_t part) { return blocks.size() * (part + 1) / parts; };
    std::vector<std::future<void>> others;
    for (std::size_t p = 1; p < parts; ++p)
        others.push_back(
            base::beside(true, [&make, first = end_of(p - 1), end = end_of(p)] { make(first, end); }));
    make(0, end_of(0));
    for (std::future<void>& other : others) other.get();
    return traces;
}

// What is replayed of a launch.
struct Predictor::Sample {
    std::vector<BlockTrace> traces;  // of the blocks of some SMs, in the order of the grid
    std::uint32_t sms = 1;
    L2Outcome l2;
    BlockGroups groups;  // of all blocks
    // A block that did clearly more than any of these.
    std::optional<BlockTrace> longest;
};

Predictor::Sample Predictor::sample_of(Collected all, const counters::RawCounts* counts) const {
    std::future<L2Outcome> l2_outcome =
        base::beside(workers_ > 1 && all.l2.size() >= worth_a_thread, [&] { return l2_of(all, counts); });
    // As many SMs as the budget allows, by what the first one's blocks did.
    std::vector<BlockTrace> traces = traces_of(all, 0, 1);
    double instructions = 0;
    for (const BlockTrace& trace : traces) instructions += instructions_of(trace, code_);
    std::uint32_t sms = std::min({most_sms, used_, state_.sms()});
    const auto bytes = static_cast<double>(all.record_bytes(sms, choice_));
    if (const auto first = static_cast<double>(all.record_bytes(1, choice_)); first > 0)
        instructions *= bytes / first;
    const double per_sm = instructions / sms;
    const double of_launch =
        instructions / static_cast<double>(all.recorded.size()) * static_cast<double>(blocks_);
    sms = sms_to_replay(sms, per_sm, of_launch, all.groups.size() == 1, sampling_);
    for (BlockTrace& trace : traces_of(all, 1, sms)) traces.push_back(std::move(trace));
    std::sort(traces.begin(), traces.end(),
              [](const BlockTrace& a, const BlockTrace& b) { return a.block < b.block; });
    return {std::move(traces), sms, l2_outcome.get(), std::move(all.groups), longest_of(all, traces)};
}

std::optional<BlockTrace> Predictor::longest_of(const Collected& all,
                                                std::span<const BlockTrace> replayed) const {
    std::uint64_t most = 0;
    for (const BlockTrace& trace : replayed) most = std::max(most, trace.record_bytes);
    if (static_cast<double>(all.longest.record_bytes) <= fit::straggler_work * static_cast<double>(most))
        return std::nullopt;
    return TraceMaker(code_, kernel_, accesses_, sampling_.warp_instructions, false).trace(all.longest);
}

// Replays some blocks on some SMs; what was not replayed takes as long as blocks took while the SMs were
// full.
Predictor::Replayed Predictor::replay_sample(const Sample& sample, const ReplaySetup& setup,
                                             std::span<const BlockTrace> traces) const {
    Replayed result;
    const std::uint32_t sms = sample.sms;
    std::size_t at = 0;
    const ReplayResult replayed =
        replay(setup, [&] { return at < traces.size() ? &traces[at++] : nullptr; }, [](const BlockTrace*) {});
    const Durations durations(replayed);
    double work = 0;
    for (const auto& [key, group] : sample.groups)
        work += group.blocks * durations.mean(key, group.record_bytes / group.blocks);
    const auto work_of = [&](std::size_t first, std::size_t last) {
        double sum = 0;
        for (std::size_t b = first; b < last; ++b)
            sum += durations.mean(group_of(replayed.blocks[b].record_bytes),
                                  static_cast<double>(replayed.blocks[b].record_bytes));
        return sum;
    };
    const double replayed_work = work_of(0, replayed.blocks.size());
    const double rest = work * sms / used_ - replayed_work;
    result.sums = replayed.all;
    double all_bytes = 0, replayed_bytes = 0;
    for (const auto& [key, group] : sample.groups) all_bytes += group.record_bytes;
    for (const ReplayResult::Block& block : replayed.blocks)
        replayed_bytes += static_cast<double>(block.record_bytes);
    if (replayed_bytes > 0) extend_counts(result.sums, all_bytes * sms / used_ / replayed_bytes);
    if (replayed.last_steady > replayed.first_steady) {
        const double steady = work_of(replayed.first_steady, replayed.last_steady);
        if (rest > 0 && steady > 0)
            extend(result.sums, replayed.steady_begin, replayed.steady_end, rest / steady);
    } else if (rest > 0 && replayed_work > 0) {
        ReplaySums nothing;
        nothing.places.resize(replayed.all.places.size());
        extend(result.sums, nothing, replayed.all, rest / replayed_work);
    }
    // Records that were cut off: the block went on as it had begun.
    double longer = 0;
    for (const BlockTrace& trace : traces) longer += 1 / trace.kept;
    result.longer = longer / static_cast<double>(traces.size());
    result.sms = sms;
    result.sms_used = used_;
    result.blocks = static_cast<double>(traces.size());
    result.instructions = replayed.all.sm.instructions;
    result.read_bytes = sample.l2.read_bytes;
    result.write_bytes = sample.l2.write_bytes;
    return result;
}

// Cycles for which the longest block goes on when all that was replayed stands for has ended. It runs among
// the blocks of one SM, in the place of one that comes as late.
double Predictor::straggling(const Sample& sample, const ReplaySums& sums) const {
    if (!sample.longest) return 0;
    std::vector<BlockTrace> beside;
    for (const BlockTrace& trace : sample.traces)
        if (choice_.find(trace.block)->sm == 0) beside.push_back(trace);
    const std::uint64_t number = sample.longest->block;
    auto place = std::ranges::upper_bound(beside, number, {}, &BlockTrace::block);
    if (place != beside.begin()) --place;
    *place = *sample.longest;
    ReplaySetup one = setup(1, beside.size(), &sample.l2);
    one.sms_used = 1;  // when it is what the others wait for, it has the GPU for itself
    std::size_t at = 0;
    const ReplayResult replayed =
        replay(one, [&] { return at < beside.size() ? &beside[at++] : nullptr; }, [](const BlockTrace*) {});
    const auto longest = std::ranges::find(replayed.blocks, number, &ReplayResult::Block::block);
    const double takes = static_cast<double>(longest->end - longest->begin) / longest->kept;
    // Of the first blocks that the GPU holds all begin at once; the others come as evenly as blocks end.
    const std::uint64_t first = std::uint64_t{resident_} * used_;
    const double behind =
        number < first ? 0
                       : static_cast<double>(number - first + 1) / static_cast<double>(blocks_ - first + 1);
    return std::max(0.0, behind * sums.cycles + takes - sums.cycles);
}

// `straggling`: times the cycles of all others that the launch takes until its longest block ends.
void Predictor::imagine(Sample sample, double straggling, timing::Prediction& result) const {
    const Replayable launch{gpu_,           code_,      std::move(sample.traces),
                            resident_,      sample.sms, used_,
                            block_threads_, blocks_,    sample.l2};
    const double overhead = overhead_ns();
    for (std::size_t c = 0; c < changes; ++c) {
        result.without[c] = result.nanoseconds;
        const auto changed = without(static_cast<Change>(c), launch, kernel_, full_resident_);
        if (!changed) continue;
        ReplaySetup replayed = setup(sample.sms, changed->traces.size(), &changed->l2);
        replayed.gpu = &changed->gpu;
        replayed.code = &changed->code;
        replayed.resident = changed->resident;
        replayed.sms_used = changed->sms_used;
        Replayed imagined = replay_sample(sample, replayed, changed->traces);
        imagined.sums.cycles *= straggling;
        const double time = prediction_of(imagined).nanoseconds;
        result.without[c] = overhead + (time - overhead) * changed->times;
    }
}

timing::Prediction Predictor::predict(const counters::RawCounts* counts, BlockGroups groups) {
    if (replaying_.joinable()) {
        feed_->close();
        replaying_.join();
        timing::Prediction result = prediction_of(*followed_);
        result.close_up = close_up_;
        return result;
    }
    return early_.valid() ? early_.get() : predict_sample(counts, std::move(groups));
}

timing::Prediction Predictor::predict_sample(const counters::RawCounts* counts, BlockGroups groups) {
    Collected all = collect();
    if (!groups.empty()) all.groups = std::move(groups);
    if (all.recorded.empty()) return prediction_of({});
    Sample sample = sample_of(std::move(all), counts);
    const ReplaySetup as_it_is = watched(setup(sample.sms, sample.traces.size(), &sample.l2));
    Replayed replayed = replay_sample(sample, as_it_is, sample.traces);
    const double of_rest = replayed.sums.cycles;
    replayed.sums.cycles += straggling(sample, replayed.sums);
    timing::Prediction result = prediction_of(replayed);
    result.close_up = close_up_;
    if (what_if_) imagine(std::move(sample), of_rest > 0 ? replayed.sums.cycles / of_rest : 1, result);
    return result;
}

// Of a launch beside what its blocks do. An empty kernel's code has to come, too, and is in the replay.
double Predictor::overhead_ns() const {
    const double code_us = gpu_.timing.first_code_cycles / static_cast<double>(gpu_.clock_mhz);
    return std::max(0.0, 1000 * (gpu_.timing.kernel_overhead_us - code_us));
}

timing::Prediction Predictor::prediction_of(const Replayed& replayed) const {
    const ReplaySums& sums = replayed.sums;
    const double clock_ghz = gpu_.clock_mhz / 1000.0;
    const double overhead = overhead_ns();
    const double busy_sms = static_cast<double>(replayed.sms_used) / gpu_.sms;
    const double of_one = replayed.longer / replayed.sms * busy_sms;
    timing::Prediction result;
    result.resident_blocks = resident_;
    result.nanoseconds = overhead + sums.cycles * replayed.longer / clock_ghz;
    result.cycles = result.nanoseconds * clock_ghz;
    result.active_cycles = sums.sm.active_cycles * of_one;
    result.instructions = sums.sm.instructions * of_one;
    const auto in_state = [&](timing::WarpState state) {
        return sums.sm.states[static_cast<std::size_t>(state)];
    };
    const double warp_cycles = std::accumulate(sums.sm.states.begin(), sums.sm.states.end(), 0.0);
    if (sums.sm.active_cycles > 0) {
        result.warps_active = warp_cycles / sums.sm.active_cycles;
        result.warps_eligible =
            (in_state(timing::WarpState::selected) + in_state(timing::WarpState::not_selected)) /
            sums.sm.active_cycles / gpu_.timing.schedulers;
    }
    for (std::size_t s = 0; s < timing::warp_states; ++s)
        result.states[s] = warp_cycles > 0 ? sums.sm.states[s] / warp_cycles : 0;
    const double whole = replayed.longer * replayed.sms_used / replayed.sms;
    for (const auto& [site, rounds] : sums.sm.failed) result.failed[site] = rounds * whole;
    result.l1_sectors = sums.sm.l1_sectors * whole;
    result.l1_hits = sums.sm.l1_hits * whole;
    result.l1_global = sums.sm.l1_global * whole;
    result.l1_local = sums.sm.l1_local * whole;
    result.l2_read_sectors = sums.memory.l2_reads * whole;
    result.l2_write_sectors = sums.memory.l2_writes * whole;
    result.l2_hits = sums.memory.l2_hits * whole;
    result.dram_read_bytes = replayed.read_bytes;
    result.dram_write_bytes = replayed.write_bytes;
    result.blocks_replayed = replayed.blocks;
    result.instructions_replayed = replayed.instructions;
    result.bound = find_bound(sums, gpu_, replayed.sms, replayed.sms_used,
                              gpu_.timing.kernel_overhead_us * gpu_.clock_mhz / replayed.longer);
    if (sums.places.empty()) return result;
    for (std::size_t p = 0; p < code_.places.size(); ++p) {
        timing::Prediction::Place place{code_.places[p].function, code_.places[p].block,
                                        code_.places[p].instruction, sums.places[p]};
        for (double& state : place.states) state *= whole;
        result.places.push_back(place);
    }
    return result;
}

}  // namespace lockstep::timing
