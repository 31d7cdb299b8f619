#include "process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>

namespace lockstep::e2e {
namespace {

using Clock = std::chrono::steady_clock;

// A shell that ran a program which died of a signal reports 128 + its number, so a name is looked for there
// too.
std::string signal_name(int number) {
    const char* name = sigabbrev_np(number);
    return name ? name : fmt::format("{}", number);
}

[[noreturn]] void become(const std::string& command, const std::map<std::string, std::string>& set,
                         const std::filesystem::path& directory, int out, int err) {
    setpgid(0, 0);
    for (const auto& [name, value] : set) setenv(name.c_str(), value.c_str(), 1);
    int null = open("/dev/null", O_RDONLY);
    dup2(null, 0);
    dup2(out, 1);
    dup2(err, 2);
    if (chdir(directory.c_str()) != 0) _exit(126);
    execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
    _exit(127);
}

}  // namespace

std::string Outcome::ending() const {
    if (timed_out) return fmt::format("did not end within its limit ({:.0f} s)", seconds);
    if (!signal.empty()) return fmt::format("signal {}", signal);
    return fmt::format("status {}", status);
}

Outcome run_shell(const std::string& command, const std::map<std::string, std::string>& set,
                  const std::filesystem::path& directory, int limit_s) {
    Outcome outcome;
    std::array<int, 2> out{}, err{};
    if (pipe2(out.data(), O_CLOEXEC) != 0 || pipe2(err.data(), O_CLOEXEC) != 0) {
        outcome.status = 126;
        outcome.err = fmt::format("pipe: {}", strerror(errno));
        return outcome;
    }
    Clock::time_point start = Clock::now();
    pid_t child = fork();
    if (child == 0) become(command, set, directory, out[1], err[1]);
    close(out[1]);
    close(err[1]);

    std::array<pollfd, 2> watched{pollfd{out[0], POLLIN, 0}, pollfd{err[0], POLLIN, 0}};
    std::array<std::string*, 2> sinks{&outcome.out, &outcome.err};
    int open_ends = 2;
    while (open_ends > 0) {
        auto left = std::chrono::seconds(limit_s) - (Clock::now() - start);
        int wait_ms = static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(left).count());
        if (wait_ms <= 0) {
            outcome.timed_out = true;
            kill(-child, SIGKILL);
            break;
        }
        if (poll(watched.data(), watched.size(), wait_ms) < 0 && errno != EINTR) break;
        for (std::size_t i = 0; i < watched.size(); ++i) {
            if (watched[i].fd < 0 || watched[i].revents == 0) continue;
            std::array<char, 4096> buffer;
            ssize_t got = read(watched[i].fd, buffer.data(), buffer.size());
            if (got > 0) {
                sinks[i]->append(buffer.data(), static_cast<std::size_t>(got));
            } else {
                watched[i].fd = -1;
                --open_ends;
            }
        }
    }
    int status = 0;
    waitpid(child, &status, 0);
    close(out[0]);
    close(err[0]);
    outcome.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (WIFSIGNALED(status)) outcome.signal = signal_name(WTERMSIG(status));
    if (WIFEXITED(status)) {
        outcome.status = WEXITSTATUS(status);
        if (outcome.status > 128 && outcome.status <= 128 + 31)
            outcome.signal = signal_name(outcome.status - 128);
    }
    return outcome;
}

}  // namespace lockstep::e2e
