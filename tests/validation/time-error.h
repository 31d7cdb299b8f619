// How close predicted times come to measured ones.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "compare.h"

namespace lockstep::validation {

constexpr const char* duration = "gpu__time_duration.sum";

// What the timing model predicts and ncu measures: the time, and what explains it.
std::vector<std::string> predicted_metrics();

struct TimeError {
    Pair pair;
    double measured = 0, predicted = 0;  // ns

    double relative() const { return predicted / measured - 1; }
    double factor() const;  // by which it is too long or too short, at least 1
};

// Of the launches that have both times. Ours must have all blocks: time does not scale with them.
std::vector<TimeError> time_errors(std::span<const Pair> pairs);

std::vector<TimeError> of_program(std::span<const TimeError> errors, const std::string& program);

// Without what every launch takes, an empty one's: from both times. Launches that measured hardly longer are
// left out, because what is left of them is within a measurement's noise.
std::vector<TimeError> net_of(std::span<const TimeError> errors, double overhead);

struct TimeSummary {
    std::size_t launches = 0;
    double mean = 0, median = 0;               // of the errors' absolute values, as a ratio
    TimeError worst;                           // the largest factor
    std::size_t within_10 = 0, within_20 = 0;  // percent
};

// Of at least one error.
TimeSummary summarize(std::span<const TimeError> errors);

// Kendall's tau of measured and predicted times.
double order(std::span<const TimeError> errors);

// What a GPU model says about itself after this comparison, its `validated`.
std::string validated_text(std::span<const TimeError> errors);

}  // namespace lockstep::validation
