// Serves the labs to a browser on this machine, and to nobody else: it listens on the loopback address alone,
// answers only who knows the token that stands in the address which it prints, and only pages of its own
// (Host, Origin).
#pragma once
#include <filesystem>
#include <string>

#include "base/result.h"
#include "serve/limited-run.h"

namespace lockstep::serve {

struct Options {
    int port = 0;                   // 0: any that is free
    std::filesystem::path folder;   // where learners' files are
    std::filesystem::path command;  // lockstep
    RunLimits limits;
};

// Until SIGINT or SIGTERM.
Result<void> serve(const Options& options);

}  // namespace lockstep::serve
