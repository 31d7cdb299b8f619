// Child processes: started with arguments as a list (no shell), their output caught in files so that no pipe
// can fill up.
#pragma once
#include <sys/types.h>

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

class Child {
  public:
    static Result<Child> start(const Arguments& arguments, const Redirections& redirections);
    // Blocks until it has ended. Once.
    ExitStatus wait();
    // Without blocking; the status once it has ended.
    std::optional<ExitStatus> poll();
    void kill();

  private:
    explicit Child(pid_t pid) : pid_(pid) {}
    pid_t pid_ = 0;
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
