#include "sweep/kept-points.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace lockstep::sweep {
namespace {

namespace fs = std::filesystem;

class KeptPointsFile : public testing::Test {
  protected:
    fs::path file = fs::temp_directory_path() / ("kept-points-" + std::to_string(getpid()));
    void SetUp() override { fs::remove(file); }
    void TearDown() override { fs::remove(file); }
    static Outcome outcome(const std::string& gpu, const std::string& failure = "") {
        Outcome one;
        one.gpu = gpu;
        one.failure = failure;
        return one;
    }
};

TEST_F(KeptPointsFile, AreThereAgain) {
    {
        auto kept = KeptPoints::open(file, "this", 4);
        ASSERT_TRUE(kept);
        EXPECT_FALSE(kept->known()[1]);
        ASSERT_TRUE(kept->add(1, outcome("a")));
        ASSERT_TRUE(kept->add(2, outcome("b", "it crashed")));
        ASSERT_TRUE(kept->add(3, outcome("c")));
    }
    auto kept = KeptPoints::open(file, "this", 4);
    ASSERT_TRUE(kept);
    EXPECT_FALSE(kept->known()[0]);
    ASSERT_TRUE(kept->known()[1]);
    EXPECT_EQ(kept->known()[1]->gpu, "a");
    EXPECT_FALSE(kept->known()[2]);  // that failed is run again
    ASSERT_TRUE(kept->known()[3]);
}

TEST_F(KeptPointsFile, HalfALineIsNoPoint) {
    {
        auto kept = KeptPoints::open(file, "this", 2);
        ASSERT_TRUE(kept->add(0, outcome("a")));
    }
    fs::resize_file(file, fs::file_size(file) - 5);
    {
        auto kept = KeptPoints::open(file, "this", 2);
        ASSERT_TRUE(kept);
        EXPECT_FALSE(kept->known()[0]);
        ASSERT_TRUE(kept->add(1, outcome("b")));
    }
    auto kept = KeptPoints::open(file, "this", 2);
    ASSERT_TRUE(kept);
    EXPECT_FALSE(kept->known()[0]);
    EXPECT_TRUE(kept->known()[1]);
}

TEST_F(KeptPointsFile, OfAnotherSweepStaysAsItIs) {
    ASSERT_TRUE(KeptPoints::open(file, "this", 2));
    EXPECT_FALSE(KeptPoints::open(file, "that", 2));
    std::ofstream(file) << "a letter\n";
    EXPECT_FALSE(KeptPoints::open(file, "this", 2));
    EXPECT_EQ(fs::file_size(file), 9u);
}

}  // namespace
}  // namespace lockstep::sweep
