#include "page/kernel-data.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/demangle.h"
#include "report/source-lines.h"
#include "report/time-table.h"

namespace lockstep::page {
namespace {

using nlohmann::json;

class Files {
  public:
    // -1: the code names none.
    int number(const std::string& file) {
        if (file.empty()) return -1;
        const auto [found, is_new] = numbers_.try_emplace(file, static_cast<int>(files_.size()));
        if (is_new) files_.push_back(file);
        return found->second;
    }
    std::vector<std::string> take() { return std::move(files_); }

  private:
    std::map<std::string, int> numbers_;
    std::vector<std::string> files_;
};

json shape(const std::array<std::uint32_t, 3>& extents) { return json(extents); }

// Rows of a kernel's launches: the first ones, and the longest, which stands for the kernel where only one
// can.
struct Launches {
    json rows = json::array();
    json longest;
    double longest_time = 0;
    std::map<std::array<std::uint32_t, 6>, int> shapes;
};

Result<std::map<std::int64_t, Launches>> launches_of(const report::RunFile& run) {
    std::map<std::int64_t, Launches> all;
    const auto time = run.metric(report::time_metric);
    auto done = run.each_launch([&](const report::StoredLaunch& stored) {
        Launches& launches = all[stored.kernel];
        const report::Launch& one = stored.launch;
        const double nanoseconds = time ? one.values[*time].value_or(NAN) : NAN;
        json row = {{"id", stored.id},           {"grid", shape(one.grid)},
                    {"block", shape(one.block)}, {"dynamic_shared", one.dynamic_shared_bytes},
                    {"stream", one.stream},      {"time", number(nanoseconds)},
                    {"bound", one.bound},        {"parent", one.parent},
                    {"fault", one.fault}};
        if (launches.longest.is_null() || nanoseconds > launches.longest_time) {
            launches.longest_time = nanoseconds;
            launches.longest = row;
        }
        ++launches.shapes[{one.grid[0], one.grid[1], one.grid[2], one.block[0], one.block[1], one.block[2]}];
        if (launches.rows.size() < most_launches) launches.rows.push_back(std::move(row));
    });
    if (!done) return done.error();
    return all;
}

json finding_data(const explain::Finding& finding, Files& files) {
    json places = json::array(), evidence = json::array();
    for (const explain::Place& place : finding.places)
        places.push_back({files.number(place.file), place.line, number(place.share)});
    for (const explain::Evidence& one : finding.evidence)
        evidence.push_back({{"name", one.name}, {"value", number(one.value)}, {"text", one.text}});
    return {{"id", finding.id},
            {"title", finding.title},
            {"cost", number(finding.cost)},
            {"cost_from", finding.cost_from},
            {"places", std::move(places)},
            {"evidence", std::move(evidence)},
            {"advice", finding.advice},
            {"gain", finding.gain ? number(*finding.gain) : json()}};
}

json notes_data(const std::vector<explain::Note>& notes, Files& files) {
    json list = json::array();
    for (const explain::Note& note : notes) {
        json places = json::array();
        for (const explain::Place& place : note.places)
            places.push_back({files.number(place.file), place.line, number(place.share)});
        list.push_back({{"id", note.id}, {"text", note.text}, {"places", std::move(places)}});
    }
    return list;
}

json program_data(const explain::Explanation& explained, Files& files) {
    json findings = json::array(), steps = json::array();
    for (const explain::Finding& finding : explained.program.findings)
        findings.push_back(finding_data(finding, files));
    for (const explain::Step& step : explained.steps)
        steps.push_back({{"from", base::short_kernel_name(step.from)},
                         {"to", base::short_kernel_name(step.to)},
                         {"time_from", number(step.nanoseconds_from)},
                         {"time_to", number(step.nanoseconds_to)},
                         {"reasons", step.reasons}});
    return {{"time", number(explained.program.nanoseconds)},
            {"state", explained.program.state},
            {"findings", std::move(findings)},
            {"steps", std::move(steps)}};
}

// [file, line, PTX, machine, executed, active, predicated on, branches, divergent, requests, sectors, ideal,
// wavefronts, ideal, warp cycles by state]: as assets/data.js reads it.
json instruction_data(const report::InstructionCounts& one, Files& files) {
    json cycles = json::array();
    if (report::total(one.warp_cycles) != 0) cycles = one.warp_cycles;
    return json::array({files.number(one.file), one.line, one.ptx, one.machine, one.executed, one.active,
                        one.predicated_on, one.branches, one.divergent_branches, one.requests, one.sectors,
                        one.ideal_sectors, one.wavefronts, one.ideal_wavefronts, std::move(cycles)});
}

json bounds_data(const report::KernelResult& kernel) {
    json list = json::array();
    for (const report::BoundLaunches& one : kernel.bounds)
        list.push_back({{"bound", timing::bound_name(one.bound)}, {"launches", one.launches}});
    return list;
}

}  // namespace

Result<KernelsData> kernels_data(const report::RunFile& run, const MetricList& metrics,
                                 const explain::Explanation& explained) {
    auto launches = launches_of(run);
    if (!launches) return launches.error();
    // The order of `explained`; a kernel without a predicted time stands behind.
    std::vector<report::KernelTime> order = report::kernel_times(run);
    for (const report::KernelResult& kernel : run.kernels)
        if (std::none_of(order.begin(), order.end(), [&](const auto& one) { return one.kernel == &kernel; }))
            order.push_back({&kernel, {}, 0});
    Files files;
    const std::vector<explain::KernelFindings>& findings = explained.kernels;
    KernelsData result{json::array(), program_data(explained, files), {}};
    for (std::size_t k = 0; k < order.size(); ++k) {
        const auto& [kernel, time, percent] = order[k];
        Launches& own = (*launches)[kernel->id];
        json one = {{"id", kernel->id},
                    {"name", kernel->name},
                    {"function", base::short_kernel_name(kernel->name)},
                    {"device", kernel->device},
                    {"compiler", kernel->code.compiler},
                    {"validated", kernel->code.validated},
                    {"launches", kernel->launches},
                    {"faults", kernel->faults},
                    {"sampled", kernel->sampled.launches},
                    {"time", time.count ? number(time.sum) : json()},
                    {"share", number(percent / 100)},
                    {"bounds", bounds_data(*kernel)},
                    {"cycles", kernel->warp_cycles},
                    {"longest", std::move(own.longest)},
                    {"shapes", own.shapes.size()}};
        const bool measured = k < most_measured_kernels;
        one["values"] = measured ? metrics.averages(run, *kernel) : json::array();
        one["spreads"] = measured ? metrics.spreads(run, *kernel) : json::object();
        if (k < findings.size()) {
            json list = json::array();
            for (const explain::Finding& finding : findings[k].findings)
                list.push_back(finding_data(finding, files));
            one["findings"] = std::move(list);
            one["notes"] = notes_data(findings[k].notes, files);
            one["state"] = findings[k].state;
            one["imagined"] = findings[k].imagined;
        }
        if (k < most_detailed_kernels) {
            one["rows"] = std::move(own.rows);
            auto instructions = run.instructions(kernel->id);
            if (!instructions) return instructions.error();
            json list = json::array();
            for (const report::InstructionCounts& instruction : *instructions)
                list.push_back(instruction_data(instruction, files));
            one["instructions"] = std::move(list);
            auto seen = run.close_up(kernel->id);
            if (!seen) return seen.error();
            if (*seen) {
                json picture = json::parse(**seen, nullptr, false);
                if (picture.is_discarded())
                    return Error{"this run file is damaged: what it has in close_up is no JSON",
                                 {run.file().string()}};
                one["close_up"] = std::move(picture);
            }
        }
        result.kernels.push_back(std::move(one));
    }
    result.files = files.take();
    return result;
}

}  // namespace lockstep::page
