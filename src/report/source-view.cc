#include "report/source-view.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "report/source-lines.h"
#include "report/table.h"
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

using Lines = std::map<int, SourceLine>;

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

std::string ratio(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? "" : fmt::format("{:.1f}", static_cast<double>(part) / static_cast<double>(whole));
}

// At most five characters: the columns leave the room to the source.
std::string tiny(std::uint64_t count) {
    if (count < 10'000) return std::to_string(count);
    double value = static_cast<double>(count);
    const char* prefix = "KMGTPE";
    for (value /= 1000; value >= 999.5; value /= 1000) ++prefix;
    return fmt::format("{:.{}f}{}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, *prefix);
}

std::string if_any(bool any, std::uint64_t count) { return any ? tiny(count) : ""; }

// Waste that the eye should find: sectors or wavefronts beyond what the same bytes need, parted warps.
bool is_wasteful(const Counts& counts) {
    return counts.sectors > counts.ideal_sectors + counts.ideal_sectors / 10 ||
           counts.wavefronts > counts.ideal_wavefronts + counts.ideal_wavefronts / 10 ||
           counts.divergent_branches * 10 > counts.branches;
}

constexpr const char* column_format =
    "{:>5} {:>3} {:<8} {:>5} {:>3} {:>4} {:>4} {:>5} {:>5} {:>5} {:>5} {:>5} {}";

std::string count_columns(const std::string& line, const Counts& counts, const Counts& all) {
    const bool memory = counts.sectors || counts.ideal_sectors;
    const std::uint64_t cycles = total(counts.warp_cycles);
    return fmt::format(
        fmt::runtime(column_format), line,
        cycles ? fmt::format("{:.0f}", share(cycles, total(all.warp_cycles))) : "",
        cycles ? state_word(main_state(counts.warp_cycles)) : "", if_any(counts.executed, counts.executed),
        counts.executed ? fmt::format("{:.0f}", share(counts.executed, all.executed)) : "",
        ratio(counts.active, counts.executed), ratio(counts.predicated_on, counts.executed),
        if_any(counts.branches, counts.branches), if_any(counts.branches, counts.divergent_branches),
        if_any(memory, counts.sectors), if_any(memory, counts.ideal_sectors),
        if_any(counts.wavefronts, counts.wavefronts - std::min(counts.wavefronts, counts.ideal_wavefronts)),
        is_wasteful(counts) ? '!' : ' ');
}

constexpr const char* heading =
    "       warp cycles  warp     act.   on       diver  sec-        bank\n"
    " line   % mostly    inst   %  thr  thr bran. -gent  tors ideal confl\n";

std::string cut(std::string text, std::size_t width) {
    text.erase(text.find_last_not_of(' ') + 1);
    std::size_t columns = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
        if ((text[i] & 0xC0) != 0x80 && ++columns > width) return text.substr(0, i);
    return text;
}

std::string show_file(const std::string& file, const std::vector<std::string>& text, const Lines& lines,
                      const Counts& all, const SourceViewOptions& options) {
    std::string out = file.empty() ? std::string() : fmt::format("  {}\n", file);
    int before = 0;
    const auto show = [&](int number, const SourceLine* line) {
        const bool known = number >= 1 && static_cast<std::size_t>(number) <= text.size();
        out +=
            cut(count_columns(number == 0 ? "" : std::to_string(number), line ? line->sum : Counts(), all) +
                    (known         ? text[static_cast<std::size_t>(number) - 1]
                     : number == 0 ? "(no line)"
                                   : ""),
                options.width) +
            '\n';
    };
    for (const auto& [number, line] : lines) {
        if (before != 0 && number - before - 1 <= small_gap)
            for (int between = before + 1; between < number; ++between) show(between, nullptr);
        else if (before != 0)
            out += "  ...\n";
        show(number, &line);
        for (const Counts* one : line.instructions)
            if (options.ptx)
                out += cut(count_columns("", *one, all) + "  " + describe(*one), options.width) + '\n';
        before = number;
    }
    return out;
}

struct Finding {
    double weight = 0;  // of the kernel's own total
    std::string text;
};

void find_waste(const std::string& place, const Counts& line, const Counts& all, std::vector<Finding>& out) {
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
void find_time(const std::string& place, const Counts& line, const Counts& all, std::vector<Finding>& out) {
    const double percent = share(total(line.warp_cycles), total(all.warp_cycles));
    if (percent >= 10)
        out.push_back({percent, fmt::format("{}: {:.0f} % of the warps' cycles, of which {}", place, percent,
                                            states_text(line.warp_cycles))});
}

std::string list_findings(const std::string& title, std::vector<Finding> findings) {
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding& a, const Finding& b) { return a.weight > b.weight; });
    if (findings.size() > most_findings) findings.resize(most_findings);
    if (findings.empty()) return "";
    std::string out = fmt::format("  {}:\n", title);
    for (const Finding& finding : findings) out += "    " + finding.text + '\n';
    return out;
}

std::string base_name(const std::string& file) { return file.substr(file.rfind('/') + 1); }

}  // namespace

Result<std::string> source_view(const RunFile& run, const KernelResult& kernel,
                                const SourceViewOptions& options) {
    auto found = source_lines(run, kernel);
    if (!found) return found.error();
    const Counts& all = found->all;
    const auto& files = found->files;
    std::string out =
        fmt::format("Kernel: {}, {}\n", kernel.name, plural(kernel.launches, "launch", "launches"));
    for (const std::string& line : bound_lines(kernel)) out += fmt::format("  {} (predicted)\n", line);
    out += heading;
    std::vector<Finding> waste, slow;
    const auto look_at = [&](const std::string& place, const Counts& line) {
        find_waste(place, line, all, waste);
        find_time(place, line, all, slow);
    };
    for (const auto& [file, lines] : files) {
        if (file.empty()) continue;
        auto text = run.source(file);
        if (!text) return text.error();
        out += show_file(file, split_lines(text->value_or("")), lines, all, options);
        for (const auto& [number, line] : lines)
            look_at(fmt::format("{}:{}", base_name(file), number), line.sum);
    }
    if (const auto rest = files.find(""); rest != files.end()) {
        out += show_file("", {}, rest->second, all, options);
        look_at("(no line)", rest->second.at(0).sum);
        if (files.size() == 1) out += "  compile with -lineinfo to see source lines\n";
    }
    return out + list_findings("Most time (predicted)", std::move(slow)) +
           list_findings("Most waste", std::move(waste));
}

}  // namespace lockstep::report
