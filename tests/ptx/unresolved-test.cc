#include "ptx/unresolved.h"

#include <gtest/gtest.h>

#include "ptx/parser.h"

namespace lockstep::ptx {
namespace {

const std::string unresolved_head = ".version 7.0\n.target sm_52\n.address_size 64\n";

std::vector<std::string> names_missing(const std::string& body) {
    const auto module = parse(unresolved_head + body, "test");
    EXPECT_TRUE(module) << module.error().to_string();
    std::vector<std::string> names;
    for (const Unresolved& one :
         unresolved(*module, [](const std::string& name) { return name == "vprintf"; }))
        names.push_back((one.function ? "function " : "variable ") + one.name);
    return names;
}

TEST(Unresolved, IsWhatIsUsedAndNotDefined) {
    EXPECT_EQ(
        names_missing(".extern .func gone();\n.extern .global .u32 lost;\n"
                      ".visible .entry k() { .reg .u32 x; ld.global.u32 x, [lost]; call gone; ret; }\n"),
        (std::vector<std::string>{"function gone", "variable lost"}));
}

TEST(Unresolved, IsNotWhatNobodyUses) {
    EXPECT_TRUE(names_missing(".extern .func gone();\n.extern .global .u32 lost;\n"
                              ".visible .entry k() { ret; }\n")
                    .empty());
}

TEST(Unresolved, IsNotWhatIsDefinedLaterOrBySomebodyElse) {
    EXPECT_TRUE(
        names_missing(".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
                      ".extern .shared .align 4 .b8 room[];\n.func later();\n"
                      ".visible .entry k() { .reg .u32 x; ld.shared.u32 x, [room]; call later; ret; }\n"
                      ".func later() { ret; }\n")
            .empty());
}

TEST(Unresolved, IsWhatAnInitialiserNames) {
    EXPECT_EQ(names_missing(".extern .global .u32 lost;\n.global .u64 pointer = generic(lost);\n"),
              (std::vector<std::string>{"variable lost"}));
}

}  // namespace
}  // namespace lockstep::ptx
