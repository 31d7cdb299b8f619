#include "report/source-view.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/metric-text.h"
#include "report/source-lines.h"
#include "report/time-table.h"

namespace lockstep::report {
namespace {

using Counts = InstructionCounts;

// Lines between two that have counts are shown too, if they are so few.
constexpr int small_gap = 4;
constexpr std::size_t most_findings = 5;

// What the machine makes of it comes first: PTX may be long.
std::string describe(const Counts& counts) {
    return fmt::format("{:<10} {}", counts.machine.empty() ? "-" : counts.machine,
                       counts.ptx.empty() ? "(added by the machine)" : counts.ptx);
}

std::vector<std::string> split_lines(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string line;
        for (const char c : text.substr(begin, end - begin)) {
            if (c == '\t')
                line.append(4 - line.size() % 4, ' ');
            else if (c != '\r')
                line += c;
        }
        lines.push_back(std::move(line));
        begin = end + 1;
    }
    return lines;
}

double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// At most five characters: the columns leave the room to the source.
std::string tiny(std::uint64_t count) {
    if (count < 10'000) return std::to_string(count);
    double value = static_cast<double>(count);
    const char* prefix = "KMGTPE";
    for (value /= 1000; value >= 999.5; value /= 1000) ++prefix;
    return fmt::format("{:.{}f}{}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, *prefix);
}

// Waste that the eye should find: sectors or wavefronts beyond what the same bytes need, parted warps.
bool is_wasteful(const Counts& counts) {
    return counts.sectors > counts.ideal_sectors + counts.ideal_sectors / 10 ||
           counts.wavefronts > counts.ideal_wavefronts + counts.ideal_wavefronts / 10 ||
           counts.divergent_branches * 10 > counts.branches;
}

// The columns leave the room to the source, whose line is the last cell.
std::vector<Column> view_columns() {
    const auto right = [](const char* over, const char* head, std::size_t width, const char* explanation) {
        return Column{head, Align::right, over, explanation, width, 1};
    };
    return {
        right("", "line", 5, ""),
        right("warp cycles", "%", 3, "share of the cycles that warps spend here"),
        {"mostly", Align::left, "warp cycles", "what warps do here for most of these cycles", 8, 1},
        right("warp", "inst", 5, "warp instructions"),
        right("", "%", 3, "share of the warp instructions"),
        right("act.", "thr", 4, "active threads a warp instruction"),
        right("on", "thr", 4, "threads a warp instruction whose predicate holds"),
        right("", "bran.", 5, "branches"),
        right("diver", "-gent", 5, "branches that part their warp"),
        right("sec-", "tors", 5, "sectors of global and local memory"),
        right("", "ideal", 5, "sectors that the same bytes need"),
        right("bank", "confl", 5,
              "passes over the banks of shared memory beyond those that the same words need"),
        {.head = "", .width = 1, .gap = 1},  // ! where the waste is
        {.head = "", .gap = 0},
    };
}

std::vector<Cell> count_cells(const Cell& line, const Counts& counts, const Counts& all) {
    using metrics::Kind;
    const auto small = [](bool any, std::uint64_t count, Kind kind) {
        return any ? Cell(tiny(count), static_cast<double>(count), kind) : Cell();
    };
    const auto decimals = [](bool any, double number, int digits, Kind kind) {
        return any ? Cell(fmt::format("{:.{}f}", number, digits), number, kind) : Cell();
    };
    const auto each = [&](std::uint64_t threads) {  // warp instruction, on average
        const auto instructions = static_cast<double>(std::max<std::uint64_t>(counts.executed, 1));
        return decimals(counts.executed, static_cast<double>(threads) / instructions, 1, Kind::modelled);
    };
    const bool memory = counts.sectors || counts.ideal_sectors;
    const std::uint64_t cycles = total(counts.warp_cycles);
    return {line,
            decimals(cycles, share(cycles, total(all.warp_cycles)), 0, Kind::predicted),
            cycles ? std::string(state_word(main_state(counts.warp_cycles))) : "",
            small(counts.executed, counts.executed, Kind::modelled),
            decimals(counts.executed, share(counts.executed, all.executed), 0, Kind::modelled),
            each(counts.active),
            each(counts.predicated_on),
            small(counts.branches, counts.branches, Kind::modelled),
            small(counts.branches, counts.divergent_branches, Kind::modelled),
            small(memory, counts.sectors, Kind::counted),
            small(memory, counts.ideal_sectors, Kind::counted),
            small(counts.wavefronts, counts.wavefronts - std::min(counts.wavefronts, counts.ideal_wavefronts),
                  Kind::counted),
            is_wasteful(counts) ? "!" : ""};
}

void add_row(Table& table, const Cell& line, const Counts& counts, const Counts& all, std::string text) {
    std::vector<Cell> cells = count_cells(line, counts, all);
    cells.emplace_back(std::move(text));
    table.row(std::move(cells), is_wasteful(counts));
}

void add_file(Table& table, const std::string& file, const std::vector<std::string>& text,
              const std::map<int, SourceLine>& lines, const Counts& all, bool ptx) {
    if (!file.empty()) table.title(file);
    int before = 0;
    const auto add = [&](int number, const SourceLine* line) {
        const bool known = number >= 1 && static_cast<std::size_t>(number) <= text.size();
        add_row(table, number == 0 ? Cell() : Cell(std::to_string(number), number),
                line ? line->sum : Counts(), all,
                known         ? text[static_cast<std::size_t>(number) - 1]
                : number == 0 ? "(no line)"
                              : "");
    };
    for (const auto& [number, line] : lines) {
        if (before != 0 && number - before - 1 <= small_gap)
            for (int between = before + 1; between < number; ++between) add(between, nullptr);
        else if (before != 0)
            table.gap();
        add(number, &line);
        for (const Counts* one : line.instructions)
            if (ptx) add_row(table, Cell(), *one, all, "  " + describe(*one));
        before = number;
    }
}

struct Spot {
    double weight = 0;  // of the kernel's own total
    std::string text;
};

void find_waste(const std::string& place, const Counts& line, const Counts& all, std::vector<Spot>& out) {
    if (line.sectors > line.ideal_sectors)
        out.push_back({share(line.sectors - line.ideal_sectors, all.sectors),
                       fmt::format("{}: {} sectors moved where {} would do ({:.1f} x)", place,
                                   short_count(line.sectors), short_count(line.ideal_sectors),
                                   static_cast<double>(line.sectors) /
                                       static_cast<double>(std::max<std::uint64_t>(line.ideal_sectors, 1)))});
    if (line.wavefronts > line.ideal_wavefronts)
        out.push_back({share(line.wavefronts - line.ideal_wavefronts, all.wavefronts),
                       fmt::format("{}: {} passes over the banks where {} would do", place,
                                   short_count(line.wavefronts), short_count(line.ideal_wavefronts))});
    if (line.divergent_branches != 0)
        out.push_back({share(line.divergent_branches, all.branches),
                       fmt::format("{}: {} of {} branches part their warp ({:.1f} %)", place,
                                   short_count(line.divergent_branches), short_count(line.branches),
                                   share(line.divergent_branches, line.branches))});
}

// Where warps spend much of their time.
void find_time(const std::string& place, const Counts& line, const Counts& all, std::vector<Spot>& out) {
    const double percent = share(total(line.warp_cycles), total(all.warp_cycles));
    if (percent >= 10)
        out.push_back({percent, fmt::format("{}: {:.0f} % of the warps' cycles, of which {}", place, percent,
                                            states_text(line.warp_cycles))});
}

void add_findings(Section& section, const std::string& title, std::vector<Spot> findings) {
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Spot& a, const Spot& b) { return a.weight > b.weight; });
    if (findings.size() > most_findings) findings.resize(most_findings);
    if (findings.empty()) return;
    Lines list{{}, title + ":", 2};
    for (Spot& finding : findings) list.lines.push_back(std::move(finding.text));
    section.parts.emplace_back(std::move(list));
}

std::string base_name(const std::string& file) { return file.substr(file.rfind('/') + 1); }

}  // namespace

Result<Section> source_view(const RunFile& run, const KernelResult& kernel,
                            const SourceViewOptions& options) {
    auto found = source_lines(run, kernel);
    if (!found) return found.error();
    const Counts& all = found->all;
    const auto& files = found->files;
    Section section{
        fmt::format("Kernel: {}, {}", kernel.name, plural(kernel.launches, "launch", "launches"))};
    Lines bounds{{}, "", 2};
    for (const std::string& line : bound_lines(kernel)) bounds.lines.push_back(line + " (predicted)");
    section.parts.emplace_back(std::move(bounds));
    Table table{.columns = view_columns(), .title_indent = 2, .widest_line = options.width};
    std::vector<Spot> waste, slow;
    const auto look_at = [&](const std::string& place, const Counts& line) {
        find_waste(place, line, all, waste);
        find_time(place, line, all, slow);
    };
    for (const auto& [file, lines] : files) {
        if (file.empty()) continue;
        auto text = run.source(file);
        if (!text) return text.error();
        add_file(table, file, split_lines(text->value_or("")), lines, all, options.ptx);
        for (const auto& [number, line] : lines)
            look_at(fmt::format("{}:{}", base_name(file), number), line.sum);
    }
    const auto rest = files.find("");
    if (rest != files.end()) {
        add_file(table, "", {}, rest->second, all, options.ptx);
        look_at("(no line)", rest->second.at(0).sum);
    }
    section.parts.emplace_back(std::move(table));
    if (rest != files.end() && files.size() == 1)
        section.parts.emplace_back(Lines{{"compile with -lineinfo to see source lines"}, "", 2});
    add_findings(section, "Most time (predicted)", std::move(slow));
    add_findings(section, "Most waste", std::move(waste));
    return section;
}

}  // namespace lockstep::report
