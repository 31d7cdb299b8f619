#include "sweep/outcome.h"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "base/demangle.h"

namespace lockstep::sweep {
namespace {

using Json = nlohmann::json;

bool is_sum(const metrics::Metric& metric) { return metric.names[0].ends_with(".sum"); }

// Which of a kernel's launches is shown: the longest, or the one with the most threads where there is no
// time.
std::pair<double, double> weight(const report::RunFile& run, const report::Launch& launch) {
    const auto time = run.metric(report::time_metric);
    double threads = 1;
    for (const auto& shape : {launch.grid, launch.block})
        for (const std::uint32_t extent : shape) threads *= extent;
    return {time ? launch.values[*time].value_or(0) : 0, threads};
}

// JSON has no infinity; and what is printed must be the same wherever a point was run.
std::string exact(double value) { return fmt::format("{}", value); }
double number(const Json& text) { return std::strtod(text.get<std::string>().c_str(), nullptr); }

KernelOutcome& find_or_add(Outcome& outcome, const std::string& name) {
    for (KernelOutcome& kernel : outcome.kernels)
        if (kernel.name == name) return kernel;
    outcome.kernels.push_back(
        {.name = name, .values = std::vector<report::Aggregate>(metrics::metrics().size())});
    return outcome.kernels.back();
}

}  // namespace

std::optional<double> KernelOutcome::value(const metrics::Metric& metric) const {
    const report::Aggregate& all = values[static_cast<std::size_t>(&metric - metrics::metrics().data())];
    if (all.count == 0) return {};
    return is_sum(metric) ? all.sum : all.average();
}

std::optional<double> KernelOutcome::value(const char* metric) const {
    for (const metrics::Metric& one : metrics::metrics())
        if (one.names[0] == metric) return value(one);
    return {};
}

const KernelOutcome* Outcome::kernel(const std::string& name) const {
    for (const KernelOutcome& kernel : kernels)
        if (kernel.name == name) return &kernel;
    return nullptr;
}

Result<Outcome> read_outcome(const report::RunFile& run) {
    Outcome outcome;
    outcome.gpu = run.info.devices.front().gpu;
    outcome.gpu_name = run.info.devices.front().gpu_name;
    if (run.launches_missing) outcome.failure = "the run file could not be written to the end";
    outcome.gaps = run.gaps;
    for (const report::LeftOut& one : run.left_out) outcome.left_out.push_back(one.kernel);
    // What a kernel did wrong, or lockstep lacks, says more than a launch that was refused after it.
    for (const report::Failure& one : run.failures)
        if (one.kind == report::FailureKind::refused && outcome.failure.empty())
            outcome.failure = fmt::format("not launched: {}", one.reason);
        else if (one.kind != report::FailureKind::refused)
            outcome.failure = one.reason;
    for (const report::KernelResult& from : run.kernels) {
        KernelOutcome& kernel = find_or_add(outcome, from.name);
        kernel.launches += from.launches;
        const auto metrics = metrics::metrics();
        for (std::size_t m = 0; m < metrics.size(); ++m)
            if (const auto index = run.metric(metrics[m].names[0]))
                kernel.values[m].add(from.metrics[*index]);
    }
    std::map<std::string, std::pair<double, double>> heaviest;
    auto read = run.each_launch([&](const report::StoredLaunch& stored) {
        const report::Launch& launch = stored.launch;
        const auto own = weight(run, launch);
        const auto [known, is_new] = heaviest.try_emplace(launch.kernel, own);
        if (!is_new && own <= known->second) return;
        known->second = own;
        KernelOutcome& kernel = find_or_add(outcome, launch.kernel);
        kernel.grid = launch.grid;
        kernel.block = launch.block;
        kernel.bound = timing::find_bound(launch.bound);
    });
    if (!read) return read.error();
    return outcome;
}

std::string encode(const Outcome& outcome) {
    Json kernels = Json::array();
    for (const KernelOutcome& kernel : outcome.kernels) {
        Json values = Json::array();
        for (const report::Aggregate& a : kernel.values)
            values.push_back({a.count, exact(a.min), exact(a.max), exact(a.sum)});
        kernels.push_back({{"name", kernel.name},
                           {"launches", kernel.launches},
                           {"grid", kernel.grid},
                           {"block", kernel.block},
                           {"bound", kernel.bound ? timing::bound_name(*kernel.bound) : ""},
                           {"values", values}});
    }
    const Json all = {{"failure", outcome.failure},   {"output", outcome.output},
                      {"errors", outcome.errors},     {"gpu", outcome.gpu},
                      {"gpu_name", outcome.gpu_name}, {"kernels", kernels},
                      {"left_out", outcome.left_out}, {"gaps", outcome.gaps}};
    // What a program writes need not be UTF-8.
    return all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<Outcome> decode(const std::string& text) {
    try {
        const Json all = Json::parse(text);
        Outcome outcome{all.at("failure"),  all.at("output"),   all.at("errors"),
                        all.at("gpu"),      all.at("gpu_name"), {},
                        all.at("left_out"), all.at("gaps")};
        for (const Json& from : all.at("kernels")) {
            KernelOutcome kernel;
            kernel.name = from.at("name");
            kernel.launches = from.at("launches");
            kernel.grid = from.at("grid");
            kernel.block = from.at("block");
            kernel.bound = timing::find_bound(from.at("bound").get<std::string>());
            for (const Json& a : from.at("values"))
                kernel.values.push_back({a.at(0), number(a.at(1)), number(a.at(2)), number(a.at(3))});
            if (kernel.values.size() != metrics::metrics().size())
                return Error{"a rank runs another version of lockstep", {}};
            outcome.kernels.push_back(std::move(kernel));
        }
        return outcome;
    } catch (const Json::exception& error) {
        return Error{fmt::format("a result cannot be read: {}", error.what()), {}};
    }
}

}  // namespace lockstep::sweep
