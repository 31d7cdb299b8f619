// Reasons whose cost is what the model saves without them.
#include <fmt/format.h>

#include <algorithm>

#include "explain/rule.h"
#include "explain/rules.h"

namespace lockstep::explain {
namespace {

// By the rule's own amount, which counts instructions.
void prove_instructions(const Facts& facts, Finding& finding, const Rule& rule) {
    const double share = per(facts.total(rule.amount), static_cast<double>(facts.all().executed));
    add(finding, "instructions_share", share,
        fmt::format("{:.0f} % of the instructions that {}s execute are of this kind", 100 * share,
                    facts.words().warp));
}

}  // namespace

std::string imagined_from(timing::Change change) {
    return fmt::format("the model, if {}", timing::change_table[static_cast<std::size_t>(change)].meaning);
}

void prove_banks(const Facts& facts, Finding& finding) {
    const report::InstructionCounts& all = facts.all();
    const double degree = per(static_cast<double>(all.wavefronts), static_cast<double>(all.ideal_wavefronts));
    add(finding, "passes_per_ideal", degree,
        fmt::format("an access of {} takes {:.1f} times the passes that it would take without conflicts",
                    facts.words().shared, degree));
}

std::vector<std::string> imagined_names() {
    std::vector<std::string> names;
    for (const auto rules : {thread_rules(), wave_rules()})
        for (const Rule& rule : rules)
            if (std::ranges::find(names, rule.id) == names.end()) names.emplace_back(rule.id);
    return names;
}

std::vector<Finding> imagined_findings(const Facts& facts) {
    std::vector<Finding> findings;
    for (const Rule& rule : facts.of_waves() ? wave_rules() : thread_rules()) {
        const auto cost = facts.cost(rule.change);
        if (!cost || *cost < least_cost) continue;
        if (rule.amount && facts.total(rule.amount) <= 0)
            continue;  // part of something else: a division's conversions
        Finding finding;
        finding.id = rule.id;
        finding.title = rule.title;
        finding.cost = *cost;
        finding.cost_from = imagined_from(rule.change);
        finding.advice = rule.advice;
        if (rule.amount) finding.places = facts.lines_with(rule.amount);
        if (rule.prove)
            rule.prove(facts, finding);
        else if (rule.amount)
            prove_instructions(facts, finding, rule);
        if (rule.attainable) finding.gain = *cost;
        findings.push_back(std::move(finding));
    }
    return findings;
}

}  // namespace lockstep::explain
