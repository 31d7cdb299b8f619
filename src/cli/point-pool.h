// Runs points of a sweep, several at once, each as a process of its own.
#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/profiled-run.h"
#include "cli/start-program.h"
#include "compile/process.h"
#include "sweep/outcome.h"
#include "sweep/points.h"

namespace lockstep::cli {

struct PoolSettings {
    const StartableProgram& program;
    const std::vector<sweep::Axis>& axes;
    LaunchSelection selection;
    int threads = 1;                // of each process
    std::filesystem::path scratch;  // an empty folder
    bool on_hardware = false;       // on the GPU of this machine, under `lockstep profile --on gpu`
    bool hip = false;               // then a HIP program
};

class PointPool {
  public:
    explicit PointPool(PoolSettings settings) : settings_(std::move(settings)) {}
    ~PointPool() { kill(); }
    PointPool(const PointPool&) = delete;
    PointPool& operator=(const PointPool&) = delete;

    Result<void> start(std::size_t number, const sweep::Point& point);
    std::size_t running() const { return running_.size(); }
    // Those that have ended since it was last asked, by number.
    std::vector<std::pair<std::size_t, sweep::Outcome>> collect();
    // Ends all, with what they have started.
    void kill();

  private:
    struct Running {
        std::size_t number = 0;
        std::filesystem::path folder;
        compile::Child child;
    };
    // What is started for a point: the program, or what measures it.
    compile::Arguments command(const std::vector<std::string>& arguments,
                               const std::filesystem::path& run_file) const;
    Variables variables(const sweep::Point& point, const std::filesystem::path& run_file) const;

    PoolSettings settings_;
    std::vector<Running> running_;
};

}  // namespace lockstep::cli
