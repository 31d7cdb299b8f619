#include "serve/limited-run.h"

#include <fmt/format.h>

#include <fstream>
#include <thread>

#include "compile/files.h"

namespace lockstep::serve {
namespace {

using Clock = std::chrono::steady_clock;

// A file's beginning and end, without reading the rest.
std::string both_ends(const std::filesystem::path& file, std::size_t most) {
    std::ifstream stream(file, std::ios::binary);
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    if (error || !stream) return "";
    const auto read = [&](std::uintmax_t from, std::size_t bytes) {
        std::string text(bytes, '\0');
        stream.seekg(static_cast<std::streamoff>(from));
        stream.read(text.data(), static_cast<std::streamsize>(bytes));
        text.resize(static_cast<std::size_t>(stream.gcount()));
        return text;
    };
    if (size <= most) return read(0, static_cast<std::size_t>(size));
    const std::size_t half = most / 2;
    return read(0, half) + fmt::format("\n… {} bytes are left out …\n", size - 2 * half) +
           read(size - half, half);
}

}  // namespace

Result<Outcome> run_limited(const compile::Arguments& arguments, const RunLimits& limits) {
    auto scratch = compile::TempDir::create();
    if (!scratch) return scratch.error();
    const compile::Redirections to{scratch->path() / "stdout", scratch->path() / "stderr"};
    compile::Surroundings surroundings;
    surroundings.input = "/dev/null";
    surroundings.own_group = true;
    surroundings.dies_with_parent = true;
    surroundings.limits = {static_cast<std::uint64_t>(limits.time.count()), limits.memory_bytes,
                           limits.file_bytes};
    const auto begin = Clock::now();
    auto child = compile::Child::start(arguments, to, surroundings);
    if (!child) return child.error();
    Outcome outcome;
    auto status = child->poll();
    for (; !status; status = child->poll()) {
        if (Clock::now() - begin > limits.time) {
            outcome.too_long = true;
            child->kill();
            status = child->wait();
            break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    outcome.status = *status;
    outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    outcome.output = both_ends(to.output, limits.shown_bytes) + both_ends(to.errors, limits.shown_bytes);
    return outcome;
}

}  // namespace lockstep::serve
