// Metrics of launches as they are not: how long each would take without one thing that costs it time.
#include <fmt/format.h>

#include <utility>

#include "metrics/predicted-table.h"

namespace lockstep::metrics {
namespace {

template <std::size_t change>
void add(PredictedTable& table) {
    const timing::ChangeRow& row = timing::change_table[change];
    std::string title = fmt::format("Time without {}", row.name);
    for (char& c : title)
        if (c == '_') c = ' ';
    table
        .add({time_without(static_cast<timing::Change>(change))}, Unit::nanoseconds, {"what-if"}, title,
             fmt::format(
                 "Time that the launch would take if {}. Only `lockstep explain` asks for it; its own time "
                 "where it has nothing of the kind.",
                 row.meaning),
             predicted<[](P p, C) { return p.without[change]; }>)
        .vendor = Vendor::both;
}

template <std::size_t... all>
void add_all(PredictedTable& table, std::index_sequence<all...>) {
    (add<all>(table), ...);
}

}  // namespace

std::string time_without(timing::Change change) {
    return fmt::format("lockstep__time_without_{}",
                       timing::change_table[static_cast<std::size_t>(change)].name);
}

std::vector<Metric> what_if_metrics() {
    PredictedTable table;
    add_all(table, std::make_index_sequence<timing::changes>());
    return std::move(table.metrics);
}

}  // namespace lockstep::metrics
