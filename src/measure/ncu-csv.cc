#include "measure/ncu-csv.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <optional>

#include "report/activity.h"
#include "report/csv-table.h"

namespace lockstep::measure {
namespace {

constexpr std::string_view first_title = "\"ID\",";

// "1,980,000" and "3.88"; nothing of words.
std::optional<double> number(std::string text) {
    std::erase(text, ',');
    if (text.empty()) return {};
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    return *end == '\0' ? std::optional(value) : std::nullopt;
}

// What a value in that unit is multiplied by. ncu chooses prefixes by itself unless it is told --print-units
// base.
double scale_of(std::string_view unit) {
    struct Unit {
        std::string_view name;
        double scale;
    };
    constexpr std::array prefixed = {Unit{"byte", 1},   Unit{"hz", 1},   Unit{"inst", 1},
                                     Unit{"sector", 1}, Unit{"warp", 1}, Unit{"thread", 1}};
    constexpr std::array times = {Unit{"ns", 1},        Unit{"nsecond", 1}, Unit{"us", 1e3},
                                  Unit{"usecond", 1e3}, Unit{"ms", 1e6},    Unit{"msecond", 1e6},
                                  Unit{"s", 1e9},       Unit{"second", 1e9}};
    for (const Unit& time : times)
        if (unit == time.name) return time.scale;
    double scale = 1;
    if (unit.ends_with("/second") || unit.ends_with("/s"))
        unit = unit.substr(0, unit.find('/'));
    else if (unit.ends_with("/nsecond") || unit.ends_with("/ns"))
        scale = 1e9, unit = unit.substr(0, unit.find('/'));
    else if (unit.ends_with("/usecond") || unit.ends_with("/us"))
        scale = 1e6, unit = unit.substr(0, unit.find('/'));
    if (const std::size_t per = unit.find('/'); per != std::string_view::npos) unit = unit.substr(0, per);
    constexpr std::string_view prefixes = "KMGT";
    for (const Unit& one : prefixed) {
        if (!unit.ends_with(one.name) || unit.size() != one.name.size() + 1) continue;
        const std::size_t at = prefixes.find(unit.front());
        if (at == std::string_view::npos) continue;
        for (std::size_t i = 0; i <= at; ++i) scale *= 1e3;
    }
    return scale;
}

// "(128, 8, 1)"
std::optional<std::array<std::uint32_t, 3>> shape(const std::string& text) {
    std::array<std::uint32_t, 3> result{1, 1, 1};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::uint32_t& extent : result) {
        while (at != end && (*at < '0' || *at > '9')) ++at;
        const auto [next, error] = std::from_chars(at, end, extent);
        if (error != std::errc()) return {};
        at = next;
    }
    return result;
}

}  // namespace

std::vector<std::string> ncu_messages(std::string_view text) {
    std::vector<std::string> messages;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        if (line.starts_with("==")) messages.emplace_back(line);
        text = end == std::string_view::npos ? "" : text.substr(end + 1);
    }
    return messages;
}

Result<NcuOutput> read_ncu_csv(std::string_view text, const std::string& file) {
    NcuOutput output;
    const std::size_t start = text.find(first_title);
    if (start == std::string_view::npos)
        return Error{
            fmt::format("{}: there is no table of Nsight Compute's in it (ncu --csv --page raw prints one)",
                        file),
            {}};
    output.messages = ncu_messages(text);
    // Behind the table the program may go on printing, and ncu itself: rows begin with a quote.
    std::string table;
    bool quoted = false;
    for (std::size_t at = start; at < text.size();) {
        std::size_t end = text.find('\n', at);
        if (end == std::string_view::npos) end = text.size();
        const std::string_view line = text.substr(at, end - at);
        if (quoted || line.starts_with("\"")) {
            for (const char c : line) quoted ^= c == '"';
            table.append(line).append("\n");
        }
        at = end + 1;
    }
    auto parsed = report::parse_csv(table, file);
    if (!parsed) return parsed.error();
    for (const char* needed : {"Kernel Name", "Grid Size", "Block Size"})
        if (!parsed->column(needed))
            return Error{
                fmt::format("{}: ncu's table has no column \"{}\": it wants --page raw", file, needed), {}};
    if (parsed->rows.empty()) return output;
    const std::vector<std::string>& units = parsed->rows.front();
    for (std::size_t row = 1; row < parsed->rows.size(); ++row) {
        MeasuredLaunch launch;
        launch.kernel = parsed->cell(row, "Kernel Name");
        launch.compute_capability = parsed->cell(row, "CC");
        const auto grid = shape(parsed->cell(row, "Grid Size")),
                   block = shape(parsed->cell(row, "Block Size"));
        if (!grid || !block)
            return Error{fmt::format("{}: launch {} has no shape", file, parsed->cell(row, "ID")), {}};
        launch.grid = *grid;
        launch.block = *block;
        const auto whole = [&](const char* column) {
            return static_cast<std::uint64_t>(number(parsed->cell(row, column)).value_or(0));
        };
        launch.process = whole("Process ID");
        launch.stream = report::stream_of_tool(whole("Stream"));
        launch.device = static_cast<int>(whole("Device"));
        for (std::size_t column = 0; column < parsed->names.size(); ++column) {
            const std::string& name = parsed->names[column];
            if (name.find("__") == std::string::npos) continue;
            if (const auto value = number(parsed->rows[row][column]))
                launch.values[name] = *value * scale_of(units[column]);
            else if (name == "device__attribute_display_name")
                output.gpu_name = parsed->rows[row][column];
        }
        output.launches.push_back(std::move(launch));
    }
    return output;
}

}  // namespace lockstep::measure
