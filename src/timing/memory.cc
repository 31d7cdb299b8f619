#include "timing/memory.h"

#include <bit>
#include <cmath>
#include <utility>

#include "timing/fit.h"

namespace lockstep::timing {

double dram_efficiency(const gpu::TimingFigures& figures, double read_bytes, double write_bytes) {
    const double all = read_bytes + write_bytes;
    const double reads = all > 0 ? read_bytes / all : 1;
    const double straight =
        reads * figures.dram_read_efficiency + (1 - reads) * figures.dram_write_efficiency;
    const double middle = (figures.dram_read_efficiency + figures.dram_write_efficiency) / 2;
    return straight - (middle - figures.dram_mixed_efficiency) * 4 * reads * (1 - reads);
}

MemorySystem::MemorySystem(const gpu::GpuModel& gpu, double share, const L2Outcome* l2, std::size_t sites,
                           const HostRanges* host)
    : figures_(gpu.timing),
      dram_extra_latency_(std::max(0, gpu.memory_latency_cycles - gpu.timing.l2_latency)),
      reply_cost_(1 / (gpu.timing.l2_read_bytes_per_cycle * share)),
      request_cost_(sector_bytes / (gpu.timing.l2_write_bytes_per_cycle * share)),
      share_(share),
      atomic_cost_(1 / (gpu.timing.atomics_per_cycle * share)),
      outcome_(l2),
      host_(host),
      bus_(gpu, share),
      slices_(static_cast<std::size_t>(gpu.timing.l2_slices)),
      swapped_(1 / share) {
    peak_cost_ = gpu.clock_mhz / (gpu.memory_bandwidth_gbs * 1000.0 * share);
    set_mix(l2 ? l2->read_bytes : 0, l2 ? l2->write_bytes : 0);
    if (l2) {
        credit_.assign(sites, fit::first_credit);
        waits_.assign(sites, fit::first_credit);
        write_back_share_ = l2->written_bytes > 0 ? std::min(1.0, l2->write_bytes / l2->written_bytes) : 0;
    } else {
        cache_ = std::make_unique<Cache>(gpu.timing.l2_effective_bytes / line_bytes);
    }
}

// What the memory reaches depends on how much is read and written: known from a sample, or so far.
void MemorySystem::set_mix(double read_bytes, double write_bytes) {
    dram_cost_ = peak_cost_ / dram_efficiency(figures_, read_bytes, write_bytes);
    const double all = read_bytes + write_bytes;
    const double written = all > 0 ? write_bytes / all : 0;
    queue_cycles_ = figures_.dram_queue_read +
                    (figures_.dram_queue_mixed - figures_.dram_queue_read) * 4 * written * (1 - written);
}

void MemorySystem::credit(std::uint32_t site, std::uint32_t sectors, std::uint32_t fetched_at) {
    if (outcome_) credit_[fetched_at] += outcome_->miss_share[site] * sectors;
}

// Finds the line in the cache, or makes room for it; what has to go is written back.
MemorySystem::Kept MemorySystem::keep(const Line& line, double now) {
    const std::uint64_t number = line.address / line_bytes;
    if (CacheLine* known = cache_->find(number)) return {known, 0};
    CacheLine evicted;
    Kept kept{&cache_->insert(number, evicted), 0};
    if (evicted.dirty) {
        const double bytes = counters::count_of(evicted.dirty) * sector_bytes;
        kept.written = use_dram(bytes, now);
        totals_.dram_write_bytes += bytes;
    }
    return kept;
}

std::uint32_t MemorySystem::misses(const Line& line, std::uint32_t site) {
    const auto wanted = counters::count_of(line.sectors);
    if (outcome_) {
        const auto owed = static_cast<std::uint32_t>(std::max(0.0, credit_[site]));
        const std::uint32_t missing = std::min(owed, wanted);
        credit_[site] -= missing;
        return missing;
    }
    CacheLine* known = keep(line, dram_.free).line;
    const auto missing = static_cast<std::uint8_t>(line.sectors & ~known->valid);
    known->valid |= fetched_with(missing, figures_.dram_fetch_bytes) | line.sectors;
    return counters::count_of(missing);
}

// From device memory into the L2: a miss brings more than its own sector, so that neighbours come together.
double MemorySystem::fetch(std::uint32_t sectors, double now) {
    const auto granule = static_cast<std::uint32_t>(figures_.dram_fetch_bytes);
    const std::uint32_t bytes = (sectors * sector_bytes + granule - 1) / granule * granule;
    const double cost = bytes < line_bytes ? bytes * figures_.dram_half_line_cost : bytes;
    const double begun = use_dram(cost, now);
    totals_.dram_read_bytes += bytes;
    // What comes is written into the L2, as what SMs store is, in the same turns.
    const double placing = sectors * request_cost_;
    const double placed = arrays_.take(now, placing) + placing;
    return std::max(queue_wait(begun, now) + cost * dram_cost_, placed - now) + dram_extra_latency_;
}

// Long before all bandwidth is used, requests meet in banks and on the bus.
double MemorySystem::queue_wait(double begun, double now) {
    const double use = std::min(dram_use_, fit::dram_most_use);
    return std::max(begun - now, queue_cycles_ * use / (1 - use) * spread());
}

// Line by line: who asks for the same meanwhile waits with the first.
void MemorySystem::note_arrival(const Line& line, double arrives) {
    if (outcome_) return;
    CacheLine* known = cache_->find(line.address / line_bytes);
    if (!known) return;
    const auto fetched = fetched_with(line.sectors, figures_.dram_fetch_bytes);
    for (std::uint32_t s = 0; s < counters::line_sectors; ++s)
        if (fetched >> s & 1 && known->arrives[s] == 0) known->arrives[s] = arrives;
}

// Sectors that are there, or on their way because another SM has asked for them: what is left of that.
double MemorySystem::wait_with_others(const Line& line, std::uint32_t found, std::uint32_t site, double now) {
    if (!outcome_) {
        double latest = now;
        if (const CacheLine* known = cache_->find(line.address / line_bytes))
            for (std::uint32_t s = 0; s < counters::line_sectors; ++s)
                if (line.sectors >> s & 1) latest = std::max(latest, known->arrives[s]);
        return latest - now;
    }
    if (outcome_->wait_share.empty()) return 0;
    waits_[site] += outcome_->wait_share[site] * found;
    if (waits_[site] < 1) return 0;
    waits_[site] -= found;
    return fit::others_wait * (dram_extra_latency_ + queue_wait(now, now));
}

// Waits in a queue are of different lengths: a block, which ends with its slowest warp, feels the longest.
// The mean is 1; the distribution that of a request which passes several queues one after the other
// (Erlang's). From a sequence that is the same in every run.
double MemorySystem::spread() {
    double product = 1;
    for (int queue = 0; queue < fit::dram_queues; ++queue) {
        random_ = random_ * 6364136223846793005u + 1442695040888963407u;
        product *= (static_cast<double>(random_ >> 11) + 0.5) * 0x1p-53;
    }
    return -std::log(product) / fit::dram_queues;
}

// Takes the memory's time, and notes how busy it has been.
double MemorySystem::use_dram(double bytes, double now) {
    if (!outcome_ && ++uses_ % fit::dram_mix_uses == 0)
        set_mix(totals_.dram_read_bytes, totals_.dram_write_bytes);
    const double cost = bytes * dram_cost_;
    const double begun = dram_.take(now, cost);
    const double passed = std::max(0.0, now - dram_use_at_);
    dram_use_ = dram_use_ * std::exp(-passed / fit::dram_use_window) + cost / fit::dram_use_window;
    dram_use_at_ = std::max(dram_use_at_, now);
    return begun;
}

// How much later than alone a line comes that its warp waits for together with others.
double MemorySystem::behind_others(const Line& line, double now, UnderWay& under_way) const {
    const std::uint64_t page = line.address / fit::dram_page_bytes;
    if (now >= under_way.until || under_way.later < 0) {
        under_way.later = 0;
    } else if (page == under_way.page) {
        under_way.later += fit::dram_page_share * figures_.dram_line_cycles;
    } else {
        const double fetched = counters::count_of(fetched_with(line.sectors, figures_.dram_fetch_bytes));
        under_way.later += figures_.dram_line_cycles * fetched * sector_bytes / figures_.dram_fetch_bytes;
    }
    under_way.page = page;
    under_way.later = std::min(under_way.later, figures_.dram_most_line_cycles);
    return under_way.later;
}

double MemorySystem::read(const Line& line, std::uint32_t accessed, std::uint32_t site, double now,
                          UnderWay& under_way) {
    const auto wanted = counters::count_of(line.sectors);
    if (is_hosts(line)) {
        totals_.l2_reads += wanted;
        return bus_.read(wanted * sector_bytes, requests_.take(now, request_cost_)) + figures_.l2_latency;
    }
    credit(site, accessed, site);
    const double asked = requests_.take(now, request_cost_);
    const double reply_cost = wanted * sector_bytes * reply_cost_;
    const std::uint32_t missing = misses(line, site);
    totals_.l2_reads += wanted;
    totals_.l2_hits += wanted - missing;
    double waited = 0;
    if (missing) {
        waited = fetch(missing, asked) + behind_others(line, asked, under_way);
        under_way.until = std::max(under_way.until, asked + waited);
        note_arrival(line, asked + waited);
    } else {
        waited = wait_with_others(line, wanted, site, asked);
    }
    // Replies of the L2 leave in the order of their requests; what waits for device memory does not hold them
    // up.
    const double sent = replies_.take(asked, reply_cost);
    return std::max(sent + reply_cost, asked + waited) + figures_.l2_latency;
}

double MemorySystem::write(const Line& line, bool partial, double now) {
    const auto wanted = counters::count_of(line.sectors);
    const double cost = write_pieces(wanted, partial) * request_cost_;
    const double begun = requests_.take(now, cost);
    totals_.l2_writes += wanted;
    totals_.l2_hits += wanted;
    double accepted = begun + cost;
    accepted = std::max(accepted, arrays_.take(begun, wanted * request_cost_) + wanted * request_cost_);
    if (is_hosts(line)) {
        totals_.l2_hits -= wanted;
        accepted = bus_.write(wanted * sector_bytes, accepted);
    } else if (outcome_) {
        const double bytes = (wanted + std::exchange(joined_, 0)) * sector_bytes * write_back_share_;
        accepted = std::max(accepted, use_dram(bytes, begun));
        totals_.dram_write_bytes += bytes;
    } else {
        const Kept kept = keep(line, begun);
        kept.line->valid |= line.sectors;
        kept.line->dirty |= line.sectors;
        accepted = std::max(accepted, kept.written);
    }
    settled_ = std::max(settled_, accepted + figures_.l2_latency / 2.0);
    return accepted;
}

// Attempts come one after the other, and each takes the line its time: up to so many, all of them try once
// while a change goes to the SM and back. With more of them a warp has to wait longer for its own; attempts
// then pass each other, and the next change does not wait for all of them.
SwappedWords::Changed MemorySystem::swap(const Access& access, std::span<const Word> words, WarpNumber warp,
                                         double now) {
    const double round = figures_.atomic_latency + fit::swap_round;
    const double attempt = 2 * access.meeting / figures_.same_address_atomics_per_cycle +
                           access.sectors / std::max<double>(access.lines, 1) *
                               (access.partial ? fit::swap_part : fit::swap_whole);
    const double attempts = attempt * swapped_.contenders(words, warp, now);
    const double apart = fit::swap_crowd * round * std::pow(attempts / round, fit::swap_crowd_power);
    SwappedWords::Changed changed = swapped_.change(
        access, words, warp, now,
        {.apart = std::max(round, apart), .round = round, .attempt = attempt, .in_turn = apart <= round});
    changed.at += figures_.atomic_latency;
    return changed;
}

// That the lanes at one word take: one after the other, from whichever warp they come.
double MemorySystem::word_turn(const Atomic& request) const {
    return request.meeting * (request.adds_floats ? fit::atomic_float_turns : 1) *
           (request.compares ? 2 : 1) / figures_.same_address_atomics_per_cycle;
}

// Lines of a kilobyte share two slices, and kilobytes that follow each other take these pairs in turn: what
// lies close together leaves most of them without work.
Server& MemorySystem::slice_of(const Line& line) {
    constexpr std::uint64_t group_lines = fit::slice_bytes / line_bytes;
    const std::uint64_t number = line.address / line_bytes, group = number / group_lines;
    const std::uint64_t pairs = (slices_.size() + 1) / 2;
    std::uint64_t mixed = group / pairs * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93u;
    const std::uint64_t pair = (group + (mixed >> 32)) % pairs;
    const std::uint64_t second = std::popcount(number % group_lines) & 1;
    return slices_[(pair * 2 + second) % slices_.size()];
}

double MemorySystem::atomic(const Line& line, const Atomic& request, double now) {
    const auto wanted = static_cast<double>(counters::count_of(line.sectors));
    if (is_hosts(line)) {
        totals_.l2_reads += wanted;
        const double arrives = bus_.atomic(request.lanes, now);
        settled_ = std::max(settled_, arrives);
        return arrives;
    }
    credit(request.site, static_cast<std::uint32_t>(wanted), request.site);
    HotLine& hot =
        hot_lines_.try_emplace(line.address / line_bytes, HotLine{{}, request.block, request.block})
            .first->second;
    hot.note(request.block);
    // Blocks that are not replayed ask for the same line, or for lines of their own in other slices; a few
    // requests that meet in a slice by chance do not wait.
    const double times = std::clamp(hot.others(), 1.0, 1 / share_);
    const double passes = fit::atomic_request + request.passes * fit::atomic_pass, word = word_turn(request);
    Server& slice = slice_of(line);
    const double in_slice = slice.take(now, passes * times) - fit::slice_slack * (times - 1);
    const double at_line = hot.server.take(now, word * times);
    hottest_ = std::max({hottest_, slice.busy, hot.server.busy});
    const double turn = std::max(passes, word);

    // All of them together. What sums of floats wait for at a word leaves the slice to others.
    const double lanes = request.meeting / figures_.same_address_atomics_per_cycle;
    const double slices = fit::atomic_spread * static_cast<double>(slices_.size()) * share_;
    const double cost = std::max({request.lanes * atomic_cost_, wanted / (fit::atomic_sectors * share_),
                                  std::max(passes, lanes) / slices});
    const double begun = std::max({atomics_.take(now, cost), in_slice, at_line});
    const std::uint32_t missing = misses(line, request.site);
    totals_.l2_reads += wanted;
    totals_.l2_hits += wanted - missing;
    double arrives = begun + std::max(cost, turn) + figures_.atomic_latency;
    if (missing) arrives += fetch(missing, begun);
    settled_ = std::max(settled_, begun + std::max(cost, turn) + figures_.l2_latency / 2.0);
    return arrives;
}

}  // namespace lockstep::timing
