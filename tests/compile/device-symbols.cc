#include "compile/device-symbols.h"

#include <gtest/gtest.h>

#include "ptx/parser.h"

namespace lockstep::compile {
namespace {

ptx::Module module_with(const std::string& body) {
    auto module = ptx::parse(".version 8.0\n.target sm_90\n.address_size 64\n" + body, "a.cu");
    EXPECT_TRUE(module) << module.error().to_string();
    return std::move(*module);
}

TEST(DeviceSymbols, WhatOtherFilesMaySee) {
    const DeviceSymbols symbols = device_symbols(module_with(R"(
.extern .func needed();
.extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);
.extern .func (.param .b32 r) __nv_sinf(.param .b32 a);
.extern .global .u32 elsewhere;
.extern .shared .align 4 .b8 dynamic[];
.visible .global .u32 shown;
.weak .global .u32 inlined;
.visible .const .u32 _ZL6hidden;
.global .u32 local;
.visible .func f() { ret; }
.weak .func g() { ret; }
.func h() { ret; }
.visible .entry kernel() { ret; }
)"));
    std::string defined;
    for (const auto& definition : symbols.definitions)
        defined += definition.name + (definition.weak ? "? " : " ");
    EXPECT_EQ(defined, "f g? shown inlined? ");
    EXPECT_EQ(symbols.references, (std::vector<std::string>{"needed", "elsewhere"}));
}

TEST(DeviceSymbols, AFileAlone) {
    std::string text = ".version 8.0\n.extern .global .align 4 .u32 v;\n.extern .shared .b8 s[];\n";
    auto warnings = close_device_code(text, module_with(".extern .global .align 4 .u32 v;\n"), "a.cu");
    ASSERT_TRUE(warnings);
    EXPECT_NE(warnings->find("extern variable v is this file's own"), std::string::npos);
    EXPECT_EQ(text, ".version 8.0\n.global .align 4 .u32 v;\n.extern .shared .b8 s[];\n");
    for (const char* missing : {".extern .func _Z1fi();\n", ".extern .global .b8 _ZN1a1bE[];\n"})
        EXPECT_FALSE(close_device_code(text, module_with(missing), "a.cu"));
    EXPECT_TRUE(close_device_code(text, module_with(".extern .func (.param .b32 r) malloc();\n"), "a.cu"));
}

TEST(DeviceSymbols, MessagesOfLinkersInWords) {
    const std::string gnu =
        "/usr/bin/ld: a.o:(.lockstep.device+0x0): undefined reference to `f(float) [clone .device]'\n"
        "/usr/bin/ld: a.o:(.lockstep.device+0x4): undefined reference to `v.device'\n"
        "/usr/bin/ld: a.o: in function `main':\n"
        "a.cu:(.text+0x4): undefined reference to `host()'\n"
        "/usr/bin/ld: x: hidden symbol `_Z1ff.device' isn't defined\n";
    EXPECT_EQ(explain_device_symbols(gnu),
              "error: f(float) is used in device code, and no file defines it for the device\n"
              "error: v is used in device code, and no file defines it for the device\n"
              "/usr/bin/ld: a.o: in function `main':\n"
              "a.cu:(.text+0x4): undefined reference to `host()'\n");
    const std::string twice =
        "/usr/bin/ld: b.o: in function `f(float) [clone .device]':\n"
        "(.lockstep.device+0x0): multiple definition of `f(float) [clone .device]'; "
        "a.o:(.lockstep.device+0x0): first "
        "defined here\n";
    EXPECT_EQ(explain_device_symbols(twice), "error: f(float) is defined for the device in two files\n");
    const std::string lld =
        "ld.lld: error: undefined hidden symbol: f(float) (.device)\n>>> referenced by "
        "a.o:(.lockstep.device+0x0)\n"
        "ld.lld: error: undefined symbol: host()\n>>> referenced by a.cu\n";
    EXPECT_EQ(explain_device_symbols(lld),
              "error: f(float) is used in device code, and no file defines it for the device\n"
              "ld.lld: error: undefined symbol: host()\n>>> referenced by a.cu\n");
}

}  // namespace
}  // namespace lockstep::compile
