// What the device compiler makes of loops: nvcc's factors, at the sizes where they change
// (docs/device-compiler.md).
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "compile/files.h"
#include "compile/process.h"

namespace lockstep::device {
namespace {

// The PTX of a kernel `void k(ptr %out, ptr %in, i32 %n, i32 %y, i32 %z)`.
std::string compile(const std::string& body) {
    const auto folder = std::move(*compile::TempDir::create());
    const std::string input = folder.path() / "k.ll", output = folder.path() / "k.ptx";
    EXPECT_TRUE(compile::write_file(input, R"(
target triple = "nvptx64-nvidia-cuda"
define void @k(ptr %out, ptr %in, i32 %n, i32 %y, i32 %z) {
)" + body + R"(
}
declare void @llvm.nvvm.barrier0() convergent
declare float @__nv_powf(float, float)
declare float @llvm.sqrt.f32(float)
declare float @llvm.nvvm.lg2.approx.f(float)
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.unroll.enable"}
!3 = distinct !{!3, !4}
!4 = !{!"llvm.loop.unroll.count", i32 3}
!5 = distinct !{!5, !6}
!6 = !{!"llvm.loop.unroll.disable"}
)"));
    auto child = compile::Child::start({LOCKSTEP_BUILD_DIR "/lib/lockstep-device", input, "-o", output}, {});
    EXPECT_TRUE(child && child->wait().ok());
    return compile::read_file(output).value_or("");
}

// `size` operations on %x, every other one a multiplication; the last is called %next.
std::string operations(int size) {
    std::ostringstream text;
    std::string x = "%x";
    for (int i = 0; i < size; ++i) {
        const std::string result = i == size - 1 ? "%next" : "%x" + std::to_string(i);
        text << result << (i % 2 == 0 ? " = mul i32 " : " = xor i32 ") << x
             << (i % 2 == 0 ? ", %y\n" : ", %z\n");
        x = result;
    }
    return text.str();
}

// for (int i = 0; i < bound; ++i) { operations }, behind whatever `first` does in each trip.
std::string loop(int size, const std::string& bound, const std::string& pragma = "",
                 const std::string& first = "") {
    return R"(entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %x = phi i32 [ %y, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, )" +
           bound + "\n  br i1 %more, label %body, label %done\nbody:\n" + first + operations(size) +
           "  %i.next = add nsw i32 %i, 1\n  br label %head" +
           (pragma.empty() ? "" : ", !llvm.loop " + pragma) + R"(
done:
  store i32 %x, ptr %out
  ret void)";
}

struct Shape {
    int total = 0;           // of an instruction
    std::vector<int> loops;  // of these in each loop, in the order of their ends
    bool operator==(const Shape&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Shape& shape) {
    out << shape.total << " in all, in loops:";
    for (int count : shape.loops) out << ' ' << count;
    return out;
}

Shape shape(const std::string& ptx, const std::string& instruction) {
    Shape result;
    std::map<std::string, int> labels;  // how many came before
    std::istringstream lines(ptx);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("$L__BB")) labels[line.substr(0, line.find(':'))] = result.total;
        if (line.find(instruction) != std::string::npos) ++result.total;
        const auto target = line.find("$L__BB");
        if (line.find("bra") == std::string::npos || target == std::string::npos) continue;
        const auto label = labels.find(line.substr(target, line.find(';') - target));
        if (label != labels.end()) result.loops.push_back(result.total - label->second);
    }
    return result;
}

// Multiplications in the loops that a loop of two operations a multiplication becomes.
Shape multiplications(const std::string& body) { return shape(compile(body), "mul.lo"); }

TEST(Loops, WhoseTripsOnlyRunsTellAreUnrolledByFourOrTwo) {
    EXPECT_EQ(multiplications(loop(2, "%n")), (Shape{5, {4, 1}}));
    EXPECT_EQ(multiplications(loop(48, "%n")), (Shape{5 * 24, {4 * 24, 24}}));
    EXPECT_EQ(multiplications(loop(50, "%n")), (Shape{3 * 25, {2 * 25}}));
    EXPECT_EQ(multiplications(loop(92, "%n")), (Shape{3 * 46, {2 * 46}}));
    EXPECT_EQ(multiplications(loop(94, "%n")), (Shape{47, {47}}));
}

TEST(Loops, WithAnUnknownSignedStepAreUnrolledByFour) {
    const auto with_step = [](const std::string& addition, const std::string& first = "") {
        std::string body = loop(2, "%n", "", first);
        const std::string one = "add nsw i32 %i, 1";
        return shape(compile(body.replace(body.find(one), one.size(), addition)), "mul.lo").loops;
    };
    EXPECT_EQ(with_step("add nsw i32 %i, %z"), (std::vector{4, 1}));
    // An unsigned sum may wrap; a loop with a barrier need not end.
    EXPECT_EQ(with_step("add i32 %i, %z"), (std::vector{1}));
    EXPECT_EQ(with_step("add nsw i32 %i, %z", "call void @llvm.nvvm.barrier0()\n"), (std::vector{1}));
}

TEST(Loops, CountAFunctionOfTheMathLibraryAsItsCode) {
    const auto with_call = [](const std::string& call) {
        return shape(compile(loop(2, "%n", "", R"(  %v = sitofp i32 %i to float
  %f = call float )" + call + R"(
  %p = getelementptr float, ptr %out, i32 %i
  store float %f, ptr %p
)")),
                     "mul.lo")
            .loops;
    };
    EXPECT_EQ(with_call("@llvm.sqrt.f32(float %v)"), (std::vector{4, 1}));
    EXPECT_EQ(with_call("@__nv_powf(float %v, float %v)"), (std::vector{1}));
}

TEST(Loops, WithBarriersAreUnrolledLikeOthers) {
    EXPECT_EQ(multiplications(loop(2, "%n", "", "call void @llvm.nvvm.barrier0()\n")), (Shape{5, {4, 1}}));
}

TEST(Loops, OfKnownTripsAreUnrolledFullyWhereTheyFit) {
    EXPECT_EQ(multiplications(loop(60, "7")), (Shape{7 * 30, {}}));
    EXPECT_EQ(multiplications(loop(62, "7")), (Shape{2 * 31, {2 * 31}}));
    EXPECT_EQ(multiplications(loop(22, "17")), (Shape{17 * 11, {}}));
    EXPECT_EQ(multiplications(loop(24, "17")), (Shape{4 * 12, {4 * 12}}));
    // Partly first, and what is left of that fully.
    EXPECT_EQ(multiplications(loop(12, "32")), (Shape{32 * 6, {}}));
}

TEST(Loops, OfManyKnownTripsAreUnrolledByAPowerOfTwo) {
    EXPECT_EQ(multiplications(loop(2, "1000")), (Shape{8, {8}}));
    EXPECT_EQ(multiplications(loop(2, "1024")), (Shape{64, {64}}));
    EXPECT_EQ(multiplications(loop(2, "997")), (Shape{4, {4}}));
    EXPECT_EQ(multiplications(loop(24, "1000")), (Shape{8 * 12, {8 * 12}}));
    EXPECT_EQ(multiplications(loop(28, "1000")), (Shape{4 * 14, {4 * 14}}));
}

TEST(Loops, OfFewTripsAtMostAreLeftAlone) {
    const auto bounded = [](const std::string& mask) {
        std::string text = loop(2, "%bound");
        return text.replace(text.find("br label %head"), 0, "%bound = and i32 %n, " + mask + "\n  ");
    };
    EXPECT_EQ(multiplications(bounded("15")), (Shape{1, {1}}));
    EXPECT_EQ(multiplications(bounded("31")), (Shape{5, {4, 1}}));
}

// As many copies as there may be trips, each with its exit, where a local array is indexed.
TEST(Loops, OverALocalArrayAreUnrolledUpToTheirBound) {
    const auto bounded = [](int size) {
        std::string text =
            loop(size, "%bound", "", R"(  %place = getelementptr [16 x i32], ptr %array, i32 0, i32 %i
  %value = load i32, ptr %place
  store volatile i32 %value, ptr %out
)");
        return text.replace(text.find("br label %head"), 0, R"(%bound = and i32 %n, 15
  %array = alloca [16 x i32]
  %any = getelementptr [16 x i32], ptr %array, i32 0, i32 %z
  store i32 %y, ptr %any
  )");
    };
    EXPECT_EQ(multiplications(bounded(6)), (Shape{15 * 3, {}}));
    EXPECT_EQ(multiplications(bounded(150)), (Shape{15 * 75, {}}));
    EXPECT_EQ(multiplications(bounded(170)), (Shape{85, {85}}));
}

// x = turned(x) * y, eight times in each of 1000 trips.
std::string turns(const std::string& turned) {
    std::string text = R"(entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %head ]
  %x0 = phi i32 [ %y, %entry ], [ %x8, %head ]
)";
    for (int k = 0; k < 8; ++k) {
        std::string line = turned + "  %xNEXT = mul i32 %turnedAT, %y\n";
        for (const auto& [name, number] : {std::pair("NEXT", k + 1), std::pair("AT", k)})
            for (std::size_t at; (at = line.find(name)) != line.npos;)
                line.replace(at, std::string(name).size(), std::to_string(number));
        text += line;
    }
    return text + R"(  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, 1000
  br i1 %more, label %head, label %done
done:
  store i32 %x8, ptr %out
  ret void)";
}

TEST(Loops, CountARotationAsThreeAndAssemblyAsOne) {
    EXPECT_EQ(multiplications(turns("  %upAT = shl i32 %xAT, 7\n  %downAT = lshr i32 %xAT, 25\n"
                                    "  %turnedAT = or i32 %upAT, %downAT\n")),
              (Shape{4 * 8, {4 * 8}}));
    EXPECT_EQ(multiplications(turns("  %turnedAT = call i32 asm \"shf.l.wrap.b32 $0, $1, $2, $3;\", "
                                    "\"=r,r,r,r\"(i32 %xAT, i32 %xAT, i32 7)\n")),
              (Shape{8 * 8, {8 * 8}}));
}

TEST(Loops, AreUnrolledAsTheSourceAsks) {
    EXPECT_EQ(multiplications(loop(2, "1000", "!1")), (Shape{1000, {}}));
    EXPECT_EQ(multiplications(loop(2, "300", "!3")), (Shape{3, {3}}));
    EXPECT_EQ(multiplications(loop(2, "4", "!5")), (Shape{1, {1}}));
}

// for (i < n) { `before`; for (j < bound) { operations } }
std::string nested_loop(const std::string& bound, const std::string& before = "") {
    return R"(entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next.i ]
  %x.i = phi i32 [ %y, %entry ], [ %x.next, %next.i ]
  %more.i = icmp slt i32 %i, %n
  br i1 %more.i, label %start, label %done
start:
  )" + before +
           R"(
  br label %inner
inner:
  %j = phi i32 [ 0, %start ], [ %j.next, %body ]
  %x = phi i32 [ %x.i, %start ], [ %next, %body ]
  %more = icmp slt i32 %j, )" +
           bound + R"(
  br i1 %more, label %body, label %next.i
body:
)" + operations(2) +
           R"(
  %j.next = add nsw i32 %j, 1
  br label %inner
next.i:
  %x.next = xor i32 %x, %i
  %i.next = add nsw i32 %i, 1
  br label %outer
done:
  store i32 %x.i, ptr %out
  ret void)";
}

// What is left over of the inner loop's trips is written out.
TEST(Loops, InsideOthersHaveNoLoopForTheRemainder) {
    EXPECT_EQ(multiplications(nested_loop("%n")), (Shape{7, {4, 7}}));
}

TEST(Loops, OfFewTripsAtMostAreUnrolledInsideOthers) {
    // The first two are the outer loop where the inner one has no trips, and its remainder.
    EXPECT_EQ(multiplications(nested_loop("%bound", "%bound = and i32 %z, 15")), (Shape{7, {0, 0, 4, 7}}));
}

// A function that reads or writes nothing is unrolled before it is inlined, and once more there; another one
// only there.
TEST(Loops, OfAFunctionAreUnrolledBeforeItIsInlinedIfItIsPure) {
    const auto calling = [](const std::string& trips, const std::string& first) {
        const std::string called = R"(entry:
  br label %outer
outer:
  %x = phi i32 [ %y, %entry ], [ %next, %outer ]
  %next = call i32 @f(i32 %x, i32 %y, i32 %z, i32 )" +
                                   trips + R"()
  call void @llvm.nvvm.barrier0()
  %more = icmp sgt i32 %next, 1
  br i1 %more, label %outer, label %done
done:
  store i32 %next, ptr %out
  ret void
}
define i32 @f(i32 %y, i32 %first, i32 %z, i32 %n) {
)";
        std::string body = loop(2, "%n", "", first);
        const std::string stores = "store i32 %x, ptr %out\n  ret void";
        return multiplications(called + body.replace(body.find(stores), stores.size(), "ret i32 %x"));
    };
    const std::string barrier = "  call void @llvm.nvvm.barrier0()\n";
    EXPECT_EQ(calling("%n", ""), (Shape{5, {4, 1, 5}}));
    EXPECT_EQ(calling("%n", barrier), (Shape{7, {4, 7}}));
    EXPECT_EQ(calling("1000", ""), (Shape{32, {32, 32}}));
    EXPECT_EQ(calling("1000", barrier), (Shape{8, {8, 8}}));
}

TEST(Loops, EndInOneBranchAndCountDown) {
    const std::string ptx = compile(loop(2, "%n"));
    EXPECT_EQ(shape(ptx, "bra.uni").total, 0);
    EXPECT_EQ(shape(ptx, "setp.ne").loops, (std::vector{1, 1}));
    EXPECT_NE(ptx.find(", -4;"), std::string::npos);
}

// sum += in[i * n + z]: the address steps.
TEST(Loops, StepAddressesInsteadOfIndices) {
    const std::string load = R"(
  %row = mul nsw i32 %i, %n
  %index = add nsw i32 %row, %z
  %wide = sext i32 %index to i64
  %address = getelementptr inbounds i32, ptr %in, i64 %wide
  %value = load i32, ptr %address
  %next = add i32 %x, %value
)";
    const std::string ptx = compile(loop(0, "%n", "", load));
    EXPECT_EQ(shape(ptx, "ld.global").loops, (std::vector{4, 1}));
    EXPECT_EQ(shape(ptx, "mul.").loops, (std::vector{0, 0}));
}

// sum += ((char*)in)[z + i]: of bytes too, though an index of bytes is a distance. The first of four is at
// the address itself, with nothing added to it before the loop.
TEST(Loops, StepAddressesOfBytesFromTheFirst) {
    const std::string ptx = compile(loop(0, "%n", "", R"(
  %index = add nsw i32 %i, %z
  %wide = sext i32 %index to i64
  %address = getelementptr inbounds i8, ptr %in, i64 %wide
  %byte = load i8, ptr %address
  %value = zext i8 %byte to i32
  %next = add i32 %x, %value
)"));
    EXPECT_EQ(shape(ptx, "ld.global").loops, (std::vector{4, 1})) << ptx;
    EXPECT_EQ(shape(ptx, "add.s64").loops, (std::vector{1, 1})) << ptx;
    EXPECT_EQ(shape(ptx, "+-").loops, (std::vector{0, 0})) << ptx;
}

// for (i = 0; i < n && i < y; ++i) has two comparisons in each trip, and no trips that are known.
TEST(Loops, WithTwoBoundsCompareWithBoth) {
    const std::string ptx = compile(R"(
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %i.next, %body ]
  %less = icmp slt i32 %i, %n
  %y.8 = add nsw i32 %y, 8
  %other = icmp slt i32 %i, %y.8
  %more = and i1 %less, %other
  br i1 %more, label %body, label %done
body:
  %wide = sext i32 %i to i64
  %address = getelementptr inbounds i32, ptr %out, i64 %wide
  store i32 %z, ptr %address
  %i.next = add nsw i32 %i, 1
  br label %head
done:
  ret void)");
    EXPECT_EQ(shape(ptx, "setp.lt").loops, (std::vector{2})) << ptx;
    EXPECT_EQ(shape(ptx, "min.").total, 0) << ptx;
}

// sum += in[i * 512 + z]: in the unrolled loop the index steps, as (i + 1) * 512 may wrap where i * 512 does
// not, and all four loads have one address. Behind it there is a step of the address.
TEST(Loops, StepTheIndexWhereAConstantScalesIt) {
    const std::string ptx = compile(loop(0, "%n", "", R"(
  %row = mul nsw i32 %i, 512
  %index = add nsw i32 %row, %z
  %wide = sext i32 %index to i64
  %address = getelementptr inbounds i32, ptr %in, i64 %wide
  %value = load i32, ptr %address
  %next = add i32 %x, %value
)"));
    EXPECT_EQ(shape(ptx, "ld.global").loops, (std::vector{4, 1})) << ptx;
    EXPECT_EQ(shape(ptx, "mul.wide").loops, (std::vector{1, 0})) << ptx;
}

// for (int i = 0; i <= __log2f(16); ++i)
TEST(Loops, MayEndByAMathFunctionOfAConstant) {
    const std::string ptx = compile(R"(
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %i.next, %body ]
  %number = sitofp i32 %i to float
  %end = call float @llvm.nvvm.lg2.approx.f(float 16.0)
  %again = fcmp ole float %number, %end
  br i1 %again, label %body, label %done
body:
  call void @llvm.nvvm.barrier0()
  %i.next = add nsw i32 %i, 1
  br label %head
done:
  ret void)");
    EXPECT_EQ(shape(ptx, "bar.sync").total, 5) << ptx;
    EXPECT_EQ(shape(ptx, "lg2.approx").total, 0) << ptx;
}

// Assembly that is not volatile is computed once for all trips.
// while (out[0] > i) if (in[0] > z) *out = y * z: the product is computed before the loop, the load is not.
TEST(Loops, HaveBeforeThemWhatOnlySomeTripsCompute) {
    const std::string ptx = compile(R"(entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  call void @llvm.nvvm.barrier0()
  %c = icmp sgt i32 %i, %z
  br i1 %c, label %yes, label %latch
yes:
  %product = mul i32 %y, %z
  %x = load i32, ptr %in
  %sum = add i32 %product, %x
  store i32 %sum, ptr %out
  br label %latch
latch:
  %end = load volatile i32, ptr %out
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %end
  br i1 %more, label %head, label %done
done:
  ret void)");
    EXPECT_LT(ptx.find("mul.lo"), ptx.find("$L__BB0_1:")) << ptx;
    EXPECT_GT(ptx.find("ld.global"), ptx.find("$L__BB0_1:")) << ptx;
}

TEST(Loops, HaveAssemblyBeforeThem) {
    const std::string ptx = compile(loop(0, "%n", "", R"(
  %first = call i32 asm "bfind.u32 $0, $1;", "=r,r"(i32 %z) convergent nounwind memory(none)
  %next = xor i32 %x, %first
  store volatile i32 %next, ptr %out
)"));
    EXPECT_EQ(shape(ptx, "bfind").total, 1) << ptx;
}

// The same in a loop that data may end, too: the index is multiplied in each trip.
TEST(Loops, ThatDataEndsKeepTheirIndices) {
    const std::string load = R"(
  %wide = sext i32 %i to i64
  %address = getelementptr inbounds i32, ptr %in, i64 %wide
  %value = load i32, ptr %address
  %next = add i32 %x, %value
)";
    const std::string ptx = compile(R"(
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %i.next, %more ]
  %x = phi i32 [ 0, %0 ], [ %next, %more ]
  %again = icmp slt i32 %i, %n
  br i1 %again, label %body, label %done
body:
)" + load + R"(
  %found = icmp eq i32 %value, 7
  br i1 %found, label %done, label %more
more:
  %i.next = add nsw i32 %i, 1
  br label %head
done:
  store i32 %x, ptr %out
  ret void)");
    EXPECT_EQ(shape(ptx, "mul.wide").loops, (std::vector{1})) << ptx;
}

}  // namespace
}  // namespace lockstep::device
