#include "ptx/kernel-memory.h"

#include <gtest/gtest.h>

#include "ptx/link.h"
#include "ptx/parser.h"

namespace lockstep::ptx {
namespace {

Module module_of(const std::string& body) {
    auto module = parse(".version 8.0\n.target sm_90\n.address_size 64\n" + body, "test");
    EXPECT_TRUE(module) << module.error().to_string();
    return std::move(*module);
}

std::uint32_t index_of(const Module& module, const std::string& name) {
    for (std::uint32_t f = 0; f < module.functions.size(); ++f)
        if (module.functions[f].name == name) return f;
    ADD_FAILURE() << name;
    return 0;
}

KernelMemory memory_of(const Module& module, const std::string& kernel) {
    return kernel_memory(module, index_of(module, kernel), address_taken(module));
}

const char* const program = R"(
.shared .align 4 .b8 a[6];
.shared .align 8 .b8 b[8];
.extern .shared .align 16 .b8 rest[];
.func helper() { .reg .b64 %r<2>; mov.u64 %r1, b; ret; }
.visible .entry reaches() .maxntid 128, 2, 1 {
    .reg .b64 %r<2>;
    .local .align 4 .b8 frame[10];
    mov.u64 %r1, a;
    call helper, ();
    ret;
}
.visible .entry dynamic() { .reg .b64 %r<3>; mov.u64 %r1, rest; mov.u64 %r2, a; ret; }
.visible .entry none() { ret; }
)";

TEST(KernelMemory, CountsWhatTheKernelReaches) {
    const Module module = module_of(program);
    const KernelMemory memory = memory_of(module, "reaches");
    EXPECT_EQ(memory.static_shared_bytes, 16u);  // a, padding, b
    EXPECT_EQ(memory.shared_offsets.at("b"), 8u);
    EXPECT_FALSE(memory.dynamic_shared);
    EXPECT_EQ(memory.local_bytes, 10u);
    EXPECT_EQ(max_threads_per_block(module.functions[index_of(module, "reaches")]), 256u);
}

TEST(KernelMemory, DynamicArraysLieBehindTheOthers) {
    const KernelMemory memory = memory_of(module_of(program), "dynamic");
    EXPECT_EQ(memory.static_shared_bytes, 6u);
    EXPECT_TRUE(memory.dynamic_shared);
    EXPECT_EQ(memory.shared_offsets.at("rest"), 16u);
}

TEST(KernelMemory, VariablesOfOneNameInDifferentFunctionsAreDifferent) {
    const std::string text = R"(
.func one() { .shared .align 4 .b8 s[12]; .reg .b64 %r<2>; mov.u64 %r1, s; ret; }
.func two() { .shared .align 8 .b8 s[8]; .reg .b64 %r<2>; mov.u64 %r1, s; ret; }
.visible .entry k() { call one, (); call two, (); ret; }
)";
    EXPECT_EQ(memory_of(module_of(text), "k").static_shared_bytes, 24u);

    std::vector<Module> inputs;
    inputs.push_back(module_of(text));
    auto linked = link(std::move(inputs));
    ASSERT_TRUE(linked) << linked.error().to_string();
    const KernelMemory memory = memory_of(linked->module, "k");
    EXPECT_EQ(memory.static_shared_bytes, 24u);
    EXPECT_EQ(memory.shared_offsets.size(), 2u);
}

TEST(KernelMemory, NothingDeclared) {
    const Module module = module_of(program);
    const KernelMemory memory = memory_of(module, "none");
    EXPECT_EQ(memory.static_shared_bytes, 0u);
    EXPECT_EQ(memory.local_bytes, 0u);
    EXPECT_EQ(max_threads_per_block(module.functions[index_of(module, "none")]), 0u);
}

}  // namespace
}  // namespace lockstep::ptx
