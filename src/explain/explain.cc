#include "explain/explain.h"

#include <algorithm>
#include <map>

#include "explain/facts.h"
#include "explain/roofline.h"
#include "explain/rules.h"
#include "report/time-table.h"

namespace lockstep::explain {
namespace {

// What there is of a kernel of that name in another run.
Result<std::optional<Finding>> difference(const Facts& facts, const report::RunFile* other,
                                          const gpu::GpuModel* gpu) {
    if (!other) return std::optional<Finding>();
    for (const report::KernelResult& kernel : other->kernels) {
        if (kernel.name != facts.kernel().name) continue;
        auto found = Facts::of(*other, kernel, gpu);
        if (!found) return found.error();
        return compiler_finding(facts, *found);
    }
    return std::optional<Finding>();
}

}  // namespace

Result<Explanation> explain(const report::RunFile& run,
                            const std::function<const gpu::GpuModel*(int device)>& model,
                            const report::RunFile* other) {
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
        one.state = report::bound_lines(facts.kernel());
        one.imagined = facts.imagined();
        one.findings = imagined_findings(facts);
        for (Finding& finding : launch_findings(facts)) one.findings.push_back(std::move(finding));
        for (Finding& finding : code_findings(facts)) one.findings.push_back(std::move(finding));
        auto against = difference(facts, other, model(time.kernel->device));
        if (!against) return against.error();
        if (*against) one.findings.push_back(std::move(**against));
        std::stable_sort(one.findings.begin(), one.findings.end(),
                         [](const Finding& a, const Finding& b) { return a.cost > b.cost; });
        for (std::string& line : roofline_text(facts, one.findings.empty() ? 0 : one.findings.front().cost))
            one.state.push_back(std::move(line));
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
