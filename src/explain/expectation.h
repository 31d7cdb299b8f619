// Expectations of findings, for CI: "no finding above 10 %", "reduce: no bank-conflicts", "no uncoalesced
// above 5 %".
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "explain/finding.h"

namespace lockstep::explain {

struct Expectation {
    std::string kernel;  // as report::names_kernel takes it; "program": the program as a whole; empty: all
    std::string id;      // empty: any finding
    std::optional<double> above;  // of the time; nothing: it may not be there at all, whatever it costs
    std::string text;
};

Result<Expectation> parse_expectation(std::string_view text);

// What does not hold, a message each.
std::vector<std::string> check(const Expectation& expectation, const Explanation& all);

}  // namespace lockstep::explain
