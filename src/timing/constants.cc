#include "timing/constants.h"

#include <algorithm>

#include "counters/geometry.h"

namespace lockstep::timing {

Constants::Constants(const gpu::ConstantFigures& figures) : figures_(figures) {}

// Lines take the place of those least recently used when they come, not when they are asked for.
void Constants::fill(double now) {
    const auto coming = std::ranges::find_if(fetched_, [&](const Fetched& one) { return one.arrives > now; });
    for (auto one = fetched_.begin(); one != coming; ++one) {
        if (lines_.size() >= figures_.cache_bytes / counters::constant_line_bytes)
            lines_.erase(std::ranges::min_element(lines_, {}, [](const auto& line) { return line.second; }));
        lines_[one->line] = ++clock_;
    }
    fetched_.erase(fetched_.begin(), coming);
}

// When the line is there; `cost`: until the next one can be asked for. Who wants what is on its way waits
// with the first.
double Constants::arrival(std::uint64_t line, double now, double cost) {
    if (const auto known = lines_.find(line); known != lines_.end()) {
        known->second = ++clock_;
        return now;
    }
    const auto coming = std::ranges::find(fetched_, line, &Fetched::line);
    if (coming != fetched_.end()) return coming->arrives;
    const double arrives = misses_.take(now, cost) + figures_.miss_latency;
    fetched_.push_back({line, arrives});
    return arrives;
}

std::optional<double> Constants::load(std::uint64_t name, const Access& access, const BlockTrace& block,
                                      double now) {
    constexpr int bytes_at_once = 8;
    const double word_cycles = figures_.word_cycles * (access.lane_bytes > bytes_at_once ? 2 : 1);
    const auto words = std::max<double>(access.wavefronts, 1);
    const std::span<const Line> lines = std::span(block.lines).subspan(access.first_line, access.lines);
    fill(now);
    const bool all =
        std::ranges::all_of(lines, [&](const Line& word) { return lines_.contains(word.address); });
    if (all || lines.size() <= 1) {
        const bool asks =
            !all && std::ranges::find(fetched_, lines[0].address, &Fetched::line) == fetched_.end();
        double begun = server_.take(now, words * word_cycles + (asks ? figures_.miss_cycles : 0));
        for (const Line& word : lines) begun = std::max(begun, arrival(word.address, begun, 0));
        return begun + (words - 1) * figures_.word_latency;
    }
    waiting_.push({std::max(now, server_.free), name, lines});
    return std::nullopt;
}

void Constants::advance(double now, const Done& done) {
    while (!waiting_.empty() && waiting_.top().at <= now) {
        Waiting load = waiting_.top();
        waiting_.pop();
        const double begun = server_.take(load.at, figures_.word_cycles);
        fill(begun);
        load.at = arrival(load.words.front().address, begun, figures_.further_miss_cycles);
        load.words = load.words.subspan(1);
        if (load.words.empty()) {
            done(load.name, load.at);
            continue;
        }
        load.at += figures_.word_latency;
        waiting_.push(load);
    }
}

}  // namespace lockstep::timing
