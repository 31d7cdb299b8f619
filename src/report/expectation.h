// Expectations for CI: "KERNEL: METRIC OP VALUE".
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "report/run-reader.h"

namespace lockstep::report {

struct Expectation {
    enum class Op : std::uint8_t { equal, unequal, less, at_most, greater, at_least, about };
    std::string kernel;  // as in names_kernel
    std::string metric;
    Op op{};
    double value = 0;  // in the metric's own unit: nanoseconds, bytes, bytes a second
    double tolerance = 0;
    // What VALUE was written in: "us" is a time. Nothing: a plain number, or a percentage of whatever.
    std::optional<metrics::Unit> unit;
    std::string text;  // as it was written
    Place place;       // in an expectations file

    bool holds(double actual) const;
};

// `==` and `!=` mean the number itself, up to rounding; with `+- T`, a distance of at most T. `~` means equal
// as far as VALUE has digits: "~ 25.02" is 25.015 to 25.025. VALUE may have a unit: "time <= 100us", where `time` is
// the predicted time of a launch.
Result<Expectation> parse_expectation(std::string_view text, const Place& place = {});

// One a line; empty lines and what follows # are ignored. Each bad line has its line in the error.
Result<std::vector<Expectation>> parse_expectations(std::string_view text, const std::string& file);

// What does not hold, one message an expectation and kernel. An expectation holds if it does in every launch;
// one that no kernel matches does not hold. `metric` is the canonical name of the metric meant.
std::vector<std::string> check(const Expectation& expectation, const std::string& metric, const RunFile& run);

}  // namespace lockstep::report
