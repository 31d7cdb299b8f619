// The library reads its settings from the environment when it is first used.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    setenv("LOCKSTEP_GPUS_DIR", LOCKSTEP_SOURCE_DIR "/gpus", 1);
    setenv("LOCKSTEP_CACHE_SIZE", "0", 1);  // the user's own is left alone
    // settings-test.cc starts this program with an environment of its own.
    const bool child = getenv("LOCKSTEP_TEST_CHILD");
    if (!child) {
        for (const char* name : {"LOCKSTEP_CLOCK", "LOCKSTEP_HOST", "LOCKSTEP_VERBOSE", "LOCKSTEP_STATS",
                                 "LOCKSTEP_THREADS", "LOCKSTEP_TIMEOUT"})
            unsetenv(name);
        setenv("LOCKSTEP_GPU", "h200", 1);
    }
    testing::InitGoogleTest(&argc, argv);
    const int status = RUN_ALL_TESTS();
    if (child) return status;
    // Launches that lockstep cannot run are tested here. They would change the status of a process that ends
    // by exit().
    std::fflush(nullptr);
    std::_Exit(status);
}
