#include "session/options.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

namespace lockstep::session {
namespace {

Result<Options> read(const std::map<std::string, std::string>& environment) {
    return read_options(
        [&](const char* name) {
            const auto it = environment.find(name);
            return it == environment.end() ? nullptr : it->second.c_str();
        },
        "/models");
}

TEST(Options, Defaults) {
    const auto options = read({{"LOCKSTEP_GPU", ""}});
    ASSERT_TRUE(options);
    EXPECT_EQ(options->gpu, "h200");
    EXPECT_EQ(options->models, "/models");
    EXPECT_EQ(options->exec.threads, 0);
    EXPECT_FALSE(options->stats);
    EXPECT_EQ(options->memory, exec::MemoryRules::exact);
}

TEST(Options, Values) {
    const auto options = read({{"LOCKSTEP_GPU", "fermi"},
                               {"LOCKSTEP_SET", "sms=8;pipes.alu.latency=6"},
                               {"LOCKSTEP_GPUS_DIR", "/mine"},
                               {"LOCKSTEP_PTX", "/mine/a.ptx"},
                               {"LOCKSTEP_THREADS", "3"},
                               {"LOCKSTEP_TIMEOUT", "2.5"},
                               {"LOCKSTEP_CACHE", "/mine/cache"},
                               {"LOCKSTEP_STATS", "1"},
                               {"LOCKSTEP_PROFILE", "/mine/run"},
                               {"LOCKSTEP_KERNELS", "red.*"},
                               {"LOCKSTEP_LAUNCH_SKIP", "2"},
                               {"LOCKSTEP_LAUNCH_COUNT", "3"},
                               {"LOCKSTEP_KERNEL_NAMES", "mangled"},
                               {"LOCKSTEP_STREAMS", "7"},
                               {"LOCKSTEP_INVOCATIONS", "1|2"},
                               {"LOCKSTEP_LAUNCH_SKIP_ALL", "4"},
                               {"LOCKSTEP_PROFILE_FROM_START", "0"},
                               {"LOCKSTEP_BLOCK", "64x2"},
                               {"LOCKSTEP_MEMORY", "gpu"},
                               {"LOCKSTEP_VERBOSE", "1"}});
    ASSERT_TRUE(options);
    EXPECT_EQ(options->gpu, "fermi");
    EXPECT_EQ(options->settings, (std::vector<std::string>{"sms=8", "pipes.alu.latency=6"}));
    EXPECT_EQ(options->models, "/mine");
    EXPECT_EQ(options->ptx, "/mine/a.ptx");
    EXPECT_EQ(options->exec.threads, 3);
    EXPECT_EQ(options->exec.timeout_seconds, 2.5);
    EXPECT_EQ(options->exec.cache.directory(), "/mine/cache");
    EXPECT_TRUE(options->exec.cache.in_use());
    EXPECT_FALSE(
        read({{"LOCKSTEP_CACHE", "/mine/cache"}, {"LOCKSTEP_CACHE_SIZE", "0"}})->exec.cache.in_use());
    EXPECT_FALSE(read({{"LOCKSTEP_CACHE_SIZE", "much"}}));
    EXPECT_TRUE(options->stats);
    EXPECT_TRUE(options->exec.count_instructions);
    EXPECT_EQ(options->verbosity, Verbosity::all);
    EXPECT_EQ(read({{"LOCKSTEP_VERBOSE", "0"}})->verbosity, Verbosity::quiet);
    EXPECT_EQ(read({})->verbosity, Verbosity::first);
    EXPECT_EQ(options->profile.file, "/mine/run");
    EXPECT_EQ(options->profile.kernels, "red.*");
    EXPECT_EQ(options->profile.skip, 2u);
    EXPECT_EQ(options->profile.count, 3u);
    EXPECT_EQ(options->profile.names, KernelNames::mangled);
    EXPECT_EQ(options->profile.streams, "7");
    EXPECT_EQ(options->profile.invocations, "1|2");
    EXPECT_EQ(options->profile.skip_before, 4u);
    EXPECT_FALSE(options->profile.from_start);
    EXPECT_FALSE(read({{"LOCKSTEP_PROFILE_FROM_START", "always"}})->profile.heeds_calls);
    EXPECT_EQ(options->block, (gpu::Dimensions{64, 2, 1}));
    EXPECT_EQ(options->memory, exec::MemoryRules::gpu);
}

TEST(Options, Clock) {
    const auto plain = read({});
    ASSERT_TRUE(plain);
    EXPECT_TRUE(plain->clock.simulated);
    EXPECT_TRUE(plain->clock.host_measured);
    EXPECT_EQ(plain->clock.connections, 8);
    const auto options = read({{"LOCKSTEP_CLOCK", "simulated"},
                               {"LOCKSTEP_HOST", "free"},
                               {"LOCKSTEP_TIMELINE", "/mine/lines"},
                               {"CUDA_DEVICE_MAX_CONNECTIONS", "32"}});
    ASSERT_TRUE(options);
    EXPECT_TRUE(options->clock.simulated);
    EXPECT_FALSE(options->clock.host_measured);
    EXPECT_EQ(options->clock.timeline, "/mine/lines");
    EXPECT_EQ(options->clock.connections, 32);
    // CUDA's own variable is never an error.
    EXPECT_EQ(read({{"CUDA_DEVICE_MAX_CONNECTIONS", "100"}})->clock.connections, 32);
    EXPECT_EQ(read({{"CUDA_DEVICE_MAX_CONNECTIONS", "-1"}})->clock.connections, 8);
    EXPECT_FALSE(read({{"LOCKSTEP_CLOCK", "wall"}})->clock.simulated);
    EXPECT_FALSE(read({{"LOCKSTEP_CLOCK", "sun"}}));
    EXPECT_FALSE(read({{"LOCKSTEP_HOST", "1"}}));
    EXPECT_FALSE(read({{"LOCKSTEP_TIMELINE", "/mine/lines"}, {"LOCKSTEP_CLOCK", "wall"}}));
}

TEST(Options, NonsenseIsNamed) {
    EXPECT_EQ(read({{"LOCKSTEP_KERNELS", "("}}).error().message,
              "LOCKSTEP_KERNELS=(: expected a regular expression");
    EXPECT_FALSE(read({{"LOCKSTEP_LAUNCH_SKIP", "-1"}}));
    for (const char* block : {"0", "32x0", "32x", "x", "1x1x1x1", "a"})
        EXPECT_EQ(
            read({{"LOCKSTEP_BLOCK", block}}).error().message,
            fmt::format("LOCKSTEP_BLOCK={}: expected threads of a block, as 256, 32x8 or 8x8x4", block));
    EXPECT_FALSE(read({{"LOCKSTEP_LAUNCH_COUNT", "all"}}));
    EXPECT_FALSE(read({{"LOCKSTEP_KERNEL_NAMES", "short"}}));
    EXPECT_FALSE(read({{"LOCKSTEP_INVOCATIONS", "("}}));
    EXPECT_FALSE(read({{"LOCKSTEP_PROFILE_FROM_START", "yes"}}));
    EXPECT_EQ(read({{"LOCKSTEP_THREADS", "many"}}).error().message,
              "LOCKSTEP_THREADS=many: expected a number from 0 to 4096");
    EXPECT_FALSE(read({{"LOCKSTEP_THREADS", "-1"}}));
    EXPECT_FALSE(read({{"LOCKSTEP_THREADS", "4x"}}));
    EXPECT_FALSE(read({{"LOCKSTEP_TIMEOUT", "nan"}}));
    EXPECT_FALSE(read({{"LOCKSTEP_TIMEOUT", "-3"}}));
    EXPECT_EQ(read({{"LOCKSTEP_STATS", "yes"}}).error().message, "LOCKSTEP_STATS=yes: expected 0 or 1");
    EXPECT_EQ(read({{"LOCKSTEP_DRAFTS", "few"}}).error().message, "LOCKSTEP_DRAFTS=few: expected 0 or 1");
}

TEST(Options, DraftsCanBeTurnedOff) {
    EXPECT_GT(read({})->exec.draft_threads, 0u);
    EXPECT_GT(read({{"LOCKSTEP_DRAFTS", "1"}})->exec.draft_threads, 0u);
    EXPECT_EQ(read({{"LOCKSTEP_DRAFTS", "0"}})->exec.draft_threads, 0u);
}

TEST(Options, LaunchesThatRepeatCanBeWatched) {
    EXPECT_TRUE(read({})->watch.repeats);
    EXPECT_FALSE(read({{"LOCKSTEP_REPEATS", "0"}})->watch.repeats);
    EXPECT_FALSE(read({{"LOCKSTEP_REPEATS", "some"}}));
}

}  // namespace
}  // namespace lockstep::session
