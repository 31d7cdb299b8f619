#include "base/pattern.h"

#include <gtest/gtest.h>

namespace lockstep::base {
namespace {

TEST(Pattern, MatchesAllOrAPart) {
    const auto pattern = Pattern::create("sum.*<[0-9]+>");
    ASSERT_TRUE(pattern);
    EXPECT_TRUE(pattern->matches("sum_rows<16>"));
    EXPECT_FALSE(pattern->matches("void sum_rows<16>(float *)"));
    EXPECT_TRUE(pattern->found_in("void sum_rows<16>(float *)"));
    EXPECT_FALSE(pattern->found_in("product<16>"));
}

TEST(Pattern, WhatIsNoneHasAReason) {
    const auto pattern = Pattern::create("sum(");
    ASSERT_FALSE(pattern);
    EXPECT_FALSE(pattern.error().message.empty());
}

}  // namespace
}  // namespace lockstep::base
