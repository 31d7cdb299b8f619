#include "report/suppressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "base/demangle.h"
#include "base/trimmed.h"

namespace lockstep::report {
namespace {

using check::Finding;
using check::Place;

bool fits(std::string_view pattern, std::string_view text) {
    std::size_t p = 0, t = 0, star = std::string_view::npos, from = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            from = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            // The last star takes one character more.
            p = star + 1;
            t = ++from;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

// All of the path, or its end from a folder on.
bool fits_file(std::string_view pattern, std::string_view file) {
    if (fits(pattern, file)) return true;
    for (std::size_t slash = file.find('/'); slash != std::string_view::npos;
         slash = file.find('/', slash + 1))
        if (fits(pattern, file.substr(slash + 1))) return true;
    return false;
}

bool fits_kernel(const std::string& pattern, const std::string& kernel) {
    return fits(pattern, kernel) || fits(pattern, base::short_kernel_name(kernel)) ||
           fits(pattern, base::function_name(kernel));
}

Result<Suppression> parse_line(const std::string& text, const std::string& file, int number) {
    Suppression result;
    result.text = text;
    result.place = fmt::format("{}:{}", file, number);
    std::istringstream in(text);
    std::string what, where, kernel;
    in >> what >> where;
    std::getline(in, kernel);
    if (const std::size_t colon = what.find(':'); colon != std::string::npos) {
        result.kind = what.substr(colon + 1);
        what.erase(colon);
    }
    result.of = what;
    if (what.find_first_of("*?") == std::string::npos && !check::class_named(what))
        return Error{
            fmt::format("'{}' is no class of findings: there are memory, race, sync, init, leak, host, "
                        "undefined and *",
                        what),
            {file, number}};
    if (const std::size_t colon = where.rfind(':'); colon != std::string::npos) {
        const char* const end = where.data() + where.size();
        const auto [stopped, error] = std::from_chars(where.data() + colon + 1, end, result.line);
        if (error != std::errc() || stopped != end || result.line < 1)
            return Error{fmt::format("'{}' is no line's number", where.substr(colon + 1)), {file, number}};
        where.erase(colon);
    }
    if (!where.empty()) result.file = where;
    if (kernel = base::trimmed(kernel); !kernel.empty()) result.kernel = kernel;
    return result;
}

}  // namespace

Result<std::vector<Suppression>> parse_suppressions(const std::string& text, const std::string& file) {
    std::vector<Suppression> result;
    std::istringstream in(text);
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        line = base::trimmed(line.substr(0, line.find('#')));
        if (line.empty()) continue;
        auto one = parse_line(line, file, number);
        if (!one) return one.error();
        result.push_back(std::move(*one));
    }
    return result;
}

bool suppresses(const Suppression& suppression, const Finding& finding) {
    if (!fits(suppression.of, check::name(finding.kind_of)) || !fits(suppression.kind, finding.kind) ||
        !fits_kernel(suppression.kernel, finding.kernel))
        return false;
    if (suppression.file == "*" && suppression.line == 0) return true;
    return std::any_of(finding.places.begin(), finding.places.end(), [&](const Place& place) {
        return (suppression.line == 0 || suppression.line == place.line) &&
               fits_file(suppression.file, place.file);
    });
}

void suppress(CheckReport& report, const std::vector<Suppression>& suppressions) {
    std::vector<bool> used(suppressions.size());
    std::erase_if(report.findings, [&](Finding& finding) {
        bool gone = false;
        for (std::size_t s = 0; s < suppressions.size(); ++s) {
            if (!suppresses(suppressions[s], finding)) continue;
            used[s] = true;
            if (!gone) report.suppressed.push_back({finding, suppressions[s].place});
            gone = true;
        }
        return gone;
    });
    for (std::size_t s = 0; s < suppressions.size(); ++s)
        if (!used[s])
            report.notes.push_back(
                fmt::format("{}: '{}' suppresses nothing", suppressions[s].place, suppressions[s].text));
}

}  // namespace lockstep::report
