// What `ncu --csv --page raw` prints: a line for each launch, with the metrics that were asked for.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lockstep::measure {

struct MeasuredLaunch {
    std::string kernel;  // demangled
    std::uint64_t process = 0;
    int device = 0;
    std::uint64_t stream = 1;  // timing::StreamId
    std::string compute_capability;
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
    // By ncu's names, in ncu's base units: bytes, nanoseconds, hertz, percent.
    std::map<std::string, double, std::less<>> values;
};

struct NcuOutput {
    std::vector<MeasuredLaunch> launches;
    std::string gpu_name;               // what ncu says of the GPU; empty: nothing
    std::vector<std::string> messages;  // ncu_messages
};

// The lines of ncu's own in what it printed: they begin with ==.
std::vector<std::string> ncu_messages(std::string_view text);

// The table may stand behind the program's own output. `file` is for messages.
Result<NcuOutput> read_ncu_csv(std::string_view text, const std::string& file);

// "neighbored(int*,int*,unsigned int)" for comparisons: versions of ncu and of compilers differ in blanks.
std::string spelled(std::string_view kernel);

}  // namespace lockstep::measure
