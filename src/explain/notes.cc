// What figures hide, or seem to say: the average that is over other instructions, the branch that is none,
// warps without work.
#include <fmt/format.h>

#include <algorithm>

#include "explain/rules.h"

namespace lockstep::explain {
namespace {

using report::InstructionCounts;

bool begins_with_any(const InstructionCounts& at, std::initializer_list<std::string_view> names) {
    return std::any_of(names.begin(), names.end(),
                       [&](std::string_view name) { return operation_of(at).starts_with(name); });
}

bool is_branch(const InstructionCounts& at) { return at.branches > 0 || begins_with_any(at, {"bra", "brx"}); }
bool is_select(const InstructionCounts& at) {
    return at.executed > 0 && begins_with_any(at, {"selp", "slct"});
}
bool is_barrier(const InstructionCounts& at) {
    return begins_with_any(at, {"bar.sync", "barrier.sync", "barrier.cta.sync"});
}
bool has_effect(const InstructionCounts& at, bool of_waves) {
    if (of_waves)
        return at.machine.find("_store") != std::string::npos ||
               at.machine.find("_atomic") != std::string::npos || at.machine.starts_with("s_swappc");
    return begins_with_any(at, {"st.", "atom.", "red.", "call", "sust.", "sured.", "cp.", "trap",
                                "wmma.store", "stmatrix", "multimem.", "discard", "griddepcontrol", "brkpt"});
}
double lanes_off(const InstructionCounts& at) {
    return is_branch(at) ? 0 : static_cast<double>(at.active - std::min(at.active, at.predicated_on));
}

double share_of(double part, double whole) { return whole > 0 ? part / whole : 0; }

// A condition that made no branch: nothing diverges, and branch efficiency does not see it.
void predicated(const Facts& facts, std::vector<Note>& notes) {
    const auto made = [](const InstructionCounts& at) {
        return lanes_off(at) > 0 || is_select(at) ? static_cast<double>(at.executed) : 0.0;
    };
    const double share = share_of(facts.total(made), static_cast<double>(facts.all().executed));
    if (share < 0.01) return;
    Note note;
    note.id = "predicated";
    note.places = facts.lines_with(made);
    const double off = facts.total(lanes_off);
    const double branches = static_cast<double>(facts.all().branches);
    const double divergent = static_cast<double>(facts.all().divergent_branches);
    note.text = fmt::format(
        "Conditions here are no branches: the compiler made selects and predicates of them, and {:.0f} % of "
        "the "
        "instructions are executed by whole warps, whose other lanes are switched off or take the other "
        "value. No lane "
        "waits for another, so branch efficiency ({}) does not count them as divergence.",
        100 * share,
        branches > 0 ? fmt::format("{:.2f} %", 100 * (1 - divergent / branches)) : "no branch at all");
    note.evidence = {{"instructions_share", share, ""}, {"lanes_off", off, ""}};
    notes.push_back(std::move(note));
}

// The average of active lanes is over all instructions, most of which every lane executes.
void active_lanes(const Facts& facts, std::vector<Note>& notes) {
    const InstructionCounts& all = facts.all();
    if (all.divergent_branches == 0 || all.executed == 0) return;
    const auto lanes = static_cast<double>(
        facts.metric_or("launch__block_size", 32) < 32 ? facts.metric_or("launch__block_size", 32) : 32);
    const auto partial = [&](const InstructionCounts& at) {
        return static_cast<double>(at.active) < 0.999 * lanes * static_cast<double>(at.executed)
                   ? static_cast<double>(at.executed)
                   : 0.0;
    };
    const double parted = facts.total(partial);
    const double partial_lanes = facts.total(
        [&](const InstructionCounts& at) { return partial(at) > 0 ? static_cast<double>(at.active) : 0.0; });
    const double average = share_of(static_cast<double>(all.active), static_cast<double>(all.executed));
    const double share = share_of(parted, static_cast<double>(all.executed));
    const double efficiency =
        1 - share_of(static_cast<double>(all.divergent_branches), static_cast<double>(all.branches));
    if (average < 0.6 * lanes || efficiency > 0.95) return;
    Note note;
    note.id = "active-lanes";
    note.places = facts.lines_with(partial);
    note.text = fmt::format(
        "{:.1f} of {:.0f} lanes are active on average, and that says little of divergence: {:.0f} % of the "
        "instructions "
        "(indices, loops, tests, barriers) are executed by whole warps. Where lanes part, {:.1f} are active. "
        "What tells of "
        "divergence are branch efficiency ({:.2f} %) and its cost in time above.",
        average, lanes, 100 * (1 - share), share_of(partial_lanes, parted), 100 * efficiency);
    note.evidence = {{"active_lanes", average, ""}, {"whole_warps_share", 1 - share, ""}};
    notes.push_back(std::move(note));
}

// Warps that have nothing to do behind a condition, in kernels whose block meets at barriers.
void idle_warps(const Facts& facts, std::vector<Note>& notes) {
    const double met = facts.total(
        [](const InstructionCounts& at) { return is_barrier(at) ? static_cast<double>(at.executed) : 0.0; });
    if (met <= 0) return;
    // The access on which most time is spent among those that fewer warps execute than come to the barrier.
    double cycles = 0, working = 1;
    Place place;
    facts.each_instruction([&](const InstructionCounts& at) {
        const double share = static_cast<double>(at.requests) / met;
        const auto here = static_cast<double>(report::total(at.warp_cycles));
        if (at.requests == 0 || at.line == 0 || share >= 0.8 || here <= cycles) return;
        cycles = here, working = share, place = {at.file, at.line, 1};
    });
    if (working >= 0.8) return;
    Note note;
    note.id = "idle-warps";
    note.places = {place};
    note.text = fmt::format(
        "Warps come to a barrier {:.0f} times, and in {:.0f} % of these steps they have work at this line. "
        "The others are "
        "scheduled all the same, but only for the instructions of the test; then they wait at the barrier, "
        "where they take "
        "no issue slot ({:.0f} % of all warps' time), and keep their place on the SM.",
        met, 100 * working, 100 * facts.state(timing::WarpState::barrier));
    note.evidence = {{"working_share", working, ""},
                     {"barrier_share", facts.state(timing::WarpState::barrier), ""}};
    notes.push_back(std::move(note));
}

// Nothing that the kernel does can be seen: the compiler left the work out.
void no_effect(const Facts& facts, std::vector<Note>& notes) {
    bool any = false, code = false;
    facts.each_instruction([&](const InstructionCounts& at) {
        code |= !at.ptx.empty();
        any |= has_effect(at, facts.of_waves());
    });
    if (any || !code) return;
    notes.push_back(
        {"no-effect",
         "The kernel stores nothing: whatever its source computes, the compiler left it out, and its time is "
         "that of an empty one. Store the result where it can be read.",
         {},
         {{"instructions", static_cast<double>(facts.all().executed), ""}}});
}

}  // namespace

std::vector<Note> notes(const Facts& facts) {
    std::vector<Note> all;
    no_effect(facts, all);
    predicated(facts, all);
    active_lanes(facts, all);
    idle_warps(facts, all);
    return all;
}

}  // namespace lockstep::explain
