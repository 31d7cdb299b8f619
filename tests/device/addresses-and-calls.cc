// What the device compiler makes of addresses, of loads and stores that may meet, and of functions that are
// called once.
#include "compile-module.h"

namespace lockstep::device {
namespace {

// out[`index register` + 1024] = 1
std::string store_at(const std::string& index_register) {
    return "define void @k(ptr %out) {\n  %index = call i32 @llvm.nvvm.read.ptx.sreg." + index_register +
           R"(()
  %sum = add i32 %index, 1024
  %wide = zext i32 %sum to i64
  %at = getelementptr i32, ptr %out, i64 %wide
  store i32 1, ptr %at
  ret void
}
)";
}

TEST(Addresses, AConstantBesideAThreadsIndexIsPartOfTheAccess) {
    const std::string ptx = compile_module(store_at("tid.x"));
    EXPECT_NE(ptx.find("+4096]"), std::string::npos) << ptx;
    // A block's index may be so large that the sum wraps.
    const std::string of_block = compile_module(store_at("ctaid.x"));
    EXPECT_EQ(of_block.find("+4096]"), std::string::npos) << of_block;
}

TEST(Addresses, AConditionOnAThreadsIndexStays) {
    const std::string ptx = compile_module(R"(define void @k(ptr %out) {
  %index = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %less = icmp ult i32 %index, 2048
  br i1 %less, label %yes, label %no
yes:
  store i32 1, ptr %out
  br label %no
no:
  ret void
}
)");
    EXPECT_NE(ptx.find("setp"), std::string::npos) << ptx;
}

// %value = a[i + `constant`], all but the name of which is `name`'s own
std::string load(const std::string& name, int constant) {
    return "  %" + name + "i = add nsw i32 %i, " + std::to_string(constant) + "\n  %" + name +
           "w = sext i32 %" + name + "i to i64\n  %" + name +
           "p = getelementptr inbounds float, ptr %a, i64 %" + name + "w\n  %" + name +
           " = load float, ptr %" + name + "p\n";
}

TEST(Addresses, OfElementsAtAConstantDistanceAreOne) {
    const std::string pair = compile_module("define void @k(ptr %a, ptr %out, i32 %i) {\n" + load("x", -1) +
                                            load("y", 1) + R"(  %sum = fadd float %x, %y
  store float %sum, ptr %out
  ret void
}
)");
    EXPECT_EQ(count(pair, "mul.wide.s32"), 1) << pair;
    EXPECT_EQ(count(pair, "+8]"), 1) << pair;
    // Also where neither load is on the way to the other.
    const std::string blocks = compile_module(
        "define void @k(ptr %a, ptr %out, i32 %i, i1 %c) {\n  br i1 %c, label %yes, label %no\nyes:\n" +
        load("x", -1) +
        "  store float %x, ptr %out\n  br label %no\nno:\n  br i1 %c, label %end, "
        "label %other\nother:\n" +
        load("y", 1) + "  store float %y, ptr %out\n  br label %end\nend:\n  ret void\n}\n");
    EXPECT_EQ(count(blocks, "mul.wide.s32"), 1) << blocks;
}

TEST(Addresses, AnIndexKeepsANegativeConstant) {
    const std::string ptx = compile_module("define void @k(ptr %a, ptr %out, i32 %i) {\n" + load("x", -1) +
                                           "  store float %x, ptr %out\n  ret void\n}\n");
    EXPECT_EQ(count(ptx, ", -1;"), 1) << ptx;
}

TEST(Memory, IsLoadedAgainBehindAnyStore) {
    const std::string typed = compile_module(R"(define void @k(ptr %a, ptr %b, ptr %out) {
  %x = load float, ptr %a, !tbaa !1
  store i32 1, ptr %b, !tbaa !3
  %y = load float, ptr %a, !tbaa !1
  %sum = fadd float %x, %y
  store float %sum, ptr %out, !tbaa !1
  ret void
}
!1 = !{!2, !2, i64 0}
!2 = !{!"float", !5, i64 0}
!3 = !{!4, !4, i64 0}
!4 = !{!"int", !5, i64 0}
!5 = !{!"root"}
)");
    EXPECT_EQ(count(typed, "ld.global"), 2) << typed;
    const std::string copied = compile_module(R"(define void @k(ptr %a, ptr %b, ptr %out) {
  %x = load float, ptr %a
  store float %x, ptr %b
  %y = load float, ptr %a
  store float %y, ptr %out
  ret void
}
)");
    EXPECT_EQ(count(copied, "ld.global"), 2) << copied;
}

TEST(Memory, StoresOfBothSidesOfABranchStayThere) {
    const std::string ptx = compile_module(R"(define void @k(ptr %a, ptr %b, i32 %x, i32 %y, i1 %c) {
  br i1 %c, label %yes, label %no
yes:
  store i32 %x, ptr %a
  br label %end
no:
  store i32 %y, ptr %b
  br label %end
end:
  ret void
}
)");
    EXPECT_EQ(count(ptx, "st.global"), 2) << ptx;
}

TEST(Memory, AtomicsOfBothSidesOfABranchStayThere) {
    const std::string ptx = compile_module(R"(define void @k(ptr %a, ptr %b, i32 %x, i1 %c) {
  br i1 %c, label %yes, label %no
yes:
  store i32 %x, ptr %b
  %first = atomicrmw xchg ptr %a, i32 0 monotonic
  br label %end
no:
  %second = atomicrmw xchg ptr %a, i32 0 monotonic
  br label %end
end:
  ret void
}
)");
    EXPECT_EQ(count(ptx, "atom"), 2) << ptx;
}

// if (c) *a = x; else *a = y; of a function, called `where` by a kernel.
std::string store_on_both_sides(const std::string& where) {
    return compile_module(R"(define void @f(ptr %a, i32 %x, i32 %y, i1 %c) {
  br i1 %c, label %yes, label %no
yes:
  %sum = mul i32 %x, 3
  store i32 %sum, ptr %a
  br label %end
no:
  %other = add i32 %y, 7
  store i32 %other, ptr %a
  br label %end
end:
  ret void
}
define void @k(ptr %a, ptr %b, i32 %x, i32 %y, i1 %c, i1 %d) {
)" + where + "\n}\n");
}

TEST(Memory, StoresOfBothSidesBecomeOneOnlyWhereTheSidesMeetAlone) {
    const std::string call = "  call void @f(ptr %a, i32 %x, i32 %y, i1 %c)\n";
    const std::string alone = store_on_both_sides(call + "  store i32 1, ptr %b\n  ret void");
    EXPECT_EQ(count(alone, "st.global"), 2) << alone;
    const std::string with_others =
        store_on_both_sides("  br i1 %d, label %calls, label %end\ncalls:\n" + call +
                            "  br label %end\nend:\n  store i32 1, ptr %b\n  ret void");
    EXPECT_EQ(count(with_others, "st.global"), 3) << with_others;
}

TEST(Memory, AStoreIsDeadOnlyInItsOwnBlock) {
    const std::string ptx = compile_module(R"(define void @k(ptr %a, i32 %x, i1 %c) {
  store i32 1, ptr %a
  store i32 2, ptr %a
  br i1 %c, label %yes, label %end
yes:
  call void asm sideeffect "bar.sync 0;", ""()
  br label %end
end:
  store i32 %x, ptr %a
  ret void
}
)");
    EXPECT_EQ(count(ptx, "st.global"), 2) << ptx;
}

// An `if` that needs a variable's address, and another behind it: neither has it made before the branch. What
// comes behind the first on every way to it takes it from there.
TEST(Memory, AVariablesAddressIsMadeWhereItIsNeededFirst) {
    const auto twice = [](const std::string& again) {
        return compile_module(R"(@s = internal addrspace(3) global [64 x i32] undef
define void @k(i32 %i, i32 %j, i1 %c) {
  br i1 %c, label %yes, label %no
yes:
  %at = getelementptr [64 x i32], ptr addrspace(3) @s, i32 0, i32 %i
  store volatile i32 1, ptr addrspace(3) %at
  br label %)" + again + R"(
no:
  ret void
then:
  call void asm sideeffect "bar.sync 0;", ""()
  br i1 %c, label %other, label %no
other:
  %there = getelementptr [64 x i32], ptr addrspace(3) @s, i32 0, i32 %j
  store volatile i32 2, ptr addrspace(3) %there
  ret void
}
)");
    };
    const std::string once = twice("then");
    EXPECT_EQ(count(once, ", s;"), 1) << once;
    EXPECT_LT(once.find("bra"), once.find(", s;")) << once;
}

// s[i] and p[i], where p points to s: one address, before the branch that only one of them lies behind.
TEST(Addresses, OfAnArrayAndOfAPointerToItAreOne) {
    const std::string ptx = compile_module(R"(@s = internal addrspace(3) global [64 x i32] undef
define void @k(i32 %i, i1 %c) {
  br i1 %c, label %yes, label %no
yes:
  %at = getelementptr [64 x i32], ptr addrspace(3) @s, i32 0, i32 %i
  store volatile i32 1, ptr addrspace(3) %at
  br label %no
no:
  call void asm sideeffect "bar.sync 0;", ""()
  %there = getelementptr i32, ptr addrspace(3) @s, i32 %i
  store volatile i32 2, ptr addrspace(3) %there
  ret void
}
)");
    EXPECT_EQ(count(ptx, "shl.b32"), 1) << ptx;
    EXPECT_LT(ptx.find("shl.b32"), ptx.find("bra")) << ptx;
}

// A byte that only one side of a branch needs is loaded there.
TEST(Memory, IsLoadedWhereItIsNeeded) {
    const std::string ptx = compile_module(R"(define void @k(ptr %a, ptr %out, i1 %c) {
  %byte = load i8, ptr %a
  %wide = zext i8 %byte to i32
  br i1 %c, label %yes, label %no
yes:
  store i32 %wide, ptr %out
  br label %no
no:
  ret void
}
)");
    EXPECT_LT(ptx.find("bra"), ptx.find("ld.global.u8")) << ptx;
}

// What only one side needs is computed there; what comes behind both, there.
// c = cols[i]; if (c >= 0) *out = x[c], with `cols` a parameter of nvcc's `const __restrict__` kind or
// another.
std::string gather(const std::string& kind) {
    return compile_module("define void @k(ptr " + kind + R"( %cols, ptr %x, ptr %out) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %i to i64
  %place = getelementptr inbounds i32, ptr %cols, i64 %wide
  %c = load i32, ptr %place
  %less = icmp slt i32 %c, 0
  br i1 %less, label %done, label %load
load:
  %index = sext i32 %c to i64
  %element = getelementptr inbounds i32, ptr %x, i64 %index
  %value = load i32, ptr %element
  store i32 %value, ptr %out
  br label %done
done:
  ret void
}
)");
}

TEST(Values, OfTheTextureCacheAreExtendedWhereTheyAreNeeded) {
    const std::string cached = gather("noalias readonly");
    EXPECT_EQ(count(cached, "ld.global.nc.u32"), 1) << cached;
    EXPECT_EQ(count(cached, "mul.wide"), 2) << cached;
    EXPECT_EQ(count(cached, "setp.lt.s32"), 1) << cached;
    EXPECT_EQ(count(gather(""), "ld.global.s32"), 1) << gather("");
}

TEST(Values, AreComputedWhereTheyAreNeeded) {
    const std::string ptx = compile_module(R"(define void @k(ptr %a, ptr %out, i32 %x, i32 %y, i1 %c) {
  %product = mul i32 %x, %y
  %sum = add i32 %x, %y
  br i1 %c, label %yes, label %no
yes:
  store i32 %product, ptr %out
  br label %no
no:
  store i32 %sum, ptr %a
  ret void
}
)");
    EXPECT_LT(ptx.find("bra"), ptx.find("mul.lo.s32")) << ptx;
    EXPECT_LT(ptx.find("mul.lo.s32"), ptx.find("add.s32")) << ptx;
}

// An int in an array of bytes is one access: the cast says that it is aligned. A packed struct's is not.
TEST(Memory, HasTheAlignmentOfTheTypeThatAPointerIsCastTo) {
    const auto store = [](const std::string& type, const std::string& indices) {
        return compile_module("@s = internal addrspace(3) global " + type + " undef, align 1\n" + R"(
define void @k(i32 %x, i64 %i) {
  %p = getelementptr inbounds )" +
                              type + ", ptr addrspacecast (ptr addrspace(3) @s to ptr), i64 0, " + indices +
                              R"(
  store volatile i32 %x, ptr %p, align 1
  ret void
}
)");
    };
    const std::string bytes = store("[256 x i8]", "i64 %i");
    EXPECT_EQ(count(bytes, "st.volatile.shared.u32"), 1) << bytes;
    const std::string packed = store("<{ i8, i32 }>", "i32 1");
    EXPECT_EQ(count(packed, "st.volatile.shared.u32"), 0) << packed;
}

// a = x * y behind the branch, and again behind another.
TEST(Values, ThatSeveralBlocksNeedAreComputedBeforeTheBranch) {
    const std::string ptx = compile_module(R"(define void @k(ptr %a, ptr %b, i32 %x, i32 %y, i1 %c, i1 %d) {
  %product = mul i32 %x, %y
  br i1 %c, label %yes, label %no
yes:
  store volatile i32 1, ptr %b
  br label %no
no:
  store volatile i32 %product, ptr %a
  br i1 %d, label %again, label %end
again:
  store volatile i32 %product, ptr %b
  br label %end
end:
  ret void
}
)");
    EXPECT_LT(ptx.find("mul.lo.s32"), ptx.find("bra")) << ptx;
}

TEST(Values, OfBoolAreComparedAsBytes) {
    const std::string ptx = compile_module(R"(define void @k(ptr %a, ptr %out) {
  %byte = load i8, ptr %a, !range !1
  %c = trunc i8 %byte to i1
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %out
  br label %no
no:
  ret void
}
!1 = !{i8 0, i8 2}
)");
    EXPECT_EQ(count(ptx, "and.b16"), 0) << ptx;
    EXPECT_EQ(count(ptx, "bra"), 1) << ptx;
}

// Behind `x == 0`, a[x] is a[0].
TEST(Memory, AnIndexThatABranchKnowsIsAConstant) {
    const std::string ptx = compile_module(R"(define void @k(ptr %a, i32 %x, float %f) {
  %i = zext i32 %x to i64
  %p = getelementptr inbounds float, ptr %a, i64 %i
  store float %f, ptr %p
  %c = icmp eq i32 %x, 0
  br i1 %c, label %yes, label %no
yes:
  %j = zext i32 %x to i64
  %q = getelementptr inbounds float, ptr %a, i64 %j
  store float 2.0, ptr %q
  br label %no
no:
  ret void
}
)");
    const auto address = [&](std::size_t from) {
        const std::size_t at = ptx.find('[', ptx.find("st.global", from));
        return ptx.substr(at, ptx.find(']', at) - at);
    };
    EXPECT_NE(address(0), address(ptx.find("bra"))) << ptx;
}

// A load is spared where one of the ways to it stores the value and the other can load it.
TEST(Memory, IsLoadedOnlyOnTheWayThatDoesNotKnowIt) {
    const std::string ptx = compile_module(R"(define void @k(ptr %a, ptr %out, float %f, i1 %c) {
  br i1 %c, label %yes, label %no
yes:
  store float %f, ptr %a
  br label %end
no:
  store float 1.0, ptr %out
  br label %end
end:
  %x = load float, ptr %a
  store float %x, ptr %out
  ret void
}
)");
    EXPECT_EQ(count(ptx, "ld.global"), 1) << ptx;
    EXPECT_LT(ptx.find("ld.global"), ptx.rfind("$L__BB")) << ptx;
}

// `float4 v = a[0]`, then `body`, then a[0] = v, as clang writes it.
std::string copy_of_vector(const std::string& body) {
    return "define void @k(ptr %a, ptr %out, float %z) {\n  %v = alloca <{ float, float, float, float }>, "
           "align 16\n"
           "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %v, ptr align 16 %a, i64 16, i1 false), "
           "!tbaa.struct !1\n"
           "  %y = getelementptr inbounds i8, ptr %v, i64 4\n  %w = getelementptr inbounds i8, ptr %v, i64 "
           "12\n" +
           body + R"(
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
!1 = !{i64 0, i64 4, !2, i64 4, i64 4, !2, i64 8, i64 4, !2, i64 12, i64 4, !2}
!2 = !{!3, !3, i64 0}
!3 = !{!"float", !4, i64 0}
!4 = !{!"root"}
)";
}

TEST(Memory, AnAlignedStructIsLoadedAndStoredAsAVector) {
    const std::string two = compile_module(copy_of_vector(R"(
  %b = load float, ptr %y
  %d = load float, ptr %w
  %sum = fadd float %b, %d
  store float %sum, ptr %out)"));
    EXPECT_EQ(count(two, "ld.global.v4"), 1) << two;
    EXPECT_EQ(count(two, "ld.global"), 1) << two;
    const std::string one = compile_module(copy_of_vector(R"(
  %b = load float, ptr %y
  store float %b, ptr %out)"));
    EXPECT_EQ(count(one, "ld.global.f32"), 1) << one;
    // What has not changed is written back with what has, and nothing if nothing has.
    const std::string back =
        "\n  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %a, ptr align 16 %v, i64 16, i1 false), "
        "!tbaa.struct !1";
    const std::string changed = compile_module(copy_of_vector(
        "  %b = load float, ptr %y\n  %t = fadd float %b, %z\n  store float %t, ptr %y" + back));
    EXPECT_EQ(count(changed, "ld.global.v4"), 1) << changed;
    EXPECT_EQ(count(changed, "st.global.v4"), 1) << changed;
    const std::string same = compile_module(copy_of_vector(back));
    EXPECT_EQ(count(same, "global"), 0) << same;
}

// a[0] and a[2] of what is aligned as four are loaded with what lies between; a[1] and a[2] are not.
TEST(Memory, LoadsOfAVectorMayHaveGaps) {
    const auto loads = [](const std::string& first, const std::string& alignment, const std::string& second) {
        return compile_module(
            "define void @k(ptr %a, ptr %out) {\n  %p = getelementptr inbounds i8, ptr %a, i64 " + first +
            "\n  %q = getelementptr inbounds i8, ptr %a, i64 " + second +
            "\n  %x = load float, ptr %p, align " + alignment + R"(
  %y = load float, ptr %q, align 4
  %sum = fadd float %x, %y
  store float %sum, ptr %out
  ret void
}
)");
    };
    EXPECT_EQ(count(loads("0", "16", "8"), "ld.global.v4"), 1);
    EXPECT_EQ(count(loads("0", "4", "8"), "ld.global.f32"), 2);
    EXPECT_EQ(count(loads("4", "4", "8"), "ld.global.f32"), 2);
}

// while (true) { x = load volatile p; if (x == 7) { *out = x; return; } }
TEST(Branches, AReturnLeavesTheLoopFromWhereItStands) {
    const std::string ptx = compile_module(R"(define void @k(ptr %p, ptr %out) {
  br label %loop
loop:
  %n = phi i32 [ 0, %0 ], [ %next, %latch ]
  %x = load volatile i32, ptr %p
  %found = icmp eq i32 %x, 7
  br i1 %found, label %yes, label %no
yes:
  store i32 %n, ptr %out
  br label %latch
no:
  %more = add i32 %n, 1
  br label %latch
latch:
  %next = phi i32 [ %n, %yes ], [ %more, %no ]
  br i1 %found, label %end, label %loop
end:
  ret void
}
)");
    EXPECT_EQ(count(ptx, "setp"), 1) << ptx;
    EXPECT_LE(count(ptx, "bra"), 2) << ptx;
}

TEST(Memory, OfAWarpsMatrixIsWhereItsAddressLeads) {
    // wmma::load_matrix_sync(a, &tile[16 * i], 16)
    const std::string ptx =
        compile_module(R"(@tile = internal addrspace(3) global [1024 x i16] undef, align 32
define void @k(ptr %out, i32 %i) {
  %row = shl nsw i32 %i, 4
  %wide = sext i32 %row to i64
  %place = getelementptr inbounds i16, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %wide
  %all = call {<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>}
             @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0(ptr %place, i32 16)
  %first = extractvalue {<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>,
                         <2 x half>} %all, 0
  store <2 x half> %first, ptr %out
  ret void
}
declare {<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>}
    @llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p0(ptr, i32)
)");
    EXPECT_EQ(count(ptx, ".shared.f16"), 1) << ptx;
    EXPECT_EQ(count(ptx, "cvta.shared"), 0) << ptx;
}

// Calls of a function of so many operations.
std::string calls(int size, int number, const std::vector<std::string>& options = {}) {
    std::string text = "define i32 @f(i32 %x0, i32 %y, i32 %z) {\n";
    for (int i = 0; i < size; ++i)
        text += "  %x" + std::to_string(i + 1) + (i % 2 ? " = mul i32 %x" : " = xor i32 %x") +
                std::to_string(i) + (i % 2 ? ", %y\n" : ", %z\n");
    text += "  ret i32 %x" + std::to_string(size) +
            "\n}\ndefine void @k(ptr %p, i32 %y, i32 %z) {\n  %r0 = add i32 %y, 1\n";
    for (int i = 0; i < number; ++i)
        text += "  %r" + std::to_string(i + 1) + " = call i32 @f(i32 %r" + std::to_string(i) +
                ", i32 %y, i32 %z)\n";
    return compile_module(text + "  store i32 %r" + std::to_string(number) + ", ptr %p\n  ret void\n}\n",
                          options);
}

TEST(Calls, AFunctionThatIsCalledOnceIsPartOfItsCaller) {
    EXPECT_EQ(count(calls(19000, 1), "call.uni"), 0);
    // Though another file may call it, too.
    EXPECT_EQ(count(calls(19000, 1, {"--relocatable"}), "call.uni"), 0);
    EXPECT_EQ(count(calls(24000, 1), "call.uni"), 1);
}

TEST(Calls, AreInlinedUpToTwentyThousandInstructions) {
    EXPECT_EQ(count(calls(6000, 3), "call.uni"), 0);
    EXPECT_EQ(count(calls(7000, 3), "call.uni"), 1);
}

}  // namespace
}  // namespace lockstep::device
