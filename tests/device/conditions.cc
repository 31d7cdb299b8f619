// What the device compiler makes of conditions, alone and in loops, and of pointers and bytes.
#include "compile-module.h"

namespace lockstep::device {
namespace {

// if (i < n && `operations` on x < y) *out = 1;
std::string condition(int operations, const std::string& operation = "fadd float") {
    std::string text = R"(define void @k(ptr %out, i32 %i, i32 %n, float %x, float %y) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %second, label %end
second:
)",
                x = "%x";
    for (int k = 0; k < operations; ++k) {
        const std::string result = "%x" + std::to_string(k);
        text += "  " + result + " = " + operation + " " + x + ", %y\n";
        x = result;
    }
    return text + "  %less = fcmp olt float " + x + R"(, %y
  br i1 %less, label %yes, label %end
yes:
  store i32 1, ptr %out
  br label %end
end:
  ret void
}
)";
}

TEST(Conditions, AreOneWhereTheSecondIsLittleWork) {
    EXPECT_EQ(count(compile_module(condition(4)), "bra"), 2) << compile_module(condition(4));  // and a jump
    EXPECT_EQ(count(compile_module(condition(4)), "and.pred"), 1);
    EXPECT_EQ(count(compile_module(condition(5)), "and.pred"), 0) << compile_module(condition(5));
    // A division is as much work as four others.
    EXPECT_EQ(count(compile_module(condition(1, "fdiv float")), "and.pred"), 1);
    EXPECT_EQ(count(compile_module(condition(2, "fdiv float")), "and.pred"), 0);
}

// for (k = 0; k < n; ++k) s = `condition` ? s + a[k] : s * b[k], as branches
std::string divided(const std::string& condition, const std::string& branch) {
    return R"(define void @k(ptr %a, ptr %b, ptr %out, i32 %n, i32 %c) {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  )" + condition +
           R"(
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %next ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %next ]
  %w = zext i32 %k to i64
  )" + branch +
           R"(
yes:
  %pa = getelementptr float, ptr %a, i64 %w
  %va = load float, ptr %pa
  %sa = fadd float %s, %va
  br label %next
no:
  %pb = getelementptr float, ptr %b, i64 %w
  %vb = load float, ptr %pb
  %sb = fmul float %s, %vb
  br label %next
next:
  %s.next = phi float [ %sa, %yes ], [ %sb, %no ]
  %k.next = add nsw i32 %k, 1
  %more = icmp slt i32 %k.next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !1
end:
  %result = phi float [ 0.0, %entry ], [ %s.next, %next ]
  store float %result, ptr %out
  ret void
}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.unroll.disable"}
)";
}

// Loops, by the branches that go back in the text.
int loops_in(const std::string& ptx) { return count(ptx, "nounroll"); }

TEST(Conditions, ThatALoopDoesNotChangeDivideItIfAllThreadsAgree) {
    const std::string branch = "br i1 %c1, label %yes, label %no";
    const std::string agreed = compile_module(divided("%c1 = icmp sgt i32 %c, 4", branch));
    EXPECT_EQ(loops_in(agreed), 2) << agreed;
    const std::string differs = compile_module(divided("%c1 = icmp sgt i32 %thread, 4", branch));
    EXPECT_EQ(loops_in(differs), 1) << differs;
    const std::string chosen =
        compile_module(divided("", "switch i32 %c, label %no [ i32 3, label %yes i32 7, label %yes ]"));
    EXPECT_EQ(loops_in(chosen), 1) << chosen;
}

// p = a + n; *out = p[i] + p[`second`]
std::string pointer(const std::string& second) {
    return R"(define void @k(ptr %a, ptr %out, i32 %n, i32 %i, i32 %j) {
  %nw = sext i32 %n to i64
  %iw = sext i32 %i to i64
  %jw = sext i32 %j to i64
  %p = getelementptr inbounds float, ptr %a, i64 %nw
  %p1 = getelementptr inbounds float, ptr %p, i64 %iw
  %p2 = getelementptr inbounds float, ptr %p, i64 )" +
           second + R"(
  %x = load float, ptr %p1
  %y = load float, ptr %p2
  %sum = fadd float %x, %y
  store float %sum, ptr %out
  ret void
}
)";
}

TEST(Pointers, ThatAreOnlyIndexedAreSumsOfIndices) {
    const std::string both = compile_module(pointer("%jw"));
    EXPECT_EQ(count(both, "shl.b64"), 2) << both;
    // One that is read through itself is made, and indexed.
    const std::string read = compile_module(pointer("0"));
    EXPECT_EQ(count(read, "shl.b64"), 0) << read;
    EXPECT_EQ(count(read, "mul.wide.s32"), 2) << read;
}

TEST(Pointers, OfAnIndexThatIsSignedAndNotNegativeAreOne) {
    const std::string ptx = compile_module(R"(define void @k(ptr %a, ptr %out, i32 %i, i32 %n) {
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %first, label %end
first:
  %iw = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %a, i64 %iw
  store float 1.0, ptr %p
  %positive = icmp sgt i32 %i, 3
  br i1 %positive, label %second, label %end
second:
  %u = zext nneg i32 %i to i64
  %q = getelementptr inbounds float, ptr %a, i64 %u
  %before = getelementptr inbounds i8, ptr %q, i64 -16
  %x = load float, ptr %before
  store float %x, ptr %out
  br label %end
end:
  ret void
}
)");
    EXPECT_EQ(count(ptx, "mul.wide"), 1) << ptx;
    EXPECT_EQ(count(ptx, "+-16]"), 1) << ptx;
}

TEST(Memory, OfFourBytesIsFourRegisters) {
    std::string module = "define void @k(ptr align 4 %in, ptr %out, ptr align 4 %bytes) {\n";
    for (const std::string i : {"0", "1", "2", "3"})
        module += "  %p" + i + " = getelementptr inbounds i8, ptr %in, i64 " + i + "\n  %b" + i +
                  " = load i8, ptr %p" + i + ", align " + (i == "0" ? "4" : "1") + "\n";
    module += "  %f = uitofp i8 %b1 to float\n  store float %f, ptr %out\n";
    for (const std::string i : {"0", "1", "2", "3"})
        module += "  %q" + i + " = getelementptr inbounds i8, ptr %bytes, i64 " + i + "\n  store i8 %b" +
                  std::to_string(3 - std::stoi(i)) + ", ptr %q" + i + ", align " + (i == "0" ? "4" : "1") +
                  "\n";
    const std::string ptx = compile_module(module + "  ret void\n}\n");
    EXPECT_EQ(count(ptx, "ld.global.v4.u8"), 1) << ptx;
    EXPECT_EQ(count(ptx, "st.global.v4.u8"), 1) << ptx;
    EXPECT_EQ(count(ptx, "bfe") + count(ptx, "bfi") + count(ptx, "255"), 0) << ptx;
    // A copy is of a word.
    const std::string copy = compile_module(R"(define void @k(ptr %in, ptr %out) {
  %v = load <4 x i8>, ptr %in, align 4
  store <4 x i8> %v, ptr %out, align 4
  ret void
}
)");
    EXPECT_EQ(count(copy, "v4.u8"), 0) << copy;
}

TEST(Memory, ThatALoopStartsWithIsLoadedBeforeTheBranch) {
    const std::string ptx = compile_module(R"(define void @k(ptr %a, ptr %b, ptr %out, i32 %n) {
entry:
  %start = load float, ptr %a
  %other = load float, ptr %b
  %leave = fcmp ogt float %other, 3.0
  br i1 %leave, label %end, label %head
head:
  %k = phi i32 [ 0, %entry ], [ %k.next, %body ]
  %x = phi float [ %start, %entry ], [ %x.next, %body ]
  %more = icmp slt i32 %k, %n
  br i1 %more, label %body, label %done
body:
  %x.next = fmul float %x, %x
  %k.next = add nsw i32 %k, 1
  br label %head
done:
  store float %x, ptr %out
  br label %end
end:
  ret void
}
)");
    EXPECT_LT(ptx.rfind("ld.global"), ptx.find("bra")) << ptx;
}

}  // namespace
}  // namespace lockstep::device
