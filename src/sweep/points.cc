#include "sweep/points.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace lockstep::sweep {
namespace {

Result<std::vector<std::string>> split(const std::string& option, const std::string& list) {
    std::vector<std::string> values;
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        std::string value = list.substr(begin, end - begin);
        if (value.empty()) return Error{fmt::format("{} {}: a value is missing", option, list), {}};
        if (std::find(values.begin(), values.end(), value) != values.end())
            return Error{fmt::format("{} {}: {} is there twice", option, list, value), {}};
        values.push_back(std::move(value));
        begin = end + 1;
    }
    return values;
}

Result<Axis> with_values(Axis axis, const std::string& option, const std::string& list) {
    auto values = split(option, list);
    if (!values) return values.error();
    axis.values = std::move(*values);
    return axis;
}

}  // namespace

Result<Axis> parse_blocks(const std::string& list) {
    auto axis = with_values({.kind = Axis::Kind::block, .name = "block"}, "--block", list);
    if (!axis) return axis;
    for (const std::string& value : axis->values) {
        const auto block = gpu::parse_dimensions(value);
        if (!block || gpu::count(*block) == 0)
            return Error{
                fmt::format("--block {}: '{}' is no block; give threads as 256, 32x8 or 8x8x4", list, value),
                {}};
    }
    return axis;
}

Result<Axis> parse_gpus(const std::string& list) {
    return with_values({.kind = Axis::Kind::gpu, .name = "gpu"}, "--gpu", list);
}

Result<Axis> parse_argument(const std::string& text) {
    const std::size_t equals = text.find('=');
    std::size_t number = 0;
    const char* end = text.data() + std::min(equals, text.size());
    const auto [next, failed] = std::from_chars(text.data(), end, number);
    if (equals == std::string::npos || failed != std::errc() || next != end || number == 0)
        return Error{fmt::format("--arg {}: give the argument's number and its values, as 1=64,128", text),
                     {}};
    return with_values(
        {.kind = Axis::Kind::argument, .name = fmt::format("arg {}", number), .argument = number},
        fmt::format("--arg {}=", number), text.substr(equals + 1));
}

Result<Axis> parse_figure(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        return Error{
            fmt::format("--set {}: give a figure of the GPU model and its values, as sms=1,2,4", text), {}};
    const std::string name = text.substr(0, equals);
    return with_values({.kind = Axis::Kind::figure, .name = name}, fmt::format("--set {}=", name),
                       text.substr(equals + 1));
}

Result<std::vector<Point>> cross_product(const std::vector<Axis>& axes) {
    for (std::size_t a = 0; a < axes.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
            if (axes[a].kind == axes[b].kind && axes[a].name == axes[b].name)
                return Error{fmt::format("{} is varied twice; give all its values at once", axes[a].name),
                             {}};
    std::size_t count = 1;
    for (const Axis& axis : axes) {
        // Each factor is a list on a command line: this cannot overflow.
        count *= axis.values.size();
        if (count > most_points) {
            std::vector<std::string> sizes;
            for (const Axis& each : axes)
                sizes.push_back(fmt::format("{} × {}", each.values.size(), each.name));
            return Error{
                fmt::format("too many points: {}; at most {} are run", fmt::join(sizes, ", "), most_points),
                {}};
        }
    }
    std::vector<Point> points = {{}};
    for (const Axis& axis : axes) {
        std::vector<Point> longer;
        for (const Point& point : points)
            for (const std::string& value : axis.values) {
                longer.push_back(point);
                longer.back().push_back(value);
            }
        points = std::move(longer);
    }
    return points;
}

std::string gpu_at(const std::vector<Axis>& axes, const Point& point) {
    for (std::size_t a = 0; a < axes.size(); ++a)
        if (axes[a].kind == Axis::Kind::gpu) return point[a];
    return "";
}

std::vector<std::string> settings_at(const std::vector<Axis>& axes, const Point& point) {
    std::vector<std::string> settings;
    for (std::size_t a = 0; a < axes.size(); ++a)
        if (axes[a].kind == Axis::Kind::figure) settings.push_back(axes[a].name + "=" + point[a]);
    return settings;
}

Result<std::vector<std::string>> arguments_at(const std::vector<Axis>& axes, const Point& point,
                                              std::vector<std::string> arguments) {
    std::vector<std::size_t> order;
    for (std::size_t a = 0; a < axes.size(); ++a)
        if (axes[a].kind == Axis::Kind::argument) order.push_back(a);
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return axes[a].argument < axes[b].argument; });
    for (const std::size_t a : order) {
        const std::size_t number = axes[a].argument;
        if (number > arguments.size() + 1)
            return Error{
                fmt::format("--arg {}: the program has {} argument{}; the next would be {}", number,
                            arguments.size(), arguments.size() == 1 ? "" : "s", arguments.size() + 1),
                {}};
        if (number > arguments.size()) arguments.emplace_back();
        arguments[number - 1] = point[a];
    }
    return arguments;
}

std::string to_string(const Point& point) { return fmt::format("{}", fmt::join(point, " ")); }

}  // namespace lockstep::sweep
