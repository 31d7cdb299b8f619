#include "session/launch-selection.h"

#include <gtest/gtest.h>

namespace lockstep::session {
namespace {

constexpr const char* scale = "_ZN2ns5scaleILi8EEEvPf";  // void ns::scale<8>(float *)
constexpr const char* copy = "_Z4copyPf";

TEST(LaunchSelection, ByName) {
    ProfileOptions options;
    options.kernels = "^scale$";
    EXPECT_FALSE(LaunchSelection(options).wants(scale, 1));
    options.names = KernelNames::function;
    EXPECT_TRUE(LaunchSelection(options).wants(scale, 1));
    options.kernels = "ILi8E";
    options.names = KernelNames::mangled;
    EXPECT_TRUE(LaunchSelection(options).wants(scale, 1));
    EXPECT_FALSE(LaunchSelection(options).wants(copy, 1));
}

TEST(LaunchSelection, ByNumber) {
    ProfileOptions options;
    options.kernels = "scale";
    options.skip_before = 2;
    options.skip = 1;
    options.count = 1;
    LaunchSelection selection(options);
    std::vector<bool> wanted;
    for (const char* kernel : {scale, copy, scale, copy, scale, scale})
        wanted.push_back(selection.wants(kernel, 1));
    EXPECT_EQ(wanted, (std::vector<bool>{false, false, false, false, true, false}));
}

TEST(LaunchSelection, ByInvocationAndStream) {
    ProfileOptions options;
    options.invocations = "2|4";
    options.streams = "13";
    LaunchSelection selection(options);
    EXPECT_FALSE(selection.wants(scale, 3));
    EXPECT_TRUE(selection.wants(scale, 3));  // the second one, in the first stream of the program's own
    EXPECT_FALSE(selection.wants(copy, 3));  // its first
    EXPECT_FALSE(selection.wants(scale, 3));
    EXPECT_FALSE(selection.wants(scale, 1));  // the fourth, in the default stream
}

}  // namespace
}  // namespace lockstep::session
