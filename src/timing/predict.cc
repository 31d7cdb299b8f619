#include "timing/predict.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "timing/bound.h"
#include "timing/replay.h"

namespace lockstep::timing {
namespace {

// Warp instructions that a sampled replay should not exceed by much.
constexpr double instruction_budget = 3e6;

double instructions_of(const BlockTrace& block, const Code& code) {
    double sum = 0;
    for (const WarpTrace& warp : block.warps)
        for (const Step& step : warp.steps) {
            const Region& region = code.regions[step.region];
            sum += static_cast<double>((step.unrolled ? region.unrolled : region.once).ops.size());
        }
    return sum;
}

// `sum` plus so many times what happened between `from` and `to`.
void extend(double& sum, double from, double to, double times) { sum += (to - from) * times; }

void extend(ReplaySums& sum, const ReplaySums& from, const ReplaySums& to, double times) {
    extend(sum.cycles, from.cycles, to.cycles, times);
    for (std::size_t s = 0; s < sum.sm.states.size(); ++s)
        extend(sum.sm.states[s], from.sm.states[s], to.sm.states[s], times);
    for (std::size_t u = 0; u < sum.sm.pipe_busy.size(); ++u)
        extend(sum.sm.pipe_busy[u], from.sm.pipe_busy[u], to.sm.pipe_busy[u], times);
    extend(sum.sm.instructions, from.sm.instructions, to.sm.instructions, times);
    extend(sum.sm.active_cycles, from.sm.active_cycles, to.sm.active_cycles, times);
    extend(sum.sm.l1_sectors, from.sm.l1_sectors, to.sm.l1_sectors, times);
    extend(sum.sm.l1_hits, from.sm.l1_hits, to.sm.l1_hits, times);
    extend(sum.sm.l1_busy, from.sm.l1_busy, to.sm.l1_busy, times);
    extend(sum.sm.shared_busy, from.sm.shared_busy, to.sm.shared_busy, times);
    extend(sum.memory.l2_reads, from.memory.l2_reads, to.memory.l2_reads, times);
    extend(sum.memory.l2_writes, from.memory.l2_writes, to.memory.l2_writes, times);
    extend(sum.memory.l2_hits, from.memory.l2_hits, to.memory.l2_hits, times);
    extend(sum.dram_busy, from.dram_busy, to.dram_busy, times);
    extend(sum.l2_busy, from.l2_busy, to.l2_busy, times);
    extend(sum.atomics_busy, from.atomics_busy, to.atomics_busy, times);
    extend(sum.launch_busy, from.launch_busy, to.launch_busy, times);
    for (std::size_t p = 0; p < sum.places.size(); ++p)
        for (std::size_t s = 0; s < sum.places[p].size(); ++s)
            extend(sum.places[p][s], from.places[p][s], to.places[p][s], times);
}

// How long blocks are resident, by how much they did: from those that were replayed.
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
    std::vector<BlockTrace> traces;
    std::map<std::uint32_t, BlockGroup> groups;
    L2Outcome l2;
};

Predictor::Predictor(const events::ObservedKernel& kernel, const Code& code,
                     std::span<const counters::MachineAccess> accesses, const gpu::GpuModel& gpu,
                     const counters::LaunchConfig& config, const gpu::Occupancy& occupancy,
                     const gpu::SharedConfiguration& shared, std::size_t workers)
    : kernel_(kernel),
      code_(code),
      accesses_(accesses),
      gpu_(gpu),
      blocks_(config.blocks()),
      resident_(static_cast<std::uint32_t>(std::max(occupancy.blocks_per_sm, 1))),
      warps_((config.threads() + static_cast<std::uint32_t>(gpu.warp_size) - 1) /
             static_cast<std::uint32_t>(gpu.warp_size)),
      l1_bytes_(gpu.timing.l1_shares_with_shared
                    ? gpu.timing.l1_bytes - std::min(gpu.timing.l1_bytes, shared.bytes)
                    : gpu.timing.l1_bytes),
      choice_(blocks_, static_cast<std::uint32_t>(gpu.sms), resident_),
      state_(choice_, resident_, warps_) {
    recorders_.reserve(workers);
    for (std::size_t w = 0; w < workers; ++w) recorders_.emplace_back(kernel, state_);
}

Predictor::Collected Predictor::collect() {
    Collected all;
    std::vector<SampledAccess> l2;
    std::vector<RecordedBlock> recorded;
    for (Recorder& recorder : recorders_) {
        Recorder::Result one = recorder.take();
        std::move(one.blocks.begin(), one.blocks.end(), std::back_inserter(recorded));
        l2.insert(l2.end(), one.l2.begin(), one.l2.end());
        for (const auto& [key, group] : one.groups) {
            all.groups[key].blocks += group.blocks;
            all.groups[key].record_bytes += group.record_bytes;
        }
    }
    // Another thread may have had to give up blocks later than this one.
    std::erase_if(recorded,
                  [&](const RecordedBlock& one) { return choice_.find(one.block)->sm >= state_.sms(); });
    std::sort(recorded.begin(), recorded.end(),
              [](const auto& a, const auto& b) { return a.block < b.block; });
    for (RecordedBlock& block : recorded) {
        all.traces.push_back(make_trace(block, code_, kernel_, accesses_));
        block = {};
    }
    all.l2 = simulate_l2(std::move(l2), state_.l2_level.now(), kernel_.sites.size(), gpu_,
                         std::uint64_t{resident_} * static_cast<std::uint32_t>(gpu_.sms));
    return all;
}

counters::Prediction Predictor::predict() {
    Collected all = collect();
    counters::Prediction result;
    result.resident_blocks = resident_;
    const double clock_ghz = gpu_.clock_mhz / 1000.0;
    const double overhead = gpu_.timing.kernel_overhead_us * 1000;
    if (all.traces.empty()) {
        result.nanoseconds = overhead;
        return result;
    }
    // As many SMs as the budget allows.
    double each = 0;
    for (const BlockTrace& trace : all.traces) each += instructions_of(trace, code_);
    each /= static_cast<double>(all.traces.size());
    const auto used =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(blocks_, static_cast<std::uint32_t>(gpu_.sms)));
    std::uint32_t sms = std::min({most_sms, used, state_.sms()});
    const double per_sm = each * static_cast<double>(all.traces.size()) / sms;
    while (sms > 1 && per_sm * sms > instruction_budget) sms /= 2;

    std::vector<const BlockTrace*> order;
    for (const BlockTrace& trace : all.traces)
        if (choice_.find(trace.block)->sm < sms) order.push_back(&trace);
    ReplaySetup setup;
    setup.gpu = &gpu_;
    setup.code = &code_;
    setup.sms = sms;
    setup.sms_used = used;
    setup.resident = resident_;
    setup.l1_bytes = l1_bytes_;
    setup.l2 = &all.l2;
    setup.sites = kernel_.sites.size();
    setup.blocks = order.size();
    std::size_t at = 0;
    const ReplayResult replayed =
        replay(setup, [&] { return at < order.size() ? order[at++] : nullptr; }, [](const BlockTrace*) {});

    // What was not replayed takes as long as blocks took while the SMs were full.
    const Durations durations(replayed);
    const double share = static_cast<double>(sms) / used;
    double work = 0;
    for (const auto& [key, group] : all.groups)
        work +=
            static_cast<double>(group.blocks) *
            durations.mean(key, static_cast<double>(group.record_bytes) / static_cast<double>(group.blocks));
    const auto work_of = [&](std::size_t first, std::size_t last) {
        double sum = 0;
        for (std::size_t b = first; b < last; ++b)
            sum += static_cast<double>(replayed.blocks[b].end - replayed.blocks[b].begin) /
                   replayed.blocks[b].kept;
        return sum;
    };
    const double replayed_work = work_of(0, replayed.blocks.size());
    ReplaySums total = replayed.all;
    const double rest = work * share - replayed_work;
    if (replayed.last_steady > replayed.first_steady) {
        const double steady = work_of(replayed.first_steady, replayed.last_steady);
        if (rest > 0 && steady > 0) extend(total, replayed.steady_begin, replayed.steady_end, rest / steady);
    } else if (rest > 0 && replayed_work > 0) {
        extend(
            total,
            ReplaySums{.places = std::vector<std::array<double, counters::warp_states>>(total.places.size())},
            replayed.all, rest / replayed_work);
    }
    // Records that were cut off: the block went on as it had begun.
    double cut = 0;
    for (const BlockTrace* trace : order) cut += 1 / trace->kept;
    cut /= static_cast<double>(order.size());

    const double busy_sms = static_cast<double>(used) / gpu_.sms;
    const double cycles = total.cycles * cut;
    result.nanoseconds = overhead + cycles / clock_ghz;
    result.cycles = result.nanoseconds * clock_ghz;
    result.active_cycles = total.sm.active_cycles / sms * cut * busy_sms;
    const double warp_cycles = std::accumulate(total.sm.states.begin(), total.sm.states.end(), 0.0);
    if (total.sm.active_cycles > 0) {
        result.warps_active = warp_cycles / total.sm.active_cycles;
        const double eligible = total.sm.states[static_cast<std::size_t>(counters::WarpState::selected)] +
                                total.sm.states[static_cast<std::size_t>(counters::WarpState::not_selected)];
        result.warps_eligible = eligible / total.sm.active_cycles / gpu_.timing.schedulers;
    }
    result.instructions = total.sm.instructions / sms * cut * busy_sms;
    for (std::size_t s = 0; s < counters::warp_states; ++s)
        result.states[s] = warp_cycles > 0 ? total.sm.states[s] / warp_cycles : 0;
    const double whole = cut / share;
    result.l1_sectors = total.sm.l1_sectors * whole;
    result.l1_hits = total.sm.l1_hits * whole;
    result.l2_read_sectors = total.memory.l2_reads * whole;
    result.l2_write_sectors = total.memory.l2_writes * whole;
    result.l2_hits = total.memory.l2_hits * whole;
    result.dram_read_bytes = all.l2.read_bytes;
    result.dram_write_bytes = all.l2.write_bytes;
    result.blocks_replayed = static_cast<double>(order.size());
    result.instructions_replayed = replayed.all.sm.instructions;
    result.bound = find_bound(total, gpu_, sms, overhead * clock_ghz / cut);
    for (std::size_t p = 0; p < code_.places.size(); ++p) {
        counters::Prediction::Place place{code_.places[p].function, code_.places[p].block,
                                          code_.places[p].instruction, total.places[p]};
        for (double& state : place.states) state *= whole;
        result.places.push_back(place);
    }
    return result;
}

}  // namespace lockstep::timing
