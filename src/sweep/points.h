// The points of a sweep: every combination of the values that the user gave for block, arguments, GPU and
// figures of its model.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "gpu/block-limits.h"

namespace lockstep::sweep {

// What is varied, and its values as they are shown.
struct Axis {
    enum class Kind : std::uint8_t { gpu, figure, argument, block };
    Kind kind{};
    std::string name;  // "gpu", "block", "arg 2", or the figure's name
    std::vector<std::string> values;
    std::size_t argument = 0;  // which, from 1
};

// "32x32,64,8x8x4"
Result<Axis> parse_blocks(const std::string& list);
// "h200,my.toml"
Result<Axis> parse_gpus(const std::string& list);
// "2=64,128": the program's second argument
Result<Axis> parse_argument(const std::string& text);
// "sms=1,2,4": a figure of the GPU model
Result<Axis> parse_figure(const std::string& text);

// One value of each axis, in their order.
using Point = std::vector<std::string>;

constexpr std::size_t most_points = 4096;

// All combinations, the last axis fastest. No axis: one point. An error where they are too many.
Result<std::vector<Point>> cross_product(const std::vector<Axis>& axes);

// The GPU model at a point, empty where it is not varied; and what is changed of it, as --set takes it.
std::string gpu_at(const std::vector<Axis>& axes, const Point& point);
std::vector<std::string> settings_at(const std::vector<Axis>& axes, const Point& point);

// The program's arguments at a point. An argument may be replaced, or be the next one after the last.
Result<std::vector<std::string>> arguments_at(const std::vector<Axis>& axes, const Point& point,
                                              std::vector<std::string> arguments);

// "32x16", "h200 32x16": for messages.
std::string to_string(const Point& point);

}  // namespace lockstep::sweep
