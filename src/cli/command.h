// Each command is one file with one function that adds it to the program.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace lockstep::cli {

// What a command leaves behind for main: its exit status.
struct Context {
    std::vector<std::string> after_dashes;  // the arguments of the program that is run
    int status = 0;
};

void add_run(CLI::App& app, Context& context);
void add_nvcc(CLI::App& app);  // for the help only: its arguments are nvcc's, and never come here
void add_gpus(CLI::App& app, Context& context);
void add_ptx(CLI::App& app, Context& context);
void add_profile(CLI::App& app, Context& context);
void add_nvprof(CLI::App& app);  // for the help only, as nvcc
void add_sweep(CLI::App& app, Context& context);
void add_compare(CLI::App& app, Context& context);
void add_occupancy(CLI::App& app, Context& context);
void add_timeline(CLI::App& app, Context& context);
void add_cache(CLI::App& app, Context& context);

// `lockstep nvprof`: the exit status.
int nvprof_main(const std::vector<std::string>& arguments);

// Takes what belongs to the program off the command line of `lockstep run`, `profile` and `timeline`: all that
// follows "--", or an executable's name; of `lockstep sweep`, all that follows "--".
void split_program_arguments(std::vector<std::string>& arguments, Context& context);

// "lockstep: MESSAGE" on stderr. A compiler's message, of several lines, stands as it is.
int fail(const std::string& message, int status = 1);

}  // namespace lockstep::cli
