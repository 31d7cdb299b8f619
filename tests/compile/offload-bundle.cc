#include "compile/offload-bundle.h"

#include <gtest/gtest.h>

using namespace lockstep;
using namespace lockstep::compile;

namespace {

const std::vector<BundleEntry> two_entries = {{"gfx906", ".amdgcn_target \"six\""},
                                              {"gfx908:xnack-", ".amdgcn_target \"eight\""}};

TEST(OffloadBundle, IsReadAsItWasWritten) {
    const std::string bundle = write_offload_bundle(two_entries);
    EXPECT_TRUE(is_offload_bundle(bundle.data()));
    const auto read = read_offload_bundle(bundle.data(), bundle.size());
    ASSERT_TRUE(read) << read.error().to_string();
    ASSERT_EQ(read->size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ((*read)[i].target, two_entries[i].target);
        EXPECT_EQ((*read)[i].code, two_entries[i].code);
    }
}

TEST(OffloadBundle, ThatIsCutShortIsAnError) {
    const std::string bundle = write_offload_bundle(two_entries);
    for (const std::size_t size : {std::size_t{30}, std::size_t{60}, bundle.size() - 1})
        EXPECT_FALSE(read_offload_bundle(bundle.data(), size)) << size;
}

TEST(OffloadBundle, IsAskedForTheGpusTarget) {
    const auto right = code_for(two_entries, "gfx908", "this one");
    ASSERT_TRUE(right) << right.error().to_string();
    EXPECT_EQ(*right, two_entries[1].code);
    const auto none = code_for(two_entries, "gfx942", "this one");
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("is for gfx906, gfx908:xnack-, and not for this one: compile it with "
                                        "--offload-arch=gfx942"),
              std::string::npos)
        << none.error().message;
}

TEST(OffloadBundle, WithMachineCodeSaysWhatToDo) {
    const auto code = code_for({{"gfx908",
                                 "\x7f"
                                 "ELF…"}},
                               "gfx908", "it");
    ASSERT_FALSE(code);
    EXPECT_NE(code.error().message.find("lockstep hipcc"), std::string::npos);
}

}  // namespace
