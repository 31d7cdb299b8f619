#include "report/result.h"

#include <algorithm>

namespace lockstep::report {

std::string_view failure_name(FailureKind kind) {
    switch (kind) {
        case FailureKind::fault: return "fault";
        case FailureKind::refused: return "refused";
        case FailureKind::unsupported: return "unsupported";
    }
    return "";
}

std::optional<FailureKind> find_failure(std::string_view name) {
    for (const FailureKind kind : {FailureKind::fault, FailureKind::refused, FailureKind::unsupported})
        if (failure_name(kind) == name) return kind;
    return {};
}

void Aggregate::add(double value) { add(Aggregate{1, value, value, value}); }

void Aggregate::add(const Aggregate& other) {
    if (other.count == 0) return;
    if (count == 0) {
        *this = other;
        return;
    }
    count += other.count;
    min = std::min(min, other.min);
    max = std::max(max, other.max);
    sum += other.sum;
}

// Rounding must not put the average of equal values beside them.
double Aggregate::average() const {
    return count == 0 ? 0 : std::clamp(sum / static_cast<double>(count), min, max);
}

}  // namespace lockstep::report
