#include "check/finding.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace lockstep::check {
namespace {

constexpr std::array<std::string_view, 7> classes = {"memory", "race", "sync",     "init",
                                                     "leak",   "host", "undefined"};
constexpr std::array<std::string_view, 3> ranks = {"error", "warning", "note"};

using nlohmann::json;

json place_json(const Place& place) {
    return {{"file", place.file},
            {"line", place.line},
            {"function", place.function},
            {"role", place.role},
            {"who", place.who}};
}

}  // namespace

std::string_view name(Class of) { return classes[static_cast<std::size_t>(of)]; }
std::string_view name(Rank of) { return ranks[static_cast<std::size_t>(of)]; }

std::optional<Class> class_named(std::string_view name) {
    const auto at = std::find(classes.begin(), classes.end(), name);
    if (at == classes.end()) return std::nullopt;
    return static_cast<Class>(at - classes.begin());
}

std::string key(const Finding& finding) {
    std::string text = std::string(name(finding.kind_of)) + '\0' + finding.kind + '\0' + finding.kernel;
    // Which of two accesses came first is chance.
    std::vector<std::string> own;
    for (std::size_t i = 0; i < std::min<std::size_t>(finding.own_places, finding.places.size()); ++i)
        own.push_back(finding.places[i].file + ':' + std::to_string(finding.places[i].line));
    std::sort(own.begin(), own.end());
    for (const std::string& place : own) text += '\0' + place;
    return text;
}

std::string to_line(const Finding& finding) {
    json places = json::array();
    for (const Place& place : finding.places) places.push_back(place_json(place));
    json all = {{"class", name(finding.kind_of)},
                {"kind", finding.kind},
                {"kernel", finding.kernel},
                {"rank", static_cast<int>(finding.rank)},
                {"message", finding.message},
                {"advice", finding.advice},
                {"count", finding.count},
                {"own_places", finding.own_places},
                {"places", places}};
    if (!finding.details.empty()) all["details"] = finding.details;
    return all.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::optional<Finding> from_line(std::string_view line) {
    const json all = json::parse(line, nullptr, false);
    if (!all.is_object()) return std::nullopt;
    try {
        Finding finding;
        const auto of = class_named(all.at("class").get<std::string>());
        const int rank = all.at("rank").get<int>();
        if (!of || rank < 0 || rank >= static_cast<int>(ranks.size())) return std::nullopt;
        finding.kind_of = *of;
        finding.rank = static_cast<Rank>(rank);
        finding.kind = all.at("kind");
        finding.kernel = all.at("kernel");
        finding.message = all.at("message");
        finding.advice = all.at("advice");
        finding.count = all.at("count");
        finding.own_places = all.at("own_places");
        for (const json& one : all.at("places"))
            finding.places.push_back(
                {one.at("file"), one.at("line"), one.at("function"), one.at("role"), one.at("who")});
        if (const auto details = all.find("details"); details != all.end())
            finding.details = details->get<std::map<std::string, std::string>>();
        return finding;
    } catch (const json::exception&) {
        return std::nullopt;
    }
}

}  // namespace lockstep::check
