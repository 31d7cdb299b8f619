#include "compile/cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "compile/depfile.h"
#include "compile/diagnostics.h"
#include "compile/files.h"
#include "compile/hash.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

struct CacheTest : testing::Test {
    CacheTest() : scratch(std::move(*TempDir::create())) {
        source = scratch.path() / "a.cu";
        program = scratch.path() / "a.out";
        EXPECT_TRUE(write_file(source, "one"));
        EXPECT_TRUE(write_file(program, "program"));
    }
    TempDir scratch;
    fs::path source, program;
};

TEST_F(CacheTest, FindsWhatWasStoredUntilAFileChanges) {
    Cache cache(scratch.path() / "cache");
    EXPECT_FALSE(cache.find("key"));
    auto stored = cache.store("key", program, {source}, "a warning\n");
    ASSERT_TRUE(stored) << stored.error().message;
    auto found = cache.find("key");
    ASSERT_TRUE(found);
    EXPECT_EQ(read_file(found->program), "program");
    EXPECT_EQ(found->messages, "a warning\n");
    ASSERT_TRUE(write_file(source, "two"));
    EXPECT_FALSE(cache.find("key"));
    ASSERT_TRUE(write_file(program, "newer"));
    ASSERT_TRUE(cache.store("key", program, {source}, ""));
    EXPECT_EQ(read_file(cache.find("key")->program), "newer");
    fs::remove(source);
    EXPECT_FALSE(cache.find("key"));
}

TEST_F(CacheTest, ADirectoryThatCannotBeMadeIsAnError) {
    ASSERT_TRUE(write_file(scratch.path() / "file", ""));
    Cache cache(scratch.path() / "file" / "cache");
    EXPECT_FALSE(cache.find("key"));
    EXPECT_FALSE(cache.store("key", program, {source}, ""));
}

TEST_F(CacheTest, ManyAtOnce) {
    Cache cache(scratch.path() / "cache");
    std::vector<std::thread> threads;
    std::atomic<int> failures = 0;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&] {
            for (int k = 0; k < 20; ++k) {
                if (!cache.store("key", program, {source}, "")) ++failures;
                const auto found = cache.find("key");
                if (!found || read_file(found->program) != "program") ++failures;
            }
        });
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(failures, 0);
    EXPECT_TRUE(cache.find("key"));
    // One program and one list of files; nothing half made.
    EXPECT_EQ(std::distance(fs::directory_iterator(scratch.path() / "cache"), fs::directory_iterator()), 2);
}

TEST_F(CacheTest, OldEntriesGo) {
    ASSERT_TRUE(write_file(program, std::string(1000, 'x')));
    Cache cache(scratch.path() / "cache", 2500);
    for (const char* key : {"a", "b", "c", "d"}) {
        ASSERT_TRUE(cache.store(key, program, {source}, ""));
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_FALSE(cache.find("a"));
    EXPECT_TRUE(cache.find("d"));
}

TEST(Hash, FieldsDoNotRunTogether) {
    EXPECT_NE(Hash().add("ab").add("c").hex(), Hash().add("a").add("bc").hex());
    EXPECT_EQ(Hash().add("x").hex(), Hash().add("x").hex());
    EXPECT_EQ(Hash().hex().size(), 32u);
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
