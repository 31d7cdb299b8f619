// The runner's own tests: a golden test that cannot fail proves nothing.
#include <gtest/gtest.h>

#include "golden-file.h"
#include "match.h"
#include "process.h"

namespace lockstep::e2e {
namespace {

GoldenFile parsed(const std::string& text) {
    auto result = parse_golden_file("/project/tests/e2e/a.cu", text, "/project");
    EXPECT_TRUE(result) << result.error().to_string();
    EXPECT_TRUE(result->has_value());
    return result && *result ? **result : GoldenFile{};
}

Outcome outcome(const std::string& out, const std::string& err, int status) {
    Outcome o;
    o.out = out;
    o.err = err;
    o.status = status;
    return o;
}

TEST(GoldenFile, ReadsBlocks) {
    GoldenFile file = parsed(
        "// NEEDS: nvcc\n// RUN: lockstep run %s\n// OUT: one\n// OUT: two\n\n// A remark: not a directive.\n"
        "// RUN: false\n// ENV: A=b\n// EXIT: nonzero\n// LIMIT: 7\nint main() {}\n");
    ASSERT_EQ(file.runs.size(), 2u);
    EXPECT_EQ(file.needs, std::vector<std::string>{"nvcc"});
    EXPECT_EQ(file.runs[0].command, "lockstep run %s");
    EXPECT_EQ(file.runs[0].out.size(), 2u);
    EXPECT_EQ(file.runs[0].out[1].line, 4);
    EXPECT_EQ(file.runs[1].exit.kind, Exit::Kind::nonzero);
    EXPECT_EQ(file.runs[1].limit_s, 7);
}

TEST(GoldenFile, RefusesWhatItDoesNotKnow) {
    EXPECT_FALSE(parse_golden_file("a.cu", "// RUN: x\n// OUTPUT: y\n", "/"));
    EXPECT_FALSE(parse_golden_file("a.cu", "// OUT: y\n// RUN: x\n", "/"));
    EXPECT_FALSE(parse_golden_file("a.cu", "// RUN: x\n// EXIT: soon\n", "/"));
    EXPECT_FALSE(parse_golden_file("a.cu", "// RUN: x\n// LIMIT: 5s\n", "/"));
}

TEST(GoldenFile, WithoutRunIsNoTest) {
    auto result = parse_golden_file("a.h", "// Just a helper.\n", "/");
    ASSERT_TRUE(result);
    EXPECT_FALSE(result->has_value());
}

TEST(GoldenFile, Substitutes) {
    GoldenFile file = parsed("// RUN: x\nint main() {\n    return 1;  // HERE\n}\n");
    EXPECT_EQ(substitute("run %s in %S at %t, line %l, 100%% %d", file, "/tmp/x"),
              "run /project/tests/e2e/a.cu in /project/tests/e2e at /tmp/x, line 3, 100% %d");
    EXPECT_EQ(with_nvcc("lockstep run a && lockstep run b"),
              "lockstep run --compiler nvcc a && lockstep run --compiler nvcc b");
}

TEST(Match, AcceptsLinesInOrder) {
    GoldenFile file = parsed("// RUN: x\n// OUT: ^a$\n// OUT: c\n// NOT: z\n");
    EXPECT_EQ(differences(file, file.runs[0], outcome("a\nb\nc\n", "", 0), "/t"), "");
}

TEST(Match, RefusesOtherOrders) {
    GoldenFile file = parsed("// RUN: x\n// OUT: c\n// OUT: ^a$\n");
    std::string text = differences(file, file.runs[0], outcome("a\nb\nc\n", "", 0), "/t");
    EXPECT_NE(text.find("a.cu:3: no line of stdout after 'c' matches"), std::string::npos) << text;
}

TEST(Match, RefusesUnwantedLines) {
    GoldenFile file = parsed("// RUN: x\n// NOT: WRONG\n");
    EXPECT_NE(differences(file, file.runs[0], outcome("all WRONG\n", "", 0), "/t"), "");
    EXPECT_NE(differences(file, file.runs[0], outcome("", "WRONG\n", 0), "/t"), "");
}

TEST(Match, ChecksTheEnding) {
    GoldenFile file =
        parsed("// RUN: x\n// EXIT: 3\n// RUN: y\n// EXIT: nonzero\n// RUN: z\n// EXIT: signal SEGV\n");
    EXPECT_EQ(differences(file, file.runs[0], outcome("", "", 3), "/t"), "");
    EXPECT_NE(differences(file, file.runs[0], outcome("", "", 4), "/t"), "");
    EXPECT_NE(differences(file, file.runs[1], outcome("", "", 0), "/t"), "");
    Outcome crashed = outcome("", "", 0);
    crashed.signal = "SEGV";
    EXPECT_EQ(differences(file, file.runs[2], crashed, "/t"), "");
    EXPECT_NE(differences(file, file.runs[1], crashed, "/t"), "") << "a crash is not a clean failure";
}

TEST(Match, NamesABadPattern) {
    GoldenFile file = parsed("// RUN: x\n// OUT: (\n");
    EXPECT_NE(differences(file, file.runs[0], outcome("", "", 0), "/t").find("not a regular expression"),
              std::string::npos);
}

TEST(Process, CollectsBothStreams) {
    Outcome o = run_shell("echo out; echo err >&2; echo $WORD; exit 5", {{"WORD", "hello"}}, "/", 10);
    EXPECT_EQ(o.out, "out\nhello\n");
    EXPECT_EQ(o.err, "err\n");
    EXPECT_EQ(o.status, 5);
    EXPECT_EQ(o.signal, "");
}

TEST(Process, NamesSignals) {
    EXPECT_EQ(run_shell("kill -SEGV $$", {}, "/", 10).signal, "SEGV");
    EXPECT_EQ(run_shell("sh -c 'kill -ABRT $$'; exit $?", {}, "/", 10).signal, "ABRT");
}

TEST(Process, EndsWhatRunsTooLong) {
    Outcome o = run_shell("sleep 30", {}, "/", 1);
    EXPECT_TRUE(o.timed_out);
    EXPECT_LT(o.seconds, 10);
}

}  // namespace
}  // namespace lockstep::e2e
