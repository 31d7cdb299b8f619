// A CSV file with a line of names, as AMD's tools write and read them.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace lockstep::report {

struct CsvTable {
    std::vector<std::string> names;
    std::vector<std::vector<std::string>> rows;

    std::optional<std::size_t> column(std::string_view name) const;
    // Empty where there is no such column.
    const std::string& cell(std::size_t row, std::string_view name) const;
    std::string text() const;
};

// Quotes around a cell, doubled inside. A row that is shorter or longer than the names is an error.
Result<CsvTable> parse_csv(std::string_view text, const std::string& file);
Result<CsvTable> read_csv(const std::filesystem::path& file);

}  // namespace lockstep::report
