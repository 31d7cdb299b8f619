#include "timing/sm.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/cpu-clones.h"
#include "timing/fit.h"
#include "timing/units.h"

namespace lockstep::timing {
namespace {

using counters::Memory;
using kernel::SiteKind;
using timing::warp_states;
using timing::WarpState;

bool is_variable(Unit unit) { return machine::latency_class_of(unit) == machine::LatencyClass::variable; }

// From an expansion's machine instruction to this one, the next: all of them are as far apart.
Cycle gap_before(const Op& op, std::uint32_t step) {
    const std::uint32_t gaps = op.issues - op.xu_issues - 1u, gap = step - op.xu_issues;
    return gaps == 0 || gap == 0 ? 1 : op.gaps * gap / gaps - op.gaps * (gap - 1) / gaps;
}

bool is_product(Unit unit) { return unit >= Unit::tensor && unit <= Unit::tensor_group; }

// As std::lround, which is a call on plain x86-64, of what is not negative.
Cycle nearest_cycle(double time) {
    const auto whole = static_cast<Cycle>(time);
    return whole + (time - static_cast<double>(whole) >= 0.5);
}

// Those that are ready at this time, a bit each; and when the first of the others is, or `end`.
LOCKSTEP_CPU_CLONES std::uint64_t those_ready(const Cycle* ready, std::size_t count, Cycle now) {
    std::uint64_t able = 0;
    for (std::size_t turn = 0; turn < count; ++turn)
        able |= static_cast<std::uint64_t>(ready[turn] <= now) << turn;
    return able;
}
LOCKSTEP_CPU_CLONES Cycle first_after(const Cycle* ready, std::size_t count, Cycle now, Cycle end) {
    for (std::size_t turn = 0; turn < count; ++turn) {
        const Cycle later = ready[turn] <= now ? end : ready[turn];
        end = later < end ? later : end;
    }
    return end;
}

}  // namespace

Sm::Sm(std::uint32_t number, const gpu::GpuModel& gpu, const Code& code, std::uint64_t l1_bytes,
       MemorySystem& memory, std::vector<std::array<double, warp_states>>& places)
    : number_(number),
      figures_(gpu.timing),
      code_(code),
      memory_(memory),
      places_(places),
      shuffle_cycles_(static_cast<double>(gpu.warp_size) / gpu.timing.shuffle.lanes),
      l1_(l1_bytes / line_bytes),
      constants_(figures_.constant),
      code_caches_(figures_.code, figures_.code_line_instructions, figures_.schedulers, code.instructions),
      code_here_(code.regions.size(), never),
      schedulers_(static_cast<std::size_t>(figures_.schedulers)) {
    for (std::size_t u = 0; u < units; ++u) interval_[u] = issue_interval(static_cast<Unit>(u), gpu);
    interval_[static_cast<std::size_t>(Unit::constant)] = fit::constant_interval;
}

void Sm::start(const BlockTrace& trace, Cycle begin) {
    if (idle()) now_ = std::max(now_, begin);
    if (free_blocks_.empty()) {
        free_blocks_.push_back(static_cast<std::uint32_t>(blocks_.size()));
        blocks_.emplace_back();
    }
    const std::uint32_t slot = free_blocks_.back();
    free_blocks_.pop_back();
    Block& block = blocks_[slot];
    block.trace = &trace;
    block.begin = begin;
    block.warps_left = static_cast<std::uint32_t>(trace.warps.size());
    block.waiting = 0;
    block.phases.assign(trace.phases.size(), {});
    for (std::size_t i = 0; i < trace.phases.size(); ++i) block.phases[i].missing = trace.phases[i];
    block.members.clear();
    block.swapped = SwappedWords();
    wake_schedulers();
    ++blocks_running_;
    Cycle at = begin;
    double offset = 0;
    for (const WarpTrace& warp_trace : trace.warps) {
        if (free_warps_.empty()) {
            free_warps_.push_back(static_cast<std::uint32_t>(warps_.size()));
            warps_.emplace_back();
        }
        const std::uint32_t number = free_warps_.back();
        free_warps_.pop_back();
        blocks_[slot].members.push_back(number);
        Warp& warp = warps_[number];
        at = begin + static_cast<Cycle>(offset);
        offset += figures_.block_warp_cycles;
        warp.trace = &warp_trace;
        warp.block = slot;
        warp.step = 0;
        warp.op = warp.section_end = nullptr;
        warp.place = 0;
        warp.sub = 0;
        warp.begin = warp.last = warp.fetched = at;
        warp.fetch_reason = State::no_instruction;
        warp.code_asked = 0;
        warp.constants_due = 0;
        warp.stall = 0;
        warp.stores_done = 0;
        warp.swaps_until = warp.retried = 0;
        warp.under_way = {};
        warp.at_barrier = warp.at_phase = false;
        warp.async = {};
        warp.scoreboard.assign(code_.slots, 0);
        Scheduler& scheduler = schedulers_[next_scheduler_];
        warp.scheduler = next_scheduler_;
        warp.turn = static_cast<std::uint32_t>(scheduler.warps.size());
        scheduler.warps.push_back(number);
        scheduler.ready.push_back(at);
        scheduler.throttled_until.push_back(0);
        scheduler.unit.push_back(Unit::none);
        warp.gate = Gate::open;
        next_scheduler_ = (next_scheduler_ + 1) % static_cast<std::uint32_t>(schedulers_.size());
        advance(warp);
        if (!warp.op) set_ready(warp, at, warp.reason);  // nothing to do: it ends when it would issue
    }
    // Blocks whose warps all schedulers have alike do not all begin at the same one.
    if (trace.warps.size() % schedulers_.size() == 0)
        next_scheduler_ = (next_scheduler_ + 1) % static_cast<std::uint32_t>(schedulers_.size());
}

void Sm::run_until(Cycle limit, std::vector<EndedBlock>& ended) {
    ended_ = &ended;
    while (now_ < limit && !idle()) {
        advance_constants();
        bool issued = false;
        // None of them is always first at what they share.
        const std::size_t count = schedulers_.size();
        if (++first_scheduler_ == count) first_scheduler_ = 0;
        for (std::size_t k = 0, at = first_scheduler_; k < count; ++k) {
            Scheduler& scheduler = schedulers_[at];
            for (int i = 0; i < figures_.issues_per_cycle && issue_one(scheduler); ++i) issued = true;
            if (++at == count) at = 0;
        }
        const Cycle next =
            issued ? now_ + 1 : std::min(next_issue(), cycle_of(std::min(constants_.next(), 1.0 * never)));
        // Arrivals that the records do not have (another block's, for example) are waited for no longer.
        if (!issued && next == never && leave_phases()) continue;
        const Cycle before = now_;
        now_ = std::clamp(next, before + 1, std::max(limit, before + 1));
        totals_.active_cycles += static_cast<double>(now_ - before);
    }
    if (idle()) now_ = std::max(now_, limit);
}

// When one of the warps may, after none could. What the schedulers share has been taken since they looked.
Cycle Sm::next_issue() {
    Cycle next = never;
    for (Scheduler& scheduler : schedulers_) {
        if (scheduler.wake > now_) {
            scheduler.wake = scheduler.own_wake;
            for (std::size_t gate = 0; gate < shared_gates; ++gate)
                if (scheduler.waits_at[gate])
                    scheduler.wake = std::min(scheduler.wake, look_at(scheduler, gate));
        }
        next = std::min(next, scheduler.wake);
    }
    return next;
}

void Sm::wake_schedulers() {
    for (Scheduler& scheduler : schedulers_) scheduler.wake = 0;
}

// The warp that the scheduler's policy takes, if any can issue; else the scheduler sleeps until one may.
std::uint32_t Sm::choose(Scheduler& scheduler) {
    const std::size_t count = scheduler.warps.size();
    const std::uint64_t at_pipes = scheduler.at[static_cast<std::size_t>(Gate::pipe)];
    Cycle own_wake = never;
    const auto pipe_is_free = [&](std::size_t turn) {
        const Cycle opens = pipe_ready(scheduler, turn);
        if (opens <= now_) return true;
        scheduler.throttled_until[turn] = opens;
        own_wake = std::min(own_wake, opens);
        return false;
    };
    const auto passes = [&](std::size_t turn) { return !(at_pipes >> turn & 1) || pipe_is_free(turn); };

    const std::size_t last = scheduler.last == nobody ? count : warps_[scheduler.last].turn;
    const bool greedy = figures_.policy == gpu::SchedulerPolicy::greedy_then_oldest;
    if (greedy && last < count && scheduler.ready[last] <= now_) {
        const auto gate = static_cast<std::size_t>(warps_[scheduler.last].gate);
        if ((gate >= shared_gates || look_at(scheduler, gate) <= now_) && passes(last)) return scheduler.last;
    }
    // A bit for each that has what it needs, and whose gate is open.
    std::uint64_t able = those_ready(scheduler.ready.data(), count, now_);
    Cycle wake = never;
    for (std::size_t gate = 0; gate < shared_gates; ++gate) {
        const std::uint64_t waiting = able & scheduler.at[gate];
        const Cycle opens = waiting ? look_at(scheduler, gate) : now_;
        scheduler.waits_at[gate] = opens > now_;
        if (opens <= now_) continue;
        able &= ~waiting;
        wake = std::min(wake, opens);
    }
    const auto first_of = [&](std::uint64_t some) {
        for (; some; some &= some - 1)
            if (const auto turn = static_cast<std::size_t>(std::countr_zero(some)); passes(turn))
                return scheduler.warps[turn];
        return nobody;
    };
    const std::uint64_t last_bit = last < count ? std::uint64_t{1} << last : 0;
    std::uint32_t chosen = nobody;
    if (greedy) {
        chosen = first_of(able & ~last_bit);
    } else {
        const std::uint64_t upto_last = last_bit ? last_bit | (last_bit - 1) : 0;
        chosen = first_of(able & ~upto_last);
        if (chosen == nobody) chosen = first_of(able & upto_last);
    }
    if (chosen != nobody) return chosen;
    own_wake = first_after(scheduler.ready.data(), count, now_, own_wake);
    scheduler.own_wake = own_wake;
    scheduler.wake = std::min(wake, own_wake);
    return nobody;
}

bool Sm::issue_one(Scheduler& scheduler) {
    if (scheduler.wake > now_) return false;
    const std::uint32_t chosen = choose(scheduler);
    if (chosen == nobody) return false;
    scheduler.last = chosen;
    issue(scheduler, chosen);
    return true;
}

// An instruction's way through L1 or shared memory: when it is begun.
double Sm::take_lsu(double now, double cost) {
    const double begun = lsu_.take(now, cost);
    note_begun(begun);
    return begun;
}

// The same for an access to the L1, which shared memory does not wait for.
double Sm::take_l1(double cost) {
    const double begun = std::max(lsu_.take(static_cast<double>(now_), cost), l1_free_);
    l1_free_ = begun + cost;
    totals_.l1_busy += cost;
    note_begun(begun);
    return begun;
}

void Sm::note_begun(double begun) {
    lsu_begun_[lsu_turn_] = begun;
    if (++lsu_turn_ == lsu_begun_.size()) lsu_turn_ = 0;
}

// When what all schedulers share lets the next instruction in.
Cycle Sm::gate_opens(std::size_t gate) const {
    const std::array<double, shared_gates> opens{lsu_begun_[lsu_turn_],
                                                 texture_.free - figures_.l1_queue_cycles,
                                                 constants_.free() - figures_.l1_queue_cycles};
    return opens[gate] <= static_cast<double>(now_) ? now_ : cycle_of(opens[gate]);
}

Cycle Sm::look_at(Scheduler& scheduler, std::size_t gate) const {
    const Cycle opens = gate_opens(gate);
    if (opens > now_) scheduler.closed_until[gate] = opens;
    return opens;
}

void Sm::set_gate(Warp& warp, Gate gate) {
    Scheduler& scheduler = schedulers_[warp.scheduler];
    const std::uint64_t bit = std::uint64_t{1} << warp.turn;
    if (warp.gate != Gate::open) scheduler.at[static_cast<std::size_t>(warp.gate)] &= ~bit;
    if (gate != Gate::open) scheduler.at[static_cast<std::size_t>(gate)] |= bit;
    warp.gate = gate;
    warp.gate_seen = now_;
    warp.busy_seen = busy_at(scheduler, warp);
}

// Hundreds of warps go through their traces by turns: no processor guesses what comes next of each.
void Sm::fetch_ahead(const Warp& warp, const Op& op, const Access& access, const BlockTrace& block) {
    constexpr std::uint32_t indices_of_line = 16;
    const std::uint32_t index = warp.trace->steps[warp.step].first_access + op.access;
    __builtin_prefetch(warp.trace->accesses.data() + index + indices_of_line);
    __builtin_prefetch(block.lines.data() + access.first_line);
    __builtin_prefetch(&access + 2);
}

// What the warp's next instruction has to pass, and what it is called to wait there.
void Sm::find_gate(Warp& warp) {
    const Op& op = *warp.op;
    switch (op.unit) {
        case Unit::memory:
        case Unit::shuffle: {
            Gate gate = Gate::memory;
            warp.throttle = op.unit == Unit::shuffle ? State::mio_throttle : State::lg_throttle;
            if (op.unit == Unit::memory && op.access != Op::no_access) {
                const Access* const access = warp.access = access_of(warp, op);
                if (access) fetch_ahead(warp, op, *access, *blocks_[warp.block].trace);
                const bool shared = access
                                        ? access->memory == Memory::shared
                                        : section_of(code_, warp.trace->steps[warp.step]).shared[op.access];
                if (shared) warp.throttle = State::mio_throttle;
                if (access && access->memory == Memory::texture && access->kind == SiteKind::load)
                    gate = Gate::texture;
            }
            return set_gate(warp, gate);
        }
        case Unit::barrier:
        case Unit::fence:
        case Unit::bulk:
        case Unit::bulk_group:
        case Unit::none: return set_gate(warp, Gate::open);
        case Unit::constant:
            if (op.access != Op::no_access) {
                warp.throttle = State::mio_throttle;
                return set_gate(warp, Gate::constants);
            }
            [[fallthrough]];
        default: {
            Unit& unit = schedulers_[warp.scheduler].unit[warp.turn];
            unit = unit_of(warp, op);
            warp.throttle = is_variable(unit) ? State::mio_throttle : State::math_pipe_throttle;
            set_gate(warp, Gate::pipe);
        }
    }
}

// Until when its gate kept the warp, which had all else from `ready` on, from being issued. It is open in
// some cycles and closed in others, and in others again another warp is chosen: what is known is how many of
// them there were since the instruction is the warp's next.
Cycle Sm::closed_to(const Scheduler& scheduler, const Warp& warp, Cycle ready) const {
    if (warp.gate == Gate::open || ready == now_) return ready;
    const auto part = [&](double share, Cycle until) {
        return ready + nearest_cycle(std::clamp(share, 0.0, 1.0) *
                                     static_cast<double>(std::clamp(until, ready, now_) - ready));
    };
    if (is_own_pipe(scheduler, warp)) return std::clamp(scheduler.throttled_until[warp.turn], ready, now_);
    const double waited = std::max(1.0, static_cast<double>(now_ - warp.gate_seen));
    const double busy = busy_at(scheduler, warp) - warp.busy_seen;
    if (warp.gate == Gate::pipe) return part(busy / waited, now_);
    // Who can pass a gate that all share does not wait in a cycle in which nobody is chosen.
    return part(1 - busy / waited, scheduler.closed_until[static_cast<std::size_t>(warp.gate)]);
}

// Cycles so far in which the pipe that the warp needs took nothing, or in which its scheduler was busy.
double Sm::busy_at(const Scheduler& scheduler, const Warp& warp) {
    return warp.gate == Gate::pipe
               ? scheduler.pipe_closed[static_cast<std::size_t>(scheduler.unit[warp.turn])]
               : scheduler.issued;
}

Cycle Sm::pipe_ready(const Scheduler& scheduler, std::size_t turn) const {
    const Unit unit = scheduler.unit[turn];
    double free = scheduler.pipe_free[static_cast<std::size_t>(unit)];
    if (is_product(unit) && scheduler.last_product == scheduler.warps[turn])
        free += figures_.tensor_same_warp;
    // A pipe may be free within a cycle: 1.25 cycles apart means four times in five.
    return std::max(now_, static_cast<Cycle>(free));
}

// The warp's cycles since its last issue, by what it did in them.
void Sm::account(const Scheduler& scheduler, Warp& warp) {
    const auto add = [&](State state, Cycle begin, Cycle end) {
        const auto cycles = static_cast<double>(end - begin);
        if (cycles <= 0) return;
        if (close_up_)
            close_up_->state(static_cast<std::size_t>(&scheduler - schedulers_.data()), state, begin, end);
        // These are waited for at the instruction that asks for them, not at the next one.
        const bool before = !warp.op || state == State::barrier || state == State::membar;
        auto& place = places_[before ? warp.place : warp.op->place];
        totals_.states[static_cast<std::size_t>(state)] += cycles;
        place[static_cast<std::size_t>(state)] += cycles;
    };
    const Cycle ready = std::clamp(scheduler.ready[warp.turn], warp.last, now_);
    // ptxas writes into an instruction how long the next one has to wait at least.
    const Cycle written = std::min(ready, warp.last + warp.stall);
    add(State::wait, warp.last, written);
    const Cycle asked = warp.reason == State::no_instruction ? warp.code_asked : written;
    add(warp.asked_reason, written, std::clamp(asked, written, ready));
    Cycle waits = std::clamp(asked, written, ready);
    if (warp.retried >= 1) {
        const Cycle tried = std::min(ready - waits, static_cast<Cycle>(warp.retried));
        add(State::selected, waits, waits + tried);
        totals_.instructions += static_cast<double>(tried);
        warp.retried -= static_cast<double>(tried);
        waits += tried;
    }
    add(warp.reason, waits, ready);
    const Cycle closed = closed_to(scheduler, warp, ready);
    add(is_own_pipe(scheduler, warp) ? State::wait : warp.throttle, ready, closed);
    add(State::not_selected, closed, now_);
}

// Whether the pipe that the warp's next instruction needs is busy with its last: ptxas knows, too.
bool Sm::is_own_pipe(const Scheduler& scheduler, const Warp& warp) const {
    return warp.gate == Gate::pipe &&
           scheduler.pipe_user[static_cast<std::size_t>(scheduler.unit[warp.turn])] == number_of(warp);
}

// For who looks closely: the instruction that is issued now, and why not before.
void Sm::show_issue(const Scheduler& scheduler, const Warp& warp) const {
    close_up_->state(static_cast<std::size_t>(&scheduler - schedulers_.data()), State::selected, now_,
                     now_ + 1);
    const Block& block = blocks_[warp.block];
    if (!close_up_->looks_at(*block.trace)) return;
    const auto number = static_cast<std::uint32_t>(
        std::find(block.members.begin(), block.members.end(), number_of(warp)) - block.members.begin());
    if (warp.sub != 0) return close_up_->goes_on(*block.trace, number, now_);
    const Op& op = *warp.op;
    const Step& step = warp.trace->steps[warp.step];
    CloseUp::Issue issue;
    issue.cycle = issue.last = now_;
    issue.warp = number;
    issue.place = code_.places[op.place];
    issue.lanes = step.mask;
    issue.reason = warp.reason;
    issue.throttle = warp.throttle;
    issue.ready = std::clamp(scheduler.ready[warp.turn], warp.last, now_);
    issue.free = closed_to(scheduler, warp, issue.ready);
    close_up_->issue(*block.trace, issue,
                     op.access == Op::no_access ? WarpTrace::no_access
                                                : warp.trace->accesses[step.first_access + op.access]);
}

void Sm::issue(Scheduler& scheduler, std::uint32_t number) {
    Warp& warp = warps_[number];
    account(scheduler, warp);
    if (!warp.op) return end_warp(number);
    const Op& op = *warp.op;
    if (close_up_) show_issue(scheduler, warp);
    scheduler.issued += 1;
    totals_.instructions += 1;
    totals_.states[static_cast<std::size_t>(State::selected)] += 1;
    places_[op.place][static_cast<std::size_t>(State::selected)] += 1;
    warp.place = op.place;
    warp.last = now_ + 1;
    warp.fetched = now_ + 1;
    warp.fetch_reason = State::wait;
    warp.code_asked = 0;
    warp.stall = 0;
    scheduler.throttled_until[warp.turn] = 0;
    const Unit used = unit_of(warp, op);
    const auto unit = static_cast<std::size_t>(used);
    const auto now = static_cast<double>(now_);
    switch (op.unit) {
        case Unit::memory:
            if (warp.sub == 0 && op.access != Op::no_access) {
                if (warp.access) {
                    access_memory(warp, op, *warp.access);
                    double& free = scheduler.pipe_free[static_cast<std::size_t>(Unit::fma)];
                    free = std::max(free, now + 1) + words_moved(*warp.access) * fit::word_moved;
                } else {
                    // No lane takes part: it passes through, and what waits for it waits as long.
                    const bool shared = section_of(code_, warp.trace->steps[warp.step]).shared[op.access];
                    const double begun = take_lsu(now, 1);
                    set_targets(warp, op, begun + (shared ? figures_.shared_latency : figures_.l1_latency),
                                shared ? State::short_scoreboard : State::long_scoreboard);
                }
            }
            break;
        case Unit::shuffle: {
            const double begun = take_lsu(now, shuffle_cycles_);
            totals_.shared_busy += shuffle_cycles_;
            set_targets(warp, op, begun + op.latency, State::short_scoreboard);
            const Access* access = warp.sub == 0 ? access_of(warp, op) : nullptr;
            if (access && !access->waits)
                arrive_at_phase(blocks_[warp.block], access->phase, begun + op.latency);
            if (access && access->waits && !wait_for_phase(number, *access)) return;
            break;
        }
        case Unit::bulk:
            if (const Access* access = warp.sub == 0 ? access_of(warp, op) : nullptr)
                copy_bulk(warp, *access);
            break;
        case Unit::bulk_group: break;
        case Unit::fence:
            if (warp.sub + 1 < op.issues) break;
            warp.fetched = cycle_of(std::max(now, warp.stores_done) + op.latency);
            warp.fetch_reason = State::membar;
            break;
        case Unit::branch:
        case Unit::reconverge:
            warp.fetched = now_ + (op.ends_step ? branch_cycles(warp) : op.latency);
            warp.fetch_reason = State::branch_resolving;
            warp.stall = fit::branch_stall;
            break;
        case Unit::barrier: break;
        case Unit::tensor_group: multiply_group(scheduler, warp, op); break;
        case Unit::constant:
            if (op.access != Op::no_access) {
                load_constant(warp, op);
                break;
            }
            [[fallthrough]];
        default: {
            double& free = scheduler.pipe_free[unit];
            const double slow = is_product(used) ? wake_tensor_core(scheduler, used) : 0;
            free = std::max(free, now) + interval_[unit] * op.times + slow;
            scheduler.pipe_closed[unit] += interval_[unit] * op.times + slow - 1;
            scheduler.pipe_user[unit] = number;
            totals_.pipe_busy[unit] += interval_[unit] * op.times;
            if (is_product(used)) scheduler.last_product = number;
            const State state = is_variable(used) ? State::short_scoreboard : State::wait;
            set_targets(warp, op, now + op.latency + slow, state);
            if (op.unit == Unit::constant) follow_constant(warp, op);
            break;
        }
    }
    const Access* const slow = op.slow_way ? access_of(warp, op) : nullptr;
    if (++warp.sub < op.issues + (slow ? slow->issues : 0u)) {
        const bool in_routine = warp.sub >= op.issues;
        // The next instruction of an expansion waits for this one.
        if (used == Unit::xu) {
            warp.fetched = now_ + figures_.xu.latency;
            warp.fetch_reason = State::short_scoreboard;
        } else if (in_routine) {
            if (warp.sub % fit::library_chains == 0)
                warp.fetched = std::max(warp.fetched, now_ + figures_.alu.latency);
        } else if (op.gaps) {
            warp.fetched = now_ + gap_before(op, warp.sub);
        } else if (op.unit != Unit::memory && warp.sub % op.chains == 0) {
            warp.fetched = std::max(warp.fetched, now_ + op.latency);
        }
        // Branches of an inlined function, or of a routine, are spread over its instructions.
        const std::uint32_t parts = (in_routine ? slow->branches : op.branches) + 1u;
        const std::uint32_t done = in_routine ? warp.sub - op.issues : warp.sub;
        if (parts > 1 && done * parts % (in_routine ? slow->issues : op.issues) < parts) {
            warp.fetched = std::max(warp.fetched, now_ + figures_.branch_latency);
            warp.fetch_reason = State::branch_resolving;
            warp.stall = fit::branch_stall;
        }
        set_ready(warp, warp.fetched, warp.fetch_reason);
        find_gate(warp);
        return;
    }
    if (op.async != Async::none) follow_async(warp, op);
    if (op.unit == Unit::barrier) return arrive(warp, op.of_cluster);
    ++warp.op;
    warp.stall = std::max<Cycle>(warp.stall, op.stall - 1);
    warp.fetched = std::max(warp.fetched, now_ + op.stall);
    warp.sub = 0;
    advance(warp);
}

// Registers that an access reads or writes beside its address's first: their way is that of the multiply-add
// unit's operands.
double Sm::words_moved(const Access& access) {
    constexpr std::uint32_t word = 4;
    const std::uint32_t data = (access.lane_bytes + word - 1) / word;
    return access.memory == Memory::shared ? data : data + 1;
}

// How long the branch at the end of the warp's step takes, by where the warp goes on.
int Sm::branch_cycles(const Warp& warp) const {
    const Step& step = warp.trace->steps[warp.step];
    if (step.split) return figures_.split_latency;
    const bool passed = warp.step + 1 < warp.trace->steps.size() &&
                        warp.trace->steps[warp.step + 1].region == code_.regions[step.region].next;
    return passed ? figures_.passed_branch_latency : figures_.branch_latency;
}

// What comes behind a constant or special register: the first ones of a kernel are not in the SM yet. They
// come line by line, and all warps wait for them.
void Sm::follow_constant(Warp& warp, const Op& op) {
    if (constants_here_ <= now_ && constant_lines_here_ < code_.constant_lines) {
        ++constant_lines_here_;
        constants_here_ = cycle_of(memory_.fetch_constants(static_cast<double>(now_)));
    }
    if (constants_here_ > now_) {
        warp.fetched = constants_here_;
        warp.fetch_reason = State::imc_miss;
    } else if (warp.op + 1 != warp.section_end && warp.op[1].unit == Unit::constant) {
        warp.fetched = now_ + fit::constant_turn;
    }
    if (warp.step == 0 && op.target_count == 0) warp.constants_due = warp.fetched + op.latency;
}

// To the next operation that is issued, through what costs nothing and into the next step.
void Sm::advance(Warp& warp) {
    while (true) {
        while (!warp.op || warp.op == warp.section_end) {
            if (warp.op) ++warp.step;
            if (warp.step >= warp.trace->steps.size()) {
                // The end: stores must be on their way first.
                warp.op = warp.section_end = nullptr;
                set_gate(warp, Gate::open);
                const Cycle stored = cycle_of(warp.stores_done);
                if (stored > warp.fetched)
                    set_ready(warp, stored, State::drain);
                else
                    set_ready(warp, warp.fetched, warp.fetch_reason);
                return;
            }
            const Step& step = warp.trace->steps[warp.step];
            const Section& section = section_of(code_, step);
            warp.op = section.ops.data();
            warp.section_end = warp.op + section.ops.size();
            fetch_code(warp, step.region, section);
            if (section.ops.empty()) {
                // An empty section: mark it as passed.
                static const Op nothing{};
                warp.op = warp.section_end = &nothing;
            }
        }
        const Op& op = *warp.op;
        if (op.only_on_split && !warp.trace->steps[warp.step].split) {
            ++warp.op;
            continue;
        }
        if (op.unit != Unit::none) break;
        const std::int64_t latest = latest_source(warp, op);
        for (std::size_t t = 0; t < op.target_count; ++t) warp.scoreboard[op.targets[t]] = latest;
        ++warp.op;
    }
    find_ready(warp);
}

// Instructions that the SM has not run yet are fetched first; warps that come meanwhile wait with the first.
// Those that it has run may be there no more.
void Sm::fetch_code(Warp& warp, std::uint32_t region, const Section& section) {
    const bool jumps = warp.step > 0 && code_.regions[warp.trace->steps[warp.step - 1].region].next != region;
    const Cycle again = cycle_of(code_caches_.wait(warp.scheduler, section, jumps));
    Cycle& here = code_here_[region];
    const bool is_new = here == never;
    if (is_new) {
        const auto lines = static_cast<Cycle>(
            std::ceil(static_cast<double>(section.instructions) / figures_.code_line_instructions));
        here = warp.fetched + lines * figures_.instruction_cache_miss;
        if (!std::exchange(has_code_, true)) here += figures_.first_code_cycles;
    }
    const Cycle fetched = is_new ? here : std::max(here, warp.fetched + again);
    if (fetched <= warp.fetched) return;
    warp.code_asked = warp.fetched;
    warp.asked_reason = warp.fetch_reason;
    warp.fetched = fetched;
    warp.fetch_reason = State::no_instruction;
}

std::int64_t Sm::latest_source(const Warp& warp, const Op& op) {
    std::int64_t latest = 0;
    for (std::size_t s = 0; s < op.source_count; ++s)
        latest = std::max(latest, warp.scoreboard[op.sources[s]]);
    return latest;
}

void Sm::find_ready(Warp& warp) {
    find_gate(warp);
    const Op& op = *warp.op;
    std::int64_t latest = latest_source(warp, op);
    // A predicate that guards is there later than one that is read.
    if (op.guard != Op::no_slot)
        latest = std::max(
            latest, warp.scoreboard[op.guard] + (figures_.predicate_latency - figures_.alu.latency) * states);
    if (op.unit != Unit::constant && warp.constants_due > warp.fetched)
        latest = std::max(latest,
                          warp.constants_due * states + static_cast<std::int64_t>(State::short_scoreboard));
    if (op.unit == Unit::memory && latest % states == static_cast<std::int64_t>(State::wait))
        latest += fit::address_wait * states;
    if (const Cycle known = latest / states; known > warp.fetched)
        set_ready(warp, known, static_cast<State>(latest % states));
    else
        set_ready(warp, warp.fetched, warp.fetch_reason);
}

void Sm::set_ready(Warp& warp, Cycle ready, State reason) {
    schedulers_[warp.scheduler].ready[warp.turn] = ready;
    warp.reason = reason;
}

void Sm::set_targets(Warp& warp, const Op& op, double ready, State state) {
    const std::int64_t entry = cycle_of(ready) * states + static_cast<std::int64_t>(state);
    for (std::size_t t = 0; t < op.target_count; ++t) warp.scoreboard[op.targets[t]] = entry;
}

// Null: no lane takes part.
const Access* Sm::access_of(const Warp& warp, const Op& op) const {
    if (op.access == Op::no_access) return nullptr;
    const std::uint32_t index = warp.trace->accesses[warp.trace->steps[warp.step].first_access + op.access];
    return index == WarpTrace::no_access ? nullptr : &blocks_[warp.block].trace->accesses[index];
}

// Where its next machine instruction is executed: the XU has the first ones; routines for lanes that need a
// slow way are whole numbers, mostly.
Unit Sm::unit_of(const Warp& warp, const Op& op) {
    return warp.sub < op.xu_issues ? Unit::xu : warp.sub < op.issues ? op.unit : Unit::alu;
}

// What a product takes longer after the scheduler's tensor core has rested.
double Sm::wake_tensor_core(Scheduler& scheduler, Unit used) {
    if (used == Unit::tensor_fp64) return 0;
    const auto now = static_cast<double>(now_);
    const double rested = std::max(0.0, now - scheduler.product_at - fit::tensor_short_rest);
    const double owed =
        std::min(figures_.tensor_rest_cycles, scheduler.rest_owed + rested * figures_.tensor_rest_share);
    const double paid = std::min(owed, figures_.tensor_wake_cycles);
    scheduler.rest_owed = owed - paid;
    scheduler.product_at = now + paid;
    return paid;
}

// A warp's share of a warpgroup's product, which reads shared memory while it goes on.
void Sm::multiply_group(Scheduler& scheduler, Warp& warp, const Op& op) {
    constexpr double warps = 4;
    const auto now = static_cast<double>(now_), unit_cycles = interval_[static_cast<std::size_t>(op.unit)];
    const double reading = shared_cycles(op.wavefronts / warps);
    const double read = take_lsu(now, reading) + reading, busy = unit_cycles * op.times;
    double& free = scheduler.pipe_free[static_cast<std::size_t>(op.unit)];
    free = std::max(std::max(free, now) + busy, read);
    totals_.pipe_busy[static_cast<std::size_t>(op.unit)] += busy;
    totals_.shared_busy += reading;
    AsyncGroups& groups = warp.async[static_cast<std::size_t>(AsyncKind::products)];
    groups.open = std::max(groups.open, free - unit_cycles + figures_.tensor_group.latency);
}

void Sm::end_warp(std::uint32_t number) {
    Warp& warp = warps_[number];
    totals_.warp_cycles += static_cast<double>(now_ - warp.begin);
    Scheduler& scheduler = schedulers_[warp.scheduler];
    const auto leave = [&](auto& of_each) { of_each.erase(of_each.begin() + warp.turn); };
    leave(scheduler.warps);
    leave(scheduler.ready);
    leave(scheduler.throttled_until);
    leave(scheduler.unit);
    for (std::uint64_t& some : scheduler.at) {
        const std::uint64_t older = (std::uint64_t{1} << warp.turn) - 1;
        some = (some & older) | (some >> 1 & ~older);
    }
    for (std::uint32_t i = warp.turn; i < scheduler.warps.size(); ++i) warps_[scheduler.warps[i]].turn = i;
    if (scheduler.last == number) scheduler.last = nobody;
    Block& block = blocks_[warp.block];
    --block.warps_left;
    std::erase(block.members, number);
    free_warps_.push_back(number);
    if (block.warps_left) return release(block);
    counters::add(totals_.failed, block.swapped.failed());
    ended_->push_back({block.trace, number_, block.begin, now_});
    free_blocks_.push_back(warp.block);
    --blocks_running_;
}

}  // namespace lockstep::timing
