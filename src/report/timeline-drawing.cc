#include "report/timeline-drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lockstep::report {
namespace {

using timing::Engine;
using timing::OperationKind;
using timing::Placement;

constexpr std::size_t most_rows = 40;  // of streams
constexpr std::size_t most_range_rows = 12;
constexpr std::size_t least_columns = 20;

// A piece of a row.
struct Piece {
    Span span;
    char mark = ' ';
};

// Letters for kernels, in the order of their first begin.
class Letters {
  public:
    explicit Letters(const std::vector<const Placement*>& operations) {
        for (const Placement* p : operations)
            if (p->operation.kind == OperationKind::kernel &&
                std::find(names_.begin(), names_.end(), p->operation.name) == names_.end())
                names_.push_back(p->operation.name);
    }
    char of(const std::string& kernel) const {
        const auto at =
            static_cast<std::size_t>(std::find(names_.begin(), names_.end(), kernel) - names_.begin());
        return at < 26 ? static_cast<char>('A' + at) : '?';
    }
    std::string legend() const {
        std::string text;
        for (std::size_t i = 0; i < std::min<std::size_t>(names_.size(), 26); ++i)
            text += fmt::format("  {} {}\n", static_cast<char>('A' + i), names_[i]);
        if (names_.size() > 26) text += fmt::format("  ? {} more kernels\n", names_.size() - 26);
        return text;
    }

  private:
    std::vector<std::string> names_;
};

struct Scale {
    double begin = 0, cell = 1;
    std::size_t columns = 0;
};

// Each cell shows what takes the most of it. What is shorter than a cell goes before what is longer: it would
// not be seen otherwise.
std::string row_text(const std::vector<Piece>& pieces, const Scale& scale) {
    std::string text(scale.columns, ' ');
    std::vector<double> most(scale.columns, 0);
    for (const Piece& piece : pieces) {
        const double from = (piece.span.first - scale.begin) / scale.cell;
        const double to = (piece.span.second - scale.begin) / scale.cell;
        const auto last = static_cast<double>(scale.columns - 1);
        const auto first_cell = static_cast<std::size_t>(std::clamp(from, 0.0, last));
        const auto last_cell = static_cast<std::size_t>(std::clamp(to, 0.0, last));
        for (std::size_t cell = first_cell; cell <= last_cell; ++cell) {
            const auto left = static_cast<double>(cell);
            double part = std::min(to, left + 1) - std::max(from, left);
            if (cell != first_cell && part <= 0) continue;
            if (to - from < 1) part += 1;
            if (part > most[cell] || text[cell] == ' ') {
                text[cell] = piece.mark;
                most[cell] = std::max(part, 0.0);
            }
        }
    }
    return text;
}

char mark_of(const timing::Operation& operation, const Letters& letters) {
    switch (operation.kind) {
        case OperationKind::kernel: return letters.of(operation.name);
        case OperationKind::copy_to_device: return '>';
        case OperationKind::copy_to_host: return '<';
        case OperationKind::copy_on_device: return '=';
        case OperationKind::copy_on_host: return '~';
        case OperationKind::copy_to_peer: return '^';
        case OperationKind::fill: return '0';
        case OperationKind::host_function: return 'f';
        case OperationKind::event_record:
        case OperationKind::event_wait:
        case OperationKind::graph_begin:
        case OperationKind::graph_step:
        case OperationKind::graph: return ' ';
    }
    return ' ';
}

// How many kernels run, a digit a cell.
std::vector<Piece> counts(const std::vector<const Placement*>& operations) {
    std::vector<std::pair<double, int>> changes;
    for (const Placement* p : operations)
        if (p->engine == Engine::sms) {
            changes.emplace_back(p->begin, 1);
            changes.emplace_back(p->end, -1);
        }
    std::sort(changes.begin(), changes.end());
    std::vector<Piece> pieces;
    int now = 0;
    double since = 0;
    for (const auto& [time, change] : changes) {
        if (now > 0 && time > since)
            pieces.push_back({{since, time}, now > 9 ? '+' : static_cast<char>('0' + now)});
        now += change;
        since = time;
    }
    return pieces;
}

// Ranges that overlap stand under each other; an outer one above: it begins first, or ends last.
std::vector<std::vector<const HostRange*>> range_rows(const Timeline& timeline) {
    std::vector<const HostRange*> ranges;
    for (auto range = timeline.ranges.rbegin(); range != timeline.ranges.rend(); ++range)
        ranges.push_back(&*range);
    std::stable_sort(ranges.begin(), ranges.end(), [](const HostRange* a, const HostRange* b) {
        return a->begin != b->begin ? a->begin < b->begin : a->end > b->end;
    });
    std::vector<std::vector<const HostRange*>> rows;
    for (const HostRange* range : ranges) {
        std::size_t row = 0;
        const auto is_free = [&](const HostRange* last) {
            return last->end < range->begin || (last->end == range->begin && last->begin < last->end);
        };
        while (row < rows.size() && !is_free(rows[row].back())) ++row;
        if (row == most_range_rows) continue;
        if (row == rows.size()) rows.emplace_back();
        rows[row].push_back(range);
    }
    return rows;
}

// "[name====]", as much of the name as there is room for; a moment is a '^'.
std::string range_text(const std::vector<const HostRange*>& ranges, const Scale& scale) {
    std::string text(scale.columns, ' ');
    for (const HostRange* range : ranges) {
        const auto last = static_cast<double>(scale.columns - 1);
        const auto cell = [&](double time) {
            return static_cast<std::size_t>(std::clamp((time - scale.begin) / scale.cell, 0.0, last));
        };
        std::size_t from = cell(range->begin);
        const std::size_t to = cell(range->end);
        // The one before ends in the same cell.
        if (text[from] != ' ' && ++from == scale.columns) continue;
        if (range->moment) text[from] = '^';
        if (range->moment || from > to) continue;
        for (std::size_t i = from; i <= to; ++i) text[i] = '=';
        text[from] = '[';
        if (to > from) text[to] = ']';
        for (std::size_t i = 0; i < range->name.size() && from + 1 + i < to; ++i)
            text[from + 1 + i] = static_cast<unsigned char>(range->name[i]) < ' ' ? '?' : range->name[i];
    }
    return text;
}

std::string axis(const Scale& scale) {
    const std::string end = time_text(static_cast<double>(scale.columns) * scale.cell);
    std::string text = "0";
    if (text.size() + end.size() < scale.columns) text.resize(scale.columns - end.size(), '-');
    return text + end;
}

}  // namespace

Drawing draw_timeline(const Timeline& timeline, const TimelineSummary& summary, std::size_t width) {
    std::vector<const Placement*> operations;
    std::set<timing::StreamId> streams;
    for (const Placement& p : timeline.operations) {
        operations.push_back(&p);
        if (p.engine != Engine::none) streams.insert(p.operation.stream);
    }
    std::stable_sort(operations.begin(), operations.end(),
                     [](const Placement* a, const Placement* b) { return a->begin < b->begin; });
    const Letters letters(operations);

    // Rows: what is beside them, and what is in them.
    std::vector<std::pair<std::string, std::vector<Piece>>> rows;
    std::vector<Piece> host;
    for (const Placement* p : operations)
        host.push_back({{p->submitted, p->returned}, p->operation.stops_host ? 'w' : 'c'});
    for (const timing::HostCall& call : timeline.host_calls) host.push_back({{call.begin, call.end}, 'w'});
    rows.emplace_back("host", std::move(host));
    bool held_up = false;
    for (const timing::StreamId stream : streams) {
        if (rows.size() > most_rows) break;
        std::vector<Piece> pieces;
        for (const Placement* p : operations) {
            if (p->operation.stream != stream || p->engine == Engine::none) continue;
            pieces.push_back({{p->begin, p->end}, mark_of(p->operation, letters)});
            if (p->queue_blocked <= 0) continue;
            pieces.push_back({{p->begin - p->queue_blocked, p->begin}, '!'});
            held_up = true;
        }
        rows.emplace_back(stream_name(timeline, stream), std::move(pieces));
    }
    const std::size_t left_out = streams.size() - (rows.size() - 1);
    rows.emplace_back("SMs", counts(operations));
    for (const Engine engine : {Engine::copy_to_device, Engine::copy_to_host, Engine::host}) {
        std::vector<Piece> pieces;
        for (const Placement* p : operations)
            if (p->engine == engine) pieces.push_back({{p->begin, p->end}, mark_of(p->operation, letters)});
        if (!pieces.empty()) rows.emplace_back(engine_name(engine), std::move(pieces));
    }

    std::size_t labels = 0;
    for (const auto& [label, pieces] : rows) labels = std::max(labels, label.size());
    if (!timeline.ranges.empty()) labels = std::max(labels, std::string_view("ranges").size());
    Scale scale;
    scale.columns = std::max(least_columns, width > labels + 3 ? width - labels - 3 : 0);
    scale.begin = summary.begin;
    scale.cell = std::max(summary.length(), 1.0) / static_cast<double>(scale.columns);
    std::string text = fmt::format("{:{}} |{}|\n", "", labels, axis(scale));
    const char* label_of_ranges = "ranges";
    for (const auto& ranges : range_rows(timeline)) {
        text += fmt::format("{:{}} |{}|\n", label_of_ranges, labels, range_text(ranges, scale));
        label_of_ranges = "";
    }
    for (const auto& [label, pieces] : rows)
        text += fmt::format("{:{}} |{}|\n", label, labels, row_text(pieces, scale));
    if (left_out > 0) text += fmt::format("… and {} more streams, which --trace has\n", left_out);
    text += letters.legend();
    text += "  > to the device   < to the host   = inside the device   0 fill   f host function\n";
    text += fmt::format("  host: c call, w waits   SMs: kernels at once{}\n",
                        held_up ? "   ! ready, but held up in its hardware queue" : "");
    return {std::move(text)};
}

}  // namespace lockstep::report
