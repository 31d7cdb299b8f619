#include "timing/fit.h"

#include "base/figure-doc.h"

namespace lockstep::timing {
namespace {

TEST(Fit, IsDocumented) { expect_documented(fit::figures, "timing.md"); }

}  // namespace
}  // namespace lockstep::timing
