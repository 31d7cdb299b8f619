// What the commands that run a program share: from the command line to a program that can be started.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/program-options.h"
#include "compile/blocked-signals.h"
#include "compile/files.h"
#include "compile/process.h"
#include "gpu/model.h"

namespace lockstep::cli {

// The GPU of each device that the program has, by its number. `--gpu a,b` is as `--devices a,b`.
Result<std::vector<gpu::GpuModel>> device_models(const ProgramOptions& options);

// What a command reads, as far as its command line says: no output may take its place. `rest` as
// prepare_program has it.
std::vector<std::filesystem::path> input_files(const ProgramOptions& options,
                                               const std::vector<std::string>& rest, const Context& context);

// A file that the kernel can start: not source, not a library.
bool is_program(const std::filesystem::path& file);

// As execv takes it: a name alone is a file of this folder.
std::filesystem::path startable_path(const std::filesystem::path& file);

struct StartableProgram {
    std::filesystem::path file;
    std::string name;  // what it sees as argv[0]
    std::vector<std::string> arguments;
    std::optional<compile::TempDir> temporary;  // where `file` lies, if the cache could not take it

    // As a shell would take it.
    std::string command_line() const;
};

struct Prepared {
    std::optional<StartableProgram> program;  // nothing: the reason has been printed
    int status = 0;                           // … and this is the exit status
    bool hip = false;
};

// Whether it is a HIP program, by options, its files' names or what it is linked to; nothing where these
// leave it open: a script, a C++ file. `rest` as below.
std::optional<bool> says_hip(const ProgramOptions& options, const std::vector<std::string>& rest);

// `rest` is what the command did not take itself: files and compiler options, in nvcc's spelling (hipcc's,
// for a HIP program), or one executable. Compiles, and sets the environment that the runtime library reads.
// `command` is for messages. The caller holds compile::BlockedSignals, so that what is left in temporary
// folders goes whatever happens.
Prepared prepare_program(const std::string& command, const ProgramOptions& options,
                         const std::vector<std::string>& rest, const Context& context);

// Becomes the program, which gets signals as any other. Returns only if that fails, with the exit status.
int become(StartableProgram program, const compile::BlockedSignals& signals);

// Starts it and waits. Signals that end a program reach it: the terminal's directly, others through us.
// `before` is called with the new process's id before the program begins in it; `tick` about once a second.
// With a `log` nobody sees it: what it says on stderr is in that file, its input is empty.
Result<compile::ExitStatus> run_and_wait(const StartableProgram& program,
                                         const std::function<void(pid_t)>& before,
                                         const std::function<void()>& tick,
                                         const std::filesystem::path& log = {});

// As a shell would give it.
int exit_status(const compile::ExitStatus& status);

}  // namespace lockstep::cli
