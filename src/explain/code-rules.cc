// Reasons that lie in the code itself: what it relies on, and how it was compiled.
#include <fmt/format.h>

#include "explain/rule.h"
#include "explain/rules.h"

namespace lockstep::explain {
namespace {

using report::InstructionCounts;

constexpr const char *warp_synchronous_id = "warp-synchronous", *unoptimised_id = "unoptimised";

// Seen to happen in the launches' first blocks (check/warp-synchronous.h).
void warp_synchronous(const Facts& facts, std::vector<Finding>& findings) {
    const auto meetings = [](const InstructionCounts& at) { return static_cast<double>(at.unsynchronised); };
    const double all = facts.total(meetings);
    if (all <= 0) return;
    Finding finding;
    finding.id = warp_synchronous_id;
    finding.title = "Lanes of a warp pass values through shared memory, and nothing makes them meet";
    finding.wrong = true;
    finding.cost_from = "no cost: it is not slow, but may be wrong";
    finding.places = facts.lines_with(meetings);
    finding.evidence = {
        {"meetings", all,
         fmt::format(
             "{:.0f} times in the first blocks of a launch a lane reads what another has just written, or "
             "writes what another has just read; neither is volatile",
             all)}};
    finding.advice =
        "Since Volta the lanes of a warp need not run together, and no compiler keeps the order of such "
        "accesses: __syncwarp() between a write and a read, and between a read and the next write, or "
        "shuffles "
        "(__shfl_down_sync). lockstep check tells the same as a race.";
    findings.push_back(std::move(finding));
}

void unoptimised(const Facts& facts, std::vector<Finding>& findings) {
    const report::CodeOrigin& code = facts.kernel().code;
    if (code.optimised || facts.of_waves()) return;
    const auto local = [](const InstructionCounts& at) {
        return executed_if(
            at, operation_of(at).starts_with("ld.local") || operation_of(at).starts_with("st.local"));
    };
    const double share = per(facts.total(local), static_cast<double>(facts.all().executed));
    Finding finding;
    finding.id = unoptimised_id;
    finding.title = "The code was compiled without optimisation";
    finding.cost_from = "not known: the optimised code is not at hand";
    finding.evidence = {
        {"local_share", share,
         fmt::format("{}; {:.0f} % of the instructions that warps execute only fetch or put away "
                     "a variable (local memory)",
                     code.compiler, 100 * share)}};
    finding.advice = "Compile without -G and -O0 before looking at anything else: -lineinfo keeps the lines.";
    findings.push_back(std::move(finding));
}

}  // namespace

std::vector<std::string> code_names() { return {warp_synchronous_id, unoptimised_id}; }

std::vector<Finding> code_findings(const Facts& facts) {
    std::vector<Finding> findings;
    warp_synchronous(facts, findings);
    unoptimised(facts, findings);
    return findings;
}

}  // namespace lockstep::explain
