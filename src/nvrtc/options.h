// The options that nvrtcCompileProgram takes, and what they mean here. `known_options` is the one table.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compile/unit.h"

namespace lockstep::nvrtc {

enum class Action {
    architecture,
    relocatable,
    whole_program,
    device_debug,
    device_optimised,
    flush_denormals,
    precise_sqrt,
    precise_division,
    contract,
    fast_math,
    define,
    undefine,
    include_dir,
    preinclude,
    no_source_include,
    standard,
    no_warnings,
    default_device,
    int128,
    brief,
    syntax_only,
    no_cache,
    assembler,  // ptxas's own words
    max_registers,
    ignored,  // has no effect on a simulated GPU
    lacking,  // an error that names it
};

enum class Value {
    none,
    boolean,  // true or false
    text,     // behind "=", or the next string
    glued,    // text, and may stand right behind the short name: -DX, "-D X"
};

struct KnownOption {
    std::string_view long_name;   // without dashes
    std::string_view short_name;  // without dash
    Value value;
    Action action;
    std::string_view reason = {};  // why it is lacking
};

std::span<const KnownOption> known_options();

struct Options {
    compile::Flags flags;
    bool machine_code = false;    // for sm_90, not compute_90
    bool default_device = false;  // what is not annotated is device code
    bool source_include = true;   // the source's own folder is looked into
    bool syntax_only = false;
    bool use_cache = true;
    std::vector<std::string> warnings;
};

// `architecture`: what is compiled for where nothing is said, 52 for compute_52. The error is a line for the
// program's log.
Result<Options> parse_options(std::span<const char* const> words, int architecture);

}  // namespace lockstep::nvrtc
