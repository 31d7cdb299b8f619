// Launches one by one with their times, as AMD's tools list them.
#pragma once
#include <string>
#include <vector>

#include "report/run-reader.h"

namespace lockstep::report {

struct Dispatch {
    StoredLaunch stored;
    double begin_ns = 0, end_ns = 0;  // since the program's first call

    const Launch& launch() const { return stored.launch; }
    std::uint64_t threads() const;  // of the grid
    std::uint32_t group_size() const;
    // "saxpy(float*, int) [clone .kd]": a kernel is known by its descriptor.
    std::string name() const { return launch().kernel + " [clone .kd]"; }
    // What a row begins with: its number, name, device, process, threads and those of a group.
    std::vector<std::string> columns(std::size_t number) const;
};

Result<std::vector<Dispatch>> dispatches(const RunFile& run);

}  // namespace lockstep::report
