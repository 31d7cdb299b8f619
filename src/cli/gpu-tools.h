// What a vendor's own tools do with a program on its GPUs: one for each vendor.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/profiled-run.h"
#include "measure/measured-launch.h"
#include "measure/real-gpu.h"
#include "report/timeline-file.h"

namespace lockstep::cli {

// What was done when: a timeline of each process.
struct TracedProgram {
    compile::ExitStatus ended;
    std::vector<report::Timeline> timelines;
};

class GpuTools {
  public:
    virtual ~GpuTools() = default;

    // The compiler of programs for these GPUs, "nvcc 13.0"; empty where it is not installed.
    virtual std::string compiler() const = 0;

    // Runs it with counters; where these cannot be read, with times alone, and the reason is printed.
    struct Measured {
        compile::ExitStatus ended;
        std::vector<measure::MeasuredLaunch> launches;
        std::string by;  // "ncu 2025.3.1.0"
    };
    virtual Result<Measured> measure(const StartableProgram& program, const ProfileRequest& request,
                                     const std::filesystem::path& scratch) const = 0;

    // `info` lacks who measured.
    virtual Result<TracedProgram> trace(const StartableProgram& program, report::TimelineInfo info,
                                        const std::filesystem::path& scratch) const = 0;
};

const GpuTools& tools_of_nvidia();
const GpuTools& tools_of_amd();
inline const GpuTools& tools_of(measure::Vendor vendor) {
    return vendor == measure::Vendor::amd ? tools_of_amd() : tools_of_nvidia();
}

// ncu's command line for these metrics, without the program.
std::vector<std::string> ncu_arguments(const std::vector<std::string>& metrics);

// What to run where there is an AMD GPU: a file with the counters, and a command that takes it.
std::string rocprof_commands(const std::vector<std::string>& counters);

}  // namespace lockstep::cli
