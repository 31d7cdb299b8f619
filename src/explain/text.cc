#include "explain/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

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

std::string finding_text(const report::RunFile& run, const KernelFindings& of, const Finding& finding,
                         const Style& style) {
    const std::string head = finding.cost > 0 ? fmt::format("{:3.0f} %", 100 * finding.cost) : "  ?  ";
    std::string text =
        fmt::format("{}{}  {} [{}]\n", std::string(indent, ' '), head,
                    report::wrapped(finding.title, style.width, deep + 2, deep + 2), finding.id);
    for (const Place& place : finding.places) {
        std::string line = fmt::format("{}{}:{}: {}", std::string(deep + 2, ' '),
                                       std::filesystem::path(place.file).filename().string(), place.line,
                                       source_line(run, place));
        if (report::columns_in(line) > style.width && line.size() > style.width) line.resize(style.width);
        text += line + "\n";
    }
    for (const Evidence& one : finding.evidence) text += paragraph("- " + one.text, style.width, deep + 2);
    std::string advice = finding.advice;
    if (finding.gain && *finding.gain > 0 && of.nanoseconds > 0)
        advice += fmt::format(" Predicted: {} instead of {}.",
                              report::duration_text(of.nanoseconds * (1 - *finding.gain)),
                              report::duration_text(of.nanoseconds));
    return text + paragraph("> " + advice, style.width, deep + 2);
}

}  // namespace

std::string to_text(const report::RunFile& run, const std::vector<KernelFindings>& all, const Style& style) {
    std::string text = fmt::format("== lockstep == {} on {}: what its kernels spend their time on\n",
                                   run.info.command, report::gpu_text(run.info, run.kernels));
    std::size_t shown = 0;
    for (const KernelFindings& one : all) {
        if (shown++ == style.most_kernels) break;
        text += fmt::format("\n{}: {}, {:.0f} % of all kernels\n", one.kernel,
                            report::duration_text(one.nanoseconds), 100 * one.share);
        for (const std::string& line : one.state) text += paragraph(line, style.width, indent);
        for (const Finding& finding : one.findings) text += finding_text(run, one, finding, style);
        if (one.findings.empty())
            text += paragraph(
                one.imagined
                    ? "Nothing was found that would save 2 % or more: what bounds it is told above."
                    : "This run has no times without one thing or another: lockstep explain makes them "
                      "(from AMD's machine code, nothing does yet).",
                style.width, indent);
    }
    if (all.size() > style.most_kernels)
        text += fmt::format("\n{} other kernels take less time; --json has all\n",
                            all.size() - style.most_kernels);
    text +=
        "\nPercentages: of the kernel's predicted time, found by running the model again without that one "
        "thing. They do "
        "not\nadd up: where two things share the blame, each is told with all of it.\n";
    return text;
}

std::string to_json(const report::RunFile& run, const std::vector<KernelFindings>& all) {
    using nlohmann::json;
    json kernels = json::array();
    for (const KernelFindings& one : all) {
        json findings = json::array();
        for (const Finding& finding : one.findings) {
            json places = json::array(), evidence = json::object();
            for (const Place& place : finding.places)
                places.push_back({{"file", place.file}, {"line", place.line}, {"share", place.share}});
            for (const Evidence& proof : finding.evidence) evidence[proof.name] = proof.value;
            json entry = {{"id", finding.id},        {"title", finding.title},
                          {"cost", finding.cost},    {"cost_from", finding.cost_from},
                          {"places", places},        {"evidence", evidence},
                          {"advice", finding.advice}};
            if (finding.gain) entry["gain"] = *finding.gain;
            findings.push_back(std::move(entry));
        }
        kernels.push_back({{"kernel", one.kernel},
                           {"nanoseconds", one.nanoseconds},
                           {"share", one.share},
                           {"state", one.state},
                           {"findings", std::move(findings)}});
    }
    const json document = {{"command", run.info.command},
                           {"gpu", report::gpu_text(run.info, run.kernels)},
                           {"kernels", std::move(kernels)}};
    return document.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace lockstep::explain
