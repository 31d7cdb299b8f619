#include "explain/families.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace lockstep::explain {
namespace {

// What an instruction is for.
struct Family {
    const char* name;
    bool (*has)(std::string_view operation);
};
constexpr std::array families = {
    Family{"divisions and remainders",
           [](std::string_view o) { return o.starts_with("rem.") || o.starts_with("div."); }},
    Family{"loads, stores and atomics",
           [](std::string_view o) {
               return o.starts_with("ld") || o.starts_with("st.") || o.starts_with("atom") ||
                      o.starts_with("red");
           }},
    Family{"branches and barriers",
           [](std::string_view o) {
               return o.starts_with("bra") || o.starts_with("bar") || o.starts_with("ret") ||
                      o.starts_with("exit") || o.starts_with("setp");
           }},
    Family{"shuffles and votes",
           [](std::string_view o) {
               return o.starts_with("shfl") || o.starts_with("vote") || o.starts_with("redux");
           }},
    Family{"arithmetic", [](std::string_view) { return true; }},
};

using Sums = std::array<double, families.size()>;

Sums by_family(const Facts& facts) {
    Sums sums{};
    facts.each_instruction([&](const report::InstructionCounts& at) {
        const std::string_view operation = operation_of(at);
        for (std::size_t f = 0; f < families.size(); ++f)
            if (families[f].has(operation)) {
                sums[f] += static_cast<double>(at.executed);
                break;
            }
    });
    for (double& sum : sums) sum /= launches_of(facts);
    return sums;
}

}  // namespace

double launches_of(const Facts& facts) {
    return static_cast<double>(std::max<std::uint64_t>(facts.kernel().launches, 1));
}

std::string family_changes(const Facts& from, const Facts& to, double least) {
    const Sums before = by_family(from), after = by_family(to);
    std::array<std::size_t, families.size()> order{};
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto change = [&](std::size_t f) { return after[f] - before[f]; };
    std::sort(order.begin(), order.end(),
              [&](std::size_t x, std::size_t y) { return std::abs(change(x)) > std::abs(change(y)); });
    std::string parts;
    for (std::size_t i = 0; i < 3; ++i)
        if (std::abs(change(order[i])) > least)
            parts += fmt::format("{}{} {:+.2f} million", parts.empty() ? "" : ", ", families[order[i]].name,
                                 change(order[i]) / 1e6);
    return parts;
}

}  // namespace lockstep::explain
