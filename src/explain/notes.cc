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

// Where the code of an `if` begins and ends, and how many warps come to it: what stands behind a branch is
// executed by fewer, until as many are there again.
struct Guarded {
    std::size_t begin = 0, end = 0;  // instructions
    double met = 0;
};
// Behind a loop's last branch go as many as came to the loop.
bool ends_loop(const std::vector<const InstructionCounts*>& code, std::size_t branch) {
    std::size_t first = branch;
    while (first > 0 && code[first - 1]->executed >= code[branch]->executed) --first;
    return first > 0 && branch + 1 < code.size() && code[first - 1]->executed == code[branch + 1]->executed;
}
std::vector<Guarded> guarded_code(const std::vector<const InstructionCounts*>& code) {
    std::vector<Guarded> all;
    for (std::size_t b = 0; b < code.size(); ++b) {
        if (code[b]->branches == 0 || ends_loop(code, b)) continue;
        const std::uint64_t met = code[b]->executed;
        std::size_t end = b + 1;
        while (end < code.size() && code[end]->executed < met) ++end;
        if (end > b + 1 && end < code.size() && code[end]->executed == met)
            all.push_back({b + 1, end, static_cast<double>(met)});
    }
    return all;
}

// Warps that have nothing to do behind a condition, in kernels whose block meets at barriers.
void idle_warps(const Facts& facts, std::vector<Note>& notes) {
    // Without what the machine added, folded away or made several instructions of: their numbers do not
    // compare.
    std::vector<const InstructionCounts*> code;
    double barriers = 0;
    facts.each_instruction([&](const InstructionCounts& at) {
        if (!at.ptx.empty() && !at.machine.empty() && at.machine.find_first_of(", ") == std::string::npos)
            code.push_back(&at);
        if (is_barrier(at)) barriers += static_cast<double>(at.executed);
    });
    if (barriers <= 0) return;
    // The instruction on which most time is spent among those that fewer warps execute than come to their
    // test.
    double cycles = 0, working = 1, met = 0;
    Place place;
    const auto consider = [&](const InstructionCounts& at, std::uint64_t done, double tested) {
        const double share = static_cast<double>(done) / tested;
        const auto here = static_cast<double>(report::total(at.warp_cycles));
        if (done == 0 || at.line == 0 || share >= 0.8 || here <= cycles) return;
        cycles = here, working = share, met = tested, place = {at.file, at.line, 1};
    };
    for (const InstructionCounts* at : code)  // accesses that are predicated
        consider(*at, at->requests, static_cast<double>(at->executed));
    for (const Guarded& guarded : guarded_code(code))
        for (std::size_t i = guarded.begin; i < guarded.end; ++i)
            consider(*code[i], code[i]->executed, guarded.met);
    if (working >= 0.8) return;
    Note note;
    note.id = "idle-warps";
    note.places = {place};
    note.text = fmt::format(
        "Warps come to this condition {:.0f} times, and in {:.0f} % of these steps they have work there. "
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
