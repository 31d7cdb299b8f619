#include <gtest/gtest.h>

#include "compile/diagnostics.h"

namespace lockstep::compile {
namespace {

const std::string narrowed_size =
    "a.hip:4:13: warning: implicit conversion loses integer precision: 'size_t' to 'int' "
    "[-Wshorten-64-to-32]\n"
    "    4 |     int i = n;\n";
const std::string narrowed_vote =
    "a.hip:3:18: warning: implicit conversion loses integer precision: 'unsigned long long' to 'unsigned "
    "int' "
    "[-Wshorten-64-to-32]\n"
    "    3 |     unsigned m = __ballot(p[0]);\n";
const std::string unrelated = "a.hip:9:1: warning: unused variable 'x' [-Wunused-variable]\n";

TEST(NarrowMasks, AreTold) {
    const std::string kept = only_narrow_masks(narrowed_size + narrowed_vote + unrelated, false);
    EXPECT_EQ(kept.find("size_t"), std::string::npos) << kept;
    EXPECT_NE(kept.find("a wavefront has 64 lanes"), std::string::npos) << kept;
    EXPECT_NE(kept.find("unused variable"), std::string::npos) << kept;
}

TEST(NarrowMasks, WhoAskedForTheWarningGetsAll) {
    EXPECT_NE(only_narrow_masks(narrowed_size + narrowed_vote, true).find("size_t"), std::string::npos);
    EXPECT_EQ(only_narrow_masks(narrowed_size, true), narrowed_size);
}

}  // namespace
}  // namespace lockstep::compile
