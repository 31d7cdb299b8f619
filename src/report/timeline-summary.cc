#include "report/timeline-summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/metric-text.h"

namespace lockstep::report {
namespace {

using timing::Engine;
using timing::OperationKind;
using timing::Placement;

constexpr std::size_t most_named = 5;
constexpr std::size_t most_ranges = 30;

double length_of(const std::vector<Span>& spans) {
    double sum = 0;
    for (const auto& [begin, end] : spans) sum += end - begin;
    return sum;
}

// Begins and ends, in order: at one time, ends first.
std::vector<std::pair<double, int>> changes(const std::vector<Span>& spans) {
    std::vector<std::pair<double, int>> all;
    for (const auto& [begin, end] : spans) {
        if (end <= begin) continue;
        all.emplace_back(begin, 1);
        all.emplace_back(end, -1);
    }
    std::sort(all.begin(), all.end());
    return all;
}

int most_at_once(const std::vector<Span>& spans) {
    int now = 0, most = 0;
    for (const auto& [time, change] : changes(spans)) most = std::max(most, now += change);
    return most;
}

// The time that both cover.
double common(const std::vector<Span>& a, const std::vector<Span>& b) {
    std::vector<Span> both = merged(a);
    const std::vector<Span> other = merged(b);
    both.insert(both.end(), other.begin(), other.end());
    return covered(both, 2);
}

std::string bytes_text(std::uint64_t bytes) {
    const auto number = static_cast<double>(bytes);
    if (bytes < 10'000) return fmt::format("{} B", bytes);
    if (bytes < 10'000'000) return fmt::format("{:.0f} KB", number / 1e3);
    if (bytes < 10'000'000'000) return fmt::format("{:.0f} MB", number / 1e6);
    return fmt::format("{:.0f} GB", number / 1e9);
}

// Without its parameters.
std::string short_name(const std::string& kernel) {
    if (kernel.empty() || kernel.back() != ')') return kernel;
    int open = 0;
    for (std::size_t i = kernel.size(); i-- > 0;) {
        open += kernel[i] == ')' ? 1 : kernel[i] == '(' ? -1 : 0;
        if (open == 0) return kernel.substr(0, i);
    }
    return kernel;
}

std::string share(double part, double whole) {
    return whole > 0 ? fmt::format("{:.0f} %", 100 * part / whole) : "0 %";
}

Lines held_up_lines(const Timeline& timeline, const TimelineSummary& summary) {
    Lines result;
    result.title = fmt::format(
        "falsely serialised: {} held up for {} in all, by the order in which work stands in the hardware "
        "queues",
        plural(summary.held_up.size(), "operation was", "operations were"), time_text(summary.held_up_time));
    for (std::size_t i = 0; i < std::min(summary.held_up.size(), most_named); ++i) {
        const auto& [one, behind] = summary.held_up[i];
        result.lines.push_back(fmt::format(
            "{} of {} was ready {} earlier, behind {} in queue {}", operation_text(one->operation),
            stream_name(timeline, one->operation.stream), time_text(one->queue_blocked),
            behind ? fmt::format("{} of {}", operation_text(behind->operation),
                                 stream_name(timeline, behind->operation.stream))
                   : "other work",
            one->queue));
    }
    if (summary.held_up.size() > most_named)
        result.lines.push_back(fmt::format("… and {} more", summary.held_up.size() - most_named));
    result.lines.push_back(
        timeline.info.hardware_queues == 1
            ? "one queue is all there is: issue breadth first, one operation of each stream in turn"
            : fmt::format("streams share {} queues: CUDA_DEVICE_MAX_CONNECTIONS gives more, issuing "
                          "breadth first needs none",
                          timeline.info.hardware_queues));
    return result;
}

// What the program named, by name: how often, how long.
Lines range_lines(const Timeline& timeline) {
    struct Sum {
        std::string name;
        std::size_t count = 0;
        double nanoseconds = 0;
        bool moment = false;
    };
    std::vector<Sum> sums;  // in the order of their first end
    for (const HostRange& range : timeline.ranges) {
        const std::string name = range.domain.empty() ? range.name : range.domain + ": " + range.name;
        auto at = std::find_if(sums.begin(), sums.end(), [&](const Sum& sum) {
            return sum.name == name && sum.moment == range.moment;
        });
        if (at == sums.end()) at = sums.insert(at, Sum{name, 0, 0, range.moment});
        ++at->count;
        at->nanoseconds += range.end - range.begin;
    }
    Lines result;
    result.title = "ranges of the program";
    for (std::size_t i = 0; i < std::min(sums.size(), most_ranges); ++i) {
        const Sum& sum = sums[i];
        const std::string name = sum.name.empty() ? "(no name)" : sum.name;
        if (sum.moment)
            result.lines.push_back(fmt::format("{}: marked {}", name, plural(sum.count, "time", "times")));
        else if (sum.count == 1)
            result.lines.push_back(fmt::format("{}: {}", name, time_text(sum.nanoseconds)));
        else
            result.lines.push_back(
                fmt::format("{}: {} in {} times", name, time_text(sum.nanoseconds), sum.count));
    }
    if (sums.size() > most_ranges)
        result.lines.push_back(fmt::format("… and {} more", sums.size() - most_ranges));
    return result;
}

}  // namespace

std::vector<Span> merged(std::vector<Span> spans) {
    std::sort(spans.begin(), spans.end());
    std::vector<Span> out;
    for (const Span& span : spans) {
        if (span.second <= span.first) continue;
        if (!out.empty() && span.first <= out.back().second)
            out.back().second = std::max(out.back().second, span.second);
        else
            out.push_back(span);
    }
    return out;
}

double covered(const std::vector<Span>& spans, int count) {
    int now = 0;
    double sum = 0, since = 0;
    for (const auto& [time, change] : changes(spans)) {
        if (now >= count) sum += time - since;
        now += change;
        since = time;
    }
    return sum;
}

std::string time_text(double nanoseconds) {
    const auto digits = [](double value, const char* unit) {
        return fmt::format("{:.{}f} {}", value, value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2, unit);
    };
    if (nanoseconds < 999.5) return fmt::format("{:.0f} ns", nanoseconds);
    if (nanoseconds < 999.5e3) return digits(nanoseconds / 1e3, "us");
    if (nanoseconds < 999.5e6) return digits(nanoseconds / 1e6, "ms");
    return digits(nanoseconds / 1e9, "s");
}

std::string operation_text(const timing::Operation& operation) {
    if (operation.kind == OperationKind::kernel) return fmt::format("kernel {}", short_name(operation.name));
    if (operation.nodes > 0)
        return fmt::format("{}, {}", operation.kind == OperationKind::graph ? "graph" : "launch of a graph",
                           plural(operation.nodes, "node", "nodes"));
    if (operation.pages == timing::Pages::on_demand)
        return fmt::format("pages of managed memory, {}, {}", kind_name(operation.kind),
                           bytes_text(operation.bytes));
    if (operation.pages == timing::Pages::prefetched)
        return fmt::format("prefetch, {}, {}", kind_name(operation.kind), bytes_text(operation.bytes));
    if (operation.bytes == 0) return kind_name(operation.kind);
    return fmt::format("{}{}, {}", operation.pageable ? "pageable " : "", kind_name(operation.kind),
                       bytes_text(operation.bytes));
}

TimelineSummary summarise(const Timeline& timeline) {
    TimelineSummary summary;
    std::map<Engine, std::vector<Span>> busy;
    std::vector<Span> kernels, copies, graphs, all, waits;
    std::map<timing::OperationId, const Placement*> by_id;
    bool first = true;
    const auto include = [&](double begin, double end) {
        summary.begin = first ? begin : std::min(summary.begin, begin);
        summary.end = first ? end : std::max(summary.end, end);
        first = false;
    };
    for (const Placement& p : timeline.operations) {
        by_id[p.id] = &p;
        include(p.submitted, std::max(p.end, p.returned));
        if (p.operation.kind == OperationKind::graph) {
            ++summary.graphs;
            summary.graph_nodes += p.operation.nodes;
            graphs.emplace_back(p.begin, p.end);
        }
        if (p.operation.stops_host) waits.emplace_back(p.submitted, p.returned);
        const Span span{p.begin, p.end};
        if (p.engine == Engine::none) continue;
        busy[p.engine].push_back(span);
        if (p.operation.kind == OperationKind::kernel) kernels.push_back(span);
        if (!p.operation.launched_by.empty()) ++summary.nodes_by_kernels;
        if (!p.operation.nested.empty()) summary.nested_kernels += p.operation.nested.size() - 1;
        for (const timing::NestedPlacement& nested : p.operation.nested)
            summary.nested_depth = std::max(summary.nested_depth, nested.depth);
        const bool copy = p.operation.kind == OperationKind::copy_to_device ||
                          p.operation.kind == OperationKind::copy_to_host;
        if (copy) copies.push_back(span);
        if (copy && p.operation.pages == timing::Pages::on_demand) {
            (p.operation.kind == OperationKind::copy_to_device ? summary.pages_to_device
                                                               : summary.pages_to_host) += p.operation.bytes;
            summary.page_time += p.end - p.begin;
        }
        if (copy && p.operation.pageable) {
            ++summary.pageable;
            summary.pageable_time += p.returned - p.submitted;
        }
        if (p.queue_blocked > 0) summary.held_up.push_back({&p, nullptr});
        summary.held_up_time += p.queue_blocked;
    }
    for (const timing::HostCall& call : timeline.host_calls) {
        include(call.begin, call.end);
        waits.emplace_back(call.begin, call.end);
    }
    for (auto& [engine, spans] : busy) {
        const std::vector<Span> one = merged(spans);
        summary.engines.push_back({engine, spans.size(), length_of(one)});
        if (engine != Engine::host) all.insert(all.end(), one.begin(), one.end());
    }
    summary.several = covered(all, 2);
    summary.host_waits = length_of(merged(waits));
    summary.kernels = kernels.size();
    summary.kernels_at_once = most_at_once(kernels);
    summary.kernels_together = covered(kernels, 2);
    summary.graph_time = length_of(merged(graphs));
    summary.host_copies = copies.size();
    summary.copying = length_of(merged(copies));
    summary.copying_beside_kernels = common(copies, kernels);
    for (auto& [one, behind] : summary.held_up)
        if (const auto it = by_id.find(one->behind); it != by_id.end()) behind = it->second;
    std::stable_sort(summary.held_up.begin(), summary.held_up.end(), [](const auto& a, const auto& b) {
        return a.operation->queue_blocked > b.operation->queue_blocked;
    });
    return summary;
}

std::vector<Part> summary_parts(const Timeline& timeline, const TimelineSummary& summary) {
    Lines result;
    std::vector<std::string>& lines = result.lines;
    std::string& busy_line = lines.emplace_back(fmt::format("total {}", time_text(summary.length())));
    for (const auto& [engine, operations, busy] : summary.engines)
        busy_line += fmt::format("; {} busy {} ({})", engine_name(engine), time_text(busy),
                                 share(busy, summary.length()));
    lines.push_back(fmt::format("host waited {} ({})", time_text(summary.host_waits),
                                share(summary.host_waits, summary.length())));
    if (summary.nested_kernels)
        lines.push_back(
            fmt::format("{} kernels launched by kernels, nested {} deep, within the time of those that "
                        "the host launched",
                        summary.nested_kernels, summary.nested_depth));
    if (summary.kernels > 1 && summary.kernels_at_once == 1)
        lines.push_back(fmt::format("{} kernels, one at a time", summary.kernels));
    else if (summary.kernels > 1)
        lines.push_back(fmt::format("{} kernels, at most {} at once, two or more for {}", summary.kernels,
                                    summary.kernels_at_once, time_text(summary.kernels_together)));
    if (summary.graphs > 0)
        lines.push_back(
            fmt::format("{} of graphs, {}{}: {}", plural(summary.graphs, "launch", "launches"),
                        plural(summary.graph_nodes, "node", "nodes"),
                        summary.nodes_by_kernels
                            ? fmt::format(" ({} of graphs that kernels launched)", summary.nodes_by_kernels)
                            : std::string(),
                        time_text(summary.graph_time)));
    if (summary.host_copies > 0)
        lines.push_back(fmt::format("{} between host and device: {}, of which {} ({}) beside kernels",
                                    plural(summary.host_copies, "copy", "copies"), time_text(summary.copying),
                                    time_text(summary.copying_beside_kernels),
                                    share(summary.copying_beside_kernels, summary.copying)));
    if (summary.pageable > 0)
        lines.push_back(fmt::format(
            "{} of pageable memory stopped the host for {}: pinned memory (cudaMallocHost) lets it go on",
            plural(summary.pageable, "copy", "copies"), time_text(summary.pageable_time)));
    if (summary.page_time > 0)
        lines.push_back(
            fmt::format("managed memory: {} fetched by kernels, {} by the host, in {}: prefetches "
                        "(cudaMemPrefetchAsync) are faster",
                        bytes_text(summary.pages_to_device), bytes_text(summary.pages_to_host),
                        time_text(summary.page_time)));
    std::vector<Part> parts = {std::move(result)};
    if (!timeline.ranges.empty()) parts.emplace_back(range_lines(timeline));
    if (!summary.held_up.empty()) parts.emplace_back(held_up_lines(timeline, summary));
    return parts;
}

}  // namespace lockstep::report
