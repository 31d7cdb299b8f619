// Each command is one file with one function that adds it to the program.
#pragma once
#include <string>
#include <vector>

#include "cli/command-line.h"

namespace lockstep::cli {

// What a command leaves behind for main: its exit status.
struct Context {
    std::vector<std::string> after_dashes;  // the arguments of the program that is run
    int status = 0;
};

void add_run(CommandLine& line, Context& context);
void add_check(CommandLine& line, Context& context);
void add_explain(CommandLine& line, Context& context);
void add_nvcc(CommandLine& line);   // for the help only: its arguments are nvcc's, and never come here
void add_hipcc(CommandLine& line);  // likewise
void add_gpus(CommandLine& line, Context& context);
void add_ptx(CommandLine& line, Context& context);
void add_profile(CommandLine& line, Context& context);
void add_nvprof(CommandLine& line);  // for the help only, as nvcc
void add_measure(CommandLine& line, Context& context);
void add_calibrate(CommandLine& line, Context& context);
void add_report(CommandLine& line, Context& context);
void add_sweep(CommandLine& line, Context& context);
void add_compare(CommandLine& line, Context& context);
void add_occupancy(CommandLine& line, Context& context);
void add_timeline(CommandLine& line, Context& context);
void add_cache(CommandLine& line, Context& context);
void add_help(CommandLine& line, Context& context);
void add_doctor(CommandLine& line, Context& context);
void add_report_bug(CommandLine& line, Context& context);
void add_lab(CommandLine& line, Context& context);

void add_shims(CommandLine& line, Context& context);
void add_env(CommandLine& line, Context& context);
// For the help only, as nvcc:
void add_ncu(CommandLine& line);
void add_compute_sanitizer(CommandLine& line);
void add_nvidia_smi(CommandLine& line);
void add_cuobjdump(CommandLine& line);
void add_omniperf(CommandLine& line);
void add_rocprof(CommandLine& line);
void add_rocprofv3(CommandLine& line);

// The commands that have NVIDIA's and AMD's own command lines: the exit status.
int nvprof_main(const std::vector<std::string>& arguments);
int ncu_main(const std::vector<std::string>& arguments);
int compute_sanitizer_main(const std::vector<std::string>& arguments);
int nvidia_smi_main(const std::vector<std::string>& arguments);
int cuobjdump_main(const std::vector<std::string>& arguments);
int omniperf_main(const std::vector<std::string>& arguments);
int rocprof_main(const std::vector<std::string>& arguments);
int rocprofv3_main(const std::vector<std::string>& arguments);

// Takes what belongs to the program off the command line of `lockstep run`, `check`, `profile` and
// `timeline`: all that follows "--", or an executable's name; of `lockstep sweep` and `env`, all that follows
// "--".
void split_program_arguments(std::vector<std::string>& arguments, Context& context);

// "lockstep: MESSAGE" on stderr. A compiler's message, of several lines, stands as it is.
int fail(const std::string& message, int status = 1);

}  // namespace lockstep::cli
