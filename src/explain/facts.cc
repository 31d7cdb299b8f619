#include "explain/facts.h"

#include <algorithm>
#include <numeric>

#include "metrics/metric.h"

namespace lockstep::explain {

Result<Facts> Facts::of(const report::RunFile& run, const report::KernelResult& kernel,
                        const gpu::GpuModel* gpu) {
    auto lines = report::source_lines(run, kernel);
    if (!lines) return lines.error();
    Facts facts;
    facts.run_ = &run;
    facts.kernel_ = &kernel;
    facts.gpu_ = gpu;
    facts.lines_ = std::move(*lines);
    return facts;
}

std::optional<double> Facts::metric(std::string_view name) const {
    const auto index = run_->metric(name);
    if (!index || kernel_->metrics[*index].count == 0) return std::nullopt;
    return kernel_->metrics[*index].average();
}

std::optional<double> Facts::same(std::string_view name) const {
    const auto index = run_->metric(name);
    if (!index) return std::nullopt;
    const report::Aggregate& all = kernel_->metrics[*index];
    return all.count > 0 && all.min == all.max ? std::optional(all.min) : std::nullopt;
}

double Facts::nanoseconds() const { return metric_or(report::time_metric, 0); }

std::optional<double> Facts::cost(timing::Change change) const {
    const auto index = run_->metric(metrics::time_without(change));
    const auto time = run_->metric(report::time_metric);
    if (!index || !time || kernel_->metrics[*index].count == 0) return std::nullopt;
    const report::Aggregate& all = kernel_->metrics[*time];
    const report::Aggregate& changed = kernel_->metrics[*index];
    // Launches that nothing was imagined of keep their time.
    const double others = all.average() * static_cast<double>(all.count - std::min(all.count, changed.count));
    return all.sum > 0 ? std::max(0.0, 1 - (changed.sum + others) / all.sum) : 0;
}

bool Facts::imagined() const {
    for (std::size_t c = 0; c < timing::changes; ++c)
        if (cost(static_cast<timing::Change>(c))) return true;
    return false;
}

bool Facts::bound_by(timing::Bound bound) const {
    return !kernel_->bounds.empty() && kernel_->bounds.front().bound == bound;
}

double Facts::state(timing::WarpState state) const {
    const auto& cycles = kernel_->warp_cycles;
    const double all = std::accumulate(cycles.begin(), cycles.end(), 0.0);
    return all > 0 ? static_cast<double>(cycles[static_cast<std::size_t>(state)]) / all : 0;
}

double Facts::total(const std::function<double(const report::InstructionCounts&)>& amount) const {
    double sum = 0;
    for (const report::InstructionCounts& one : lines_.instructions) sum += amount(one);
    return sum;
}

void Facts::each_line(const std::function<void(const report::InstructionCounts&)>& use) const {
    for (const auto& [file, lines] : lines_.files)
        for (const auto& [line, counts] : lines) use(counts.sum);
}

void Facts::each_instruction(const std::function<void(const report::InstructionCounts&)>& use) const {
    for (const report::InstructionCounts& one : lines_.instructions) use(one);
}

std::vector<Place> Facts::lines_with(
    const std::function<double(const report::InstructionCounts&)>& amount) const {
    std::vector<Place> places;
    double all = 0;
    for (const auto& [file, lines] : lines_.files)
        for (const auto& [line, counts] : lines) {
            double here = 0;
            for (const report::InstructionCounts* one : counts.instructions) here += amount(*one);
            if (here <= 0) continue;
            all += here;
            if (line > 0) places.push_back({file, line, here});
        }
    std::stable_sort(places.begin(), places.end(),
                     [](const Place& a, const Place& b) { return a.share > b.share; });
    double told = 0;
    std::size_t count = 0;
    while (count < places.size() && count < 5 && told < 0.9 * all) told += places[count++].share;
    places.resize(count);
    for (Place& place : places) place.share /= all;
    return places;
}

}  // namespace lockstep::explain
