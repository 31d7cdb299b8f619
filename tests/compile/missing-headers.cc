#include "compile/missing-headers.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

namespace lockstep::compile {
namespace {

TEST(MissingHeaders, NoneOfThemIsThere) {
    const std::filesystem::path include = std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "include";
    ASSERT_TRUE(std::filesystem::exists(include / "cuda_runtime.h"));
    for (const KnownHeader& known : known_headers())
        EXPECT_FALSE(std::filesystem::exists(include / known.name)) << known.name;
}

TEST(MissingHeaders, EachStandsOnceAndSaysSomething) {
    std::set<std::string_view> seen;
    for (const KnownHeader& known : known_headers()) {
        EXPECT_TRUE(seen.insert(known.name).second) << known.name;
        EXPECT_FALSE(known.what.empty()) << known.name;
        EXPECT_FALSE(known.advice.empty()) << known.name;
        EXPECT_EQ(known.name.substr(0, known.name.size() - 1).find('*'), std::string_view::npos)
            << known.name;
    }
}

TEST(MissingHeaders, NamesThePackage) {
    EXPECT_NE(explain_missing_header("thrust/sort.h").find("apt-get install libthrust-dev"),
              std::string::npos);
    EXPECT_NE(explain_missing_header("cub/cub.cuh").find("apt-get install libcub-dev"), std::string::npos);
}

TEST(MissingHeaders, OthersHeadersAreNotOurs) {
    EXPECT_EQ(explain_missing_header("mine.h"), "");
    EXPECT_EQ(explain_missing_header("cuda/mine.h"), "");
    EXPECT_EQ(explain_missing_header("helper_of_mine.h"), "");
}

TEST(MissingHeaders, FindsThemAmongMessages) {
    const std::string messages =
        "a.cu:1:10: fatal error: 'mine.h' file not found\n"
        "a.cu:2:10: \x1b[0;1;31mfatal error: \x1b[0m\x1b[1m'cudnn.h' file not found\x1b[0m\n"
        "b.cu:2:10: fatal error: 'cudnn.h' file not found\n";
    const std::string text = explain_missing_headers(messages);
    EXPECT_EQ(text.rfind("lockstep: #include <cudnn.h>: this is of cuDNN", 0), 0u) << text;
    EXPECT_EQ(text.find('\n'), text.size() - 1) << text;
    EXPECT_EQ(explain_missing_headers("' file not found"), "");
    EXPECT_EQ(explain_missing_headers(""), "");
}

}  // namespace
}  // namespace lockstep::compile
