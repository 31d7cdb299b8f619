// The part of docs/validation.md about predicted time.
#pragma once
#include <optional>

#include "cub.h"
#include "seed-tables.h"
#include "suite.h"
#include "time-error.h"

namespace lockstep::validation {

// `measured` and `probes` at the sizes that were measured; `cub` where nvcc is installed.
Result<std::string> time_report(const Suite& measured, const std::optional<CubRun>& cub, const Suite& probes);

// On other GPUs, beside what others measured there.
std::string seed_report(const std::vector<SeedTable>& tables);

// The line of a model file that says how close its times are, as docs/validation.md has it.
std::string validated_line(const TimeSummary& summary);

}  // namespace lockstep::validation
