// Reasons that lie in the shape of the launch.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "explain/rule.h"
#include "explain/rules.h"

namespace lockstep::explain {
namespace {

using timing::Bound;

constexpr const char *small_grid_id = "small-grid", *launch_overhead_id = "launch-overhead";

// Lanes that a block size which is no multiple of the warp leaves empty, where nobody has imagined them full.
void block_size(const Facts& facts, int warp, std::vector<Finding>& findings) {
    const double size = facts.same("launch__block_size").value_or(0);
    if (size <= 0 || (size > warp && !facts.of_waves() && facts.imagined())) return;
    const double slots = std::ceil(size / warp) * warp;
    Finding finding;
    finding.id = block_size_id;
    const char* const name = facts.words().warp;
    finding.title = fmt::format("The block's size is no multiple of a {}", name);
    finding.cost = 1 - size / slots;
    finding.cost_from = "the share of lanes that are never used";
    prove_block_size(facts, finding);
    finding.advice = fmt::format("Take a multiple of {}, 128 or 256 for a start.", warp);
    finding.gain = finding.cost;
    add_if_worth(findings, std::move(finding));
}

// SMs without a block.
void small_grid(const Facts& facts, const gpu::GpuModel& gpu, std::vector<Finding>& findings) {
    const double blocks = facts.same("launch__grid_size").value_or(0);
    if (blocks <= 0 || blocks >= gpu.sms || facts.bound_by(Bound::launch_overhead)) return;
    const char* const unit = facts.words().unit;
    Finding finding;
    finding.id = small_grid_id;
    finding.title = fmt::format("A part of the GPU has nothing to do: there are fewer blocks than {}s", unit);
    finding.advice = "More blocks, or smaller ones, if the work can be cut so.";
    finding.evidence = {{"blocks", blocks, fmt::format("{:.0f} blocks for {} {}s", blocks, gpu.sms, unit)}};
    if (const double cost = facts.cost(timing::Change::idle_sms).value_or(0); cost >= least_cost) {
        finding.cost = cost;
        finding.cost_from = imagined_from(timing::Change::idle_sms);
        finding.gain = cost;
    } else {
        finding.cost = 1 - blocks / gpu.sms;
        finding.cost_from = fmt::format("the share of {}s that have no block", unit);
    }
    add_if_worth(findings, std::move(finding));
}

void overhead(const Facts& facts, const gpu::GpuModel& gpu, std::vector<Finding>& findings) {
    const double time = facts.nanoseconds();
    const double fixed = gpu.timing.kernel_overhead_us * 1000;
    if (time <= 0) return;
    Finding finding;
    finding.id = launch_overhead_id;
    finding.title = "The launch is so small that starting it takes most of its time";
    finding.cost = std::min(1.0, fixed / time);
    finding.cost_from = "the time that an empty launch takes";
    finding.evidence = {
        {"overhead_ns", fixed, fmt::format("{:.1f} of {:.1f} us", fixed / 1000, time / 1000)}};
    finding.advice = "More work a launch: join kernels, or launch many of them as one graph.";
    if (facts.bound_by(Bound::launch_overhead)) add_if_worth(findings, std::move(finding));
}

void block_rate(const Facts& facts, std::vector<Finding>& findings) {
    if (!facts.bound_by(Bound::block_rate) || (!facts.of_waves() && facts.imagined())) return;
    Finding finding;
    finding.id = block_rate_id;
    finding.title = "Blocks end faster than the GPU starts new ones";
    finding.cost_from = "what bounds the launch: how much less it could take is not known";
    finding.evidence = {{"blocks", facts.metric_or("launch__grid_size", 0),
                         fmt::format("{:.0f} blocks in {:.1f} us", facts.metric_or("launch__grid_size", 0),
                                     facts.nanoseconds() / 1000)}};
    finding.advice = "Fewer blocks that do more each: several elements a thread, or larger blocks.";
    findings.push_back(std::move(finding));
}

}  // namespace

void prove_block_size(const Facts& facts, Finding& finding) {
    const auto size = facts.same("launch__block_size");
    const Words& words = facts.words();
    if (!size)
        return add(finding, "threads", facts.metric_or("launch__block_size", 0),
                   "launches differ in their blocks' size");
    add(finding, "threads", *size,
        fmt::format("{:.0f} threads a block fill {:.2f} {}s of {}", *size, *size / words.lanes, words.warp,
                    words.lanes));
}

std::vector<std::string> launch_names() {
    return {block_size_id, small_grid_id, launch_overhead_id, block_rate_id};
}

std::vector<Finding> launch_findings(const Facts& facts) {
    const gpu::GpuModel* gpu = facts.gpu();
    std::vector<Finding> findings;
    block_rate(facts, findings);
    if (!gpu) return findings;
    block_size(facts, gpu->warp_size, findings);
    small_grid(facts, *gpu, findings);
    overhead(facts, *gpu, findings);
    return findings;
}

}  // namespace lockstep::explain
