// What an exercise asks of a learner's file: check.txt of a lab.
//
//     # a comment
//     gpu gtx1650                                   that it is run on; lockstep's own choice unless given
//     arguments 4096 256                            of the program
//     output ^sum ok$                               a line that it prints; a regular expression
//     check                                         `lockstep check` finds nothing
//     profile reduce: gld_efficiency >= 90          as for `lockstep profile --expect`
//     explain reduce: no bank-conflicts above 5 %   as for `lockstep explain --expect`
//         What to think about, in plain words, where this does not hold.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace lockstep::labs {

struct Requirement {
    enum class Kind { output, check, profile, explain } kind = Kind::output;
    std::string text;                // the regular expression or expectation
    std::vector<std::string> words;  // lines for the learner

    std::string to_string() const;
};

struct Requirements {
    std::string gpu;
    std::vector<std::string> arguments;
    std::vector<Requirement> list;
};

Result<Requirements> read_requirements(const std::filesystem::path& file);

}  // namespace lockstep::labs
