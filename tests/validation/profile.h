// What lockstep counts: the launches of a program, by the real command.
#pragma once
#include <string>
#include <vector>

#include "recording.h"

namespace lockstep::validation {

enum class DeviceCode {
    nvcc,            // its recorded PTX
    lockstep,        // what our compiler makes here
    installed_nvcc,  // what nvcc makes here, with CUB
};

struct Profile {
    std::vector<Row> launches;  // in the program's order
    std::string output;         // what the program printed
    double seconds = 0;
};

// What `lockstep profile --launches --json FILE` has written.
Result<std::vector<Row>> read_launches(const std::string& program, const std::filesystem::path& file);

// `program` is the name of a file in programs/, probes/ or varied/, without .cu; `options` are more of
// lockstep's.
Result<Profile> profile(const std::string& program, const std::string& arguments, DeviceCode code,
                        const std::vector<std::string>& metrics, const std::string& gpu = "h200",
                        const std::string& options = "");

}  // namespace lockstep::validation
