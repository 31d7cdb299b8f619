// From one kernel to the next that takes the same parameters, as a ladder of improvements has them: what
// changed, and which of it made the difference.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "explain/families.h"
#include "explain/rules.h"
#include "report/metric-text.h"

namespace lockstep::explain {
namespace {

constexpr double worth_telling = 0.05;

std::string parameters_of(const std::string& kernel) {
    const std::size_t begin = kernel.rfind('(');
    return begin == std::string::npos ? "" : kernel.substr(begin);
}

std::string change_text(double from, double to) {
    if (from <= 0) return "";
    const double change = to / from - 1;
    return fmt::format("{:+.0f} %", 100 * change);
}
bool differs(double from, double to) { return std::abs(to - from) > worth_telling * std::max(from, to); }

void instructions(const Facts& from, const Facts& to, std::vector<std::string>& reasons) {
    const double before = from.metric_or("smsp__inst_executed.sum", 0),
                 after = to.metric_or("smsp__inst_executed.sum", 0);
    if (before <= 0 || after <= 0 || !differs(before, after)) return;
    const std::string parts = family_changes(from, to, 0.1 * std::abs(after - before));
    reasons.push_back(fmt::format("instructions {} ({:.2f} to {:.2f} million{}{})",
                                  change_text(before, after), before / 1e6, after / 1e6,
                                  parts.empty() ? "" : ": ", parts));
}

// Of AMD's machine code: what a wavefront does by itself, and where it has to wait for what it asked for.
void wave_instructions(const Facts& from, const Facts& to, std::vector<std::string>& reasons) {
    using report::InstructionCounts;
    struct Kind {
        const char* name;
        bool (*has)(const InstructionCounts& at);
    };
    static constexpr std::array kinds = {
        Kind{"vector instructions", [](const InstructionCounts& at) { return at.machine.starts_with("v_"); }},
        Kind{"accesses of the LDS", [](const InstructionCounts& at) { return at.wavefronts > 0; }},
        Kind{"branches", [](const InstructionCounts& at) { return at.machine.starts_with("s_cbranch"); }},
        Kind{"waits for memory or the LDS",
             [](const InstructionCounts& at) { return at.machine.starts_with("s_waitcnt"); }},
        Kind{"barriers", [](const InstructionCounts& at) { return at.machine == "s_barrier"; }}};
    if (!from.of_waves() || !to.of_waves()) return;
    const auto each = [](const Facts& facts, const Kind& kind) {
        const double waves = facts.metric_or("Wavefronts", 0) * launches_of(facts);
        const double all = facts.total(
            [&](const InstructionCounts& at) { return kind.has(at) ? static_cast<double>(at.executed) : 0; });
        return waves > 0 ? all / waves : 0;
    };
    std::string text;
    for (const Kind& kind : kinds) {
        const double before = each(from, kind), after = each(to, kind);
        if (before <= 0 && after <= 0) continue;
        if (!differs(before, after)) continue;
        text += fmt::format("{}{} {:.1f} to {:.1f}", text.empty() ? "" : ", ", kind.name, before, after);
    }
    if (!text.empty()) reasons.push_back("of a wavefront on average: " + text);
}

// Bytes a second fall where less is moved: that is no loss.
void traffic(const Facts& from, const Facts& to, std::vector<std::string>& reasons) {
    const double before = from.metric_or("l1tex__t_bytes.sum", 0),
                 after = to.metric_or("l1tex__t_bytes.sum", 0);
    const double time_before = from.nanoseconds(), time_after = to.nanoseconds();
    if (before <= 0 || after <= 0 || time_before <= 0 || time_after <= 0 || !differs(before, after)) return;
    std::string text = fmt::format("bytes through the L1 {} ({:.1f} to {:.1f} MB)",
                                   change_text(before, after), before / 1e6, after / 1e6);
    const double rate_before = before / time_before, rate_after = after / time_after;
    if (after < before && time_after < time_before)
        text += fmt::format(
            "{}: throughput counts what is moved, also what nobody asked for, so it {} ({:.0f} to {:.0f} "
            "GB/s) where less has "
            "to be moved",
            rate_after < rate_before ? ", more than the time" : "",
            rate_after < rate_before ? "falls although the kernel is faster"
                                     : "rises less than the time falls",
            rate_before, rate_after);
    reasons.push_back(std::move(text));
}

void lanes(const Facts& from, const Facts& to, std::vector<std::string>& reasons) {
    constexpr const char* active = "smsp__thread_inst_executed_per_inst_executed.ratio";
    constexpr const char* efficiency = "branch_efficiency";
    const double before = from.metric_or(active, 0), after = to.metric_or(active, 0);
    const auto share_before = from.metric(efficiency), share_after = to.metric(efficiency);
    const double parted_before = static_cast<double>(from.all().divergent_branches) / launches_of(from);
    const double parted_after = static_cast<double>(to.all().divergent_branches) / launches_of(to);
    if (before <= 0 || after <= 0 || !differs(parted_before, parted_after) || !share_before || !share_after ||
        std::min(*share_before, *share_after) > 95)
        return;
    std::string text = fmt::format(
        "branches that part their warp {} ({:.0f} to {:.0f} thousand; branch efficiency {:.2f} to {:.2f} %)",
        parted_before > 0 ? change_text(parted_before, parted_after) : "come up", parted_before / 1e3,
        parted_after / 1e3, *share_before, *share_after);
    if (!differs(before, after))
        text += fmt::format(
            "; active lanes a warp stay as they are ({:.1f} and {:.1f}), for what goes are instructions of "
            "whole warps as well "
            "as of parted ones",
            before, after);
    else
        text += fmt::format("; active lanes a warp {:.1f} to {:.1f}", before, after);
    reasons.push_back(std::move(text));
}

void banks(const Facts& from, const Facts& to, std::vector<std::string>& reasons) {
    constexpr const char* conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum";
    const double before = from.metric_or(conflicts, 0), after = to.metric_or(conflicts, 0);
    if (std::max(before, after) <
            worth_telling * static_cast<double>(std::max(from.all().wavefronts, to.all().wavefronts)) ||
        !differs(before, after))
        return;
    reasons.push_back(fmt::format("bank conflicts {:.0f} to {:.0f}", before, after));
}

// The costs that the model finds, before and after: what made the difference, in time.
void costs(const Explained& from, const Explained& to, std::vector<std::string>& reasons) {
    std::string text;
    const double time_from = from.facts.nanoseconds(), time_to = to.facts.nanoseconds();
    const auto cost_in = [](const std::vector<Finding>& findings, const std::string& id) {
        const auto found =
            std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.id == id; });
        return found == findings.end() ? 0.0 : found->cost;
    };
    for (const std::string& id : imagined_names()) {
        const double was = cost_in(from.findings, id) * time_from, is = cost_in(to.findings, id) * time_to;
        if (std::abs(was - is) < worth_telling * time_from) continue;
        const auto shown = [](double time) { return time > 0 ? report::duration_text(time) : "nothing"; };
        text += fmt::format("{}{} {} to {}", text.empty() ? "" : ", ", id, shown(was), shown(is));
    }
    if (!text.empty()) reasons.push_back("what the model finds to cost time: " + text);
}

}  // namespace

std::optional<Step> step_between(const Explained& first, const Explained& second) {
    const Facts &from = first.facts, &to = second.facts;
    const std::string parameters = parameters_of(from.kernel().name);
    if (parameters.empty() || parameters == "()" || parameters != parameters_of(to.kernel().name))
        return std::nullopt;
    if (from.kernel().device != to.kernel().device || from.nanoseconds() <= 0 || to.nanoseconds() <= 0)
        return std::nullopt;
    Step step{from.kernel().name, to.kernel().name, from.nanoseconds(), to.nanoseconds(), {}};
    costs(first, second, step.reasons);
    instructions(from, to, step.reasons);
    wave_instructions(from, to, step.reasons);
    traffic(from, to, step.reasons);
    lanes(from, to, step.reasons);
    banks(from, to, step.reasons);
    return step;
}

}  // namespace lockstep::explain
