#include "base/hash.h"

#include <gtest/gtest.h>

namespace lockstep::base {
namespace {

TEST(Hash, FieldsDoNotRunTogether) {
    EXPECT_NE(Hash().add("ab").add("c").hex(), Hash().add("a").add("bc").hex());
    EXPECT_EQ(Hash().add("x").hex(), Hash().add("x").hex());
    EXPECT_EQ(Hash().hex().size(), 32u);
}

}  // namespace
}  // namespace lockstep::base
