// Findings for people, and for programs.
#pragma once
#include <string>
#include <vector>

#include "explain/finding.h"
#include "report/run-reader.h"

namespace lockstep::explain {

struct Style {
    std::size_t width = 80;
    std::size_t most_kernels = 10;  // others are only counted
};

std::string to_text(const report::RunFile& run, const Explanation& all, const Style& style);
std::string to_json(const report::RunFile& run, const Explanation& all);

}  // namespace lockstep::explain
