#include "kendall.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace lockstep::validation {
namespace {

double tau(const std::vector<double>& a, const std::vector<double>& b) { return kendall_tau(a, b); }

TEST(Kendall, SameAndOppositeOrder) {
    EXPECT_DOUBLE_EQ(tau({1, 2, 3, 4}, {10, 200, 3000, 40000}), 1);
    EXPECT_DOUBLE_EQ(tau({1, 2, 3, 4}, {4, 3, 2, 1}), -1);
}

// One of the six pairs is exchanged: (5 - 1) / 6.
TEST(Kendall, NeighboursExchanged) { EXPECT_DOUBLE_EQ(tau({1, 2, 3, 4}, {1, 3, 2, 4}), 4.0 / 6); }

// The order in which the things are listed does not matter.
TEST(Kendall, ListedInAnyOrder) { EXPECT_DOUBLE_EQ(tau({3, 1, 4, 2}, {2, 1, 4, 3}), 4.0 / 6); }

// Six pairs, of which the first list orders five and the second six; all five agree.
TEST(Kendall, Ties) {
    EXPECT_DOUBLE_EQ(tau({1, 1, 2, 3}, {1, 2, 3, 4}), 5 / std::sqrt(30.0));
    EXPECT_DOUBLE_EQ(tau({1, 1, 2}, {5, 5, 6}), 1);
}

TEST(Kendall, NothingToOrder) {
    EXPECT_DOUBLE_EQ(tau({}, {}), 0);
    EXPECT_DOUBLE_EQ(tau({1}, {1}), 0);
    EXPECT_DOUBLE_EQ(tau({1, 2, 3}, {7, 7, 7}), 0);
}

}  // namespace
}  // namespace lockstep::validation
