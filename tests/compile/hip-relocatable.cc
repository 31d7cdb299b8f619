#include "compile/hip-relocatable.h"

#include <gtest/gtest.h>

#include "compile/hip-undefined.h"

namespace lockstep::compile {
namespace {

constexpr const char* ir = R"(
@counter = external protected addrspace(1) global i32, align 4
@_ZL3own = external local_unnamed_addr addrspace(1) global i32, align 4
@_ZL3own.static.a8b6 = addrspace(1) externally_initialized global i32 1, align 4
@_ZL3owner = internal addrspace(1) global i32 0
@tile = external addrspace(3) global [0 x i32], align 4
@"odd name" = weak_odr hidden addrspace(4) constant [1 x ptr] [ptr @_ZL3own], align 8
@__hip_cuid_a8b6 = addrspace(1) global i8 0
@llvm.compiler.used = appending addrspace(1) global [1 x ptr] [ptr @__hip_cuid_a8b6], section "llvm.metadata"
define protected amdgpu_kernel void @_Z5applyPi(ptr addrspace(1) %0) !dbg !11 {
  %1 = load i32, ptr addrspace(1) @_ZL3own, align 4
  %2 = load i32, ptr addrspace(1) @_ZL3owner, align 4
}
declare !dbg !27 hidden noundef i32 @_Z9transformi(i32 noundef) local_unnamed_addr #3
declare noundef i32 @llvm.amdgcn.workitem.id.x() #4
define hidden noundef i32 @_Z5twicei(i32 noundef %0) #2 {
define linkonce_odr hidden i32 @_Z5blendIiET_S0_S0_(i32 %0) #2 {
define internal i32 @_ZL5locali(i32 %0) #2 {
)";

std::vector<std::string> names(const DeviceSymbols& symbols, bool weak, bool variable) {
    std::vector<std::string> found;
    for (const auto& one : symbols.definitions)
        if (one.weak == weak && one.variable == variable) found.push_back(one.name);
    return found;
}

TEST(HipRelocatable, WhatFilesShare) {
    const DeviceSymbols symbols = ir_symbols(ir);
    using Names = std::vector<std::string>;
    EXPECT_EQ(symbols.references, (Names{"counter", "_ZL3own", "_Z9transformi"}));
    EXPECT_EQ(names(symbols, false, false), (Names{"_Z5twicei"}));
    EXPECT_EQ(names(symbols, true, false), (Names{"_Z5blendIiET_S0_S0_"}));
    EXPECT_EQ(names(symbols, false, true), (Names{"_ZL3own.static.a8b6"}));
    EXPECT_EQ(names(symbols, true, true), (Names{"odd name"}));
}

TEST(HipRelocatable, AVariableThatClangNamedAnew) {
    const std::string changed = with_late_names(ir);
    EXPECT_EQ(changed.find("@_ZL3own ="), std::string::npos);
    EXPECT_NE(changed.find("ptr addrspace(1) @_ZL3own.static.a8b6, align"), std::string::npos);
    EXPECT_NE(changed.find("[ptr @_ZL3own.static.a8b6]"), std::string::npos);
    EXPECT_NE(changed.find("ptr addrspace(1) @_ZL3owner, align"), std::string::npos);
    EXPECT_EQ(with_late_names(changed), changed);
}

TEST(HipRelocatable, WhatAFileAloneLacks) {
    const std::string text = undefined_device_names(
        "_Z1kPf:\n\t.file\t1 \"/folder\" \"a.hip\" md5 0x1\n\t.loc\t1 7 3 is_stmt 0\n"
        "\ts_add_u32 s0, s0, _ZN5space7missingEf@gotpcrel32@lo+4\n\ts_add_u32 s0, s0, here@rel32@lo+4\n"
        "\ts_add_u32 s0, s0, other@rel32@lo+4\nhere:\n\t.set other, here\n",
        "a.hip");
    EXPECT_TRUE(text.starts_with("a.hip:7: error: space::missing(float) is used in device code")) << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
}

TEST(HipRelocatable, LinkersThatNeedTheDeviceCodeLinked) {
    EXPECT_TRUE(wants_device_link("a.hip:(.text+0x4): undefined reference to `__hip_gpubin_handle'"));
    EXPECT_FALSE(wants_device_link("undefined reference to `foo'"));
}

}  // namespace
}  // namespace lockstep::compile
