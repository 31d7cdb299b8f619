// Times that others published for the same programs on other GPUs (seeds.csv), and what is predicted for
// them. No figure of a model was fitted to these.
#pragma once
#include <string>
#include <vector>

#include "profile.h"
#include "recording.h"

namespace lockstep::validation {

struct SeedLine {
    Row theirs, ours;
    double their_ms = 0, our_ms = 0;
};

struct SeedTable {
    std::string gpu, source, program;
    bool from_throughput = false;  // their times follow from a throughput and the bytes that we count
    std::vector<SeedLine> lines;

    double order() const;  // Kendall's tau
    double fastest(double SeedLine::* ms) const;
};

// The programs at the size that the tables have.
Result<std::vector<SeedTable>> run_seed_tables(DeviceCode code);

}  // namespace lockstep::validation
