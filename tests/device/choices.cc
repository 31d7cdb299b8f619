// What the device compiler makes of comparisons that choose, count and end loops.
#include "compile-module.h"

namespace lockstep::device {
namespace {

// for (i = n; `ends` does not hold; i = `half` of i) out[i] = i;
std::string halving(const std::string& ends, const std::string& half) {
    return compile_module(R"(define void @k(ptr %out, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ %n, %entry ], [ %next, %trip ]
  %ends = )" + ends + R"(
  br i1 %ends, label %done, label %trip
trip:
  %wide = sext i32 %i to i64
  %place = getelementptr inbounds i32, ptr %out, i64 %wide
  store i32 %i, ptr %place
  call void @llvm.nvvm.barrier0()
  %next = )" + half + R"(
  br label %head
done:
  ret void
}
declare void @llvm.nvvm.barrier0()
)");
}

TEST(Halving, KeepsTheSignUnlessABranchTells) {
    const std::string kept = halving("icmp eq i32 %i, 0", "sdiv i32 %i, 2");
    EXPECT_EQ(count(kept, "shr.s32"), 1) << kept;
    const std::string told = halving("icmp slt i32 %i, 1", "sdiv i32 %i, 2");
    EXPECT_EQ(count(told, "shr.s32"), 0) << told;
}

TEST(Halving, ComparesTheHalf) {
    for (const char* half : {"lshr i32 %i, 1", "sdiv i32 %i, 2"}) {
        const std::string ptx = halving("icmp slt i32 %i, 1", half);
        EXPECT_EQ(count(ptx, "setp.ne.s32"), 1) << ptx;
        EXPECT_EQ(count(ptx, "shr.u32"), 1) << ptx;
    }
}

TEST(Searches, EndBelowTheirLimit) {
    // while (i < n && x[i] != v) ++i;
    const std::string ptx = compile_module(R"(define void @k(ptr %x, ptr %out, i32 %n, i32 %v) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %trip ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %look, label %done
look:
  %wide = sext i32 %i to i64
  %place = getelementptr inbounds i32, ptr %x, i64 %wide
  %value = load i32, ptr %place
  %found = icmp eq i32 %value, %v
  br i1 %found, label %done, label %trip
trip:
  %next = add nsw i32 %i, 1
  br label %head
done:
  store i32 %i, ptr %out
  ret void
}
)");
    EXPECT_EQ(count(ptx, "setp.lt.s32"), 2) << ptx;  // before the first trip, and behind each
    EXPECT_EQ(count(ptx, "setp.ne.s32"), 0) << ptx;
}

TEST(Remainders, DoNotStepInSixtyFourBits) {
    // for (i = 0; i < n; ++i) out[i] = x[i % 5];
    const std::string ptx = compile_module(R"(define void @k(ptr %x, ptr %out, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %trip ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %trip, label %done
trip:
  %rest = srem i32 %i, 5
  %wide = sext i32 %rest to i64
  %place = getelementptr inbounds i32, ptr %x, i64 %wide
  %value = load i32, ptr %place
  %wide.2 = sext i32 %i to i64
  %place.2 = getelementptr inbounds i32, ptr %out, i64 %wide.2
  store i32 %value, ptr %place.2
  %next = add nsw i32 %i, 1
  br label %head
done:
  ret void
}
)");
    EXPECT_EQ(count(ptx, "mul.hi.u64") + count(ptx, "rem.u64"), 0) << ptx;
    EXPECT_GT(count(ptx, "mul.hi.u32"), 0) << ptx;
}

TEST(Comparisons, AreMadeWhereTheyAreNeededFirst) {
    // if (i < n) a[i] = 1;  __syncthreads();  if (i < n) b[i] = 2;
    const std::string ptx = compile_module(R"(define void @k(ptr %a, ptr %b, i32 %n) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %less = icmp slt i32 %i, %n
  %wide = sext i32 %i to i64
  call void @llvm.nvvm.barrier0()
  br label %start
start:
  br i1 %less, label %first, label %between
first:
  %place = getelementptr inbounds i32, ptr %a, i64 %wide
  store i32 1, ptr %place
  br label %between
between:
  call void @llvm.nvvm.barrier0()
  br i1 %less, label %second, label %done
second:
  %place.2 = getelementptr inbounds i32, ptr %b, i64 %wide
  store i32 2, ptr %place.2
  br label %done
done:
  ret void
}
declare void @llvm.nvvm.barrier0()
)");
    EXPECT_EQ(count(ptx, "setp"), 1) << ptx;
}

// out = a < b ? a : b, and the comparison in a sum perhaps
std::string least(bool is_counted) {
    return compile_module(R"(define void @k(ptr %out, i32 %a, i32 %b) {
  %less = icmp slt i32 %a, %b
  %least = select i1 %less, i32 %a, i32 %b
  %one = zext i1 %less to i32
  %sum = add i32 %least, )" +
                          std::string(is_counted ? "%one" : "%a") + R"(
  store i32 %sum, ptr %out
  ret void
}
)");
}

// k == 0 ? a : k == 1 ? b : a * b, and a switch.
TEST(Comparisons, WithConstantsChooseAndAreASwitchOnlyInTheSource) {
    // Each choice meets before the one around it does.
    const std::string choices = compile_module(R"(define void @k(ptr %out, i32 %k, i32 %a, i32 %b) {
entry:
  %is.zero = icmp eq i32 %k, 0
  br i1 %is.zero, label %zero, label %not.zero
zero:
  br label %end
not.zero:
  %is.one = icmp eq i32 %k, 1
  br i1 %is.one, label %one, label %not.one
one:
  br label %inner
not.one:
  %product = mul i32 %a, %b
  br label %inner
inner:
  %within = phi i32 [ %b, %one ], [ %product, %not.one ]
  br label %end
end:
  %chosen = phi i32 [ %a, %zero ], [ %within, %inner ]
  store i32 %chosen, ptr %out
  ret void
}
)");
    EXPECT_EQ(count(choices, "selp"), 2) << choices;
    EXPECT_EQ(count(choices, "bra"), 0) << choices;
    const std::string source = compile_module(R"(define void @k(ptr %out, i32 %k, i32 %a, i32 %b) {
entry:
  switch i32 %k, label %other [ i32 0, label %zero  i32 1, label %one  i32 2, label %two ]
zero:
  br label %end
one:
  br label %end
two:
  %product = mul i32 %a, %b
  br label %end
other:
  br label %end
end:
  %chosen = phi i32 [ %a, %zero ], [ %b, %one ], [ %product, %two ], [ %k, %other ]
  store i32 %chosen, ptr %out
  ret void
}
)");
    EXPECT_EQ(count(source, "selp"), 0) << source;
    EXPECT_GT(count(source, "bra"), 2) << source;
}

TEST(Comparisons, ChooseTheLeastWhereTheyAreMadeAnyway) {
    EXPECT_EQ(count(least(false), "min.s32"), 1) << least(false);
    EXPECT_EQ(count(least(true), "min.s32"), 0) << least(true);
}

// for (i = 0; i < n; ++i) if (x[i] < v || y[i] < v) { `operations` }
std::string counting(const std::string& operations, const std::string& result) {
    return compile_module(R"(define void @k(ptr %x, ptr %y, ptr %out, i32 %n, i32 %v) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %end ]
  %r = phi i32 [ 0, %entry ], [ %r.next, %end ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %one, label %done
one:
  %wide = sext i32 %i to i64
  %place = getelementptr inbounds i32, ptr %x, i64 %wide
  %value = load i32, ptr %place
  %less = icmp slt i32 %value, %v
  br i1 %less, label %then, label %two
two:
  %place.2 = getelementptr inbounds i32, ptr %y, i64 %wide
  %value.2 = load volatile i32, ptr %place.2
  %less.2 = icmp slt i32 %value.2, %v
  br i1 %less.2, label %then, label %end
then:
  )" + operations + R"(
  br label %end
end:
  %r.next = phi i32 [ )" + result +
                          R"(, %then ], [ %r, %two ]
  %next = add nsw i32 %i, 1
  br label %head, !llvm.loop !1
done:
  store i32 %r, ptr %out
  ret void
}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.unroll.disable"}
)");
}

TEST(Conditions, AreValuesWhereOneOperationDependsOnThem) {
    const std::string one = counting("%more.r = add nsw i32 %r, 1", "%more.r");
    EXPECT_EQ(count(one, "mov.pred"), 1) << one;
    EXPECT_EQ(count(one, "selp.u32"), 1) << one;
    const std::string two = counting("%m = mul i32 %r, %v\n  %more.r = xor i32 %m, 9", "%more.r");
    EXPECT_EQ(count(two, "mov.pred") + count(two, "selp"), 0) << two;
}

// for (z = 0; z < nz; ++z) { `index` from %z and, with `further`, its element beside the one %nx behind }
std::string planes(const std::string& index, bool further = false) {
    return compile_module(R"(define void @k(ptr %in, ptr %out, i32 %nx, i32 %ny, i32 %nz, i32 %at) {
entry:
  br label %head
head:
  %z = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi i32 [ 0, %entry ], [ %sum.next, %body ]
  %more = icmp slt i32 %z, %nz
  br i1 %more, label %body, label %done
body:
  )" + index + R"(
  %wide = sext i32 %p to i64
  %place = getelementptr inbounds i32, ptr %in, i64 %wide
  %value = load volatile i32, ptr %place
  %q = add nsw i32 %p, %nx
  %wide.q = sext i32 %q to i64
  %place.q = getelementptr inbounds i32, ptr %in, i64 %wide.q
  %value.q = load volatile i32, ptr )" +
                          (further ? "%place.q" : "%place") + R"(
  %both = add i32 %value, %value.q
  %sum.next = add i32 %sum, %both
  %next = add nsw i32 %z, 1
  br label %head, !llvm.loop !1
done:
  store i32 %sum, ptr %out
  ret void
}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.unroll.disable"}
)");
}

// The loop alone: from its label to the branch back.
std::string loop_of(const std::string& code) {
    const auto end = code.find("@%p", code.find("add.s32", code.find("ld.volatile")));
    return code.substr(code.rfind("$L__BB", end), end - code.rfind("$L__BB", end));
}

TEST(Indices, OfThreeFactorsStayOnesOfThirtyTwoBits) {
    const std::string rows = planes("%r = mul nsw i32 %z, %nx\n  %p = add nsw i32 %r, %at");
    EXPECT_EQ(count(loop_of(rows), "mul.wide.s32"), 0) << rows;
    const std::string plane =
        planes("%xy = mul nsw i32 %nx, %ny\n  %r = mul nsw i32 %z, %xy\n  %p = add nsw i32 %r, %at");
    EXPECT_EQ(count(loop_of(plane), "mul.wide.s32"), 1) << plane;
}

TEST(Indices, AVariableFurtherAreReachedFromTheOtherAddress) {
    const std::string plane =
        planes("%xy = mul nsw i32 %nx, %ny\n  %r = mul nsw i32 %z, %xy\n  %p = add nsw i32 %r, %at", true);
    EXPECT_EQ(count(loop_of(plane), "add.s64"), 2) << plane;
    // Two for the sum, the counter and the index itself: none for the other index.
    EXPECT_EQ(count(loop_of(plane), "add.s32"), 4) << plane;
}

}  // namespace
}  // namespace lockstep::device
