#include "page/stream-data.h"

#include <algorithm>
#include <map>

#include "page/metric-list.h"

namespace lockstep::page {
namespace {

using nlohmann::json;

// Names once, and their numbers where they come again.
class Names {
  public:
    int number(const std::string& name) {
        const auto [found, is_new] = numbers_.try_emplace(name, static_cast<int>(list_.size()));
        if (is_new) list_.push_back(name);
        return found->second;
    }
    json take() { return std::move(list_); }

  private:
    std::map<std::string, int> numbers_;
    json list_ = json::array();
};

json totals_data(const std::vector<report::TimeTotal>& totals) {
    json list = json::array();
    for (const report::TimeTotal& one : totals)
        list.push_back({{"name", one.name},
                        {"count", one.time.count},
                        {"kept", one.kept},
                        {"sum", number(one.time.sum)},
                        {"min", number(one.time.min)},
                        {"max", number(one.time.max)}});
    return list;
}

}  // namespace

// bars: [name, begin, end, device, stream, bytes]; calls: [name, begin, end]; times in nanoseconds.
Result<json> stream_data(const report::RunFile& run) {
    auto activities = run.activities();
    if (!activities) return activities.error();
    auto calls = run.calls();
    if (!calls) return calls.error();
    auto activity_totals = run.activity_totals();
    if (!activity_totals) return activity_totals.error();
    auto call_totals = run.call_totals();
    if (!call_totals) return call_totals.error();
    Names names;
    json bars = json::array(), host = json::array();
    for (std::size_t a = 0; a < std::min(activities->size(), most_bars); ++a) {
        const report::Activity& one = (*activities)[a];
        bars.push_back(json::array({names.number(one.name), number(one.begin), number(one.end), one.device,
                                    report::tool_stream(one.stream), one.bytes}));
    }
    for (std::size_t c = 0; c < std::min(calls->size(), most_calls); ++c) {
        const report::ApiCall& one = (*calls)[c];
        host.push_back(json::array({names.number(one.function), number(one.begin), number(one.end)}));
    }
    return json{{"names", names.take()},
                {"bars", std::move(bars)},
                {"calls", std::move(host)},
                {"activity_totals", totals_data(*activity_totals)},
                {"call_totals", totals_data(*call_totals)}};
}

}  // namespace lockstep::page
