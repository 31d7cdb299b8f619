// The labs that lockstep brings along: share/lockstep/labs/NAME, each a page, an exercise's starting file and
// what it is graded by.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace lockstep::labs {

struct Lab {
    std::string name;
    std::filesystem::path folder;
    std::string page;   // lab.md
    std::string title;  // the page's first line

    // Of the page's section "Run it", in its order; they name files from labs_root() on.
    std::vector<std::string> commands() const;
    // start.cu or start.hip: what a learner begins with.
    Result<std::filesystem::path> starting_file() const;
    std::filesystem::path requirements_file() const { return folder / "check.txt"; }
};

// Where the pages' commands are run: the folder that holds labs/ and examples/.
Result<std::filesystem::path> labs_root();

// In the order in which they are meant to be done (labs/order.txt).
Result<std::vector<Lab>> all_labs();

// The error names the nearest ones.
Result<Lab> find_lab(const std::string& name);

}  // namespace lockstep::labs
