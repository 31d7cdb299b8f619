// Grades a learner's file by running lockstep's own commands on it.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "labs/requirements.h"

namespace lockstep::cli {

using labs::Requirement, labs::Requirements;

struct Grade {
    const Requirement* requirement;
    bool met = false;
    std::string found;  // what there is instead, as the command that looked says it
};

struct Grading {
    // Why the program is not worth looking at any further: it does not compile, or fails. Empty otherwise.
    std::string failure;
    std::vector<Grade> grades;  // of all requirements, or up to the failure
};

// An error: it could not be graded at all.
Result<Grading> grade(const Requirements& requirements, const std::filesystem::path& file);

}  // namespace lockstep::cli
