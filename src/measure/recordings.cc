#include "measure/recordings.h"

#include <algorithm>
#include <cstdlib>

namespace lockstep::measure {
namespace {

std::optional<double> number_in(const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return text.empty() || *end != '\0' ? std::nullopt : std::optional(value);
}

}  // namespace

std::optional<double> median(std::vector<double> values) {
    if (values.empty()) return {};
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

const report::CsvTable* Recordings::table(const std::string& file) const {
    const auto [at, added] = read_.try_emplace(file);
    if (added)
        if (auto read = report::read_csv(folder_ / file)) at->second = std::move(*read);
    return at->second ? &*at->second : nullptr;
}

std::vector<std::pair<double, double>> Recordings::pairs(const std::string& file, Settings settings,
                                                         std::string_view beside,
                                                         std::string_view column) const {
    std::vector<std::pair<double, double>> found;
    const report::CsvTable* const csv = table(file);
    if (!csv) return found;
    for (std::size_t row = 0; row < csv->rows.size(); ++row) {
        if (!std::ranges::all_of(settings, [&](const auto& wanted) {
                return csv->column(wanted.first) && csv->cell(row, wanted.first) == wanted.second;
            }))
            continue;
        const auto x = number_in(csv->cell(row, beside)), y = number_in(csv->cell(row, column));
        if (x && y) found.emplace_back(*x, *y);
    }
    return found;
}

std::vector<double> Recordings::values(const std::string& file, Settings settings,
                                       std::string_view column) const {
    std::vector<double> found;
    for (const auto& [beside, value] : pairs(file, settings, column, column)) found.push_back(value);
    return found;
}

std::optional<double> Recordings::first(const std::string& file, Settings settings,
                                        std::string_view column) const {
    const auto found = values(file, settings, column);
    return found.empty() ? std::nullopt : std::optional(found.front());
}

std::optional<double> Recordings::most(const std::string& file, Settings settings) const {
    const auto found = values(file, settings);
    return found.empty() ? std::nullopt : std::optional(std::ranges::max(found));
}

std::optional<double> Recordings::middle(const std::string& file, Settings settings,
                                         std::string_view column) const {
    return median(values(file, settings, column));
}

std::optional<std::string> Recordings::property(std::string_view name) const {
    const report::CsvTable* const csv = table("device.csv");
    if (!csv) return {};
    for (std::size_t row = 0; row < csv->rows.size(); ++row)
        if (csv->cell(row, "property") == name) return csv->cell(row, "value");
    return {};
}

std::optional<double> Recordings::number(std::string_view property_name) const {
    const auto text = property(property_name);
    return text ? number_in(*text) : std::nullopt;
}

}  // namespace lockstep::measure
