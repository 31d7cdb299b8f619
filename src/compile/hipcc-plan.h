// What a command line of hipcc's asks for. hipcc is clang's driver with a few options of its own: what this
// does not know goes to clang as it is, which tells if it does not know it either.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "compile/unit.h"

namespace lockstep::compile {

enum class HipccMode {
    link,
    compile,
    archive,   // a static library: --emit-static-lib
    code,      // device code alone, for hipModuleLoad: --genco
    assembly,  // of one target's device code: --offload-device-only -S
    preprocess,
    version,
    help,
};

struct HipccInput {
    std::filesystem::path file;
    Language language = Language::hip;
};

struct HipccPlan {
    HipccMode mode = HipccMode::link;
    std::vector<HipccInput> inputs;
    Flags flags;
    Arguments link;  // -L -l -Wl,…
    // For AMD's hipcc itself (hipcc-compiler.h): the other options, as they were written, but for targets.
    Arguments hipcc;
    bool shared = false;
    // -MD, -MMD
    bool write_dependencies = false, system_dependencies = true, phony_targets = false;
    std::filesystem::path output, dependency_file;
    std::string dependency_target;
};

// `targets`: those that the program is compiled for unless the command line says so itself.
Result<HipccPlan> plan_hipcc(const std::vector<std::string>& arguments,
                             const std::vector<std::string>& targets);

// Whether these files and options are a HIP program's: one of the files is named .hip, or -x hip.
bool is_hip(const std::vector<std::string>& arguments);

}  // namespace lockstep::compile
