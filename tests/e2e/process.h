// Runs a shell command to its end and collects what it wrote.
#pragma once
#include <filesystem>
#include <map>
#include <string>

namespace lockstep::e2e {

struct Outcome {
    std::string out, err;
    int status = 0;      // exit status, where the command exited
    std::string signal;  // name of the signal that ended it ("SEGV"), else empty
    bool timed_out = false;
    double seconds = 0;

    std::string ending() const;  // in words
};

// `set` adds to this process's own environment. The command gets a process group of its own, and all of it is
// ended when the limit is passed.
Outcome run_shell(const std::string& command, const std::map<std::string, std::string>& set,
                  const std::filesystem::path& directory, int limit_s);

}  // namespace lockstep::e2e
