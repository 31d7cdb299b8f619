#include "report/findings-export.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "report/findings-text.h"

namespace lockstep::report {
namespace {

using check::Class;
using check::Finding;
using check::Place;
using Json = nlohmann::ordered_json;

std::string dump(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json finding_json(const Finding& finding) {
    Json places = Json::array();
    for (const Place& place : finding.places)
        places.push_back({{"file", place.file},
                          {"line", place.line},
                          {"function", place.function},
                          {"role", place.role},
                          {"who", place.who}});
    return {{"class", check::name(finding.kind_of)},
            {"kind", finding.kind},
            {"rank", check::name(finding.rank)},
            {"kernel", finding.kernel},
            {"message", finding.message},
            {"advice", finding.advice},
            {"count", finding.count},
            {"own_places", finding.own_places},
            {"places", std::move(places)},
            {"details", Json(finding.details.empty() ? Json::object() : Json(finding.details))}};
}

constexpr std::array<const char*, 7> class_descriptions = {
    "An access outside of the memory that is the program's, or a wrong allocation, copy or free",
    "Accesses of the same bytes with no order between them, of which one is a write",
    "Barriers, masks and waits that some threads never come to",
    "A result that rests on memory which nobody has written",
    "Memory that is never freed",
    "Calls of the CUDA API in a wrong order, too early, too late, or with their errors ignored",
    "A result that the language or the order of blocks leaves open",
};

std::string rule_id(const Finding& finding) {
    return fmt::format("{}/{}", check::name(finding.kind_of), finding.kind);
}

// A path may hold what an address must not.
std::string uri(const std::string& file) {
    std::string result;
    for (const char c : shown_file(file)) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) || std::string_view("-._~/+,@=").find(c) != std::string_view::npos)
            result += c;
        else
            result += fmt::format("%{:02X}", byte);
    }
    return std::filesystem::path(file).is_absolute() && result.starts_with('/') ? "file://" + result : result;
}

Json artifact(const std::string& file) {
    Json location = {{"uri", uri(file)}};
    if (!location["uri"].get<std::string>().starts_with("file:")) location["uriBaseId"] = "SRCROOT";
    return location;
}

Json physical(const Place& place) {
    Json location = {{"artifactLocation", artifact(place.file)}};
    if (place.line > 0) location["region"] = {{"startLine", place.line}};
    return location;
}

Json sarif_location(const Place& place) {
    Json location = {{"physicalLocation", physical(place)}};
    if (!place.function.empty())
        location["logicalLocations"] =
            Json::array({{{"fullyQualifiedName", place.function}, {"kind", "function"}}});
    std::string words = place.role;
    if (!place.who.empty()) words += (words.empty() ? "" : " by ") + place.who;
    if (!words.empty()) location["message"] = {{"text", words}};
    return location;
}

Json sarif_result(const Finding& finding, std::size_t rule, const CheckReport& report) {
    Json locations = Json::array(), related = Json::array();
    for (const Place& place : finding.places) {
        if (place.file.empty()) continue;
        if (locations.empty()) {
            locations.push_back(sarif_location(place));
        } else {
            related.push_back(sarif_location(place));
            related.back()["id"] = related.size();
        }
    }
    // Code scanning shows nothing without a place: the program itself is what is known.
    if (locations.empty())
        locations.push_back({{"physicalLocation", {{"artifactLocation", artifact(report.source)}}}});
    std::string text = finding.message;
    if (!finding.kernel.empty()) text += fmt::format(" (kernel {})", finding.kernel);
    if (!finding.advice.empty()) text += "\nFix: " + finding.advice;
    Json result = {{"ruleId", rule_id(finding)},         {"ruleIndex", rule},
                   {"level", check::name(finding.rank)}, {"message", {{"text", text}}},
                   {"locations", std::move(locations)},  {"occurrenceCount", finding.count}};
    if (!related.empty()) result["relatedLocations"] = std::move(related);
    return result;
}

// In an attribute a line's end would become a space.
std::string xml(std::string_view text, const char* newline = "&#10;") {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '"': result += "&quot;"; break;
            case '\n': result += newline; break;
            default:
                // XML has no other control characters at all.
                if (static_cast<unsigned char>(c) >= ' ' || c == '\t') result += c;
        }
    }
    return result;
}

std::string test_case(const Finding& finding, const std::string& body) {
    std::string name = kind_words(finding.kind), file;
    if (!finding.places.empty() && !finding.places[0].file.empty()) {
        const Place& place = finding.places[0];
        name += fmt::format(" at {}:{}", shown_file(place.file), place.line);
        file = fmt::format(R"( file="{}" line="{}")", xml(shown_file(place.file)), place.line);
    }
    if (!finding.kernel.empty()) name += " in " + finding.kernel;
    return fmt::format("    <testcase classname=\"lockstep.{}\" name=\"{}\"{}>\n{}    </testcase>\n",
                       check::name(finding.kind_of), xml(name), file, body);
}

}  // namespace

std::string findings_json(const CheckReport& report) {
    Json findings = Json::array(), suppressed = Json::array();
    for (const Finding& finding : report.findings) findings.push_back(finding_json(finding));
    for (const Suppressed& one : report.suppressed) {
        suppressed.push_back(finding_json(one.finding));
        suppressed.back()["by"] = one.by;
    }
    Json classes = Json::array();
    for (const Class of : report.classes) classes.push_back(check::name(of));
    return dump({{"findings", std::move(findings)},
                 {"suppressed", std::move(suppressed)},
                 {"run",
                  {{"lockstep", report.version},
                   {"command", report.command},
                   {"classes", std::move(classes)},
                   {"exit_status", report.exit_code},
                   {"signal", report.signal},
                   {"notes", report.notes}}}});
}

std::string findings_sarif(const CheckReport& report) {
    Json rules = Json::array(), results = Json::array();
    std::vector<std::string> ids;
    const auto rule_of = [&](const Finding& finding) {
        const std::string id = rule_id(finding);
        const auto at = std::find(ids.begin(), ids.end(), id);
        if (at != ids.end()) return static_cast<std::size_t>(at - ids.begin());
        ids.push_back(id);
        const std::string words =
            fmt::format("{}: {}", check::name(finding.kind_of), kind_words(finding.kind));
        const char* const about = class_descriptions[static_cast<std::size_t>(finding.kind_of)];
        rules.push_back({{"id", id},
                         {"name", finding.kind},
                         {"shortDescription", {{"text", words}}},
                         {"fullDescription", {{"text", std::string(about) + "."}}},
                         {"help", {{"text", std::string(about) + "."}}},
                         {"defaultConfiguration", {{"level", check::name(finding.rank)}}},
                         {"properties", {{"tags", {"cuda", check::name(finding.kind_of)}}}}});
        return ids.size() - 1;
    };
    for (const Finding& finding : report.findings)
        results.push_back(sarif_result(finding, rule_of(finding), report));
    for (const Suppressed& one : report.suppressed) {
        results.push_back(sarif_result(one.finding, rule_of(one.finding), report));
        results.back()["suppressions"] =
            Json::array({{{"kind", "external"}, {"justification", "suppressed by " + one.by}}});
    }
    std::error_code ignored;
    const std::string here = std::filesystem::current_path(ignored).string();
    Json run = {{"tool", {{"driver", {{"name", "lockstep check"}, {"version", report.version}}}}},
                {"automationDetails", {{"id", "lockstep-check/" + uri(report.source) + "/"}}},
                {"originalUriBaseIds", {{"SRCROOT", {{"uri", "file://" + here + "/"}}}}},
                {"columnKind", "utf16CodeUnits"},
                {"results", std::move(results)}};
    run["tool"]["driver"]["rules"] = std::move(rules);
    Json invocation = {{"executionSuccessful", true}, {"commandLine", report.command}};
    if (report.signal != 0)
        invocation["exitSignalNumber"] = report.signal;
    else
        invocation["exitCode"] = report.exit_code;
    run["invocations"] = Json::array({std::move(invocation)});
    return dump({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                 {"version", "2.1.0"},
                 {"runs", Json::array({std::move(run)})}});
}

std::string findings_junit(const CheckReport& report) {
    std::string cases;
    std::size_t count = report.findings.size() + report.suppressed.size();
    SourceLineReader sources;
    for (const Finding& finding : report.findings)
        cases += test_case(finding, fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                                                xml(rule_id(finding)), xml(finding.message),
                                                xml(finding_text(finding, sources, {}), "\n")));
    for (const Suppressed& one : report.suppressed)
        cases += test_case(one.finding,
                           fmt::format("      <skipped message=\"suppressed by {}\"/>\n", xml(one.by)));
    for (const Class of : report.classes) {
        if (std::any_of(report.findings.begin(), report.findings.end(),
                        [&](const Finding& finding) { return finding.kind_of == of; }))
            continue;
        cases += fmt::format("    <testcase classname=\"lockstep.{0}\" name=\"{0}\"/>\n", check::name(of));
        ++count;
    }
    const std::string counts = fmt::format(R"(tests="{}" failures="{}" errors="0" skipped="{}")", count,
                                           report.findings.size(), report.suppressed.size());
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n"
        "  <testsuite name=\"lockstep check {1}\" {0}>\n{2}  </testsuite>\n</testsuites>\n",
        counts, xml(report.command), cases);
}

}  // namespace lockstep::report
