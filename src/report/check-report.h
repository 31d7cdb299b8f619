// What `lockstep check` has to say of a program, for whoever shows it.
#pragma once
#include <string>
#include <vector>

#include "check/finding.h"

namespace lockstep::report {

struct Suppressed {
    check::Finding finding;
    std::string by;  // "known.txt:3"
};

struct CheckReport {
    std::string version;                   // of lockstep
    std::string command;                   // what ran, as a shell would take it
    std::string source;                    // the file that the program is, or its first one
    std::vector<check::Class> classes;     // that were looked for
    std::vector<check::Finding> findings;  // as ranked() puts them
    std::vector<Suppressed> suppressed{};
    std::vector<std::string> notes{};  // about the run
    int exit_code = 0, signal = 0;     // the program's own
};

// The surest first, then by class; within one class as they were met.
std::vector<check::Finding> ranked(std::vector<check::Finding> findings);

// "2 findings: 1 race, 1 leak; 1 suppressed", or what was looked for in vain.
std::string summary(const CheckReport& report);

// As it looks from the current folder: relative where that is below it.
std::string shown_file(const std::string& file);

// "out-of-bounds read": a kind, for people.
std::string kind_words(const std::string& kind);

}  // namespace lockstep::report
