#include "report/expectation.h"

#include "sample.h"

namespace lockstep::report {
namespace {

using Op = Expectation::Op;

Expectation parsed(const std::string& text) {
    auto result = parse_expectation(text);
    EXPECT_TRUE(result) << result.error().to_string();
    return result ? *result : Expectation();
}

std::string failure(const std::string& text) {
    auto result = parse_expectation(text);
    return result ? std::string() : result.error().to_string();
}

TEST(Expectation, Parses) {
    const Expectation one = parsed("neighbored: gld_efficiency == 25.02 +- 0.01");
    EXPECT_EQ(one.kernel, "neighbored");
    EXPECT_EQ(one.metric, "gld_efficiency");
    EXPECT_EQ(one.op, Op::equal);
    EXPECT_DOUBLE_EQ(one.value, 25.02);
    EXPECT_DOUBLE_EQ(one.tolerance, 0.01);
    EXPECT_EQ(parsed("a::b<c::d>(int *): m.sum<=-1e3").kernel, "a::b<c::d>(int *)");
    EXPECT_EQ(parsed("a::b<c::d>(int *): m.sum<=-1e3").op, Op::at_most);
    EXPECT_DOUBLE_EQ(parsed("a: m.sum<=-1e3").value, -1000);
    EXPECT_DOUBLE_EQ(parsed("*: m ~ 25.02%").tolerance, 0.005);
    EXPECT_DOUBLE_EQ(parsed("*: m ~ 4096").tolerance, 0.5);
    EXPECT_EQ(parsed("*: VALU Active Threads > 3").metric, "VALU Active Threads");
    EXPECT_EQ(parsed("*: m != 1").op, Op::unequal);
    EXPECT_EQ(parsed("*: m > 1").op, Op::greater);
    EXPECT_EQ(parsed("*: m < 1").op, Op::less);
    EXPECT_EQ(parsed("*: m >= 1").op, Op::at_least);
}

TEST(Expectation, ValuesMayHaveUnits) {
    const Expectation time = parsed("reduce: time <= 100us");
    EXPECT_EQ(time.metric, "gpu__time_duration.sum");
    EXPECT_DOUBLE_EQ(time.value, 100'000);
    EXPECT_EQ(time.unit, metrics::Unit::nanoseconds);
    EXPECT_DOUBLE_EQ(parsed("k: m == 1.5 ms +- 20us").tolerance, 20'000);
    EXPECT_DOUBLE_EQ(parsed("k: m == 100us +- 5").tolerance, 5'000);
    EXPECT_DOUBLE_EQ(parsed("k: m ~ 1.5ms").tolerance, 50'000);
    EXPECT_DOUBLE_EQ(parsed("k: m >= 2GB/s").value, 2e9);
    EXPECT_DOUBLE_EQ(parsed("k: m < 16 MiB").value, 16. * 1024 * 1024);
    EXPECT_FALSE(parsed("k: m >= 90%").unit);
    EXPECT_NE(failure("k: m == 3 parsecs").find("'3 parsecs' is no number"), std::string::npos);
    EXPECT_NE(failure("k: m == 3us +- 1GB/s").find("another unit"), std::string::npos);
}

TEST(Expectation, BadOnesSayWhy) {
    EXPECT_NE(failure("gld_efficiency == 25").find("no colon"), std::string::npos);
    EXPECT_NE(failure(": m == 25").find("no kernel"), std::string::npos);
    EXPECT_NE(failure("k: m 25").find("no operator"), std::string::npos);
    EXPECT_NE(failure("k: == 25").find("no metric"), std::string::npos);
    EXPECT_NE(failure("k: m == many").find("'many' is no number"), std::string::npos);
    EXPECT_NE(failure("k: m = 3").find("operators"), std::string::npos);
    EXPECT_NE(failure("k: m < 3 +- 1").find("+-"), std::string::npos);
    EXPECT_NE(failure("k[: m == 3").find("regular expression"), std::string::npos);
}

TEST(Expectation, FilesHaveCommentsAndPlaces) {
    auto good = parse_expectations("# all\n\n  a: m == 1  # one\nb: m > 2\n", "ci.txt");
    ASSERT_TRUE(good);
    ASSERT_EQ(good->size(), 2u);
    EXPECT_EQ((*good)[0].place.to_string(), "ci.txt:3");
    EXPECT_EQ((*good)[0].text, "a: m == 1");
    auto bad = parse_expectations("a: m == 1\nnonsense\nb: m is 3\n", "ci.txt");
    ASSERT_FALSE(bad);
    EXPECT_NE(bad.error().to_string().find("ci.txt:2: "), std::string::npos);
    EXPECT_NE(bad.error().to_string().find("ci.txt:3: "), std::string::npos);
}

TEST(Expectation, Holds) {
    EXPECT_TRUE(parsed("*: m == 0.1").holds(0.3 / 3));
    EXPECT_FALSE(parsed("*: m == 25.02").holds(25.024));
    EXPECT_TRUE(parsed("*: m ~ 25.02").holds(25.024));
    EXPECT_FALSE(parsed("*: m ~ 25.02").holds(25.026));
    EXPECT_TRUE(parsed("*: m == 25.02 +- 0.01").holds(25.03));
    EXPECT_FALSE(parsed("*: m == 25.02 +- 0.01").holds(25.0301));
    EXPECT_TRUE(parsed("*: m >= 3").holds(3));
    EXPECT_FALSE(parsed("*: m > 3").holds(3));
    EXPECT_TRUE(parsed("*: m != 3").holds(3.1));
}

TEST(Expectation, ChecksEveryLaunch) {
    Folder folder;
    const RunFile run = open_run(sample_run(folder));
    const auto check_all = [&](const std::string& text) { return check(parsed(text), "inst.sum", run); };
    EXPECT_TRUE(check_all("*: inst.sum > 1").empty());
    EXPECT_TRUE(check_all("unrolling: inst.sum == 500").empty());
    EXPECT_TRUE(check_all("unroll.*: inst.sum == 500").empty());
    EXPECT_TRUE(check_all("neighbored: inst.sum != 2000").empty());
    const auto wrong = check_all("neighbored: inst.sum == 1000");
    ASSERT_EQ(wrong.size(), 1u);
    EXPECT_EQ(wrong[0],
              "neighbored(int *, unsigned int): inst.sum is 1000 to 3000 in 2 launches (expected inst.sum == "
              "1000)");
    EXPECT_EQ(check_all("*: inst.sum < 0").size(), 2u);
    const auto nobody = check_all("neighbor: inst.sum == 1000");
    ASSERT_EQ(nobody.size(), 1u);
    EXPECT_NE(nobody[0].find("no kernel matches 'neighbor'; launched were neighbored, unrolling<2>"),
              std::string::npos);
    const auto none = check(parsed("*: time.sum > 0"), "time.sum", run);
    ASSERT_EQ(none.size(), 2u);
    EXPECT_NE(none[0].find("has no value"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::report
