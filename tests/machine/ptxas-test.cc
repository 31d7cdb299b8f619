// The figures of ptxas's, and what they must be for the rules to make sense.
#include "machine/ptxas.h"

#include "base/figure-doc.h"

namespace lockstep::machine {
namespace {

TEST(PtxasFigures, AreDocumented) { expect_documented(ptxas::figures, "machine-view.md"); }

TEST(PtxasFigures, AgreeWithEachOther) {
    EXPECT_GE(ptxas::predicate_limit_waiting, ptxas::predicate_limit);
    EXPECT_GE(ptxas::predicate_limit, ptxas::predicate_limit_uniform);
    EXPECT_LT(ptxas::full_sm_from, 1);
    EXPECT_GT(ptxas::full_sm_to, 1);
    EXPECT_GT(ptxas::expected_load, ptxas::expected_near_load);
    EXPECT_GT(ptxas::unroll_factor, 1u);
}

}  // namespace
}  // namespace lockstep::machine
