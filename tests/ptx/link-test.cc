#include "ptx/link.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ptx/parser.h"

namespace lockstep::ptx {
namespace {

Module linkable(const std::string& body) {
    auto module = parse(".version 8.0\n.target sm_90\n.address_size 64\n" + body, "test");
    EXPECT_TRUE(module) << module.error().to_string();
    return std::move(*module);
}

Result<Linked> linked(const std::vector<std::string>& bodies) {
    std::vector<Module> modules;
    for (const std::string& body : bodies) modules.push_back(linkable(body));
    return link(std::move(modules));
}

// The function that an entry of a text calls first.
const Function& callee(const Linked& all, std::size_t text, const std::string& caller) {
    const Function& function = all.module.functions[all.functions[text].at(caller)];
    for (const Instruction& inst : function.instructions)
        for (const Operand& operand : inst.operands)
            if (operand.kind == Operand::Kind::function) return all.module.functions[operand.id];
    ADD_FAILURE() << caller << " calls nothing";
    return function;
}

std::uint64_t first_value(const Linked& all, std::size_t text, const std::string& variable) {
    return all.module.variables[all.variables[text].at(variable)].init.at(0).bits;
}

const std::string uses = R"(
.extern .func f();
.extern .global .u32 v;
.visible .entry kernel() { .reg .b32 %r<2>; call f, (); ld.global.u32 %r1, [v]; ret; }
)";
const std::string defines = R"(
.visible .global .u32 other = 1;
.visible .global .u32 v = 42;
.visible .func f() { .reg .b32 %r<3>; ld.global.u32 %r1, [v]; ld.global.u32 %r2, [other]; ret; }
)";

TEST(Link, InEveryOrder) {
    for (const bool users_first : {true, false}) {
        auto all = linked(users_first ? std::vector{uses, defines} : std::vector{defines, uses});
        ASSERT_TRUE(all) << all.error().message;
        const std::size_t user = users_first ? 0 : 1;
        EXPECT_EQ(callee(*all, user, "kernel").name, "f");
        EXPECT_FALSE(callee(*all, user, "kernel").declaration);
        EXPECT_EQ(first_value(*all, user, "v"), 42u);
        EXPECT_EQ(all->module.functions.size(), 2u);
        EXPECT_EQ(all->module.variables.size(), 2u);
        // What the function itself refers to is its own text's.
        const Function& f = callee(*all, user, "kernel");
        std::vector<std::string> loads;
        for (const Instruction& inst : f.instructions)
            for (const Operand& operand : inst.operands)
                if (operand.kind == Operand::Kind::address)
                    loads.push_back(all->module.variables[operand.elements[0].id].name);
        EXPECT_EQ(loads, (std::vector<std::string>{"v", "other"}));
    }
}

TEST(Link, OneWeakDefinitionForAllAndAPlainOneBeforeThem) {
    const std::string weak =
        ".weak .global .u32 v = 1;\n.weak .func f() { ret; }\n"
        ".visible .entry kernel() { call f, (); ret; }\n";
    auto all = linked({weak, weak, ".visible .global .u32 v = 2;\n"});
    ASSERT_TRUE(all) << all.error().message;
    EXPECT_EQ(all->module.variables.size(), 1u);
    EXPECT_EQ(first_value(*all, 0, "v"), 2u);
    EXPECT_EQ(all->functions[0].at("f"), all->functions[1].at("f"));
    EXPECT_NE(all->functions[0].at("kernel"), all->functions[1].at("kernel"))
        << "kernels are each text's own";
}

TEST(Link, WhatIsStaticStaysApart) {
    const auto text = [](int value) {
        return ".global .u32 plain = " + std::to_string(value) +
               ";\n"
               // Compilers make these visible for the host's sake.
               ".visible .global .u32 _ZL5count = " +
               std::to_string(value) +
               ";\n.visible .global .u32 _ZN5spaceL5countE = " + std::to_string(value) +
               ";\n.visible .global .u32 _ZN12_GLOBAL__N_15countE = " + std::to_string(value) +
               ";\n.func f() { ret; }\n.visible .entry kernel() { call f, (); ret; }\n";
    };
    auto all = linked({text(1), text(2)});
    ASSERT_TRUE(all) << all.error().message;
    for (const char* name : {"plain", "_ZL5count", "_ZN5spaceL5countE", "_ZN12_GLOBAL__N_15countE"}) {
        EXPECT_EQ(first_value(*all, 0, name), 1u) << name;
        EXPECT_EQ(first_value(*all, 1, name), 2u) << name;
    }
    EXPECT_NE(&callee(*all, 0, "kernel"), &callee(*all, 1, "kernel"));
}

TEST(Link, TwoDefinitionsAreAnErrorWithTheNameInCpp) {
    const std::string f = ".visible .func _Z1ff() { ret; }\n", v = ".visible .const .u32 _ZN5space1vE = 1;\n";
    auto functions = linked({f, f});
    ASSERT_FALSE(functions);
    EXPECT_NE(functions.error().message.find("f(float) is defined twice"), std::string::npos);
    auto variables = linked({v, v});
    ASSERT_FALSE(variables);
    EXPECT_NE(variables.error().message.find("space::v is defined twice"), std::string::npos);
}

TEST(Link, DeclarationsThatDoNotFit) {
    const std::string f = ".visible .func (.param .b32 r) f(.param .b32 a) { ret; }\n";
    for (const char* declared :
         {".extern .func (.param .b32 r) f(.param .b32 a, .param .b32 b);\n",
          ".extern .func (.param .b32 r) f(.param .b64 a);\n", ".extern .func (.param .b32 r) f();\n",
          ".extern .func f(.param .b32 a);\n", ".extern .func (.param .b64 r) f(.param .b32 a);\n"}) {
        auto all = linked({declared, f});
        ASSERT_FALSE(all) << declared;
        EXPECT_NE(all.error().message.find("function f is declared with"), std::string::npos);
    }
    auto all = linked({".extern .const .u32 v;\n", ".visible .global .u32 v;\n"});
    ASSERT_FALSE(all);
    EXPECT_NE(all.error().message.find("__constant__ in one file and __device__ in another"),
              std::string::npos);
}

TEST(Link, WhatNobodyDefinesStaysDeclaredOnce) {
    auto all = linked({uses, uses});
    ASSERT_TRUE(all) << all.error().message;
    EXPECT_TRUE(callee(*all, 0, "kernel").declaration);
    EXPECT_EQ(all->functions[0].at("f"), all->functions[1].at("f"));
    EXPECT_EQ(all->module.variables.size(), 1u);
}

TEST(Link, Aliases) {
    auto all =
        linked({".visible .func g();\n.visible .func f() { ret; }\n.alias g, f;\n"
                ".visible .entry mine() { call g, (); ret; }\n",
                ".extern .func g();\n.visible .entry other() { call g, (); ret; }\n"});
    ASSERT_TRUE(all) << all.error().message;
    EXPECT_EQ(callee(*all, 0, "mine").name, "f");
    EXPECT_EQ(callee(*all, 1, "other").name, "f");
}

TEST(Link, InitialisersReferToTheirOwnText) {
    auto all =
        linked({".extern .func g();\n.visible .global .u32 t;\n.visible .global .u64 table[2] = {g, t};\n",
                ".visible .func unused() { ret; }\n.visible .func g() { ret; }\n"
                ".visible .global .u64 pointer = g;\n"});
    ASSERT_TRUE(all) << all.error().message;
    const auto& module = all->module;
    const auto& table = module.variables[all->variables[0].at("table")].init;
    EXPECT_EQ(module.functions[table.at(0).id].name, "g");
    EXPECT_EQ(module.variables[table.at(1).id].name, "t");
    EXPECT_EQ(module.functions[module.variables[all->variables[1].at("pointer")].init.at(0).id].name, "g");
}

TEST(Link, SharedMemory) {
    auto all = linked({".extern .shared .align 4 .b8 dynamic[];\n.shared .align 4 .b8 tile[16];\n",
                       ".extern .shared .align 16 .b8 dynamic[];\n.shared .align 4 .b8 tile[32];\n"});
    ASSERT_TRUE(all) << all.error().message;
    std::vector<std::string> names;
    for (const Variable& variable : all->module.variables) names.push_back(variable.name);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"dynamic", "tile", "tile.2"}));
    EXPECT_EQ(all->module.variables[all->variables[0].at("dynamic")].align(), 16u);
    EXPECT_EQ(all->module.variables[all->variables[1].at("tile")].size(), 32u);
}

TEST(Link, NothingAtAll) {
    auto all = link({});
    ASSERT_TRUE(all);
    EXPECT_TRUE(all->module.functions.empty());
    ASSERT_TRUE(linked({"", uses, ""}));
}

}  // namespace
}  // namespace lockstep::ptx
