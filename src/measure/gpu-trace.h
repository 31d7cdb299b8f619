// What a program had a real GPU do, and when: CUPTI's records, which need no permission to read counters.
#pragma once
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "report/timeline-file.h"

namespace lockstep::measure {

// Compiles trace.cpp with this nvcc, against the CUPTI of its toolkit: the library that CUDA's driver is to
// load.
Result<void> build_trace_library(const std::filesystem::path& nvcc, const std::filesystem::path& library);

// The variables by which CUDA's driver loads it, and it knows where to write: a file for each process.
struct TraceVariables {
    static constexpr const char* library = "CUDA_INJECTION64_PATH";
    static constexpr const char* file = "LOCKSTEP_GPU_TRACE";
};

// One process's records. Times are nanoseconds since the first call that gives the GPU something to do.
Result<report::Timeline> read_trace(std::string_view text, const std::string& file,
                                    report::TimelineInfo info);

}  // namespace lockstep::measure
