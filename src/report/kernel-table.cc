#include "report/kernel-table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/demangle.h"
#include "report/metric-text.h"

namespace lockstep::report {
namespace {

constexpr std::size_t readable_width = 120;

// a … z, then aa, ab …
std::string letter(std::size_t number) {
    std::string text(1, static_cast<char>('a' + number % 26));
    return number < 26 ? text : letter(number / 26 - 1) + text;
}

Result<Table> launches(const RunFile& run, std::span<const Shown> shown, bool letters) {
    std::vector<Align> columns = {Align::right, Align::left, Align::left, Align::left};
    std::vector<std::string> head = {"launch", "kernel", "grid", "block"};
    for (std::size_t m = 0; m < shown.size(); ++m) {
        columns.push_back(Align::right);
        head.push_back(letters ? letter(m) : shown[m].name());
    }
    Table table(std::move(columns));
    table.row(std::move(head));
    std::uint64_t number = 0;
    auto done = run.each_launch([&](const StoredLaunch& stored) {
        const Launch& launch = stored.launch;
        std::vector<std::string> cells = {std::to_string(++number), base::short_kernel_name(launch.kernel),
                                          shape_text(launch.grid), shape_text(launch.block)};
        for (const Shown& one : shown) cells.push_back(value_text(one.value(launch), one.metric().unit));
        table.row(std::move(cells));
        if (!launch.fault.empty()) table.row({"        failed: " + launch.fault});
    });
    if (!done) return done.error();
    return table;
}

}  // namespace

std::string kernel_table(const RunFile& run, std::span<const Shown> shown) {
    const bool peaks =
        std::any_of(shown.begin(), shown.end(), [](const Shown& one) { return one.share.has_value(); });
    std::vector<Align> columns = {Align::right, Align::left,  Align::left,
                                  Align::right, Align::right, Align::right};
    std::vector<std::string> head = {"Invocations", "Metric Name", "Metric Description", "Min", "Max", "Avg"};
    if (peaks) {
        columns.push_back(Align::right);
        head.emplace_back("Of Peak");
    }
    columns.push_back(Align::left);  // what is predicted
    Table table(std::move(columns));
    table.row(std::move(head));
    for (const KernelResult& kernel : run.kernels) {
        table.row({"    Kernel: " + kernel.name});
        for (const Shown& one : shown) {
            const Aggregate* value = one.value(kernel);
            const auto text = [&](double number) {
                return value_text(value ? std::optional(number) : std::nullopt, one.metric().unit);
            };
            const Aggregate numbers = value ? *value : Aggregate{};
            std::vector<std::string> cells = {std::to_string(kernel.launches),
                                              one.name(),
                                              one.metric().title,
                                              text(numbers.min),
                                              text(numbers.max),
                                              text(numbers.average())};
            if (peaks) {
                const auto share = one.share_of_peak(kernel);
                cells.push_back(share ? value_text(share, metrics::Unit::percent) : "");
            }
            cells.emplace_back(one.is_predicted() ? "predicted" : "");
            table.row(std::move(cells));
        }
    }
    return table.text();
}

Result<std::string> launch_table(const RunFile& run, std::span<const Shown> shown) {
    auto named = launches(run, shown, false);
    if (!named) return named.error();
    if (named->width() <= readable_width) return named->text();
    // The names are what makes it wide.
    auto lettered = launches(run, shown, true);
    if (!lettered) return lettered.error();
    Table legend({Align::right, Align::left, Align::left});
    for (std::size_t m = 0; m < shown.size(); ++m)
        legend.row({letter(m), shown[m].name(), shown[m].metric().title});
    return legend.text() + '\n' + lettered->text();
}

}  // namespace lockstep::report
