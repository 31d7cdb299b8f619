// A vendor's tool that reads a GPU's counters.
#pragma once
#include <filesystem>
#include <string>

namespace lockstep::measure {

struct Profiler {
    std::filesystem::path file;
    std::string version;  // "2025.3.1.0"; empty where it does not say
};

}  // namespace lockstep::measure
