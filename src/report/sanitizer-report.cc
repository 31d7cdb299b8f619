#include "report/sanitizer-report.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <utility>

#include "base/demangle.h"
#include "report/metric-text.h"

namespace lockstep::report {
namespace {

using check::Class;
using check::Finding;
using check::Place;
using check::Rank;

std::string detail(const Finding& finding, const char* name) {
    const auto at = finding.details.find(name);
    return at == finding.details.end() ? "" : at->second;
}

// Of decimal digits, or hexadecimal ones behind 0x; 0: none.
std::uint64_t number(std::string_view text) {
    const bool hexadecimal = text.starts_with("0x");
    if (hexadecimal) text.remove_prefix(2);
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
    return value;
}

std::string with_commas(std::string digits) {
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
    return digits;
}

std::string capital(std::string word) {
    if (!word.empty() && word[0] >= 'a' && word[0] <= 'z') word[0] = static_cast<char>(word[0] - 'a' + 'A');
    return word;
}

// "block (1,0,0), thread (3,0,0)", the other way round and with their coordinates alone.
struct Who {
    std::string thread, block;
    explicit Who(const std::string& text) : thread(after(text, "thread ")), block(after(text, "block ")) {}
    static std::string after(const std::string& text, std::string_view word) {
        const std::size_t begin = text.find(word);
        if (begin == std::string::npos) return "";
        const std::size_t open = begin + word.size(), close = text.find(')', open);
        return close == std::string::npos ? "" : text.substr(open, close + 1 - open);
    }
};

class SanitizerWriter {
  public:
    SanitizerWriter(const Finding& finding, const SanitizerStyle& style) : finding_(finding), style_(style) {}

    std::string text() {
        switch (finding_.kind_of) {
            case Class::race: race(); break;
            case Class::leak: leak(); break;
            default: error();
        }
        line("");
        return std::move(text_);
    }

  private:
    void line(const std::string& words) { text_ += sanitizer_line(style_, words); }
    void indented(const std::string& words) { line("    " + words); }

    std::string function(const std::string& name) const {
        return style_.parameters ? name : base::short_function_name(name);
    }
    // "kernel(int *) in file.cu:18"
    std::string where(const Place& place) const {
        std::string words = function(place.function.empty() ? finding_.kernel : place.function);
        if (place.file.empty()) return words;
        const std::string file =
            style_.strip_paths ? std::filesystem::path(place.file).filename().string() : place.file;
        return fmt::format("{}{}in {}:{}", words, words.empty() ? "" : " ", file, place.line);
    }

    std::string title() const {
        const std::string space = detail(finding_, "space"), size = detail(finding_, "size"),
                          api = detail(finding_, "function"), error = detail(finding_, "error");
        if (!api.empty() && !error.empty())
            return fmt::format("Program hit {} (error {}) due to \"{}\" on CUDA API call to {}.", error,
                               detail(finding_, "error_number"), detail(finding_, "error_text"), api);
        const std::string segment = fmt::format("__{}__", space == "heap" ? "global" : space);
        const std::string& role = finding_.places.empty() ? "" : finding_.places[0].role;
        if (finding_.kind_of == Class::init && !space.empty() && !size.empty())
            return fmt::format("Uninitialized {} memory read of size {} bytes", segment, size);
        const bool access = role == "read" || role == "write" || role == "atomic";
        if (finding_.kind_of == Class::memory && access && !space.empty() && !size.empty())
            return fmt::format("Invalid {} {} of size {} bytes", segment, role, size);
        if (finding_.kind_of == Class::sync) {
            const std::string divergent = detail(finding_, "divergent_in");
            return "Barrier error detected. " + (divergent.empty()
                                                     ? finding_.message
                                                     : fmt::format("Divergent thread(s) in {}.", divergent));
        }
        return finding_.message;
    }

    void error() {
        const std::string words = title();
        line(words);
        if (!finding_.places.empty()) {
            const Place& place = finding_.places[0];
            indented("at " + where(place));
            const Who who(place.who);
            if (!who.thread.empty()) indented(fmt::format("by thread {} in block {}", who.thread, who.block));
        }
        const std::string address = detail(finding_, "address");
        const bool misaligned = finding_.kind.find("misaligned") != std::string::npos;
        if (words.starts_with("Invalid ")) {
            indented(fmt::format("Access to {} is {}", address, misaligned ? "misaligned" : "out of bounds"));
            if (const std::string near = nearest(); !near.empty() && !misaligned) indented(near);
        } else if (words.starts_with("Uninitialized ") && !address.empty())
            indented("Address " + address);
        if (words != finding_.message) indented(finding_.message);
        frames(words.starts_with("Program hit ") ? "at error" : "at kernel launch time");
    }

    // "and is 1 bytes after the nearest allocation at 0x7f5000000000 of size 4,000 bytes"
    std::string nearest() const {
        const std::uint64_t address = number(detail(finding_, "address")),
                            begin = number(detail(finding_, "nearest_address")),
                            size = number(detail(finding_, "nearest_size"));
        if (!begin) return "";
        const auto away = [](std::uint64_t bytes, const char* side) {
            return fmt::format("{} bytes {}", with_commas(std::to_string(bytes)), side);
        };
        return fmt::format("and is {} the nearest allocation at {:#x} of size {} bytes",
                           address < begin          ? away(begin - address, "before")
                           : address - begin < size ? "inside"
                                                    : away(address - begin - size + 1, "after"),
                           begin, with_commas(std::to_string(size)));
    }

    void leak() {
        const std::string size = detail(finding_, "size"), address = detail(finding_, "address");
        line(size.empty() ? finding_.message
                          : fmt::format("Leaked {} bytes{}{}", with_commas(size),
                                        address.empty() ? "" : " at " + address,
                                        detail(finding_, "space") == "heap" ? " on the device heap" : ""));
        frames("at allocation time");
    }

    void race() {
        const std::string level = finding_.rank == Rank::error     ? "Error"
                                  : finding_.rank == Rank::warning ? "Warning"
                                                                   : "Info";
        if (finding_.places.size() < 2) {
            line(fmt::format("{}: {}", level, finding_.message));
            frames("at kernel launch time");
            return;
        }
        const Place &first = finding_.places[0], &second = finding_.places[1];
        if (style_.races != SanitizerStyle::Races::analysis) {
            const auto letter = [](const Place& place) { return place.role == "read" ? 'R' : 'W'; };
            const std::string address = detail(finding_, "address");
            line(fmt::format(
                "{}: Potential {}A{} hazard detected{} in block {} :", level, letter(second), letter(first),
                address.empty() ? "" : fmt::format(" at __{}__ {}", detail(finding_, "space"), address),
                Who(first.who).block));
            for (const Place* place : {&first, &second})
                indented(fmt::format("{} Thread {} at {}", capital(place->role), Who(place->who).thread,
                                     where(*place)));
            if (style_.races == SanitizerStyle::Races::all) line("");
        }
        if (style_.races != SanitizerStyle::Races::hazard) {
            line(fmt::format("{}: Race reported between {} access at {}", level, capital(first.role),
                             where(first)));
            indented(fmt::format("and {} access at {} [{}]", capital(second.role), where(second),
                                 plural(finding_.count, "hazard", "hazards")));
        }
        frames("at kernel launch time");
    }

    // What comes after the accesses themselves: callers in the kernel, then the host's.
    void frames(const char* when) {
        const bool leak = finding_.kind_of == Class::leak;
        const std::size_t own = leak ? 0 : std::min<std::size_t>(finding_.own_places, finding_.places.size());
        bool host = finding_.kernel.empty(), begun = false;
        for (std::size_t p = own; p < finding_.places.size(); ++p) {
            const Place& place = finding_.places[p];
            host |= place.role == "launched from" || leak;
            if (place.role != "called from" && place.role != "launched from" && !leak) {
                if (style_.host_frames) indented(fmt::format("{} at {}", capital(place.role), where(place)));
                continue;
            }
            if (host ? !style_.host_frames : !style_.device_frames) continue;
            if (host && !std::exchange(begun, true))
                indented(fmt::format("Saved host backtrace up to driver entry point {}", when));
            indented(fmt::format("    {} Frame: {}", host ? "Host" : "Device", where(place)));
        }
    }

    const Finding& finding_;
    const SanitizerStyle& style_;
    std::string text_;
};

}  // namespace

std::string sanitizer_line(const SanitizerStyle& style, const std::string& words) {
    return words.empty() ? style.prefix + "\n" : fmt::format("{} {}\n", style.prefix, words);
}

std::string sanitizer_finding(const Finding& finding, const SanitizerStyle& style) {
    return SanitizerWriter(finding, style).text();
}

std::string sanitizer_findings(std::span<const Finding> findings, const SanitizerStyle& style) {
    if (style.print_limit != 0) findings = findings.first(std::min(findings.size(), style.print_limit));
    std::string text;
    for (const Finding& finding : findings) text += sanitizer_finding(finding, style);
    return text;
}

std::string sanitizer_summary(std::span<const Finding> findings, const SanitizerStyle& style, bool races,
                              bool leaks) {
    std::string text;
    if (races) {
        std::size_t errors = 0;
        for (const Finding& finding : findings) errors += finding.rank == Rank::error;
        return sanitizer_line(style, fmt::format("RACECHECK SUMMARY: {} displayed ({}, {})",
                                                 plural(findings.size(), "hazard", "hazards"),
                                                 plural(errors, "error", "errors"),
                                                 plural(findings.size() - errors, "warning", "warnings")));
    }
    std::uint64_t errors = 0, bytes = 0, allocations = 0;
    bool sizes = true;
    for (const Finding& finding : findings) {
        errors += finding.count;
        if (finding.kind_of != Class::leak) continue;
        allocations += finding.count;
        bytes += number(detail(finding, "size"));
        sizes &= finding.details.contains("size");
    }
    if (leaks)
        text += sanitizer_line(
            style, fmt::format("LEAK SUMMARY: {}{} allocations",
                               sizes ? fmt::format("{} bytes leaked in ", bytes) : "leaked ", allocations));
    text += sanitizer_line(style, "ERROR SUMMARY: " + plural(errors, "error", "errors"));
    const std::uint64_t printed =
        style.print_limit == 0 ? findings.size() : std::min(findings.size(), style.print_limit);
    if (printed < errors)
        text += sanitizer_line(
            style, fmt::format("ERROR SUMMARY: {} not printed. Each place is printed once"
                               "{}",
                               errors - printed == 1 ? "1 error was"
                                                     : fmt::format("{} errors were", errors - printed),
                               printed < findings.size() ? ", and no more than --print-limit says" : ""));
    return text;
}

}  // namespace lockstep::report
