// What the environment says about how to run: the contract between the lockstep command and the runtime
// library.
#pragma once
#include <filesystem>
#include <functional>
#include <string>

#include "base/result.h"
#include "exec/engine.h"

namespace lockstep::session {

struct Options {
    std::string gpu = "h200";      // LOCKSTEP_GPU: a model's name, or a path to a .toml file
    std::filesystem::path models;  // LOCKSTEP_GPUS_DIR, or the folder that the installation has
    std::filesystem::path ptx;     // LOCKSTEP_PTX: the device code, instead of the program's own
    bool stats = false;            // LOCKSTEP_STATS=1: counts at exit
    bool verbose = false;          // LOCKSTEP_VERBOSE=1: the reason of every failing call
    exec::Options exec;            // LOCKSTEP_THREADS, LOCKSTEP_TIMEOUT (seconds), LOCKSTEP_CPU
};

// `get` is getenv, or a test's own. A value that makes no sense is an error that names the variable.
Result<Options> read_options(const std::function<const char*(const char*)>& get,
                             const std::filesystem::path& default_models);

}  // namespace lockstep::session
