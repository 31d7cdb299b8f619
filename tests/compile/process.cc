#include "compile/process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "compile/files.h"

namespace lockstep::compile {
namespace {

TEST(Child, HasItsOwnSurroundings) {
    auto folder = TempDir::create();
    ASSERT_TRUE(folder);
    const auto output = folder->path() / "out", input = folder->path() / "in";
    ASSERT_TRUE(write_file(input, "line\n"));
    Surroundings surroundings;
    surroundings.file = "/bin/sh";
    surroundings.input = input;
    surroundings.environment = {"NAME=value"};
    surroundings.own_group = true;
    auto child = Child::start({"my-sh", "-c", "read a; echo $0 $a $NAME $HOME"}, {output, {}}, surroundings);
    ASSERT_TRUE(child) << child.error().message;
    EXPECT_EQ(getpgid(child->id()), child->id());
    EXPECT_TRUE(child->wait().ok());
    EXPECT_EQ(read_file(output), "my-sh line value\n");
}

TEST(Child, IsKilledWithWhatItHasStarted) {
    auto folder = TempDir::create();
    ASSERT_TRUE(folder);
    const auto output = folder->path() / "out";
    Surroundings surroundings;
    surroundings.own_group = true;
    auto child = Child::start({"sh", "-c", "sleep 1000 & echo $!; wait"}, {output, {}}, surroundings);
    ASSERT_TRUE(child) << child.error().message;
    const auto wait_until = [](const auto& condition) {
        for (int i = 0; i < 500 && !condition(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return condition();
    };
    ASSERT_TRUE(wait_until([&] { return read_file(output).value_or("").ends_with('\n'); }));
    const pid_t grandchild = std::stoi(*read_file(output));
    EXPECT_EQ(getpgid(grandchild), child->id());
    child->kill();
    EXPECT_EQ(child->wait().signal, SIGKILL);
    // Nobody may have reaped it here: it is gone, or a zombie.
    EXPECT_TRUE(wait_until([&] {
        const std::string stat = read_file("/proc/" + std::to_string(grandchild) + "/stat").value_or(") Z");
        return stat.substr(stat.rfind(')') + 2, 1) == "Z";
    }));
}

TEST(Child, DoesNotOutliveItsParent) {
    auto folder = TempDir::create();
    ASSERT_TRUE(folder);
    const auto output = folder->path() / "out";
    const pid_t parent = fork();
    if (parent == 0) {
        Surroundings surroundings;
        surroundings.dies_with_parent = true;
        auto child = Child::start({"sh", "-c", "echo $$; exec sleep 1000"}, {output, {}}, surroundings);
        for (;;) pause();
    }
    const auto wait_until = [](const auto& condition) {
        for (int i = 0; i < 500 && !condition(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return condition();
    };
    ASSERT_TRUE(wait_until([&] { return read_file(output).value_or("").ends_with('\n'); }));
    const pid_t child = std::stoi(*read_file(output));
    kill(parent, SIGKILL);
    waitpid(parent, nullptr, 0);
    EXPECT_TRUE(wait_until([&] {
        const std::string stat = read_file("/proc/" + std::to_string(child) + "/stat").value_or(") Z");
        return stat.substr(stat.rfind(')') + 2, 1) == "Z";
    }));
}

TEST(Child, WhatIsNotThereCannotBeStarted) {
    Surroundings surroundings;
    surroundings.file = "/nonexistent";
    const auto child = Child::start({"name"}, {}, surroundings);
    ASSERT_FALSE(child);
    EXPECT_EQ(child.error().message, "cannot start /nonexistent: No such file or directory");
}

}  // namespace
}  // namespace lockstep::compile
