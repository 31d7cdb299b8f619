// Makes the page of runs, and shows it: what `report` and `profile --open` share.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "page/page.h"
#include "report/run-reader.h"

namespace lockstep::cli {

struct PageRequest {
    std::string file;  // that it is written to; "-" is stdout
    std::vector<page::SweepInput> sweeps;
    bool open = false;  // in a browser
};

// The exit status; what went wrong has been printed.
int write_page(std::span<const report::RunFile> runs, const PageRequest& request);

// Where a page goes that nobody has named: a file of this user's alone, which stays.
Result<std::filesystem::path> unnamed_page();

}  // namespace lockstep::cli
