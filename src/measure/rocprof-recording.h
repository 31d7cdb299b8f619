// What AMD's profilers have left of a program, in one file or a folder of them: several runs of the program,
// each with other counters, are one.
#pragma once
#include <filesystem>
#include <vector>

#include "base/result.h"
#include "measure/rocprof-csv.h"

namespace lockstep::measure {

struct RocprofRecording {
    std::vector<MeasuredLaunch> launches;  // `device` is the GPU's number
    std::vector<RealGpu> gpus;             // empty: no file says which they are
    // Launches that a run had and the first one had not: the program does not do the same each time.
    std::uint64_t left_over = 0;
};

// A run's files are those of one folder. Launches of a kernel and a shape are taken for the same in each run,
// the first for the first.
Result<RocprofRecording> read_rocprof_recording(const std::filesystem::path& file_or_folder);

}  // namespace lockstep::measure
