// nvcc's command line: which options there are, how their values are attached, and what they mean here.
// `nvcc_options` is the one table; a new option is one row.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lockstep::compile {

// What an option does. Those with no effect on a simulated GPU are `ignored`, and a few deserve a word
// (`warned`).
enum class NvccAction {
    output,
    mode_compile,
    mode_device_compile,
    mode_ptx,
    mode_cubin,
    mode_fatbin,
    mode_preprocess,
    mode_dependencies,
    mode_device_link,
    mode_library,
    mode_shared,
    mode_run,
    mode_link,
    with_dependencies,
    dependency_file,
    dependency_target,
    dependency_extra,
    relocatable,
    architecture,
    code,
    generate_code,
    optimize,
    debug,
    device_debug,
    line_info,
    include_dir,
    system_include,
    define,
    undefine,
    preinclude,
    library_dir,
    library,
    standard,
    language,
    host_option,
    linker_option,
    ptxas_option,
    max_registers,
    archive_option,
    fast_math,
    flush_denormals,
    precise_division,
    precise_sqrt,
    contract,
    no_warnings,
    warnings_as_errors,
    verbose,
    dry_run,
    version,
    help,
    list_architectures,
    list_code,
    response_file,
    run_arguments,
    compiler_flag,
    compiler_value,
    passed,
    forward_unknown,
    cudart,
    host_compiler,
    machine,
    profile,
    output_dir,
    keep,
    default_stream,
    ignored,
    warned,
};

enum class NvccValue {
    none,      // -c
    required,  // -o FILE, --output-file FILE, --output-file=FILE, -o=FILE
    joined,    // required, and may be glued to the short name: -Idir, -DX, -lm, -O2
    optional,  // --x or --x=VALUE
};

struct NvccOption {
    std::string_view long_name;   // without dashes
    std::string_view short_name;  // without dash
    NvccValue value;
    bool list;  // commas separate several values
    NvccAction action;
};

std::span<const NvccOption> nvcc_options();

struct NvccArgument {
    const NvccOption* option = nullptr;  // null: an input file
    std::vector<std::string> values;     // split at commas where the option is a list
    std::string text;                    // as written: the file, or the option for messages
    std::vector<std::string> words;      // the option and its value, as they were written
};

struct NvccCommandLine {
    std::vector<NvccArgument> arguments;
    std::vector<std::string> unknown;  // options that are not in the table
};

// Reads response files (--options-file), too. An option without its value is an error.
Result<NvccCommandLine> parse_nvcc(const std::vector<std::string>& arguments);

}  // namespace lockstep::compile
