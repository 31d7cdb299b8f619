// What the programs of bench/hardware have found out about a GPU: a folder of CSV files, whose rows have
// settings, a unit, and the median, least and most of their samples.
#pragma once
#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/csv-table.h"

namespace lockstep::measure {

class Recordings {
  public:
    // Which rows: what stands in some of their columns.
    using Settings = std::initializer_list<std::pair<std::string_view, std::string_view>>;

    explicit Recordings(std::filesystem::path folder) : folder_(std::move(folder)) {}

    // Numbers in `column` of the rows with these settings, in the file's order; empty where the file, the
    // column or such rows are missing.
    std::vector<double> values(const std::string& file, Settings settings,
                               std::string_view column = "median") const;
    // The same with the number that stands in another column beside each: (`beside`, `column`).
    std::vector<std::pair<double, double>> pairs(const std::string& file, Settings settings,
                                                 std::string_view beside,
                                                 std::string_view column = "median") const;

    std::optional<double> first(const std::string& file, Settings settings,
                                std::string_view column = "median") const;
    std::optional<double> most(const std::string& file, Settings settings) const;
    std::optional<double> middle(const std::string& file, Settings settings,
                                 std::string_view column = "median") const;

    // What a device says of itself: device.csv.
    std::optional<std::string> property(std::string_view name) const;
    std::optional<double> number(std::string_view property) const;

  private:
    const report::CsvTable* table(const std::string& file) const;

    std::filesystem::path folder_;
    mutable std::map<std::string, std::optional<report::CsvTable>> read_;  // by file
};

// The middle one, or the mean of both.
std::optional<double> median(std::vector<double> values);

}  // namespace lockstep::measure
