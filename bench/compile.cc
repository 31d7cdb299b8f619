// bench/compile: how long the JIT takes for kernels of several kinds, and how that grows with their length.
//
//     compile [--cpu NAME --triple TRIPLE] [KIND…]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "exec/engine.h"
#include "growing-kernels.h"

namespace {

using namespace lockstep;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

[[noreturn]] void stop(const std::string& why) {
    fmt::print(stderr, "compile: {}\n", why);
    std::exit(1);
}

class Compiler {
  public:
    Compiler(std::string triple, std::string cpu) : triple_(std::move(triple)), cpu_(std::move(cpu)) {
        auto model = gpu::load_model(LOCKSTEP_SOURCE_DIR "/gpus/h200.toml");
        if (!model) stop(model.error().to_string());
        model_ = *model;
    }

    // CPU seconds for one kernel, from parsed PTX to an object file.
    double time(const std::string& ptx) {
        auto module = exec::Module::load(ptx, "kernel.ptx", memory_, model_, {});
        if (!module) stop(module.error().to_string());
        const double before = cpu_seconds();
        if (auto done = exec::compile_for(*(*module)->find_kernel("kernel"), triple_, cpu_); !done)
            stop(done.error().to_string());
        return cpu_seconds() - before;
    }

  private:
    std::string triple_, cpu_;
    exec::DeviceMemory memory_{std::uint64_t{1} << 28};
    gpu::GpuModel model_;
};

}  // namespace

int main(int argc, char** argv) {
    std::string triple, cpu;
    std::vector<std::string> kinds;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if ((argument == "--cpu" || argument == "--triple") && i + 1 < argc) {
            (argument == "--cpu" ? cpu : triple) = argv[++i];
        } else if (argument.starts_with("-")) {
            fmt::print(stderr, "usage: compile [--cpu NAME --triple TRIPLE] [KIND…]\n");
            return 2;
        } else {
            kinds.push_back(argument);
        }
    }
    Compiler compiler(triple, cpu);
    compiler.time(bench::growing_kernels()[0].make(1));  // the first pays for setting LLVM up
    fmt::print("{:10}{:>24}{:>24}{:>24}  growth\n", "kind", "n, CPU s", "4n", "16n");
    for (const bench::GrowingKernel& kernel : bench::growing_kernels()) {
        if (!kinds.empty() && std::ranges::find(kinds, kernel.name) == kinds.end()) continue;
        fmt::print("{:10}", kernel.name);
        double first = 0, last = 0;
        for (int factor : {1, 4, 16}) {
            last = compiler.time(kernel.make(kernel.size * factor));
            if (factor == 1) first = last;
            fmt::print("{:>15} {:8.2f}", kernel.size * factor, last);
            std::fflush(stdout);
        }
        // Time is about proportional to size to the power of this.
        fmt::print("{:8.2f}\n", std::log(last / first) / std::log(16));
    }
    return 0;
}
