// A formula over counters: names, numbers, + - * / and parentheses.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::report {

struct CounterValue {
    std::optional<double> value;  // nothing: a divisor is 0, or …
    std::string missing;          // … this name has no value
};

using CounterLookup = std::function<std::optional<double>(std::string_view name)>;

// The formulas are ours: one that cannot be read is a mistake of this program, and ends it.
CounterValue evaluate(std::string_view formula, const CounterLookup& lookup);

}  // namespace lockstep::report
