#include "sweep/points.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace lockstep::sweep {
namespace {

using Texts = std::vector<std::string>;

TEST(Points, Blocks) {
    const auto axis = parse_blocks("32x32,64,8x8x4");
    ASSERT_TRUE(axis);
    EXPECT_EQ(axis->kind, Axis::Kind::block);
    EXPECT_EQ(axis->name, "block");
    EXPECT_EQ(axis->values, (Texts{"32x32", "64", "8x8x4"}));
    EXPECT_EQ(parse_blocks("32x32,64x").error().message,
              "--block 32x32,64x: '64x' is no block; give threads as 256, 32x8 or 8x8x4");
    EXPECT_EQ(parse_blocks("64,64").error().message, "--block 64,64: 64 is there twice");
    EXPECT_EQ(parse_blocks("64,").error().message, "--block 64,: a value is missing");
    EXPECT_FALSE(parse_blocks(""));
    EXPECT_FALSE(parse_blocks("0x32"));
    EXPECT_FALSE(parse_blocks("-1"));
    EXPECT_FALSE(parse_blocks("1x1x1x1"));
}

TEST(Points, ArgumentsAndFigures) {
    const auto axis = parse_argument("12=a=b,-5");
    ASSERT_TRUE(axis);
    EXPECT_EQ(axis->argument, 12u);
    EXPECT_EQ(axis->name, "arg 12");
    EXPECT_EQ(axis->values, (Texts{"a=b", "-5"}));
    for (const char* text : {"64", "=64", "0=64", "x=64", "1x=64", "-1=64"})
        EXPECT_EQ(parse_argument(text).error().message,
                  fmt::format("--arg {}: give the argument's number and its values, as 1=64,128", text));
    EXPECT_FALSE(parse_argument("1="));
    const auto figure = parse_figure("sms=1,2");
    ASSERT_TRUE(figure);
    EXPECT_EQ(figure->name, "sms");
    EXPECT_EQ(figure->values, (Texts{"1", "2"}));
    EXPECT_FALSE(parse_figure("sms"));
    EXPECT_FALSE(parse_figure("=1"));
}

TEST(Points, CrossProduct) {
    const std::vector<Axis> axes = {*parse_gpus("h200,fermi"), *parse_argument("1=a"),
                                    *parse_blocks("32,64")};
    const auto points = cross_product(axes);
    ASSERT_TRUE(points);
    EXPECT_EQ(*points,
              (std::vector<Point>{
                  {"h200", "a", "32"}, {"h200", "a", "64"}, {"fermi", "a", "32"}, {"fermi", "a", "64"}}));
    EXPECT_EQ(to_string((*points)[1]), "h200 a 64");
    EXPECT_EQ(gpu_at(axes, (*points)[2]), "fermi");
    EXPECT_EQ(gpu_at({axes[1]}, {"a"}), "");
    EXPECT_EQ(settings_at({axes[0], *parse_figure("sms=1,2")}, {"h200", "2"}), (Texts{"sms=2"}));
    EXPECT_EQ(cross_product({})->size(), 1u);
    EXPECT_EQ(cross_product({*parse_argument("1=a"), *parse_argument("1=b")}).error().message,
              "arg 1 is varied twice; give all its values at once");
}

TEST(Points, TooMany) {
    Axis wide{.kind = Axis::Kind::argument, .name = "arg 1", .values = Texts(100, "x"), .argument = 1};
    Axis other = wide;
    other.name = "arg 2";
    EXPECT_EQ(cross_product({wide, other}).error().message,
              "too many points: 100 × arg 1, 100 × arg 2; at most 4096 are run");
    EXPECT_TRUE(cross_product({wide}));
}

TEST(Points, ArgumentsAtAPoint) {
    const std::vector<Axis> axes = {*parse_argument("3=c"), *parse_blocks("32"), *parse_argument("2=b")};
    const Point point = {"c", "32", "b"};
    EXPECT_EQ(*arguments_at(axes, point, {"1", "2", "3", "4"}), (Texts{"1", "b", "c", "4"}));
    EXPECT_EQ(*arguments_at(axes, point, {"1"}), (Texts{"1", "b", "c"}));
    EXPECT_EQ(arguments_at(axes, point, {}).error().message,
              "--arg 2: the program has 0 arguments; the next would be 1");
}

}  // namespace
}  // namespace lockstep::sweep
