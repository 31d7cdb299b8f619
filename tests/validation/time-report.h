// The part of docs/validation.md about predicted time.
#pragma once
#include <optional>

#include "cub.h"
#include "published-tables.h"
#include "suite.h"
#include "time-error.h"

namespace lockstep::validation {

// `measured` and `probes` at the sizes that were measured; `cub` where nvcc is installed.
// From nvcc's code; `ours` has the programs from lockstep's.
Result<std::string> time_report(const Suite& measured, const Suite& ours, const std::optional<CubRun>& cub,
                                const Suite& probes);

// Launches of one kind, and what they are to the model.
struct JudgedLaunches {
    std::string title;
    std::vector<TimeError> errors;
};

// How near their times are, with and without what an empty launch takes (ns).
std::string net_report(std::span<const JudgedLaunches> sets, double overhead);

// On other GPUs, beside what others measured there.
std::string published_report(const std::vector<PublishedTable>& tables);

}  // namespace lockstep::validation
