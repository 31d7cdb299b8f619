// The metrics that the page has: those of which some kernel of some run has a value, in one order for all
// runs.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "page/page.h"

namespace lockstep::page {

class MetricList {
  public:
    explicit MetricList(const std::vector<RunInput>& runs);

    // What they are, an object each.
    nlohmann::json definitions() const;
    // A kernel's averages in the list's order, null where it has none.
    nlohmann::json averages(const report::RunFile& run, const report::KernelResult& kernel) const;
    // The least and the most, by the place in the list, where launches differ.
    nlohmann::json spreads(const report::RunFile& run, const report::KernelResult& kernel) const;

  private:
    std::vector<const metrics::Metric*> metrics_;
};

// With nine digits, which is more than anybody reads; JSON has no infinity.
nlohmann::json number(double value);

}  // namespace lockstep::page
