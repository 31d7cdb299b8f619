#include "measure/formula.h"

#include <algorithm>
#include <cmath>

namespace lockstep::measure {
namespace {

bool is_of(const Formula& formula, const metrics::Metric& metric) {
    return std::ranges::find(metric.names, formula.metric) != metric.names.end();
}

}  // namespace

double Figures::operator()(std::string_view name) {
    if (asked_for_) {
        if (std::ranges::find(*asked_for_, name) == asked_for_->end()) asked_for_->emplace_back(name);
        return 1;
    }
    const auto found = values_->find(name);
    if (found != values_->end()) return found->second;
    complete_ = false;
    return 0;
}

double Figures::ratio(std::string_view of, std::string_view over) {
    const double value = (*this)(of);
    return value / (*this)(over);
}

std::optional<double> value_of(std::span<const Formula> formulas, const metrics::Metric& metric,
                               const Figures::Values& values) {
    for (const Formula& formula : formulas) {
        if (!is_of(formula, metric)) continue;
        Figures figures(values);
        const double value = formula.value(figures);
        if (figures.complete()) return std::isfinite(value) ? std::optional(value) : std::nullopt;
    }
    return {};
}

std::vector<std::string> figures_of(std::span<const Formula> formulas, const metrics::Metric& metric) {
    std::vector<std::string> names;
    for (const Formula& formula : formulas) {
        if (!is_of(formula, metric)) continue;
        Figures figures(names);
        formula.value(figures);
    }
    return names;
}

}  // namespace lockstep::measure
