// The environment is read once in a process, so these tests start this program again with another one.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>

namespace {

struct Finished {
    int status = -1;
    std::string output;  // stdout and stderr
};

Finished run_again(const std::string& environment, const std::string& test) {
    std::array<char, 4096> self{};
    EXPECT_GT(readlink("/proc/self/exe", self.data(), self.size() - 1), 0);
    const std::string command = "LOCKSTEP_TEST_CHILD=1 " + environment + " '" + self.data() +
                                "' --gtest_color=no --gtest_filter=" + test + " 2>&1";
    Finished run;
    FILE* pipe = popen(command.c_str(), "r");
    std::array<char, 4096> buffer;
    while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe))
        run.output.append(buffer.data(), n);
    run.status = WEXITSTATUS(pclose(pipe));
    return run;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(Settings, AnUnknownGpuIsAnError) {
    const Finished run = run_again("LOCKSTEP_GPU=h2000", "Devices.OneDevice");
    EXPECT_NE(run.status, 0);
    EXPECT_TRUE(contains(run.output, "lockstep: no GPU model 'h2000'; did you mean 'h200'?")) << run.output;
}

TEST(Settings, NonsenseIsAnError) {
    const Finished run = run_again("LOCKSTEP_THREADS=all", "Devices.OneDevice");
    EXPECT_NE(run.status, 0);
    EXPECT_TRUE(contains(run.output, "lockstep: LOCKSTEP_THREADS=all: expected a number")) << run.output;
}

TEST(Settings, AnotherGpu) {
    const Finished run = run_again("LOCKSTEP_GPU=fermi", "Devices.OneDevice");
    EXPECT_EQ(run.status, 0) << run.output;
}

TEST(Settings, ReasonsAreToldUnlessUnwanted) {
    for (const std::string settings : {"", "LOCKSTEP_VERBOSE=1"}) {
        const Finished run = run_again(settings, "Memory.RoundTrip");
        EXPECT_EQ(run.status, 0) << run.output;
        EXPECT_TRUE(contains(run.output, "lockstep: cudaFree: 0x")) << run.output;
        EXPECT_TRUE(contains(run.output, "which was freed")) << run.output;
    }
    const Finished quiet = run_again("LOCKSTEP_VERBOSE=0", "Memory.RoundTrip");
    EXPECT_EQ(quiet.status, 0) << quiet.output;
    EXPECT_FALSE(contains(quiet.output, "lockstep:")) << quiet.output;
}

TEST(Settings, Stats) {
    const Finished run = run_again("LOCKSTEP_STATS=1", "Memory.RoundTrip");
    EXPECT_EQ(run.status, 0) << run.output;
    EXPECT_TRUE(contains(run.output, "lockstep: 0 launches")) << run.output;
    EXPECT_TRUE(contains(run.output, "copied 4000 bytes to the device, 8000 to the host")) << run.output;
}

}  // namespace
