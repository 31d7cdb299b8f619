// How metrics of the timing model are written down: a value of a launch's prediction, or none.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "metrics/metric-table.h"

namespace lockstep::metrics {

using P = const Prediction&;
using C = const Launch&;

// A launch that failed has no such number.
template <auto of>
std::optional<double> predicted(C c) {
    if (!c.prediction) return std::nullopt;
    return of(*c.prediction, c);
}

inline std::optional<double> per(double part, double whole, double scale = 1) {
    if (whole <= 0) return std::nullopt;
    return scale * part / whole;
}

class PredictedTable {
  public:
    Metric& add(std::vector<std::string> names, Unit unit, std::vector<std::string> groups, std::string title,
                std::string definition, std::optional<double> (*value)(C)) {
        metrics.push_back({.names = std::move(names),
                           .unit = unit,
                           .kind = Kind::predicted,
                           .groups = std::move(groups),
                           .title = std::move(title),
                           .definition = std::move(definition),
                           .value = value});
        return metrics.back();
    }
    std::vector<Metric> metrics;
};

}  // namespace lockstep::metrics
