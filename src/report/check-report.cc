#include "report/check-report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "report/metric-text.h"

namespace lockstep::report {
namespace {

using check::Class;
using check::Finding;

// How many of a class, in words.
std::string counted(Class of, std::size_t count) {
    struct Words {
        const char *one, *more;
    };
    constexpr std::array<Words, 7> words = {{{"memory error", "memory errors"},
                                             {"race", "races"},
                                             {"synchronisation error", "synchronisation errors"},
                                             {"use of uninitialised memory", "uses of uninitialised memory"},
                                             {"leak", "leaks"},
                                             {"error of the host", "errors of the host"},
                                             {"undefined result", "undefined results"}}};
    const Words& of_class = words[static_cast<std::size_t>(of)];
    return plural(count, of_class.one, of_class.more);
}

}  // namespace

std::vector<Finding> ranked(std::vector<Finding> findings) {
    std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
        return a.rank != b.rank ? a.rank < b.rank : a.kind_of < b.kind_of;
    });
    return findings;
}

std::string summary(const CheckReport& report) {
    std::array<std::size_t, 7> counts{};
    for (const Finding& finding : report.findings) ++counts[static_cast<std::size_t>(finding.kind_of)];
    std::vector<std::string> parts, looked_for;
    for (std::size_t c = 0; c < counts.size(); ++c)
        if (counts[c] != 0) parts.push_back(counted(static_cast<Class>(c), counts[c]));
    for (const Class of : report.classes) looked_for.emplace_back(check::name(of));
    std::string text = parts.empty()
                           ? fmt::format("nothing found ({})", fmt::join(looked_for, ", "))
                           : fmt::format("{}: {}", plural(report.findings.size(), "finding", "findings"),
                                         fmt::join(parts, ", "));
    if (!report.suppressed.empty()) text += fmt::format("; {} suppressed", report.suppressed.size());
    return text;
}

std::string shown_file(const std::string& file) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path here = fs::current_path(error);
    if (error || !fs::path(file).is_absolute()) return file;
    const std::string relative = fs::path(file).lexically_relative(here).string();
    return relative.empty() || relative.starts_with("..") ? file : relative;
}

std::string kind_words(const std::string& kind) {
    std::string words = kind;
    std::replace(words.begin(), words.end(), '-', ' ');
    // The one word that has its own dashes.
    if (const std::size_t at = words.find("out of bounds"); at != std::string::npos)
        words.replace(at, 13, "out-of-bounds");
    return words;
}

}  // namespace lockstep::report
