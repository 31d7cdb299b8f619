#include "base/range-pattern.h"

#include <gtest/gtest.h>

namespace lockstep::base {
namespace {

// "outer inner" pushed, "all math@sum" started.
bool matches(const std::string& text, const std::vector<OpenRange>& pushed,
             const std::vector<OpenRange>& started = {}) {
    auto pattern = RangePattern::create(text);
    EXPECT_TRUE(pattern) << text;
    return pattern && pattern->matches(pushed, started);
}

TEST(RangePattern, PushedRanges) {
    const std::vector<OpenRange> stack = {{"", "a"}, {"", "b"}, {"math", "x"}, {"", "c"}};
    for (const char* text : {"a/", "b/", "c/", "a/b", "b/c", "a/*/c", "a/*/b", "[a", "[a/b", "c]", "b/c]",
                             "[a/*/c]", "math@x/", "math@[x]", "regex:^[ab]$/", "a/regex:."})
        EXPECT_TRUE(matches(text, stack)) << text;
    for (const char* text :
         {"a", "d/", "b/a", "a/c", "[b", "b]", "x/", "math@a/", "other@x/", "[a/c]", "a/*/a"})
        EXPECT_FALSE(matches(text, stack)) << text;
    EXPECT_FALSE(matches("a/", {}));
}

TEST(RangePattern, StartedRanges) {
    const std::vector<OpenRange> started = {{"", "a"}, {"math", "x"}, {"", "b"}};
    for (const char* text : {"a", "b,a", "math@x", "regex:[ac]"})
        EXPECT_TRUE(matches(text, {}, started)) << text;
    for (const char* text : {"x", "a,c", "a/", "math@a"}) EXPECT_FALSE(matches(text, {}, started)) << text;
}

TEST(RangePattern, NamesWhatMakesNoSense) {
    EXPECT_EQ(RangePattern::create("a//b").error().message, "the name of a range is empty in 'a//b'");
    EXPECT_EQ(RangePattern::create("*/b").error().message,
              "'*' stands between two ranges only, not as in '*/b'");
    for (const char* text : {"", "/", "math@", "regex:(", "a,"})
        EXPECT_FALSE(RangePattern::create(text)) << text;
}

}  // namespace
}  // namespace lockstep::base
