// What a nvcc command line asks for, in lockstep's own terms.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "compile/nvcc-options.h"
#include "compile/unit.h"

namespace lockstep::compile {

enum class NvccMode {
    link,
    compile,
    ptx,
    fatbin,
    cubin,  // there is no machine code: a fat binary with the PTX, as NVRTC's
    preprocess,
    dependencies,
    device_link,
    library,
    version,
    help,
    list_architectures,
    list_code
};

struct NvccInput {
    std::filesystem::path file;
    Language language = Language::cuda;
};

struct NvccPlan {
    NvccMode mode = NvccMode::link;
    std::vector<NvccInput> inputs;
    Flags flags;
    Arguments link;                      // -L -l -Wl,…
    bool all_cuda = false;               // -x cu
    std::optional<Language> language{};  // -x of any kind
    bool shared = false;
    bool run = false;
    bool dry_run = false;
    bool ptxas_report = false;
    bool system_dependencies = true;  // -M, -MD; not -MM, -MMD
    bool write_dependencies = false;
    bool phony_targets = false;
    std::filesystem::path executable{};  // -run of what is built already
    Arguments run_arguments;
    Arguments archive;
    // The options for nvcc itself (nvcc-compiler.h), as they were written: before and behind the files.
    Arguments nvcc, nvcc_link;
    std::filesystem::path output, directory, dependency_file;
    std::string dependency_target;
    std::vector<std::string> warnings;
};

// `gpus`: the compute capabilities (90 for 9.0) of those that the program is compiled for unless the command
// line says so itself.
Result<NvccPlan> plan_nvcc(const NvccCommandLine& line, const std::vector<int>& gpus);

}  // namespace lockstep::compile
