#include "base/file-cache.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <chrono>
#include <fstream>
#include <map>
#include <thread>

#include "base/read-file.h"

namespace lockstep::base {
namespace {

namespace fs = std::filesystem;

struct FileCacheTest : testing::Test {
    FileCacheTest() {
        std::string pattern = (fs::temp_directory_path() / "lockstep-test-XXXXXX").string();
        if (mkdtemp(pattern.data())) folder = pattern;
    }
    ~FileCacheTest() override {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }
    static std::string key(char digit) { return std::string(32, digit); }
    static void overwrite(const fs::path& file, const std::string& bytes) {
        std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
    }
    std::uint64_t bytes_kept(const FileCache& cache) const {
        std::uint64_t bytes = 0;
        for (const auto& [kind, usage] : cache.usage()) bytes += usage.bytes;
        return bytes;
    }

    fs::path folder;
};

TEST_F(FileCacheTest, WhatWasWrittenIsRead) {
    const FileCache cache(folder / "a" / "b", 1 << 20);
    const std::string bytes("with\0zero", 9);
    EXPECT_FALSE(cache.read("kernel", key('1')));
    ASSERT_TRUE(cache.write("kernel", key('1'), bytes));
    EXPECT_EQ(cache.read("kernel", key('1')), bytes);
    EXPECT_FALSE(cache.read("list", key('1')));
    ASSERT_TRUE(cache.write("kernel", key('1'), ""));
    EXPECT_EQ(cache.read("kernel", key('1')), "");
}

TEST_F(FileCacheTest, DamageIsSeen) {
    const FileCache cache(folder, 1 << 20);
    ASSERT_TRUE(cache.write("kernel", key('1'), std::string(5000, 'x')));
    const fs::path file = cache.path_of("kernel", key('1'));
    const std::string good = read_file(file).value();
    for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{31}, good.size() - 1}) {
        overwrite(file, good.substr(0, size));
        EXPECT_FALSE(cache.read("kernel", key('1'))) << size;
    }
    std::string changed = good;
    changed[4000] ^= 1;
    overwrite(file, changed);
    EXPECT_FALSE(cache.read("kernel", key('1')));
    overwrite(file, good + "more");
    EXPECT_FALSE(cache.read("kernel", key('1')));
    // The right bytes at another name are no good, either.
    overwrite(cache.path_of("kernel", key('2')), good);
    EXPECT_FALSE(cache.read("kernel", key('2')));
    overwrite(file, good);
    EXPECT_TRUE(cache.read("kernel", key('1')));
}

TEST_F(FileCacheTest, ProgramsAreNamedByTheirContent) {
    const FileCache cache(folder, 1 << 20);
    const auto program = cache.keep("program", "#!/bin/true");
    ASSERT_TRUE(program);
    const auto found = cache.find("program", *program);
    ASSERT_TRUE(found);
    EXPECT_EQ(read_file(*found), "#!/bin/true");
    overwrite(*found, "#!/bin/tru");
    EXPECT_FALSE(cache.find("program", *program));
    EXPECT_EQ(cache.keep("program", "#!/bin/true").operator bool(), true);
    EXPECT_TRUE(cache.find("program", *program));
}

TEST_F(FileCacheTest, ItsSizeIsBounded) {
    const FileCache cache(folder, 100'000);
    for (int i = 0; i < 64; ++i) {
        ASSERT_TRUE(
            cache.write("kernel", std::string(30, '0') + std::to_string(10 + i), std::string(5000, 'x')));
        EXPECT_LE(bytes_kept(cache), 100'000u);
    }
    EXPECT_GT(bytes_kept(cache), 50'000u);
    EXPECT_FALSE(cache.read("kernel", std::string(30, '0') + "10"));
    EXPECT_TRUE(cache.read("kernel", std::string(30, '0') + "73"));
}

TEST_F(FileCacheTest, WhatIsUsedStays) {
    const FileCache cache(folder, 100'000);
    ASSERT_TRUE(cache.write("kernel", key('a'), std::string(5000, 'x')));
    for (int i = 0; i < 64; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));  // times of files are coarse
        ASSERT_TRUE(
            cache.write("kernel", std::string(30, '0') + std::to_string(10 + i), std::string(5000, 'x')));
        EXPECT_TRUE(cache.read("kernel", key('a'))) << i;
    }
}

TEST_F(FileCacheTest, FilesOfOthersAreLeftAlone) {
    for (const char* name : {"thesis.txt", "0123456789abcdef.txt", "kernel-1.cc", "new-one"})
        overwrite(folder / name, std::string(200'000, 'x'));
    fs::create_directory(folder / "kernel");
    overwrite(folder / std::string(32, '0'), "left by an earlier lockstep");
    const FileCache cache(folder, 100'000);
    for (int i = 0; i < 40; ++i)
        ASSERT_TRUE(
            cache.write("kernel", std::string(30, '0') + std::to_string(10 + i), std::string(5000, 'x')));
    EXPECT_LE(bytes_kept(cache), 100'000u);
    ASSERT_TRUE(cache.clear());
    EXPECT_TRUE(cache.usage().empty());
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 5);
}

TEST_F(FileCacheTest, WhatIsLargerThanAllIsNotKept) {
    const FileCache cache(folder, 1000);
    const auto written = cache.write("kernel", key('1'), std::string(2000, 'x'));
    ASSERT_FALSE(written);
    EXPECT_NE(written.error().message.find("LOCKSTEP_CACHE_SIZE"), std::string::npos);
    EXPECT_EQ(bytes_kept(cache), 0u);
}

// A limit on the size of files stands in for a full disk.
TEST_F(FileCacheTest, AFullDiskIsAnErrorAndLeavesNothing) {
    const FileCache cache(folder, 1 << 20);
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = signal(SIGXFSZ, SIG_IGN);
    rlimit small = before;
    small.rlim_cur = 4096;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const auto written = cache.write("kernel", key('1'), std::string(100'000, 'x'));
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    ASSERT_FALSE(written);
    EXPECT_NE(written.error().message.find(folder.string()), std::string::npos);
    EXPECT_FALSE(cache.read("kernel", key('1')));
    EXPECT_TRUE(fs::is_empty(folder));
}

Result<CacheSettings> settings_of(const std::map<std::string, std::string>& environment) {
    return cache_settings([&](const char* name) {
        const auto found = environment.find(name);
        return found == environment.end() ? nullptr : found->second.c_str();
    });
}

TEST(CacheSettings, WhereItIs) {
    EXPECT_TRUE(settings_of({})->directory.empty());
    EXPECT_EQ(settings_of({{"HOME", "/h"}})->directory, "/h/.cache/lockstep");
    EXPECT_EQ(settings_of({{"HOME", "/h"}, {"XDG_CACHE_HOME", "/x"}})->directory, "/x/lockstep");
    const auto named = settings_of({{"HOME", "/h"}, {"LOCKSTEP_CACHE", "/c"}});
    EXPECT_EQ(named->directory, "/c");
    EXPECT_TRUE(named->named);
}

TEST(CacheSettings, HowLarge) {
    EXPECT_EQ(settings_of({})->limit, 1u << 30);
    EXPECT_EQ(settings_of({{"LOCKSTEP_CACHE_SIZE", "0"}})->limit, 0u);
    EXPECT_EQ(settings_of({{"LOCKSTEP_CACHE_SIZE", "12345"}})->limit, 12345u);
    EXPECT_EQ(settings_of({{"LOCKSTEP_CACHE_SIZE", "3K"}})->limit, 3072u);
    EXPECT_EQ(settings_of({{"LOCKSTEP_CACHE_SIZE", "2G"}})->limit, 2ull << 30);
    for (const char* bad : {"-1", "x", "1X", "1MB", "1.5G", "99999999999T"}) {
        const auto settings = settings_of({{"LOCKSTEP_CACHE_SIZE", bad}});
        ASSERT_FALSE(settings) << bad;
        EXPECT_NE(settings.error().message.find(bad), std::string::npos);
    }
}

}  // namespace
}  // namespace lockstep::base
