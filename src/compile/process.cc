#include "compile/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "compile/files.h"

namespace lockstep::compile {
namespace {

ExitStatus decode(int status) {
    if (WIFSIGNALED(status)) return {0, WTERMSIG(status)};
    return {WEXITSTATUS(status), 0};
}

// True: `descriptor` is the file, or stays as it is.
bool redirect(int descriptor, const std::filesystem::path& file, int flags) {
    if (file.empty()) return true;
    const int opened = open(file.c_str(), flags, 0644);
    if (opened < 0) return false;
    const bool good = dup2(opened, descriptor) >= 0;
    if (opened != descriptor) close(opened);
    return good;
}

bool set_limit(decltype(RLIMIT_CPU) what, std::uint64_t most) {
    const rlimit limit{most, most};
    return most == 0 || setrlimit(what, &limit) == 0;
}

bool set_limits(const Limits& limits) {
    return set_limit(RLIMIT_CPU, limits.processor_seconds) && set_limit(RLIMIT_DATA, limits.memory_bytes) &&
           set_limit(RLIMIT_FSIZE, limits.file_bytes);
}

}  // namespace

void die_with_parent(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // It may have died before that.
    if (getppid() != parent) raise(SIGKILL);
}

std::string ExitStatus::to_string() const {
    if (signal) return fmt::format("was ended by signal {} ({})", signal, strsignal(signal));
    return fmt::format("exited with status {}", code);
}

Result<Child> Child::start(const Arguments& arguments, const Redirections& redirections,
                           const Surroundings& surroundings) {
    const auto pointers = [](const std::vector<std::string>& texts) {
        std::vector<char*> result;
        for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
        result.push_back(nullptr);
        return result;
    };
    const std::vector<char*> argv = pointers(arguments);
    const std::vector<char*> variables = pointers(surroundings.environment);
    const std::string file = surroundings.file.empty() ? arguments[0] : surroundings.file.string();
    // What fails in the child is told through a pipe that the new program does not inherit.
    std::array<int, 2> trouble{-1, -1};
    if (pipe2(trouble.data(), O_CLOEXEC) != 0)
        return Error{fmt::format("cannot start {}: {}", file, strerror(errno)), {}};
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid == 0) {
        // Only what is safe in a process that had threads.
        if (surroundings.own_group) setpgid(0, 0);
        if (surroundings.dies_with_parent) die_with_parent(parent);
        sigset_t none;
        sigemptyset(&none);
        const bool ready = redirect(STDIN_FILENO, surroundings.input, O_RDONLY) &&
                           redirect(STDOUT_FILENO, redirections.output, O_WRONLY | O_CREAT | O_TRUNC) &&
                           redirect(STDERR_FILENO, redirections.errors, O_WRONLY | O_CREAT | O_TRUNC) &&
                           sigprocmask(SIG_SETMASK, &none, nullptr) == 0 && set_limits(surroundings.limits);
        char* const* environment = surroundings.environment.empty() ? environ : variables.data();
        if (ready && surroundings.file.empty()) execvpe(file.c_str(), argv.data(), environment);
        if (ready && !surroundings.file.empty()) execve(file.c_str(), argv.data(), environment);
        const int reason = errno;
        [[maybe_unused]] const auto told = write(trouble[1], &reason, sizeof reason);
        _exit(127);
    }
    const int forked = errno;
    close(trouble[1]);
    int reason = pid < 0 ? forked : 0;
    while (pid > 0 && read(trouble[0], &reason, sizeof reason) < 0 && errno == EINTR) {
    }
    close(trouble[0]);
    if (reason != 0) {
        if (pid > 0) waitpid(pid, nullptr, 0);
        return Error{fmt::format("cannot start {}: {}", file, strerror(reason)), {}};
    }
    return Child(pid, surroundings.own_group);
}

ExitStatus Child::wait() {
    if (status_) return *status_;
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    return *(status_ = decode(status));
}

std::optional<ExitStatus> Child::poll() {
    int status = 0;
    if (!status_ && waitpid(pid_, &status, WNOHANG) == pid_) status_ = decode(status);
    return status_;
}

void Child::kill() {
    if (!status_) ::kill(own_group_ ? -pid_ : pid_, SIGKILL);
}

Result<Finished> run(const Arguments& arguments, const std::filesystem::path& scratch) {
    const Redirections redirections{scratch / "stdout", scratch / "stderr"};
    auto child = Child::start(arguments, redirections);
    if (!child) return child.error();
    Finished finished;
    finished.status = child->wait();
    finished.output = read_file(redirections.output).value_or("");
    finished.errors = read_file(redirections.errors).value_or("");
    return finished;
}

std::optional<std::filesystem::path> find_program(const std::string& name) {
    if (name.find('/') != std::string::npos) {
        if (access(name.c_str(), X_OK) == 0) return name;
        return {};
    }
    const char* path = getenv("PATH");
    std::string_view rest = path ? path : "/usr/bin:/bin";
    while (!rest.empty()) {
        const auto colon = rest.find(':');
        const std::filesystem::path candidate = std::filesystem::path(rest.substr(0, colon)) / name;
        if (access(candidate.c_str(), X_OK) == 0) return candidate;
        rest = colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
    }
    return {};
}

std::string command_line(const Arguments& arguments) {
    std::string line;
    for (const std::string& argument : arguments) {
        if (!line.empty()) line += ' ';
        const bool plain =
            !argument.empty() && argument.find_first_of(" \t\n\"'\\$`*?<>|&;()#~") == std::string::npos;
        if (plain) {
            line += argument;
            continue;
        }
        line += '\'';
        for (char c : argument) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
        line += '\'';
    }
    return line;
}

}  // namespace lockstep::compile
