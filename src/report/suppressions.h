// Findings that somebody has looked at and does not want to hear of again, as a file says:
//
//     # class[:kind]  [file[:line]]  [kernel]
//     race            solver.cu      smooth_*
//     leak:*          third-party/*
//     init
//
// * stands for any text and ? for any character, in each of the three; a file may be the end of its path. A
// kernel's name may be given in full or without its parameters.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "check/finding.h"
#include "report/check-report.h"

namespace lockstep::report {

struct Suppression {
    std::string of = "*", kind = "*", file = "*", kernel = "*";
    int line = 0;       // 0: any
    std::string place;  // "known.txt:3"
    std::string text;   // as it is written there
};

Result<std::vector<Suppression>> parse_suppressions(const std::string& text, const std::string& file);

bool suppresses(const Suppression& suppression, const check::Finding& finding);

// Moves what is suppressed out of the report's findings, and notes what suppressed nothing.
void suppress(CheckReport& report, const std::vector<Suppression>& suppressions);

}  // namespace lockstep::report
