#include "explain/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "explain/facts.h"
#include "explain/rules.h"
#include "report/time-table.h"

namespace lockstep::explain {
namespace {

// How close the kernel is to what the GPU can do: where nothing is wrong, that is the answer.
std::vector<std::string> state_of(const Facts& facts) {
    std::vector<std::string> lines = report::bound_lines(facts.kernel());
    std::optional<double> memory, compute;
    if (facts.of_waves()) {
        if (facts.gpu() && facts.nanoseconds() > 0)
            memory = 100 * (facts.metric_or("FetchSize", 0) + facts.metric_or("WriteSize", 0)) /
                     (facts.nanoseconds() * facts.gpu()->memory_bandwidth_gbs);
        compute = facts.metric("VALUBusy");
    } else {
        memory = facts.metric("dram__throughput.avg.pct_of_peak_sustained_elapsed");
        compute = facts.metric("sm__throughput.avg.pct_of_peak_sustained_elapsed");
    }
    if (memory && compute)
        lines.push_back(fmt::format("device memory at {:.0f} %, the {} at {:.0f} % of what they can do",
                                    *memory, facts.of_waves() ? "vector units" : "SMs", *compute));
    return lines;
}

}  // namespace

Result<Explanation> explain(const report::RunFile& run,
                            const std::function<const gpu::GpuModel*(int device)>& model) {
    Explanation result;
    std::map<const report::KernelResult*, Explained> known;
    for (const report::KernelTime& time : report::kernel_times(run)) {
        auto found = Facts::of(run, *time.kernel, model(time.kernel->device));
        if (!found) return found.error();
        const Facts& facts = *found;
        KernelFindings one;
        one.kernel = time.kernel->name;
        one.nanoseconds = time.time.sum;
        one.share = time.percent / 100;
        one.state = state_of(facts);
        one.imagined = facts.imagined();
        one.findings = imagined_findings(facts);
        for (Finding& finding : launch_findings(facts)) one.findings.push_back(std::move(finding));
        for (Finding& finding : code_findings(facts)) one.findings.push_back(std::move(finding));
        std::stable_sort(one.findings.begin(), one.findings.end(),
                         [](const Finding& a, const Finding& b) { return a.cost > b.cost; });
        one.notes = notes(facts);
        known.emplace(time.kernel, Explained{std::move(*found), one.findings});
        result.kernels.push_back(std::move(one));
    }
    const Explained* before = nullptr;
    for (const report::KernelResult& kernel : run.kernels) {
        const auto found = known.find(&kernel);
        if (found == known.end()) continue;
        if (before)
            if (auto step = step_between(*before, found->second)) result.steps.push_back(std::move(*step));
        before = &found->second;
    }
    auto program = program_findings(run, model);
    if (!program) return program.error();
    result.program = std::move(*program);
    return result;
}

}  // namespace lockstep::explain
