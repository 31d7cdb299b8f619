// What a program had an AMD GPU do, and when: the tables that rocprofv3 writes with --kernel-trace,
// --memory-copy-trace and --hip-runtime-trace.
#pragma once
#include <filesystem>
#include <vector>

#include "base/result.h"
#include "report/timeline-file.h"

namespace lockstep::measure {

// Of each process whose files are in this folder, or below it. rocprofv3 does not tell how many bytes a copy
// moves.
Result<std::vector<report::Timeline>> read_rocprof_traces(const std::filesystem::path& folder,
                                                          const report::TimelineInfo& info);

}  // namespace lockstep::measure
