#include "cli/measured-program.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/models.h"
#include "compile/version.h"
#include "measure/measured-run.h"
#include "measure/ncu-csv.h"
#include "measure/rocprof-metrics.h"
#include "measure/rocprof-recording.h"
#include "report/run-info.h"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;

// The model of a GPU; empty: there is none.
std::string model_name(const measure::RealGpu& gpu) {
    const auto models = model_directory();
    return models ? measure::model_of(gpu, *models) : "";
}

// A GPU of which there is no model goes by its own name.
report::DeviceInfo describe(const measure::RealGpu& gpu) {
    const std::string model = model_name(gpu);
    return {model.empty() ? gpu.name : model, gpu.name, gpu.compute_capability, false};
}

report::RunInfo describe_measured(const std::vector<measure::RealGpu>& gpus, const std::string& by,
                                  const std::string& command) {
    report::RunInfo info = report::describe_run({}, compile::version(), command);
    for (const measure::RealGpu& gpu : gpus) info.devices.push_back(describe(gpu));
    info.measured_by = by;
    return info;
}

// What is known of launches by the GPU that they ran on.
void describe_launches(const std::vector<measure::RealGpu>& gpus,
                       std::vector<measure::MeasuredLaunch>& launches) {
    std::vector<std::optional<gpu::GpuModel>> models;
    for (const measure::RealGpu& gpu : gpus) {
        models.emplace_back();
        if (gpu.vendor() != measure::Vendor::amd) continue;
        if (const std::string id = model_name(gpu); !id.empty())
            if (auto model = chosen_model(id)) models.back() = std::move(*model);
    }
    for (measure::MeasuredLaunch& launch : launches) {
        const auto device = static_cast<std::size_t>(launch.device);
        if (device >= gpus.size()) continue;
        if (launch.compute_capability.empty()) launch.compute_capability = gpus[device].compute_capability;
        if (models[device]) measure::add_gpu_figures(*models[device], launch);
    }
}

// What ncu printed.
Result<measure::MeasuredRun> read_ncu(const std::string& text, const std::string& file) {
    auto read = measure::read_ncu_csv(text, file);
    if (!read) return read.error();
    if (read->launches.empty()) return Error{"ncu has measured no launch in it", {file}};
    int devices = 0;
    for (const measure::MeasuredLaunch& launch : read->launches) devices = std::max(devices, launch.device);
    const measure::RealGpu gpu{read->gpu_name.empty() ? "the GPU" : read->gpu_name, "",
                               read->launches.front().compute_capability};
    measure::MeasuredRun run;
    run.info = describe_measured(std::vector(static_cast<std::size_t>(devices) + 1, gpu), "ncu", file);
    run.launches = std::move(read->launches);
    return run;
}

// What rocprof wrote.
Result<measure::MeasuredRun> read_rocprof(const fs::path& recorded, const std::string& model) {
    auto read = measure::read_rocprof_recording(recorded);
    if (!read) return read.error();
    if (read->launches.empty()) return Error{"rocprof has measured no launch in it", {recorded.string()}};
    if (read->left_over != 0)
        fmt::print(stderr,
                   "lockstep: {}: the runs that were measured differ: {} launches are in one and not in the "
                   "first\n",
                   recorded.string(), read->left_over);
    if (read->gpus.empty()) {
        auto chosen = model.empty() ? Error{"", {}} : chosen_model(model);
        if (!chosen || chosen->target.empty())
            return Error{
                "the tables do not say which GPU was measured (rocprofv3 tells it in agent_info.csv): --gpu "
                "names an AMD GPU, `lockstep gpus` lists them",
                {recorded.string()}};
        int devices = 0;
        for (const measure::MeasuredLaunch& launch : read->launches)
            devices = std::max(devices, launch.device);
        read->gpus.assign(static_cast<std::size_t>(devices) + 1, {chosen->name, "", chosen->target});
    }
    measure::MeasuredRun run;
    run.info = describe_measured(read->gpus, "rocprof", recorded.string());
    run.launches = std::move(read->launches);
    describe_launches(read->gpus, run.launches);
    return run;
}

}  // namespace

Result<compile::ExitStatus> measure_program(const StartableProgram& program, const ProfileRequest& request,
                                            const fs::path& file) {
    auto scratch = compile::TempDir::create();
    if (!scratch) return scratch.error();
    const std::vector<measure::RealGpu>& gpus = request.program.hardware;
    const GpuTools& tools = tools_of(gpus.front().vendor());
    auto measured = tools.measure(program, request, scratch->path());
    if (!measured) return measured.error();
    measure::MeasuredRun run;
    run.info = describe_measured(gpus, measured->by, program.command_line());
    run.compiler = tools.compiler();
    run.launches = std::move(measured->launches);
    describe_launches(gpus, run.launches);
    if (auto written = measure::write_run(file, run); !written) return written.error();
    return measured->ended;
}

Result<TracedProgram> trace_program(const StartableProgram& program,
                                    const std::vector<measure::RealGpu>& gpus, const fs::path& scratch) {
    report::TimelineInfo info;
    info.command = program.command_line();
    info.gpu = describe(gpus.front()).gpu;
    info.gpu_name = gpus.front().name;
    if (gpus.size() > 1)
        for (const measure::RealGpu& gpu : gpus) info.devices.push_back(gpu.name);
    return tools_of(gpus.front().vendor()).trace(program, std::move(info), scratch);
}

Result<void> import_measured(const fs::path& recorded, const std::string& model, const fs::path& file) {
    std::error_code ignored;
    const bool folder = fs::is_directory(recorded, ignored);
    const auto text = folder ? std::optional(std::string()) : compile::read_file(recorded);
    if (!text) return Error{"cannot read this file", {recorded.string()}};
    auto run = folder || measure::is_rocprof_csv(*text) ? read_rocprof(recorded, model)
                                                        : read_ncu(*text, recorded.string());
    if (!run) return run.error();
    return measure::write_run(file, *run);
}

}  // namespace lockstep::cli
