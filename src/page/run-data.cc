#include "page/run-data.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "base/demangle.h"
#include "explain/explain.h"
#include "page/kernel-data.h"
#include "page/stream-data.h"
#include "report/run-info.h"
#include "report/shown-metrics.h"
#include "report/time-table.h"

namespace lockstep::page {
namespace {

using nlohmann::json;

// The text of a source file as it was when the program ran, and what has become of it.
Result<json> source_data(const report::RunFile& run, const std::string& file) {
    auto kept = run.source(file);
    if (!kept) return kept.error();
    if (!*kept) return json{{"file", file}, {"text", nullptr}, {"state", "missing"}};
    std::ifstream in(file, std::ios::binary);
    const std::string now{std::istreambuf_iterator<char>(in), {}};
    const char* state = !in ? "gone" : now == **kept ? "same" : "changed";
    return json{{"file", file}, {"text", **kept}, {"state", state}};
}

json device_data(const report::DeviceInfo& info, const std::optional<gpu::GpuModel>& model) {
    json data = {{"gpu", info.gpu},
                 {"name", info.gpu_name},
                 {"compute", info.compute_capability},
                 {"validated", info.validated}};
    if (!model) return data;
    const gpu::TimingFigures& timing = model->timing;
    const double clock = model->clock_mhz * 1e6;
    const auto rate = [&](double per_cycle) { return per_cycle * clock; };
    const bool amd = !model->target.empty();
    data["model"] = {{"sms", model->sms},
                     {"clock_hz", clock},
                     {"warp", model->warp_size},
                     {"schedulers", timing.schedulers},
                     {"max_warps", model->max_warps_per_sm()},
                     {"max_blocks", model->max_blocks_per_sm},
                     {"registers", model->registers_per_sm},
                     {"shared", model->shared_per_sm},
                     {"dram_bytes_s", model->memory_bandwidth_gbs * 1e9}};
    if (amd) return data;
    json& figures = data["model"];
    figures["l2_bytes_s"] = rate(timing.l2_read_bytes_per_cycle);
    figures["l1_bytes_s"] = rate(static_cast<double>(timing.l1_bytes_per_cycle) * model->sms);
    figures["fp32_s"] = rate(2.0 * timing.fma.lanes * model->sms);
    figures["fp64_s"] = rate(2.0 * timing.fp64.lanes * model->sms);
    figures["issue_s"] = rate(static_cast<double>(timing.schedulers) * timing.issues_per_cycle * model->sms);
    return data;
}

std::vector<std::string> notes_of(const report::RunFile& run) {
    std::vector<std::string> notes;
    for (const std::string& gap : run.gaps) notes.push_back("The run is not complete: " + gap + ".");
    if (std::string note = report::sampling_note(run); !note.empty()) notes.push_back(std::move(note));
    if (std::string note = report::left_out_note(run); !note.empty()) notes.push_back(std::move(note));
    return notes;
}

}  // namespace

Result<json> run_data(const RunInput& input, const MetricList& metrics) {
    const report::RunFile& run = *input.run;
    const auto model = [&](int device) -> const gpu::GpuModel* {
        const auto at = static_cast<std::size_t>(device);
        return at < input.models.size() && input.models[at] ? &*input.models[at] : nullptr;
    };
    auto findings = explain::explain(run, model);
    if (!findings) return findings.error();

    json devices = json::array(), failures = json::array();
    for (std::size_t d = 0; d < run.info.devices.size(); ++d)
        devices.push_back(
            device_data(run.info.devices[d], d < input.models.size() ? input.models[d] : std::nullopt));
    for (const report::Failure& one : run.failures)
        failures.push_back({{"kernel", one.kernel}, {"reason", one.reason}, {"launches", one.launches}});

    auto kernels = kernels_data(run, metrics, *findings);
    if (!kernels) return kernels.error();
    json sources = json::array();
    for (const std::string& file : kernels->files) {
        auto source = source_data(run, file);
        if (!source) return source.error();
        sources.push_back(std::move(*source));
    }
    auto streams = stream_data(run);
    if (!streams) return streams.error();
    return json{{"file", run.file().filename().string()},
                {"command", run.info.command},
                {"started", run.info.started},
                {"lockstep", run.info.lockstep_version},
                {"gpu", report::gpu_text(run.info, run.kernels)},
                {"devices", std::move(devices)},
                {"notes", notes_of(run)},
                {"failures", std::move(failures)},
                {"kernels", std::move(kernels->kernels)},
                {"program", std::move(kernels->program)},
                {"sources", std::move(sources)},
                {"streams", std::move(*streams)}};
}

}  // namespace lockstep::page
