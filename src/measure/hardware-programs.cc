#include "measure/hardware-programs.h"

#include <fmt/format.h>

#include <deque>
#include <fstream>
#include <span>
#include <thread>

#include "base/demangle.h"
#include "base/trimmed.h"
#include "compile/files.h"
#include "compile/process.h"
#include "measure/ncu-csv.h"

namespace lockstep::measure {
namespace {

namespace fs = std::filesystem;

struct Program {
    const char* name;
    int only = 0;             // compute capability that it is for; 0: any
    const char* output = "";  // the file for what it prints; empty: it takes a folder and names its files
};
// Short ones first; what they are told to measure is in bench/hardware/README.md.
constexpr Program programs[] = {{"copies"},    {"mapped"},  {"launch"},     {"shared"},
                                {"constants"}, {"control"}, {"issue"},      {"arithmetic"},
                                {"latency"},   {"gathers"}, {"throughput"}, {"tensor", 90, "tensor.csv"}};

std::string first_line(const std::string& text) { return base::trimmed(text.substr(0, text.find('\n'))); }

class Runner {
  public:
    Runner(const HardwareRun& run, const fs::path& scratch) : run_(run), scratch_(scratch) {}

    Result<void> build() {
        struct Compiling {
            const Program* program;
            compile::Child child;
        };
        std::deque<Compiling> under_way;
        const auto finish = [&] {
            Compiling& first = under_way.front();
            if (first.child.wait().ok())
                built_.push_back(first.program);
            else
                run_.warn(
                    fmt::format("{}.cu does not build for {}: {}", first.program->name, run_.gpu.name,
                                first_line(compile::read_file(errors_of(*first.program)).value_or(""))));
            under_way.pop_front();
        };
        const std::size_t at_once = std::max(1u, std::thread::hardware_concurrency());
        for (const Program& program : programs) {
            if (program.only && program.only != run_.gpu.capability()) continue;
            if (under_way.size() == at_once) finish();
            auto child = compile::Child::start(command(program), {errors_of(program), errors_of(program)});
            if (!child) return child.error();
            under_way.push_back({&program, std::move(*child)});
        }
        while (!under_way.empty()) finish();
        if (built_.empty())
            return Error{"none of the programs that measure this GPU builds", {run_.sources.string()}};
        return {};
    }

    Result<void> run() {
        std::size_t done = 0;
        for (const Program* const program : built_) {
            run_.progress(fmt::format("{} ({} of {})", program->name, ++done, built_.size()));
            compile::Arguments words{file_of(*program)};
            if (!*program->output) words.push_back(run_.folder.string());
            auto finished = compile::run(words, scratch_);
            if (!finished) return finished.error();
            if (!finished->status.ok())
                run_.warn(
                    fmt::format("{} {}: {}", program->name, finished->status.to_string(),
                                first_line(finished->errors.empty() ? finished->output : finished->errors)));
            if (*program->output) std::ofstream(run_.folder / program->output) << finished->output;
        }
        return {};
    }

    // The profiler's time of kernels that do nothing.
    void time_launches() {
        if (!run_.ncu)
            return run_.warn(
                "ncu (Nsight Compute) is not installed: the time of an empty kernel is not measured");
        run_.progress("empty kernels, by ncu");
        auto finished = compile::run(
            {run_.ncu->string(), "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base",
             "--kernel-name", "empty", "--metrics", "gpu__time_duration.sum,sm__cycles_elapsed.max",
             file_of({"launch"}), run_.folder.string(), "kernels"},
            scratch_);
        if (!finished) return run_.warn(finished.error().to_string());
        const auto read = read_ncu_csv(finished->output, "ncu's output");
        if (!read || read->launches.empty())
            return run_.warn(fmt::format("ncu does not time an empty kernel: {}",
                                         first_line(finished->errors + finished->output)));
        std::ofstream out(run_.folder / "ncu-duration.csv");
        out << "kernel,blocks,threads,ns,sm_cycles\n";
        for (const MeasuredLaunch& launch : read->launches) {
            const auto value = [&](const char* name) {
                const auto at = launch.values.find(name);
                return at == launch.values.end() ? 0.0 : at->second;
            };
            out << fmt::format("{},{},{},{:.0f},{:.0f}\n", base::short_kernel_name(launch.kernel),
                               launch.grid[0], launch.block[0], value("gpu__time_duration.sum"),
                               value("sm__cycles_elapsed.max"));
        }
    }

  private:
    std::string file_of(const Program& program) const { return (scratch_ / program.name).string(); }
    fs::path errors_of(const Program& program) const {
        return scratch_ / fmt::format("{}.errors", program.name);
    }
    compile::Arguments command(const Program& program) const {
        // What exists on one GPU alone (wgmma) is in the architecture with the letter.
        const char* const letter = program.only ? "a" : "";
        return {run_.nvcc.string(),
                "-std=c++20",
                "-O3",
                fmt::format("-gencode=arch=compute_{0}{1},code=sm_{0}{1}", run_.gpu.capability(), letter),
                (run_.sources / fmt::format("{}.cu", program.name)).string(),
                "-o",
                file_of(program)};
    }

    const HardwareRun& run_;
    const fs::path& scratch_;
    std::vector<const Program*> built_;
};

}  // namespace

Result<void> run_hardware_programs(const HardwareRun& run) {
    auto scratch = compile::TempDir::create();
    if (!scratch) return scratch.error();
    Runner runner(run, scratch->path());
    run.progress("compiling");
    if (auto built = runner.build(); !built) return built.error();
    if (auto done = runner.run(); !done) return done.error();
    runner.time_launches();
    return {};
}

}  // namespace lockstep::measure
