// Times that others published for the same programs on other GPUs (published.csv), and what is predicted for
// them. The models' files name those figures that come from these tables: what memory reaches at best.
#pragma once
#include <string>
#include <vector>

#include "profile.h"
#include "recording.h"

namespace lockstep::validation {

struct PublishedLine {
    Row theirs, ours;
    double their_ms = 0, our_ms = 0;
};

struct PublishedTable {
    std::string gpu, source, program;
    bool from_throughput = false;  // their times follow from a throughput and the bytes that we count
    std::vector<PublishedLine> lines;

    double order() const;  // Kendall's tau
    double mean_error() const;
    double fastest(double PublishedLine::* ms) const;
};

// The programs at the size that the tables have; those of one program alone where it is named.
Result<std::vector<PublishedTable>> run_published_tables(DeviceCode code, const std::string& program = "");

}  // namespace lockstep::validation
