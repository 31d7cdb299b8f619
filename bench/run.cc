// bench/run: lockstep's speed beside its peers', one core and all cores, in one run. Prints tables and leaves
// the same as JSON.
//
//     run [--lockstep PATH] [--json FILE] [--repeats N] [--quick] [--checks]
//
// --checks measures what `lockstep check` costs, and nothing else. --quick leaves out Oclgrind on one core,
// which takes most of the time.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engines.h"

namespace {

using bench::Sample;
using nlohmann::json;
namespace fs = std::filesystem;

const std::vector<bench::Workload> workloads = {
    {"interleaved", 1u << 24, 1u << 20}, {"neighbored", 1u << 24, 1u << 20}, {"matmul", 512, 128},
    {"matmul_tiled", 512, 128},          {"sum_matrix", 4096, 1024},
};

// What `lockstep check` is held against the plain run with.
const std::vector<bench::Workload> checked_workloads = {
    {"shared_sum", 1u << 24, 0}, {"interleaved", 1u << 24, 0}, {"matmul", 512, 0}, {"matmul_tiled", 512, 0}};
const std::vector<std::string> checked_examples = {"reduce-shared", "matmul"};

struct Settings {
    std::string lockstep = LOCKSTEP_BUILD_DIR "/lockstep";
    std::string json_file;
    int repeats = 5;
    bool quick = false, only_checks = false;
};

Settings parse(int argc, char** argv) {
    Settings settings;
    for (int i = 1; i < argc; ++i) {
        std::string option = argv[i];
        auto value = [&]() -> std::string {
            if (i + 1 < argc) return argv[++i];
            fmt::print(stderr, "run: {} needs a value\n", option);
            std::exit(2);
        };
        if (option == "--lockstep")
            settings.lockstep = value();
        else if (option == "--json")
            settings.json_file = value();
        else if (option == "--repeats")
            settings.repeats = std::max(1, std::atoi(value().c_str()));
        else if (option == "--quick")
            settings.quick = true;
        else if (option == "--checks")
            settings.only_checks = true;
        else {
            fmt::print(stderr,
                       "usage: run [--lockstep PATH] [--json FILE] [--repeats N] [--quick] [--checks]\n");
            std::exit(2);
        }
    }
    return settings;
}

std::string processor() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
    bench::Child lscpu = bench::run({{"lscpu"}, {{"LC_ALL", "C"}}, false});
    std::size_t at = lscpu.out.find("Model name:");
    if (at == std::string::npos) return "unknown processor";
    std::string rest = lscpu.out.substr(at + 11);
    rest = rest.substr(rest.find_first_not_of(' '));
    return rest.substr(0, rest.find('\n'));
}

std::string seconds(const Sample& sample) {
    return sample.failure.empty() ? fmt::format("{:.4f}", sample.median_s) : "failed";
}

std::string ratio(const Sample& theirs, const Sample& ours) {
    if (!theirs.failure.empty() || !ours.failure.empty() || ours.median_s == 0) return "-";
    double times = theirs.median_s / ours.median_s;
    return times < 100 ? fmt::format("{:.2f}x", times) : fmt::format("{:.0f}x", times);
}

json to_json(const Sample& sample) {
    if (!sample.failure.empty()) return {{"failure", sample.failure}};
    return {{"median_s", sample.median_s}, {"best_s", sample.best_s}, {"first_s", sample.first_s}};
}

void explain(const std::string& engine, const std::string& workload, const Sample& sample) {
    if (!sample.failure.empty()) fmt::print(stderr, "run: {}, {}: {}\n", engine, workload, sample.failure);
}

struct Report {
    bench::Paths paths;
    Settings settings;
    std::string no_pocl, no_oclgrind;
    json results;
    bool complete = true;

    Sample noted(const std::string& engine, const std::string& workload, Sample sample) {
        explain(engine, workload, sample);
        complete = complete && sample.failure.empty();
        return sample;
    }

    // Full sizes: lockstep and PoCL, and instructions a second.
    void full_sizes() {
        fmt::print(
            "\n{:<14}{:>10}{:>7}{:>12}{:>16}{:>13}{:>8}{:>12}{:>8}{:>16}{:>12}{:>8}{:>12}{:>10}{:>10}\n",
            "workload", "size", "cores", "lockstep s", "M warp inst/s", "predicted s", "cost", "profiled s",
            "cost", "M warp inst/s", "repeated s", "cost", "PoCL s", "PoCL/ours", "extra MB");
        for (const bench::Workload& workload : workloads) {
            std::optional<std::uint64_t> instructions =
                bench::count_instructions(paths, workload.name, workload.size);
            if (!instructions) {
                fmt::print(stderr, "run: {}: LOCKSTEP_STATS=1 gave no instruction counts\n", workload.name);
                complete = false;
            }
            for (bool one_core : {true, false}) {
                Sample ours = noted("lockstep", workload.name,
                                    bench::run_lockstep(paths, bench::How::plain, workload.name,
                                                        workload.size, settings.repeats, one_core));
                Sample predicted = noted("lockstep, predicting", workload.name,
                                         bench::run_lockstep(paths, bench::How::predicted, workload.name,
                                                             workload.size, settings.repeats, one_core));
                Sample profiled = noted("lockstep profile", workload.name,
                                        bench::run_lockstep(paths, bench::How::profiled, workload.name,
                                                            workload.size, settings.repeats, one_core));
                Sample repeated = noted("lockstep profile, repeating", workload.name,
                                        bench::run_lockstep(paths, bench::How::repeated, workload.name,
                                                            workload.size, settings.repeats, one_core));
                Sample pocl;
                pocl.failure = "skipped: " + no_pocl;
                if (no_pocl.empty())
                    pocl = noted(
                        "PoCL", workload.name,
                        bench::run_pocl(paths, workload.name, workload.size, settings.repeats, one_core));
                std::string speed = "-", profiled_speed = "-";
                json row = {{"workload", workload.name},
                            {"size", workload.size},
                            {"cores", one_core ? 1 : bench::cores()},
                            {"lockstep", to_json(ours)},
                            {"predicted", to_json(predicted)},
                            {"profiled", to_json(profiled)},
                            {"repeated", to_json(repeated)},
                            {"pocl", to_json(pocl)}};
                if (ours.failure.empty()) {
                    row["device_bytes"] = ours.device_bytes;
                    row["peak_bytes"] = ours.peak_bytes;
                }
                if (ours.failure.empty() && instructions) {
                    double rate = static_cast<double>(*instructions) / ours.median_s;
                    row["warp_instructions"] = *instructions;
                    row["warp_instructions_per_s"] = rate;
                    speed = fmt::format("{:.1f}", rate * 1e-6);
                }
                if (profiled.failure.empty() && instructions) {
                    double rate = static_cast<double>(*instructions) / profiled.median_s;
                    row["profiled_warp_instructions_per_s"] = rate;
                    profiled_speed = fmt::format("{:.1f}", rate * 1e-6);
                }
                std::string extra = ours.failure.empty()
                                        ? fmt::format("{:.0f}", (static_cast<double>(ours.peak_bytes) -
                                                                 static_cast<double>(ours.device_bytes)) /
                                                                    1e6)
                                        : "-";
                fmt::print(
                    "{:<14}{:>10}{:>7}{:>12}{:>16}{:>13}{:>8}{:>12}{:>8}{:>16}{:>12}{:>8}{:>12}{:>10}{:>10}"
                    "\n",
                    workload.name, workload.size, one_core ? 1 : bench::cores(), seconds(ours), speed,
                    seconds(predicted), ratio(predicted, ours), seconds(profiled), ratio(profiled, ours),
                    profiled_speed, seconds(repeated), ratio(repeated, ours),
                    no_pocl.empty() ? seconds(pocl) : "skipped", ratio(pocl, ours), extra);
                std::fflush(stdout);
                results["full"].push_back(row);
            }
        }
    }

    // Sizes that Oclgrind can run in seconds, lockstep at the same ones.
    void small_sizes() {
        if (!no_oclgrind.empty()) return;
        fmt::print("\n{:<14}{:>10}{:>7}{:>12}{:>12}{:>15}\n", "workload", "size", "cores", "lockstep s",
                   "Oclgrind s", "Oclgrind/ours");
        for (const bench::Workload& workload : workloads)
            for (bool one_core : {true, false}) {
                if (one_core && settings.quick) continue;
                Sample ours = noted("lockstep", workload.name,
                                    bench::run_lockstep(paths, bench::How::plain, workload.name,
                                                        workload.small_size, settings.repeats, one_core));
                Sample theirs =
                    noted("Oclgrind", workload.name,
                          bench::run_oclgrind(paths, workload.name, workload.small_size, one_core));
                fmt::print("{:<14}{:>10}{:>7}{:>12}{:>12}{:>15}\n", workload.name, workload.small_size,
                           one_core ? 1 : bench::cores(), seconds(ours), seconds(theirs),
                           ratio(theirs, ours));
                std::fflush(stdout);
                results["small"].push_back({{"workload", workload.name},
                                            {"size", workload.small_size},
                                            {"cores", one_core ? 1 : bench::cores()},
                                            {"lockstep", to_json(ours)},
                                            {"oclgrind", to_json(theirs)}});
            }
    }

    // Checked on one core, as all checked kernels are, beside the plain run on one core; in CPU seconds,
    // which what else the machine does changes least.
    void checks() {
        fmt::print("\n{:<14}{:>10}{:>12}{:>14}{:>8}{:>14}{:>8}{:>12}\n", "checked", "size", "plain s",
                   "memory only s", "cost", "everything s", "cost", "shadow B/B");
        for (const bench::Workload& workload : checked_workloads) {
            // A first run leaves program and machine code in the cache: who compiles needs memory for it,
            // which is not the checks'.
            const auto sample = [&](bench::How how, const char* name) {
                const auto run = [&](int repeats) {
                    return bench::run_lockstep(paths, how, workload.name, workload.size, repeats, true, true);
                };
                run(1);
                return noted(name, workload.name, run(settings.repeats));
            };
            const Sample plain = sample(bench::How::plain, "lockstep");
            const Sample memory = sample(bench::How::checked_memory, "lockstep check --tool memcheck");
            const Sample all = sample(bench::How::checked, "lockstep check");
            // What the checks keep, by byte that the program has on the device.
            const double shadow =
                plain.failure.empty() && all.failure.empty()
                    ? (static_cast<double>(all.peak_bytes) - static_cast<double>(plain.peak_bytes)) /
                          static_cast<double>(plain.device_bytes)
                    : 0;
            fmt::print("{:<14}{:>10}{:>12}{:>14}{:>8}{:>14}{:>8}{:>12.2f}\n", workload.name, workload.size,
                       seconds(plain), seconds(memory), ratio(memory, plain), seconds(all), ratio(all, plain),
                       shadow);
            std::fflush(stdout);
            results["checked"].push_back({{"workload", workload.name},
                                          {"size", workload.size},
                                          {"plain", to_json(plain)},
                                          {"memory", to_json(memory)},
                                          {"all", to_json(all)},
                                          {"shadow_bytes_a_byte", shadow}});
        }
        for (const std::string& example : checked_examples) {
            // The second run of each, whose program is in the cache.
            const auto cpu = [&](std::vector<std::string> arguments) {
                arguments.push_back(paths.sources + "/../examples/" + example + ".cu");
                arguments.insert(arguments.begin(), paths.lockstep);
                bench::Command command{
                    arguments, {{"LOCKSTEP_CACHE", paths.cache}, {"LOCKSTEP_THREADS", "1"}}, true};
                bench::run(command);
                const bench::Child child = bench::run(command);
                complete = complete && child.status == 0;
                return child.cpu_s;
            };
            const double plain = cpu({"run", "--clock", "wall"}),
                         memory = cpu({"check", "--tool", "memcheck"}), all = cpu({"check"});
            fmt::print("{:<14}{:>10}{:>12.3f}{:>14.3f}{:>7.2f}x{:>14.3f}{:>7.2f}x\n", example, "program",
                       plain, memory, memory / plain, all, all / plain);
            results["checked"].push_back(
                {{"program", example}, {"plain_s", plain}, {"memory_s", memory}, {"all_s", all}});
        }
    }

    // The nine kernels of the integer reduction, profiled; the second run, whose program is in the cache.
    void ladder() {
        bench::Command command{{paths.lockstep, "profile", "-O3",
                                paths.sources + "/../examples/reduce-integer.cu", "--", "16777216"},
                               {{"LOCKSTEP_CACHE", paths.cache}},
                               false};
        bench::run(command);
        bench::Child child = bench::run(command);
        if (child.status != 0) {
            fmt::print(stderr, "run: profile of reduce-integer.cu failed: {}\n", child.err);
            complete = false;
            return;
        }
        fmt::print("\nprofile of the nine-kernel reduction of 2^24 integers: {:.2f} s\n", child.wall_s);
        results["ladder_s"] = child.wall_s;
    }

    void starts() {
        std::vector<double> cold, warm;
        std::uint64_t peak = 0;
        for (int i = 0; i < 3; ++i) {
            std::string cache = paths.cache + "/start-" + std::to_string(i);
            bench::Command command{
                {paths.lockstep, "run", paths.sources + "/start.cu"}, {{"LOCKSTEP_CACHE", cache}}, false};
            for (int run = 0; run < 4; ++run) {
                bench::Child child = bench::run(command);
                if (child.status != 0) {
                    fmt::print(stderr, "run: start.cu failed: {}\n", child.err);
                    complete = false;
                    return;
                }
                (run == 0 ? cold : warm).push_back(child.wall_s);
                if (run > 0) peak = std::max(peak, child.peak_bytes);
            }
        }
        auto median = [](std::vector<double> v) {
            std::sort(v.begin(), v.end());
            return v[v.size() / 2];
        };
        fmt::print(
            "\ncold start {:.3f} s, warm start {:.3f} s, peak memory of a warm small program {:.0f} MB\n",
            median(cold), median(warm), static_cast<double>(peak) / 1e6);
        results["start"] = {{"cold_s", median(cold)}, {"warm_s", median(warm)}, {"peak_bytes", peak}};
    }
};

}  // namespace

int main(int argc, char** argv) {
    Report report;
    report.settings = parse(argc, argv);
    if (!fs::exists(report.settings.lockstep)) {
        fmt::print(stderr, "run: {} is not there; build it first or give --lockstep\n",
                   report.settings.lockstep);
        return 1;
    }
    std::string folder = (fs::temp_directory_path() / "lockstep-bench-XXXXXX").string();
    if (!mkdtemp(folder.data())) {
        fmt::print(stderr, "run: cannot make a folder in {}\n", fs::temp_directory_path().string());
        return 1;
    }
    report.paths = {report.settings.lockstep, LOCKSTEP_SOURCE_DIR "/bench", BENCH_OPENCL_PEER, folder};
    report.no_pocl = bench::pocl_missing(report.paths);
    report.no_oclgrind = bench::oclgrind_missing(report.paths);

    fmt::print("{}, {} cores; median of {} warm runs, kernel and synchronisation\n", processor(),
               bench::cores(), report.settings.repeats);
    if (!report.no_pocl.empty()) fmt::print("PoCL skipped: {}\n", report.no_pocl);
    if (!report.no_oclgrind.empty()) fmt::print("Oclgrind skipped: {}\n", report.no_oclgrind);
    report.results["processor"] = processor();
    report.results["cores"] = bench::cores();
    if (!report.settings.only_checks) {
        report.full_sizes();
        report.small_sizes();
        report.ladder();
        report.starts();
    }
    report.checks();

    std::error_code ignored;
    fs::remove_all(folder, ignored);
    if (!report.settings.json_file.empty()) {
        std::ofstream out(report.settings.json_file);
        out << report.results.dump(2) << '\n';
        if (!out) {
            fmt::print(stderr, "run: cannot write {}\n", report.settings.json_file);
            return 1;
        }
    }
    return report.complete ? 0 : 1;
}
