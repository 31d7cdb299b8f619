// Compares what a run did with what its golden file expects.
#pragma once
#include <filesystem>
#include <string>

#include "golden-file.h"
#include "process.h"

namespace lockstep::e2e {

// Empty where all is as expected; else a text for a person, which names the line of the golden file and shows
// the output. `program` and `temporary` replace %s, %S and %t inside the expected patterns.
std::string differences(const GoldenFile& file, const Step& run, const Outcome& outcome,
                        const std::filesystem::path& temporary);

}  // namespace lockstep::e2e
