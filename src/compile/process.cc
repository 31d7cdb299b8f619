#include "compile/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "compile/files.h"

namespace lockstep::compile {
namespace {

ExitStatus decode(int status) {
    if (WIFSIGNALED(status)) return {0, WTERMSIG(status)};
    return {WEXITSTATUS(status), 0};
}

}  // namespace

std::string ExitStatus::to_string() const {
    if (signal) return fmt::format("was ended by signal {} ({})", signal, strsignal(signal));
    return fmt::format("exited with status {}", code);
}

Result<Child> Child::start(const Arguments& arguments, const Redirections& redirections) {
    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    const auto redirect = [&](int descriptor, const std::filesystem::path& file) {
        if (!file.empty())
            posix_spawn_file_actions_addopen(&actions, descriptor, file.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                             0644);
    };
    redirect(STDOUT_FILENO, redirections.output);
    redirect(STDERR_FILENO, redirections.errors);
    pid_t pid = 0;
    const int failed = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed) return Error{fmt::format("cannot start {}: {}", arguments[0], strerror(failed)), {}};
    return Child(pid);
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
    if (!status_) ::kill(pid_, SIGKILL);
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
