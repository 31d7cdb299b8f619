#include "base/nearest.h"

#include <algorithm>
#include <numeric>

namespace lockstep {
namespace {

std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row.back();
}

}  // namespace

std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& names) {
    std::vector<std::pair<std::size_t, std::string>> ranked;
    for (const std::string& name : names) {
        const bool prefix = !word.empty() && name.rfind(word, 0) == 0;
        const std::size_t far = prefix ? 0 : distance(word, name);
        if (far <= std::max<std::size_t>(1, name.size() / 2)) ranked.emplace_back(far, name);
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> result;
    for (auto& [far, name] : ranked) result.push_back(std::move(name));
    return result;
}

}  // namespace lockstep
