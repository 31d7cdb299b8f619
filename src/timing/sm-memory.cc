// An SM's ways to memory: what an access takes of the L1, shared memory and the ways to the L2, and when it
// is done.
#include <algorithm>
#include <array>
#include <bit>

#include "timing/fit.h"
#include "timing/sm.h"

namespace lockstep::timing {
namespace {

using counters::line_sectors;
using counters::Memory;
using kernel::SiteKind;

constexpr double piece_bytes = sector_bytes;  // in which requests and stores go to the L2

// What the access asks for at each of its lines.
MemorySystem::Atomic request_of(const Access& access, const BlockTrace& block) {
    return {.lanes = std::max<std::uint32_t>(access.lanes / std::max<std::uint32_t>(access.lines, 1), 1),
            .meeting = access.meeting,
            .passes = static_cast<double>(access.passes) / std::max<double>(access.lines, 1),
            .adds_floats = access.adds_floats,
            .compares = access.compares,
            .site = access.site,
            .block = block.block};
}

std::span<const Line> lines_of(const Access& access, const BlockTrace& block) {
    return std::span(block.lines).subspan(access.first_line, access.lines);
}

// The L1 looks a line up in each bank of its tags at once. A line's bank: the digits of its number, added
// without carry, so that lines any power of two apart are in different ones.
std::uint32_t tag_passes(std::span<const Line> lines, std::uint32_t banks) {
    if (banks <= 1 || lines.size() <= 1) return static_cast<std::uint32_t>(lines.size());
    const int digit = std::bit_width(banks - 1);
    const bool whole_digits = std::has_single_bit(banks);  // no division, of which each line would have one
    std::array<std::uint32_t, gpu::most_tag_banks> found;  // lines, by bank
    std::fill_n(found.begin(), banks, 0);
    std::uint32_t most = 0;
    for (const Line& line : lines) {
        std::uint64_t number = line.address / line_bytes;
        for (int width = 32; width >= digit; width /= 2) number ^= number >> width;
        most = std::max(most, ++found[whole_digits ? number & (banks - 1) : number % banks]);
    }
    return most;
}

}  // namespace

void Sm::access_memory(Warp& warp, const Op& op, const Access& access) {
    const auto now = static_cast<double>(now_);
    const BlockTrace& block = *blocks_[warp.block].trace;
    const bool atomic = kernel::is_atomic(access.kind);
    switch (access.memory) {
        case Memory::shared: {
            if (access.far && figures_.cluster_latency) {
                const double sent = far_shared(access);
                if (access.kind == SiteKind::store || access.kind == SiteKind::reduction)
                    warp.stores_done = std::max(warp.stores_done, sent);
                set_targets(warp, op, sent + figures_.cluster_latency, State::short_scoreboard);
                break;
            }
            const double cost = shared_cycles(std::max<double>(access.wavefronts, 1));
            const double begun = take_lsu(now, cost);
            totals_.shared_busy += cost;
            const int latency = atomic ? figures_.shared_atomic_latency : figures_.shared_latency;
            double done = hand_over(warp, access, begun + latency);
            if (access.words) {
                const double passes = cost / (access.compares ? 2 : 1);  // one that fails does not write
                const double changed = swap_shared(warp, access, begun, passes);
                done = std::max(
                    done, changed + (access.spins ? std::max(figures_.shared_swap_round, latency) : latency));
                // A loop of the warp's own: it goes on when all of its lanes are through.
                if (access.spins) {
                    warp.fetched = cycle_of(done);
                    warp.fetch_reason = State::short_scoreboard;
                }
            }
            set_targets(warp, op, done, State::short_scoreboard);
            break;
        }
        case Memory::constant:     // load_constant
        case Memory::bulk: break;  // copy_bulk
        case Memory::texture:
            if (access.kind == SiteKind::load) {
                set_targets(warp, op, texture_lines(warp, access), State::long_scoreboard);
                break;
            }
            [[fallthrough]];
        case Memory::global:
        case Memory::local:
            if (atomic) {
                double done = atomic_lines(access, block);
                if (access.words) {
                    const SwappedWords::Changed changed = memory_.swap(
                        access, words_of(access, block), timing::number_of(*warp.trace, block), now);
                    issue_again(warp, access, changed.rounds);
                    done = std::max(done, changed.at);
                }
                set_targets(warp, op, done, State::long_scoreboard);
            } else if (access.kind == SiteKind::load) {
                const double arrives =
                    load_lines(warp, access, op.bypasses_l1 && access.memory == Memory::global);
                set_targets(warp, op, arrives, State::long_scoreboard);
                if (op.async == Async::begins) store_copied(warp, op, arrives);
            } else
                warp.stores_done = std::max(warp.stores_done, store_lines(access, block));
            break;
    }
}

// When the warp has swapped its words. All of the SM's warps that try take their turn at shared memory.
double Sm::swap_shared(Warp& warp, const Access& access, double begun, double passes) {
    const BlockTrace& block = *blocks_[warp.block].trace;
    double trying = 1;
    for (const Warp& other : warps_) trying += &other != &warp && other.swaps_until > begun;
    const double least = std::max<double>(figures_.shared_swap_round, figures_.shared_atomic_latency);
    SwappedWords::Pace pace{.apart = least, .round = std::max(least, trying * fit::spin_turn)};
    const std::span<const Word> words = words_of(access, block);
    if (!access.spins) {
        const bool more = std::ranges::any_of(words, [](const Word& word) { return word.lanes > 1; });
        pace.round = least + trying / 2 * (fit::shared_attempt + passes);
        pace.apart = pace.round * (more ? fit::shared_own_lanes : 1);
    }
    const SwappedWords::Changed changed =
        blocks_[warp.block].swapped.change(access, words, timing::number_of(*warp.trace, block), begun, pace);
    issue_again(warp, access, changed.rounds);
    warp.swaps_until = changed.at + least;
    return changed.at;
}

void Sm::issue_again(Warp& warp, const Access& access, double rounds) {
    const Section& section = section_of(code_, warp.trace->steps[warp.step]);
    warp.retried += rounds * (access.spins ? access.spin_instructions : section.instructions);
}

// The engine goes through the rows, and through each line by line; the L1 is not asked.
void Sm::copy_bulk(Warp& warp, const Access& access) {
    const BlockTrace& block = *blocks_[warp.block].trace;
    const double bytes = access.sectors * piece_bytes;
    const double cost =
        std::max(bytes / figures_.bulk_bytes_per_cycle, access.rows * figures_.bulk_row_cycles);
    const double begun = bulk_.take(static_cast<double>(now_), cost);
    const double each = cost / std::max<double>(access.lines, 1);
    double last = begun + cost;
    for (std::uint32_t i = 0; i < access.lines; ++i) {
        const Line& line = block.lines[access.first_line + i];
        const auto sectors = counters::count_of(line.sectors);
        const double at = begun + each * i;
        if (access.kind == SiteKind::load) {
            UnderWay alone;  // the engine asks for one line after the other
            last = std::max(last, fetch_line(line, sectors, access.site, at, alone));
            continue;
        }
        const double cycles = sectors * piece_bytes / figures_.l2_write_bytes_per_cycle_sm;
        const double sent = request_port_.take(at, cycles) + cycles;
        last = std::max(last, access.kind == SiteKind::store
                                  ? memory_.write(line, false, sent)
                                  : memory_.atomic(line,
                                                   {.lanes = sectors,
                                                    .passes = static_cast<double>(sectors),
                                                    .site = access.site,
                                                    .block = block.block},
                                                   sent));
    }
    if (access.kind == SiteKind::load) {
        if (access.phase) arrive_at_phase(blocks_[warp.block], access.phase, last + figures_.bulk_latency);
        return;
    }
    // That sources have been read is known hardly earlier than that all is done: both waits are one.
    AsyncGroups& groups = warp.async[static_cast<std::size_t>(AsyncKind::bulk)];
    groups.open = std::max(groups.open, last + figures_.bulk_store_latency);
    warp.stores_done = std::max(warp.stores_done, last);
}

void Sm::load_constant(Warp& warp, const Op& op) {
    const Access* const access = access_of(warp, op);
    const BlockTrace& block = *blocks_[warp.block].trace;
    std::optional<double> served = static_cast<double>(now_);
    if (access) served = constants_.load(constant_loads_, *access, block, *served);
    totals_.constant_busy = constants_.busy();
    if (served) return set_targets(warp, op, *served + figures_.constant_latency, State::short_scoreboard);
    constant_waiters_.emplace(constant_loads_, number_of(warp));
    set_targets(warp, op, static_cast<double>(unknown + static_cast<Cycle>(constant_loads_++)),
                State::short_scoreboard);
}

// Loads of constants that had to wait for lines go on. What took over one's value waits for it as well.
void Sm::advance_constants() {
    constants_.advance(static_cast<double>(now_), [&](std::uint64_t load, double at) {
        const auto waiter = constant_waiters_.extract(load);
        Warp& warp = warps_[waiter.mapped()];
        const Cycle done = cycle_of(at + figures_.constant_latency);
        for (std::int64_t& entry : warp.scoreboard)
            if (entry / states == unknown + static_cast<Cycle>(load))
                entry = done * states + static_cast<std::int64_t>(State::short_scoreboard);
        wake_schedulers();
        if (warp.op && is_unknown(warp)) find_ready(warp);
    });
    totals_.constant_busy = constants_.busy();
}

// What a copy has brought goes to shared memory, which takes its time there.
void Sm::store_copied(Warp& warp, const Op& op, double arrives) {
    const Step& step = warp.trace->steps[warp.step];
    const std::uint32_t index = warp.trace->accesses[step.first_access + op.access - 1u];
    if (index != WarpTrace::no_access) {
        const double cost = shared_cycles(blocks_[warp.block].trace->accesses[index].wavefronts);
        take_lsu(static_cast<double>(now_), cost);
        totals_.shared_busy += cost;
    }
    AsyncGroups& groups = warp.async[static_cast<std::size_t>(AsyncKind::copies)];
    groups.open = std::max(groups.open, arrives);
}

// Another block's shared memory: over the ways between SMs.
double Sm::far_shared(const Access& access) {
    const double cycles = std::max<double>(access.sectors, 1) * figures_.cluster_sector_cycles;
    const double begun = take_lsu(static_cast<double>(now_), std::max<double>(access.wavefronts, 1));
    return cluster_port_.take(begun, cycles) + cycles;
}

// That the L1 is busy with a request: pass by pass, and no more bytes than it hands on. A load's pass finds
// lines in all banks of tags at once, and reads a word of each bank of data; a store's is for one line.
double Sm::l1_cycles(const Access& access, const BlockTrace& block) const {
    const double bytes = static_cast<double>(access.lanes) * access.lane_bytes;
    const bool loads = access.kind == SiteKind::load;
    const std::uint32_t passes =
        loads ? std::max<std::uint32_t>(tag_passes(lines_of(access, block), figures_.l1_tag_banks),
                                        access.wavefronts)
              : access.lines;
    return std::max({static_cast<double>(passes) * figures_.l1_request_cycles,
                     bytes / figures_.l1_bytes_per_cycle, loads ? fit::l1_least_cycles : 1.0});
}

// What memory gives goes wavefront by wavefront to the registers of the warp's scheduler, which an SM's other
// schedulers do not wait for. `from`: when the first one is there.
double Sm::hand_over(const Warp& warp, const Access& access, double from) {
    const double wavefronts = std::max<double>(access.wavefronts, 1);
    Server& registers = schedulers_[warp.scheduler].registers;
    const double each = figures_.shared_conflict_cycles;
    const double begun = access.kind == SiteKind::load ? registers.take(from, wavefronts * each) : from;
    return begun + (wavefronts - 1) * each;
}

// Passes go through the L1 one after the other; the warp has its data when the last line has come.
double Sm::load_lines(Warp& warp, const Access& access, bool bypass) {
    const double cost = l1_cycles(access, *blocks_[warp.block].trace);
    const double begun = take_l1(cost);
    // The latency is that of a load which takes the L1 no longer than others.
    const double latency = figures_.l1_latency + 1 - fit::l1_least_cycles;
    const double handed = hand_over(warp, access, begun + latency);
    return std::max(handed, through_l1(warp, access, bypass, begun, cost, latency));
}

// The texture unit takes so many lanes in a cycle, has the L1 find lines for them, turn by turn, filters,
// and hands on so many bytes in a cycle.
double Sm::texture_lines(Warp& warp, const Access& access) {
    constexpr double lanes_of_group = 4;
    double cost = std::max(std::max<double>(access.wavefronts, 1) * lanes_of_group / figures_.texture_lanes,
                           access.turns * figures_.texture_line_cycles);
    if (const double bytes = figures_.texture_bytes_per_cycle * (access.filtered ? 1 : 2); bytes > 0)
        cost = std::max(cost, access.lanes * access.texel_bytes / bytes);
    const double begun = texture_.take(static_cast<double>(now_), cost);
    totals_.texture_busy += cost;
    return through_l1(warp, access, false, begun, cost,
                      access.filtered ? figures_.texture_latency : figures_.texture_load_latency);
}

double Sm::through_l1(Warp& warp, const Access& access, bool bypass, double begun, double cost,
                      double latency) {
    const BlockTrace& block = *blocks_[warp.block].trace;
    double latest = begun + latency + (cost - 1);
    const double each = cost / std::max<double>(access.lines, 1);
    for (std::uint32_t i = 0; i < access.lines; ++i) {
        const Line& line = block.lines[access.first_line + i];
        const double at = begun + each * i;
        const auto wanted = counters::count_of(line.sectors);
        totals_.l1_sectors += wanted;
        Line missing = line;
        if (l1_.lines() && !bypass) {
            const std::uint64_t number = line.address / line_bytes;
            CacheLine* known = l1_.find(number);
            if (!known) {
                CacheLine evicted;
                known = &l1_.insert(number, evicted);
            }
            missing.sectors = static_cast<std::uint8_t>(line.sectors & ~known->valid);
            for (std::uint32_t s = 0; s < line_sectors; ++s)
                if (line.sectors >> s & 1 && known->valid >> s & 1)
                    latest = std::max(latest, known->arrives[s]);
            const auto had = wanted - counters::count_of(missing.sectors);
            totals_.l1_hits += had;
            const CachedLoads loads{static_cast<double>(wanted), static_cast<double>(had)};
            if (access.memory == Memory::global) totals_.l1_global += loads;
            if (access.memory == Memory::local) totals_.l1_local += loads;
            if (missing.sectors) {
                const double arrives = fetch_line(missing, wanted, access.site, at, warp.under_way);
                for (std::uint32_t s = 0; s < line_sectors; ++s)
                    if (missing.sectors >> s & 1) known->arrives[s] = arrives;
                known->valid |= missing.sectors;
                known->site = access.site;
                latest = std::max(latest, arrives);
            } else {
                memory_.note_l1_hits(wanted, access.site, known->site);
            }
        } else {
            latest = std::max(latest, fetch_line(missing, wanted, access.site, at, warp.under_way));
        }
    }
    return latest;
}

// Over the ways between the SM and the L2: a piece for the request, the sectors back.
double Sm::fetch_line(const Line& missing, std::uint32_t accessed, std::uint32_t site, double now,
                      UnderWay& under_way) {
    const double asked = request_port_.take(now, piece_bytes / figures_.l2_write_bytes_per_cycle_sm);
    // The SM's first load waits for the translation of its address; those behind it wait with it.
    if (translations_ready_ < 0) translations_ready_ = memory_.translate(asked);
    const double sent = std::max(asked, translations_ready_);
    const double arrives = memory_.read(missing, accessed, site, sent, under_way);
    const double cycles = counters::count_of(missing.sectors) * piece_bytes / figures_.l2_bytes_per_cycle_sm;
    const double back = reply_port_.take(sent, cycles);
    return std::max(arrives, back + cycles + figures_.l2_latency);
}

// Stores go through to the L2. Returns when they are on their way.
double Sm::store_lines(const Access& access, const BlockTrace& block) {
    const double cost = l1_cycles(access, block);
    const double begun = take_l1(cost);
    double sent = begun + cost;
    double taken = sent;
    const double each = cost / std::max<double>(access.lines, 1);
    for (std::uint32_t i = 0; i < access.lines; ++i) {
        const Line& line = block.lines[access.first_line + i];
        const auto sectors = counters::count_of(line.sectors);
        totals_.l1_sectors += sectors;
        if (figures_.l1_keeps_stores && l1_.lines()) totals_.l1_hits += keep_stored(line);
        StoreBuffer::Open& open = stores_.line(line.address, block.block);
        const Line left{line.address, open.add(line.sectors)};
        const std::uint32_t left_sectors = counters::count_of(left.sectors);
        memory_.note_joined(sectors - left_sectors);
        if (left_sectors) {
            const double cycles = write_pieces(left_sectors, access.partial) * piece_bytes /
                                  figures_.l2_write_bytes_per_cycle_sm;
            open.sent = request_port_.take(begun + each * i, cycles) + cycles;
            taken = std::max(taken, memory_.write(left, access.partial, open.sent));
        }
        sent = std::max(sent, open.sent);
    }
    // Too much under way: what comes next waits in the SM, and at the L1 behind pieces that have not left it.
    lsu_.free = std::max(lsu_.free, taken - figures_.store_queue_cycles);
    l1_free_ = std::max(l1_free_, request_port_.free - fit::store_pieces_waiting * piece_bytes /
                                                           figures_.l2_write_bytes_per_cycle_sm);
    return sent;
}

// What is stored stays in the L1 for loads. Returns the sectors whose line was there, all of it or not.
std::uint32_t Sm::keep_stored(const Line& line) {
    const std::uint64_t number = line.address / line_bytes;
    CacheLine* known = l1_.find(number);
    const bool found = known != nullptr;
    CacheLine evicted;
    if (!found) known = &l1_.insert(number, evicted);
    known->valid |= line.sectors;
    return found ? counters::count_of(line.sectors) : 0;
}

double Sm::atomic_lines(const Access& access, const BlockTrace& block) {
    const double cost = std::max<double>(access.lines, 1);
    const double begun = take_l1(cost);
    double latest = begun;
    const MemorySystem::Atomic request = request_of(access, block);
    for (std::uint32_t i = 0; i < access.lines; ++i) {
        const Line& line = block.lines[access.first_line + i];
        totals_.l1_sectors += counters::count_of(line.sectors);
        const double sent = request_port_.take(
            begun + i, request.lanes * fit::atomic_lane_bytes / figures_.l2_write_bytes_per_cycle_sm);
        latest = std::max(latest, memory_.atomic(line, request, sent));
    }
    lsu_.free = std::max(lsu_.free, latest - figures_.atomic_latency - figures_.store_queue_cycles);
    return latest;
}

}  // namespace lockstep::timing
