#include "explain/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/demangle.h"
#include "report/metric-text.h"
#include "report/run-info.h"
#include "report/wrapped-text.h"

namespace lockstep::explain {
namespace {

constexpr std::size_t indent = 3, deep = 8;

// The line of a source as the run has kept it; empty where it has not.
std::string source_line(const report::RunFile& run, const Place& place) {
    const auto text = run.source(place.file);
    if (!text || !*text) return "";
    std::size_t begin = 0;
    for (int line = 1; line < place.line; ++line) {
        begin = (*text)->find('\n', begin);
        if (begin == std::string::npos) return "";
        ++begin;
    }
    std::string line = (*text)->substr(begin, (*text)->find('\n', begin) - begin);
    line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
    return line;
}

std::string paragraph(const std::string& text, std::size_t width, std::size_t margin) {
    return std::string(margin, ' ') + report::wrapped(text, width, margin, margin) + "\n";
}

std::string places_text(const report::RunFile& run, const std::vector<Place>& places, const Style& style) {
    std::string text;
    for (const Place& place : places) {
        std::string line = fmt::format("{}{}:{}: {}", std::string(deep + 2, ' '),
                                       std::filesystem::path(place.file).filename().string(), place.line,
                                       source_line(run, place));
        if (report::columns_in(line) > style.width && line.size() > style.width) line.resize(style.width);
        text += line + "\n";
    }
    return text;
}

// `nanoseconds`: that its cost is a share of.
std::string finding_text(const report::RunFile& run, double nanoseconds, const Finding& finding,
                         const Style& style) {
    const std::string head = finding.cost > 0 ? fmt::format("{:3.0f} %", 100 * finding.cost)
                             : finding.wrong  ? "  !  "
                                              : "  ?  ";
    std::string text =
        fmt::format("{}{}  {} [{}]\n", std::string(indent, ' '), head,
                    report::wrapped(finding.title, style.width, deep + 2, deep + 2), finding.id);
    text += places_text(run, finding.places, style);
    for (const Evidence& one : finding.evidence) text += paragraph("- " + one.text, style.width, deep + 2);
    std::string advice = finding.advice;
    if (finding.gain && *finding.gain > 0 && nanoseconds > 0)
        advice += fmt::format(" Predicted: {} instead of {}.",
                              report::duration_text(nanoseconds * (1 - *finding.gain)),
                              report::duration_text(nanoseconds));
    return text + paragraph("> " + advice, style.width, deep + 2);
}

std::string program_text(const report::RunFile& run, const ProgramFindings& program, const Style& style) {
    if (program.state.empty()) return "";
    std::string text = "\nThe program as a whole\n";
    for (const std::string& line : program.state) text += paragraph(line, style.width, indent);
    for (const Finding& finding : program.findings)
        text += finding_text(run, program.nanoseconds, finding, style);
    return text;
}

// "1.84 times as fast"
std::string speed_text(const Step& step) {
    const double ratio = step.nanoseconds_from / step.nanoseconds_to;
    if (ratio > 0.99 && ratio < 1.01) return "as fast";
    return ratio > 1 ? fmt::format("{:.2f} times as fast", ratio)
                     : fmt::format("{:.2f} times as slow", 1 / ratio);
}

std::string steps_text(const std::vector<Step>& steps, const Style& style) {
    if (steps.empty()) return "";
    std::string text = "\nFrom each kernel to the next that takes the same parameters\n";
    for (const Step& step : steps) {
        text += paragraph(fmt::format("{} to {}: {} ({} to {})", base::short_kernel_name(step.from),
                                      base::short_kernel_name(step.to), speed_text(step),
                                      report::duration_text(step.nanoseconds_from),
                                      report::duration_text(step.nanoseconds_to)),
                          style.width, indent);
        for (const std::string& reason : step.reasons)
            text += paragraph("- " + reason, style.width, deep + 2);
    }
    return text;
}

nlohmann::json places_json(const std::vector<Place>& places) {
    nlohmann::json all = nlohmann::json::array();
    for (const Place& place : places)
        all.push_back({{"file", place.file}, {"line", place.line}, {"share", place.share}});
    return all;
}

nlohmann::json evidence_json(const std::vector<Evidence>& evidence) {
    nlohmann::json all = nlohmann::json::object();
    for (const Evidence& proof : evidence) all[proof.name] = proof.value;
    return all;
}

nlohmann::json findings_json(const std::vector<Finding>& findings) {
    nlohmann::json all = nlohmann::json::array();
    for (const Finding& finding : findings) {
        nlohmann::json entry = {{"id", finding.id},
                                {"title", finding.title},
                                {"cost", finding.cost},
                                {"cost_from", finding.cost_from},
                                {"places", places_json(finding.places)},
                                {"evidence", evidence_json(finding.evidence)},
                                {"advice", finding.advice}};
        if (finding.gain) entry["gain"] = *finding.gain;
        all.push_back(std::move(entry));
    }
    return all;
}

nlohmann::json kernel_json(const KernelFindings& one) {
    nlohmann::json notes = nlohmann::json::array();
    for (const Note& note : one.notes)
        notes.push_back({{"id", note.id},
                         {"text", note.text},
                         {"places", places_json(note.places)},
                         {"evidence", evidence_json(note.evidence)}});
    return {{"kernel", one.kernel}, {"nanoseconds", one.nanoseconds},          {"share", one.share},
            {"state", one.state},   {"findings", findings_json(one.findings)}, {"notes", std::move(notes)}};
}

}  // namespace

std::string to_text(const report::RunFile& run, const Explanation& all, const Style& style) {
    std::string text = fmt::format("== lockstep == {} on {}: what it spends its time on\n", run.info.command,
                                   report::gpu_text(run.info, run.kernels));
    std::size_t shown = 0;
    for (const KernelFindings& one : all.kernels) {
        if (shown++ == style.most_kernels) break;
        text += fmt::format("\n{}: {}, {:.0f} % of all kernels\n", one.kernel,
                            report::duration_text(one.nanoseconds), 100 * one.share);
        for (const std::string& line : one.state) text += paragraph(line, style.width, indent);
        for (const Finding& finding : one.findings)
            text += finding_text(run, one.nanoseconds, finding, style);
        if (one.findings.empty())
            text += paragraph(
                one.imagined
                    ? "Nothing was found that would save 2 % or more: what bounds it is told above."
                    : "This run has no times without one thing or another: lockstep explain makes them.",
                style.width, indent);
        for (const Note& note : one.notes) {
            text += fmt::format("{}Note:  {} [{}]\n", std::string(indent, ' '),
                                report::wrapped(note.text, style.width, deep + 2, deep + 2), note.id);
            text += places_text(run, note.places, style);
        }
    }
    if (all.kernels.size() > style.most_kernels)
        text += fmt::format("\n{} other kernels take less time; --json has all\n",
                            all.kernels.size() - style.most_kernels);
    text += steps_text(all.steps, style) + program_text(run, all.program, style);
    text +=
        "\nPercentages are of the kernel's, or the whole program's, predicted time; a kernel's are found by "
        "running "
        "the\nmodel again without that one thing. They do not add up: where two things share the blame, each "
        "is told "
        "with\nall of it.\n";
    return text;
}

std::string to_json(const report::RunFile& run, const Explanation& all) {
    using nlohmann::json;
    json kernels = json::array(), steps = json::array();
    for (const KernelFindings& one : all.kernels) kernels.push_back(kernel_json(one));
    for (const Step& step : all.steps)
        steps.push_back({{"from", step.from},
                         {"to", step.to},
                         {"nanoseconds_from", step.nanoseconds_from},
                         {"nanoseconds_to", step.nanoseconds_to},
                         {"reasons", step.reasons}});
    const json document = {{"command", run.info.command},
                           {"gpu", report::gpu_text(run.info, run.kernels)},
                           {"kernels", std::move(kernels)},
                           {"steps", std::move(steps)},
                           {"program",
                            {{"nanoseconds", all.program.nanoseconds},
                             {"state", all.program.state},
                             {"findings", findings_json(all.program.findings)}}}};
    return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::explain
