#include "engines.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <regex>

namespace bench {
namespace {

std::string last_lines(const std::string& text) {
    std::size_t from = text.size() > 300 ? text.size() - 300 : 0;
    return text.substr(from);
}

// Reads the line that workloads.h prints.
Sample to_sample(const Child& child) {
    Sample sample;
    sample.peak_bytes = child.peak_bytes;
    static const std::regex line(
        R"(BENCH workload=\S+ size=\d+ first_s=(\S+) best_s=(\S+) median_s=(\S+) device_bytes=(\d+) result=(\w+))");
    std::smatch match;
    if (child.status != 0 || !std::regex_search(child.out, match, line)) {
        sample.failure = fmt::format("exit status {}: {}", child.status, last_lines(child.err));
        return sample;
    }
    sample.first_s = std::strtod(match[1].str().c_str(), nullptr);
    sample.best_s = std::strtod(match[2].str().c_str(), nullptr);
    sample.median_s = std::strtod(match[3].str().c_str(), nullptr);
    sample.device_bytes = std::strtoull(match[4].str().c_str(), nullptr, 10);
    sample.right = match[5] == "right";
    if (!sample.right) sample.failure = "wrong result";
    return sample;
}

Command lockstep_command(const Paths& paths, const std::string& verb, const std::string& workload,
                         std::uint64_t size, int repeats) {
    return {{paths.lockstep, verb, "-O3", paths.sources + "/kernels.cu", "--", workload,
             fmt::format("{}", size), fmt::format("{}", repeats)},
            {{"LOCKSTEP_CACHE", paths.cache}},
            false};
}

std::optional<std::uint64_t> counted(const Paths& paths, const std::string& workload, std::uint64_t size,
                                     int repeats) {
    Command command = lockstep_command(paths, "run", workload, size, repeats);
    command.environment["LOCKSTEP_STATS"] = "1";
    Child child = run(command);
    static const std::regex line(R"(lockstep: .*\b(\d+) warp instructions)");
    std::smatch match;
    if (child.status != 0 || !std::regex_search(child.err, match, line)) return std::nullopt;
    return std::strtoull(match[1].str().c_str(), nullptr, 10);
}

}  // namespace

Sample run_lockstep(const Paths& paths, How how, const std::string& workload, std::uint64_t size, int repeats,
                    bool one_core, bool cpu_time) {
    const bool checks = how == How::checked || how == How::checked_memory;
    const bool profiles = how == How::profiled || how == How::repeated;
    Command command = lockstep_command(paths,
                                       profiles ? "profile"
                                       : checks ? "check"
                                                : "run",
                                       workload, size, repeats);
    if (how == How::profiled) command.environment["LOCKSTEP_REPEATS"] = "0";
    // The programs leave it to the end of the process to free what they have: that is found.
    if (checks)
        command.arguments.insert(command.arguments.begin() + 2,
                                 {"--tool", how == How::checked ? "all" : "memcheck", "--fail-on", "none"});
    command.environment["LOCKSTEP_CLOCK"] = how == How::predicted ? "simulated" : "wall";
    command.one_core = one_core;
    if (one_core) command.environment["LOCKSTEP_THREADS"] = "1";
    if (cpu_time) command.environment["BENCH_CPU_TIME"] = "1";
    return to_sample(run(command));
}

Sample run_pocl(const Paths& paths, const std::string& workload, std::uint64_t size, int repeats,
                bool one_core) {
    Command command{{paths.opencl_peer, workload, fmt::format("{}", size), fmt::format("{}", repeats)},
                    {{"BENCH_KERNELS_CL", paths.sources + "/kernels.cl"},
                     {"BENCH_PLATFORM", "Portable Computing Language"},
                     {"POCL_CACHE_DIR", paths.cache + "/pocl"}},
                    one_core};
    if (one_core) command.environment["POCL_MAX_PTHREAD_COUNT"] = "1";
    return to_sample(run(command));
}

Sample run_oclgrind(const Paths& paths, const std::string& workload, std::uint64_t size, bool one_core) {
    Command command{{"oclgrind"}, {{"BENCH_KERNELS_CL", paths.sources + "/kernels.cl"}}, one_core};
    if (one_core) command.arguments.insert(command.arguments.end(), {"--num-threads", "1"});
    // No repeats: it translates nothing, so the first run is as good as the tenth.
    command.arguments.insert(command.arguments.end(),
                             {paths.opencl_peer, workload, fmt::format("{}", size), "0"});
    return to_sample(run(command));
}

std::optional<std::uint64_t> count_instructions(const Paths& paths, const std::string& workload,
                                                std::uint64_t size) {
    auto once = counted(paths, workload, size, 0), twice = counted(paths, workload, size, 1);
    if (!once || !twice || *twice <= *once) return std::nullopt;
    return *twice - *once;
}

std::string pocl_missing(const Paths& paths) {
    if (paths.opencl_peer.empty())
        return "OpenCL's headers or loader are not installed (apt-get install opencl-headers "
               "ocl-icd-opencl-dev)";
    Command command{
        {paths.opencl_peer, "--platform"}, {{"BENCH_PLATFORM", "Portable Computing Language"}}, false};
    if (run(command).status != 0) return "PoCL is not installed (apt-get install pocl-opencl-icd)";
    return "";
}

std::string oclgrind_missing(const Paths& paths) {
    if (paths.opencl_peer.empty())
        return "OpenCL's headers or loader are not installed (apt-get install opencl-headers "
               "ocl-icd-opencl-dev)";
    if (!is_installed("oclgrind")) return "Oclgrind is not installed (apt-get install oclgrind)";
    return "";
}

}  // namespace bench
