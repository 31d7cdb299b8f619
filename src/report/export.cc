#include "report/export.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "metrics/metrics-doc.h"
#include "report/metric-text.h"
#include "report/run-info.h"
#include "report/source-export.h"

namespace lockstep::report {
namespace {

// JSON has no infinity.
std::string number(std::optional<double> value) {
    return value && std::isfinite(*value) ? exact_text(*value) : "null";
}

// How the run ended: whether all of it is here, and which launches failed.
std::string end_json(const RunFile& run) {
    std::vector<std::string> gaps, failures;
    for (const std::string& gap : run.gaps) gaps.push_back(json_quoted(gap));
    for (const Failure& failure : run.failures)
        failures.push_back(fmt::format(R"({{"kernel": {}, "kind": "{}", "launches": {}, "reason": {}}})",
                                       json_quoted(failure.kernel), failure_name(failure.kind),
                                       failure.launches, json_quoted(failure.reason)));
    return fmt::format(R"("complete": {}, "missing": [{}], "failures": [{}])", run.complete(),
                       fmt::join(gaps, ", "), fmt::join(failures, ", "));
}

std::string code_json(const CodeOrigin& code) {
    return fmt::format(R"("compiler": {}, "optimised": {}, "validated": {})", json_quoted(code.compiler),
                       code.optimised, code.validated.empty() ? "null" : json_quoted(code.validated));
}

std::string sampled_json(const SampledLaunches& sampled) {
    if (sampled.launches == 0) return "null";
    return fmt::format(R"({{"launches": {}, "blocks": {}, "executed": {}}})", sampled.launches,
                       sampled.blocks, sampled.executed);
}

// What is counted of a part is an estimate.
std::string_view kind_of(const metrics::Metric& metric, const KernelResult& kernel) {
    return kernel.estimated() && metric.kind != metrics::Kind::predicted ? "estimated"
                                                                         : metrics::kind_name(metric.kind);
}

std::string cell(std::optional<double> value) { return value ? exact_text(*value) : ""; }

}  // namespace

std::string json_quoted(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string warp_cycles_json(const WarpCycles& cycles) {
    std::vector<std::string> states;
    for (std::size_t s = 0; s < cycles.size(); ++s)
        if (cycles[s] != 0)
            states.push_back(
                fmt::format(R"("{}": {})", timing::state_name(static_cast<timing::WarpState>(s)), cycles[s]));
    return fmt::format("{{{}}}", fmt::join(states, ", "));
}

Result<std::string> launches_json(const RunFile& run, std::span<const Shown> shown) {
    std::vector<std::string> rows;
    auto done = run.each_launch([&](const StoredLaunch& stored) {
        const Launch& launch = stored.launch;
        std::vector<std::string> metrics;
        for (const Shown& one : shown)
            metrics.push_back(fmt::format("{}: {}", json_quoted(one.name()), number(one.value(launch))));
        rows.push_back(fmt::format(
            R"(  {{"kernel": {}, "device": {}, "grid": [{}], "block": [{}], "executed_blocks": {}, "parent": {}, "depth": {}, "fault": {}, "metrics": {{{}}}}})",
            json_quoted(launch.kernel), launch.device, fmt::join(launch.grid, ", "),
            fmt::join(launch.block, ", "), launch.executed_blocks ? launch.executed_blocks : launch.blocks(),
            launch.parent.empty() ? "null" : json_quoted(launch.parent), launch.depth,
            launch.fault.empty() ? "null" : json_quoted(launch.fault), fmt::join(metrics, ", ")));
    });
    if (!done) return done.error();
    return fmt::format("{{\"launches\": [\n{}\n],\n{}}}\n", fmt::join(rows, ",\n"), end_json(run));
}

Result<std::string> kernels_json(const RunFile& run, std::span<const Shown> shown, bool lines) {
    std::vector<std::string> rows;
    for (const KernelResult& kernel : run.kernels) {
        std::vector<std::string> metrics;
        for (const Shown& one : shown) {
            const Aggregate* value = one.value(kernel);
            const auto text = [&](double number_) {
                return number(value ? std::optional(number_) : std::nullopt);
            };
            const Aggregate numbers = value ? *value : Aggregate{};
            metrics.push_back(fmt::format(
                R"(    {}: {{"unit": "{}", "kind": "{}", "min": {}, "max": {}, "avg": {}{}}})",
                json_quoted(one.name()), metrics::unit_name(one.metric().unit), kind_of(one.metric(), kernel),
                text(numbers.min), text(numbers.max), text(numbers.average()),
                one.share ? fmt::format(R"(, "of_peak": {})", number(one.share_of_peak(kernel))) : ""));
        }
        std::string source;
        if (lines) {
            auto text = lines_json(run, kernel);
            if (!text) return text;
            source = fmt::format(",\n  \"lines\": {}", *text);
        }
        rows.push_back(fmt::format(
            "  {{\"kernel\": {}, \"device\": {}, \"invocations\": {}, \"faults\": {}, \"sampled\": {}, {}, "
            "\"bound\": {}, "
            "\"warp_cycles\": "
            "{},\n"
            "  \"metrics\": {{\n{}\n  }}{}}}",
            json_quoted(kernel.name), kernel.device, kernel.launches, kernel.faults,
            sampled_json(kernel.sampled), code_json(kernel.code),
            kernel.bounds.empty() ? "null"
                                  : json_quoted(std::string(timing::bound_name(kernel.bounds[0].bound))),
            warp_cycles_json(kernel.warp_cycles), fmt::join(metrics, ",\n"), source));
    }
    const RunInfo& info = run.info;
    std::vector<std::string> code, devices;
    for (const DeviceInfo& device : info.devices)
        devices.push_back(fmt::format(R"({{"gpu": {}, "gpu_name": {}, "compute_capability": {}}})",
                                      json_quoted(device.gpu), json_quoted(device.gpu_name),
                                      json_quoted(device.compute_capability)));
    for (const CodeOrigin& origin : code_origins(run.kernels)) code.push_back("{" + code_json(origin) + "}");
    return fmt::format(
        "{{\"run\": {{\"lockstep\": {}, \"command\": {}, \"gpu\": {}, \"gpu_name\": {}, \"devices\": [{}], "
        "\"code\": [{}], "
        "\"started\": {}, \"measured_by\": {}, {}}},\n\"kernels\": [\n{}\n]}}\n",
        json_quoted(info.lockstep_version), json_quoted(info.command), json_quoted(info.devices.front().gpu),
        json_quoted(info.devices.front().gpu_name), fmt::join(devices, ", "), fmt::join(code, ", "),
        json_quoted(info.started), info.measured_by.empty() ? "null" : json_quoted(info.measured_by),
        end_json(run), fmt::join(rows, ",\n"));
}

std::string csv_line(const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
        if (c != 0) line += ',';
        if (cells[c].find_first_of(",\"\n\r") == std::string::npos) {
            line += cells[c];
            continue;
        }
        line += '"';
        for (const char ch : cells[c]) line += ch == '"' ? std::string("\"\"") : std::string(1, ch);
        line += '"';
    }
    return line + '\n';
}

Result<std::string> launches_csv(const RunFile& run, std::span<const Shown> shown) {
    std::vector<std::string> head = {"kernel", "grid", "block"};
    for (const Shown& one : shown) head.push_back(one.name());
    head.emplace_back("device");
    std::string text = csv_line(head);
    auto done = run.each_launch([&](const StoredLaunch& stored) {
        const Launch& launch = stored.launch;
        std::vector<std::string> cells = {launch.kernel, shape_text(launch.grid), shape_text(launch.block)};
        for (const Shown& one : shown) cells.push_back(cell(one.value(launch)));
        cells.push_back(std::to_string(launch.device));
        text += csv_line(cells);
    });
    if (!done) return done.error();
    return text;
}

std::string kernels_csv(const RunFile& run, std::span<const Shown> shown) {
    std::string text = csv_line({"kernel", "invocations", "metric", "description", "unit", "min", "max",
                                 "avg", "kind", "of_peak", "device"});
    for (const KernelResult& kernel : run.kernels)
        for (const Shown& one : shown) {
            std::vector<std::string> cells = {kernel.name, std::to_string(kernel.launches), one.name(),
                                              one.metric().title,
                                              std::string(metrics::unit_name(one.metric().unit))};
            const Aggregate* value = one.value(kernel);
            for (const double number_ :
                 {value ? value->min : 0, value ? value->max : 0, value ? value->average() : 0})
                cells.push_back(cell(value ? std::optional(number_) : std::nullopt));
            cells.emplace_back(kind_of(one.metric(), kernel));
            cells.push_back(cell(one.share_of_peak(kernel)));
            cells.push_back(std::to_string(kernel.device));
            text += csv_line(cells);
        }
    return text;
}

}  // namespace lockstep::report
