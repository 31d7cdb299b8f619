// Starts a program, waits for it, and says what it took.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace bench {

struct Child {
    int status = 0;  // exit status; -1: it was killed or could not be started
    std::string out, err;
    double wall_s = 0;
    double cpu_s = 0;              // of it and its own children
    std::uint64_t peak_bytes = 0;  // resident memory of the largest process among it and its own children
};

struct Command {
    std::vector<std::string> arguments;
    std::map<std::string, std::string> environment;  // beside ours
    bool one_core = false;                           // bound to one core that we may use
};

Child run(const Command& command);

// Whether a program of that name is in PATH.
bool is_installed(const std::string& program);

// Cores that this process may use.
int cores();

}  // namespace bench
