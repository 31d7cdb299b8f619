#include "kendall.h"

#include <cmath>

namespace lockstep::validation {
namespace {

int sign(double x) { return (x > 0) - (x < 0); }

}  // namespace

double kendall_tau(std::span<const double> a, std::span<const double> b) {
    long agreement = 0, ordered_a = 0, ordered_b = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = i + 1; j < a.size(); ++j) {
            const int in_a = sign(a[i] - a[j]), in_b = sign(b[i] - b[j]);
            agreement += in_a * in_b;
            ordered_a += in_a != 0;
            ordered_b += in_b != 0;
        }
    if (ordered_a == 0 || ordered_b == 0) return 0;
    return static_cast<double>(agreement) /
           std::sqrt(static_cast<double>(ordered_a) * static_cast<double>(ordered_b));
}

}  // namespace lockstep::validation
