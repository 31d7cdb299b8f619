#include "report/findings-text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include "base/demangle.h"
#include "report/wrapped-text.h"

namespace lockstep::report {
namespace {

using check::Finding;
using check::Place;
using check::Rank;

constexpr std::size_t own_indent = 2, who_indent = 6;

class Colours {
  public:
    explicit Colours(bool on) : on_(on) {}
    std::string rank(Rank of, const std::string& text) const {
        constexpr std::array codes = {"1;31", "1;35", "1;36"};
        return painted(codes[static_cast<std::size_t>(of)], text);
    }
    std::string bold(const std::string& text) const { return painted("1", text); }
    std::string caret(const std::string& text) const { return painted("1;32", text); }

  private:
    std::string painted(const char* code, const std::string& text) const {
        return on_ ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
    }
    bool on_;
};

std::string expanded(const std::string& line) {
    constexpr std::size_t tab = 4;
    std::string result;
    for (const char c : line) {
        if (c == '\t')
            result.append(tab - result.size() % tab, ' ');
        else if (c != '\r')
            result += c;
    }
    return result;
}

// The statement is what stands on the line, but for a comment behind it.
std::string_view statement(std::string_view line) {
    const std::size_t comment = line.find("//");
    if (comment != std::string_view::npos && line.find_first_not_of(' ') < comment)
        line = line.substr(0, comment);
    const std::size_t end = line.find_last_not_of(' ');
    return end == std::string_view::npos ? "" : line.substr(0, end + 1);
}

class FindingPrinter {
  public:
    FindingPrinter(const Finding& finding, SourceLineReader& sources, const FindingsStyle& style)
        : finding_(finding), sources_(sources), style_(style), colours_(style.colour) {}

    std::string text() {
        title();
        if (!finding_.kernel.empty())
            add(own_indent, fmt::format("in kernel {}", base::short_function_name(finding_.kernel)));
        const std::size_t own = std::min<std::size_t>(finding_.own_places, finding_.places.size());
        for (std::size_t p = 0; p < finding_.places.size(); ++p) place(finding_.places[p], p < own);
        constexpr std::size_t fix_indent = own_indent + 5;
        if (!finding_.advice.empty())
            text_ += std::string(own_indent, ' ') + colours_.bold("fix:") + ' ' +
                     wrapped(finding_.advice, style_.width, fix_indent, fix_indent) + '\n';
        return std::move(text_);
    }

  private:
    void add(std::size_t indent, const std::string& words) {
        text_ += std::string(indent, ' ') + wrapped(words, style_.width, indent, indent + 4) + '\n';
    }

    void title() {
        std::string words = fmt::format("{}: {}: {}", check::name(finding_.rank),
                                        check::name(finding_.kind_of), finding_.message);
        if (finding_.count > 1) words += fmt::format(" ({} times)", finding_.count);
        words = wrapped(words, style_.width, 0, 4);
        const std::size_t rank = check::name(finding_.rank).size() + 1;
        text_ += colours_.rank(finding_.rank, words.substr(0, rank)) + words.substr(rank) + '\n';
    }

    void place(const Place& place, bool own) {
        std::string words =
            place.role.empty() ? "at" : place.role + (place.role.ends_with("from") ? "" : " at");
        words += place.file.empty() ? " a line that is not known"
                                    : fmt::format(" {}:{}", shown_file(place.file), place.line);
        if (!place.function.empty()) words += " in " + base::short_function_name(place.function);
        add(own_indent, words);
        if (!place.who.empty()) add(who_indent, "by " + place.who);
        if (own) source(place);
    }

    void source(const Place& place) {
        if (place.file.empty() || place.line <= 0) return;
        const auto line = sources_.line(place.file, place.line);
        if (!line) {
            add(who_indent, "(that source cannot be read here)");
            return;
        }
        const std::string number = fmt::format("{:>7} | ", place.line);
        const std::string shown = expanded(*line);
        const std::size_t first = std::min(shown.find_first_not_of(' '), shown.size());
        // Deep indentation says nothing here, and the room is the code's.
        constexpr std::size_t most_indent = 8;
        const std::size_t cut = first > most_indent ? first - most_indent : 0;
        const std::size_t room = style_.width > number.size() + 1 ? style_.width - number.size() : 1;
        std::string code = shown.substr(cut);
        const std::size_t length = columns_in(statement(code));
        if (columns_in(code) > room) code = shortened(code, room - 2) + " …";
        text_ += number + code + '\n';
        const std::size_t begin = first - cut, end = std::min(length, room);
        if (end <= begin) return;
        text_ += std::string(number.size() - 2, ' ') + "| " + std::string(begin, ' ') +
                 colours_.caret('^' + std::string(end - begin - 1, '~')) + '\n';
    }

    static std::string shortened(const std::string& text, std::size_t width) {
        std::size_t used = 0;
        for (std::size_t i = 0; i < text.size(); ++i)
            if ((text[i] & 0xC0) != 0x80 && ++used > width) return text.substr(0, i);
        return text;
    }

    const Finding& finding_;
    SourceLineReader& sources_;
    const FindingsStyle& style_;
    Colours colours_;
    std::string text_;
};

}  // namespace

std::optional<std::string> SourceLineReader::line(const std::string& file, int number) {
    const auto [at, fresh] = files_.try_emplace(file);
    if (fresh) {
        std::ifstream in(file);
        for (std::string line; std::getline(in, line);) at->second.push_back(line);
    }
    const std::vector<std::string>& lines = at->second;
    if (number < 1 || static_cast<std::size_t>(number) > lines.size()) return std::nullopt;
    return lines[static_cast<std::size_t>(number) - 1];
}

std::string finding_text(const Finding& finding, SourceLineReader& sources, const FindingsStyle& style) {
    return FindingPrinter(finding, sources, style).text();
}

std::string findings_text(const CheckReport& report, const FindingsStyle& style) {
    std::string text;
    SourceLineReader sources;
    for (const Finding& finding : report.findings) text += finding_text(finding, sources, style) + '\n';
    // As all that lockstep says below a program's own output. These lines stay whole: scripts look for them.
    for (const std::string& note : report.notes) text += fmt::format("== lockstep == {}\n", note);
    text += fmt::format("== lockstep == {}\n", summary(report));
    return text;
}

}  // namespace lockstep::report
