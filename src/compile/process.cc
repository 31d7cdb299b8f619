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

Result<Child> Child::start(const Arguments& arguments, const Redirections& redirections,
                           const Surroundings& surroundings) {
    const auto pointers = [](const std::vector<std::string>& texts) {
        std::vector<char*> result;
        for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
        result.push_back(nullptr);
        return result;
    };
    const std::vector<char*> argv = pointers(arguments);
    std::vector<char*> variables = pointers(surroundings.environment);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    const auto redirect = [&](int descriptor, const std::filesystem::path& file, int flags) {
        if (!file.empty()) posix_spawn_file_actions_addopen(&actions, descriptor, file.c_str(), flags, 0644);
    };
    redirect(STDIN_FILENO, surroundings.input, O_RDONLY);
    redirect(STDOUT_FILENO, redirections.output, O_WRONLY | O_CREAT | O_TRUNC);
    redirect(STDERR_FILENO, redirections.errors, O_WRONLY | O_CREAT | O_TRUNC);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | (surroundings.own_group ? POSIX_SPAWN_SETPGROUP : 0));
    const std::string file = surroundings.file.empty() ? arguments[0] : surroundings.file.string();
    const auto spawn = surroundings.file.empty() ? posix_spawnp : posix_spawn;
    pid_t pid = 0;
    const int failed = spawn(&pid, file.c_str(), &actions, &attributes, argv.data(),
                             surroundings.environment.empty() ? environ : variables.data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (failed) return Error{fmt::format("cannot start {}: {}", file, strerror(failed)), {}};
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
