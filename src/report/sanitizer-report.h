// Findings in the words of NVIDIA's compute-sanitizer, for those who read or parse them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "check/finding.h"

namespace lockstep::report {

struct SanitizerStyle {
    enum class Races : std::uint8_t { analysis, hazard, all };
    std::string prefix = "=========";
    std::size_t print_limit = 100;  // 0: none
    Races races = Races::analysis;
    bool strip_paths = true;
    bool parameters = true;  // of functions
    bool host_frames = true, device_frames = true;
};

std::string sanitizer_line(const SanitizerStyle& style, const std::string& words);

// One finding, with the lines below it. What lockstep finds and that tool does not is told in our words.
std::string sanitizer_finding(const check::Finding& finding, const SanitizerStyle& style);

// So many findings as may be printed.
std::string sanitizer_findings(std::span<const check::Finding> findings, const SanitizerStyle& style);

// The last lines: an error is what one thread did, so each finding counts as often as it was seen.
std::string sanitizer_summary(std::span<const check::Finding> findings, const SanitizerStyle& style,
                              bool races, bool leaks);

}  // namespace lockstep::report
