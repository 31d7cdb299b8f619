// What the device compiler leaves to each trip of a loop, what it carries from one to the next, and what it
// computes before the first.
#include <chrono>

#include "compile-module.h"

namespace lockstep::device {
namespace {

// while (a != p[a]) a = p[a];
TEST(Trips, OfOneLoadAreTestedBeforeTheFirst) {
    const std::string ptx = compile_module(R"(define void @k(ptr %p, i32 %first) {
  br label %head
head:
  %a = phi i32 [ %first, %0 ], [ %next, %trip ]
  %wide = sext i32 %a to i64
  %place = getelementptr inbounds i32, ptr %p, i64 %wide
  %parent = load i32, ptr %place
  %ends = icmp eq i32 %a, %parent
  br i1 %ends, label %done, label %trip
trip:
  %wide.2 = sext i32 %a to i64
  %place.2 = getelementptr inbounds i32, ptr %p, i64 %wide.2
  %next = load i32, ptr %place.2
  br label %head
done:
  store i32 %a, ptr %p
  ret void
}
)");
    EXPECT_EQ(count(ptx, "ld.global"), 2) << ptx;
    EXPECT_EQ(count(ptx, "bra"), 2) << ptx;
}

// for (int x = `first`; x < n; ++x) c[x] = w[x] + c[x - 1];
std::string sums(const std::string& first) {
    return compile_module(R"(define void @k(ptr %c, ptr %w, i32 %first, i32 %n) {
entry:
  br label %head
head:
  %x = phi i32 [ )" + first +
                          R"(, %entry ], [ %next, %trip ]
  %more = icmp slt i32 %x, %n
  br i1 %more, label %trip, label %done
trip:
  %wide = sext i32 %x to i64
  %from = getelementptr inbounds float, ptr %w, i64 %wide
  %value = load float, ptr %from
  %x.1 = sub nsw i32 %x, 1
  %wide.1 = sext i32 %x.1 to i64
  %behind = getelementptr inbounds float, ptr %c, i64 %wide.1
  %before = load float, ptr %behind
  %sum = fadd float %value, %before
  %to = getelementptr inbounds float, ptr %c, i64 %wide
  store float %sum, ptr %to
  %next = add nsw i32 %x, 1
  br label %head
done:
  ret void
}
)");
}

TEST(Trips, CarryWhatTheyStoredToTheNext) {
    const std::string ptx = sums("1");
    // Once before the loop, four in it, two in the remainder, which loads again.
    EXPECT_EQ(count(ptx, "ld.global"), 7) << ptx;
    const auto loop = ptx.find("$L__BB0_3:"), end = ptx.find("bra", loop);
    EXPECT_EQ(count(ptx.substr(loop, end - loop), "ld.global"), 4) << ptx;
    const std::string elsewhere = sums("%first");
    EXPECT_EQ(count(elsewhere, "ld.global"), 7) << elsewhere;
}

// The number of trips, in `for (int i = first; i < n; i += 32)`.
TEST(Trips, AreCountedFromTheGuardOn) {
    const std::string ptx = compile_module(R"(define void @k(ptr %p, i32 %first, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ %first, %entry ], [ %next, %trip ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %trip, label %done
trip:
  %wide = sext i32 %i to i64
  %place = getelementptr inbounds i32, ptr %p, i64 %wide
  store i32 %i, ptr %place
  %next = add nsw i32 %i, 32
  br label %head
done:
  ret void
}
)");
    EXPECT_EQ(count(ptx, "max"), 0) << ptx;
    EXPECT_EQ(count(ptx, "shr.u32"), 1) << ptx;
}

// for (i = first; i < n; i += step) shared[i] = i;
std::string fill_shared(const std::string& step) {
    return compile_module(R"(@shared = external addrspace(3) global [0 x i32], align 4
define void @k(ptr %p, i32 %first, i32 %n, i32 %step) {
entry:
  br label %head
head:
  %i = phi i32 [ %first, %entry ], [ %next, %trip ]
  %more = icmp ult i32 %i, %n
  br i1 %more, label %trip, label %done
trip:
  %wide = zext i32 %i to i64
  %place = getelementptr inbounds [0 x i32], ptr addrspace(3) @shared, i64 0, i64 %wide
  store i32 %i, ptr addrspace(3) %place
  %next = add i32 %i, )" + step +
                          R"(
  br label %head
done:
  ret void
}
)");
}

TEST(Trips, ComputeSharedAddressesWhereTheStepIsUnknown) {
    // Behind the label before the access.
    const auto in_loop = [](const std::string& ptx) {
        const auto access = ptx.find("st.shared"), start = ptx.rfind("$L__", access);
        return count(ptx.substr(start, access - start), "shl.b32");
    };
    const std::string unknown = fill_shared("%step"), known = fill_shared("32");
    EXPECT_EQ(in_loop(unknown), 1) << unknown;
    EXPECT_EQ(in_loop(known), 0) << known;
}

TEST(Memory, OfASizeThatTheLaunchGivesIsAlignedForVectors) {
    const std::string ptx = fill_shared("32");
    EXPECT_NE(ptx.find(".extern .shared .align 16"), std::string::npos) << ptx;
}

// for (i = 0; i < n; ++i) for (j = 0; j < m; ++j) s += a[i * m + j];
TEST(Trips, OfOuterLoopsMultiply) {
    const std::string ptx = compile_module(R"(define void @k(ptr %a, ptr %out, i32 %n, i32 %m) {
entry:
  br label %rows
rows:
  %i = phi i32 [ 0, %entry ], [ %i.next, %row.end ]
  %s = phi float [ 0.0, %entry ], [ %s.row, %row.end ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %row, label %done
row:
  %j = phi i32 [ 0, %rows ], [ %j.next, %element ]
  %s.row = phi float [ %s, %rows ], [ %s.next, %element ]
  %inside = icmp slt i32 %j, %m
  br i1 %inside, label %element, label %row.end
element:
  %start = mul nsw i32 %i, %m
  %index = add nsw i32 %start, %j
  %wide = sext i32 %index to i64
  %place = getelementptr inbounds float, ptr %a, i64 %wide
  %x = load float, ptr %place
  %s.next = fadd float %s.row, %x
  %j.next = add nsw i32 %j, 1
  br label %row
row.end:
  %i.next = add nsw i32 %i, 1
  br label %rows
done:
  store float %s, ptr %out
  ret void
}
)");
    // One product a row, and addresses from the row's start on.
    EXPECT_EQ(count(ptx, "mul.lo.s32"), 1) << ptx;
    EXPECT_EQ(count(ptx, "+-"), 0) << ptx;
}

// for (i = 0; i < n; ++i) { s += a[i]; trips += 3; }
TEST(Trips, AreCountedByTheLoopItself) {
    const std::string ptx = compile_module(R"(define void @k(ptr %a, ptr %out, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %trip ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %trip ]
  %trips = phi i32 [ 0, %entry ], [ %trips.next, %trip ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %trip, label %done
trip:
  %wide = sext i32 %i to i64
  %place = getelementptr inbounds float, ptr %a, i64 %wide
  %x = load float, ptr %place
  %s.next = fadd float %s, %x
  %trips.next = add nsw i32 %trips, 3
  %i.next = add nsw i32 %i, 1
  br label %head
done:
  store float %s, ptr %out
  %second = getelementptr inbounds i32, ptr %out, i64 1
  store i32 %trips, ptr %second
  ret void
}
)");
    EXPECT_EQ(count(ptx, "mul.lo"), 0) << ptx;
    EXPECT_EQ(count(ptx, ", 12;"), 1) << ptx;  // four trips' worth
}

// bool found = false; for (i = 0; i < n && !found; ++i) if (a[i] == x) found = true;
TEST(Trips, GoOnWithWhatTheirConditionSays) {
    const std::string ptx = compile_module(R"(define void @k(ptr %a, ptr %out, i32 %n, i32 %x) {
entry:
  %found = alloca i8
  store i8 0, ptr %found
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %second, label %both
second:
  %flag = load i8, ptr %found, !range !1
  %is = trunc i8 %flag to i1
  %not = xor i1 %is, true
  br label %both
both:
  %again = phi i1 [ false, %head ], [ %not, %second ]
  br i1 %again, label %trip, label %done
trip:
  %wide = sext i32 %i to i64
  %place = getelementptr inbounds i32, ptr %a, i64 %wide
  %value = load i32, ptr %place
  %same = icmp eq i32 %value, %x
  br i1 %same, label %yes, label %next
yes:
  store i8 1, ptr %found
  br label %next
next:
  %i.next = add nsw i32 %i, 1
  br label %head
done:
  %last = load i8, ptr %found, !range !1
  %result = trunc i8 %last to i1
  %number = zext i1 %result to i32
  store i32 %number, ptr %out
  ret void
}
!1 = !{i8 0, i8 2}
)");
    EXPECT_EQ(count(ptx, "selp.b16"), 0) << ptx;
    EXPECT_EQ(count(ptx, "selp"), 1) << ptx;
}

// `loops` of `while (at > least && a[at - 2] <= y) at--;`, each of which goes on behind where the one before
// has ended; in the second half `least` is what the first half has ended with.
std::string loops_in_a_row(int loops) {
    std::string text = "define void @k(ptr %out, ptr %a, i32 %y) {\nentry:\n  br label %head0\n";
    std::string before = "entry", start = "0", least = "1";
    for (int i = 0; i < loops; ++i) {
        const std::string n = std::to_string(i);
        text += "head" + n + ":\n  %at" + n + " = phi i32 [ " + start + ", %" + before + " ], [ %less" + n +
                ", %trip" + n + " ]\n  %more" + n + " = icmp sgt i32 %at" + n + ", " + least +
                "\n  br i1 %more" + n + ", label %trip" + n + ", label %end" + n + "\ntrip" + n +
                ":\n  %less" + n + " = add nsw i32 %at" + n + ", -1\n  %index" + n + " = add nsw i32 %at" +
                n + ", -2\n  %wide" + n + " = sext i32 %index" + n + " to i64\n  %from" + n +
                " = getelementptr inbounds i32, ptr %a, i64 %wide" + n + "\n  %value" + n +
                " = load i32, ptr %from" + n + "\n  %low" + n + " = icmp sle i32 %value" + n +
                ", %y\n  br i1 %low" + n + ", label %head" + n + ", label %end" + n + "\nend" + n +
                ":\n  %next" + n + " = add nsw i32 %at" + n + ", 1\n  %place" + n + " = sext i32 %at" + n +
                " to i64\n  %to" + n + " = getelementptr inbounds i32, ptr %a, i64 %place" + n +
                "\n  store i32 %y, ptr %to" + n + "\n";
        before = "end" + n;
        start = "%next" + n;
        if (i == loops / 2) {
            text += "  %least = add nsw i32 %at" + n + ", 1\n";
            least = "%least";
        }
        text += i + 1 < loops ? "  br label %head" + std::to_string(i + 1) + "\n" : "  br label %last\n";
    }
    return compile_module(text + "last:\n  store i32 " + start + ", ptr %out\n  ret void\n}\n");
}

// With 48 of them LLVM alone takes minutes, and twice as long with each two more.
TEST(Trips, OfLoopsInARowDoNotTakeLongToCompile) {
    const auto before = std::chrono::steady_clock::now();
    EXPECT_GT(count(loops_in_a_row(96), "ld.global"), 90);
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(60));
}

}  // namespace
}  // namespace lockstep::device
