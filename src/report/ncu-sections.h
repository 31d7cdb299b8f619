// Nsight Compute's sections: tables of metrics under labels of their own, and the sets of sections that its
// command line names.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lockstep::report {

struct NcuRow {
    const char* label;
    const char* metric;  // ncu's name of it; lockstep need not have it
    const char* unit;    // where labels have another one than the metric's; empty: the metric's
};

struct NcuSection {
    const char* id;     // "SpeedOfLight"
    const char* title;  // "GPU Speed Of Light Throughput"
    std::vector<NcuRow> rows;
};

std::span<const NcuSection> ncu_sections();

struct NcuSet {
    const char* name;
    std::vector<const char*> sections;
};

std::span<const NcuSet> ncu_sets();

// By identifier, or "regex:…" over identifiers.
Result<std::vector<const NcuSection*>> find_ncu_sections(const std::string& name);
Result<std::vector<const NcuSection*>> find_ncu_set(const std::string& name);

}  // namespace lockstep::report
