// lockstep-serve, which `lockstep lab serve` starts.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "serve/server.h"

int main(int argc, char** argv) {
    lockstep::serve::Options options;
    options.folder = ".";
    CLI::App app;
    int seconds = static_cast<int>(options.limits.time.count());
    app.add_option("--command", options.command)->required();
    app.add_option("--port", options.port);
    app.add_option("--folder", options.folder);
    app.add_option("--seconds", seconds);
    CLI11_PARSE(app, argc, argv);
    options.limits.time = std::chrono::seconds(seconds);
    if (auto served = lockstep::serve::serve(options); !served) {
        fmt::print(stderr, "lockstep: {}\n", served.error().to_string());
        return 1;
    }
    return 0;
}
