// Child processes: started with arguments as a list (no shell), their output caught in files so that no pipe
// can fill up.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace lockstep::compile {

using Arguments = std::vector<std::string>;

struct ExitStatus {
    int code = 0;    // exit code, if not signalled
    int signal = 0;  // the signal that ended it, or 0
    bool ok() const { return code == 0 && signal == 0; }
    std::string to_string() const;
};

struct Redirections {
    std::filesystem::path output;  // stdout; empty: ours
    std::filesystem::path errors;  // stderr; empty: ours
};

// What a process may use at most; 0: as much as its parent.
struct Limits {
    std::uint64_t processor_seconds = 0;
    std::uint64_t memory_bytes = 0;  // that it can write to
    std::uint64_t file_bytes = 0;    // of one file that it writes
};

// How a child differs from its parent, beyond its output.
struct Surroundings {
    std::filesystem::path file;            // what is started; empty: the first argument, looked for in PATH
    std::filesystem::path input;           // stdin; empty: ours
    std::vector<std::string> environment;  // "NAME=value"; empty: ours
    // It leads a process group of its own: the terminal's signals do not reach it, and kill() ends what it
    // has started as well.
    bool own_group = false;
    // It is killed when the thread that starts it is gone: a process that was killed cannot do it.
    bool dies_with_parent = false;
    Limits limits;
};

// In a process forked off by `parent`, before it becomes another program.
void die_with_parent(pid_t parent);

// No signal is blocked in it, whatever its parent blocks.
class Child {
  public:
    static Result<Child> start(const Arguments& arguments, const Redirections& redirections,
                               const Surroundings& surroundings = {});
    pid_t id() const { return pid_; }
    // Blocks until it has ended. Once.
    ExitStatus wait();
    // Without blocking; the status once it has ended.
    std::optional<ExitStatus> poll();
    void kill();

  private:
    Child(pid_t pid, bool own_group) : pid_(pid), own_group_(own_group) {}
    pid_t pid_ = 0;
    bool own_group_ = false;
    std::optional<ExitStatus> status_;
};

struct Finished {
    ExitStatus status;
    std::string output, errors;
};

// Starts, waits, and returns what it wrote. `scratch` holds the output meanwhile.
Result<Finished> run(const Arguments& arguments, const std::filesystem::path& scratch);

// PATH, or a name with a slash as it is.
std::optional<std::filesystem::path> find_program(const std::string& name);

// For messages: quoted where a shell would need it.
std::string command_line(const Arguments& arguments);

}  // namespace lockstep::compile
