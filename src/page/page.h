// A page of runs: one HTML file that needs nothing else, no network and no server.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "explain/finding.h"
#include "gpu/model.h"
#include "report/run-reader.h"

namespace lockstep::page {

struct RunInput {
    const report::RunFile* run = nullptr;
    std::vector<std::optional<gpu::GpuModel>> models;  // by device; nothing: it is not known here
};

// What `lockstep sweep --json` has written.
struct SweepInput {
    std::string name;  // the file's
    std::string json;
};

struct Input {
    std::string title;
    std::vector<RunInput> runs;  // the first is what others are compared with
    std::vector<SweepInput> sweeps;
};

Result<std::string> make_page(const Input& input);

}  // namespace lockstep::page
