#include "child.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <sstream>

namespace bench {
namespace {

void bind_to_one_core() {
    cpu_set_t allowed, one;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &allowed)) {
            CPU_SET(cpu, &one);
            break;
        }
    sched_setaffinity(0, sizeof one, &one);
}

[[noreturn]] void become(const Command& command, int out, int err) {
    dup2(out, 1);
    dup2(err, 2);
    for (const auto& [name, value] : command.environment) setenv(name.c_str(), value.c_str(), 1);
    if (command.one_core) bind_to_one_core();
    std::vector<char*> arguments;
    for (const std::string& argument : command.arguments)
        arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    perror(arguments[0]);
    _exit(127);
}

}  // namespace

Child run(const Command& command) {
    Child child;
    std::array<int, 2> out{}, err{};
    if (pipe2(out.data(), O_CLOEXEC) != 0 || pipe2(err.data(), O_CLOEXEC) != 0) {
        child.status = -1;
        return child;
    }
    auto start = std::chrono::steady_clock::now();
    pid_t pid = fork();
    if (pid == 0) become(command, out[1], err[1]);
    close(out[1]);
    close(err[1]);
    std::array<pollfd, 2> watched{pollfd{out[0], POLLIN, 0}, pollfd{err[0], POLLIN, 0}};
    std::array<std::string*, 2> sinks{&child.out, &child.err};
    for (int open_ends = 2; open_ends > 0 && poll(watched.data(), watched.size(), -1) > 0;)
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
    int status = 0;
    rusage usage{};
    wait4(pid, &status, 0, &usage);
    child.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    close(out[0]);
    close(err[0]);
    child.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    child.cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    child.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    return child;
}

bool is_installed(const std::string& program) {
    const char* path = getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
    return false;
}

int cores() {
    cpu_set_t allowed;
    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
}

}  // namespace bench
