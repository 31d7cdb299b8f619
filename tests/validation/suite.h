// A recording, and a fresh run of its programs to hold against it.
#pragma once
#include <map>

#include "compare.h"
#include "profile.h"

namespace lockstep::validation {

enum class Size {
    quick,    // all of them of the ladders, and a part of others: for another compiler's code of the same
              // programs
    timed,    // all of them, where that takes seconds
    measured  // all of them
};

struct Suite {
    std::vector<Row> recorded;  // without launches of CUB: only nvcc compiles it
    std::vector<Row> ours;
    std::vector<Pair> pairs;                     // of the two
    std::map<std::string, std::string> outputs;  // what each program printed
    double seconds = 0;

    // Of every launch; nothing where one of the two has no number.
    std::vector<Comparison> comparisons(const Requirement& requirement) const;
};

// `recording` is a CSV file of this folder. Errors name what failed: the file, a program, or a launch.
Result<Suite> run_suite(const std::string& recording, DeviceCode code, Size size);

}  // namespace lockstep::validation
