#include "compile/cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "compile/depfile.h"
#include "compile/diagnostics.h"
#include "compile/files.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

struct CacheTest : testing::Test {
    CacheTest() : scratch(std::move(*TempDir::create())) {
        folder = scratch.path() / "cache";
        source = scratch.path() / "a.cu";
        program = scratch.path() / "a.out";
        EXPECT_TRUE(write_file(source, "one"));
        EXPECT_TRUE(write_file(program, "program"));
    }
    Cache cache() const { return Cache(base::FileCache(folder, 1 << 20)); }

    const std::string key = std::string(32, 'a');
    TempDir scratch;
    fs::path folder, source, program;
};

TEST_F(CacheTest, FindsWhatWasStoredUntilAFileChanges) {
    EXPECT_FALSE(cache().find(key));
    auto stored = cache().store(key, program, {source}, "a warning\n\nand more\n");
    ASSERT_TRUE(stored) << stored.error().message;
    auto found = cache().find(key);
    ASSERT_TRUE(found);
    EXPECT_EQ(read_file(found->file), "program");
    EXPECT_EQ(found->messages, "a warning\n\nand more\n");
    ASSERT_TRUE(write_file(source, "two"));
    EXPECT_FALSE(cache().find(key));
    ASSERT_TRUE(write_file(program, "newer"));
    ASSERT_TRUE(cache().store(key, program, {source}, ""));
    EXPECT_EQ(read_file(cache().find(key)->file), "newer");
    EXPECT_EQ(cache().find(key)->messages, "");
    fs::remove(source);
    EXPECT_FALSE(cache().find(key));
}

TEST_F(CacheTest, ADirectoryThatCannotBeMadeIsAnError) {
    ASSERT_TRUE(write_file(scratch.path() / "file", ""));
    const Cache bad{base::FileCache(scratch.path() / "file" / "cache", 1 << 20)};
    EXPECT_FALSE(bad.find(key));
    EXPECT_FALSE(bad.store(key, program, {source}, ""));
}

TEST_F(CacheTest, WhateverIsDamagedIsMadeAnew) {
    ASSERT_TRUE(cache().store(key, program, {source}, ""));
    std::vector<fs::path> files;
    for (const auto& file : fs::directory_iterator(folder)) files.push_back(file.path());
    ASSERT_EQ(files.size(), 3u);  // the program, its list, and the counter of what was added
    for (const fs::path& file : files)
        for (const std::string bytes : {"", "prog", "something else that is longer than a checksum of 32"}) {
            const bool matters = file.filename() != "added";
            ASSERT_TRUE(write_file(file, bytes));
            EXPECT_EQ(!cache().find(key), matters) << file;
            ASSERT_TRUE(cache().store(key, program, {source}, ""));
            const auto found = cache().find(key);
            ASSERT_TRUE(found);
            EXPECT_EQ(read_file(found->file), "program");
        }
}

TEST_F(CacheTest, ManyAtOnce) {
    std::vector<std::thread> threads;
    std::atomic<int> failures = 0;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&] {
            for (int k = 0; k < 20; ++k) {
                if (!cache().store(key, program, {source}, "")) ++failures;
                const auto found = cache().find(key);
                if (!found || read_file(found->file) != "program") ++failures;
            }
        });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(failures, 0);
    EXPECT_TRUE(cache().find(key));
    // The program, its list, the counter; nothing half made.
    EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 3);
}

TEST(Depfile, NamesWithSpacesAndContinuations) {
    const auto files = parse_depfile("a.o: /x/a.cu \\\n  /y/b\\ c.h /z/d$$e.h\n/other: f\n");
    ASSERT_EQ(files.size(), 3u);
    EXPECT_EQ(files[1], "/y/b c.h");
    EXPECT_EQ(files[2], "/z/d$e.h");
    EXPECT_TRUE(parse_depfile("").empty());
}

TEST(Diagnostics, TheSameMessageOnce) {
    const std::string device =
        "In file included from a.cu:1:\nh.h:3:1: error: bad\n  3 | x\n    ^\nh.h:1:1: note: here\n1 error "
        "generated when compiling for sm_90.\n";
    const std::string host =
        "In file included from a.cu:1:\nh.h:3:1: error: bad\n  3 | x\n    ^\nh.h:1:1: note: here\na.cu:9:1: "
        "warning: odd\n2 errors generated when compiling for host.\n";
    EXPECT_EQ(merge_diagnostics(device, host),
              "In file included from a.cu:1:\nh.h:3:1: error: bad\n  3 | x\n    ^\nh.h:1:1: note: "
              "here\na.cu:9:1: warning: odd\n");
}

}  // namespace
}  // namespace lockstep::compile
