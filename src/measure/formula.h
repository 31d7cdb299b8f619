// A metric that no tool has under a name of its own, as a formula over what it has.
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/metric.h"

namespace lockstep::measure {

inline constexpr double percent = 100;

// What formulas are computed from: a launch's values, or, to find out which a formula needs, ones alone.
class Figures {
  public:
    using Values = std::map<std::string, double, std::less<>>;
    explicit Figures(const Values& values) : values_(&values) {}
    explicit Figures(std::vector<std::string>& asked_for) : asked_for_(&asked_for) {}

    double operator()(std::string_view name);
    double ratio(std::string_view of, std::string_view over);
    bool complete() const { return complete_; }

  private:
    const Values* values_ = nullptr;
    std::vector<std::string>* asked_for_ = nullptr;
    bool complete_ = true;
};

struct Formula {
    std::string_view metric;  // one of its names
    double (*value)(Figures&);
};

// The metric's value by its formulas: generations of GPUs have other figures, and the first of its formulas
// whose figures are all there counts. Nothing where there is none, or nothing to divide by.
std::optional<double> value_of(std::span<const Formula> formulas, const metrics::Metric& metric,
                               const Figures::Values& values);
// The names that the metric's formulas need, in their order, each once; none where it has no formula.
std::vector<std::string> figures_of(std::span<const Formula> formulas, const metrics::Metric& metric);

}  // namespace lockstep::measure
