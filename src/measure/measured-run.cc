#include "measure/measured-run.h"

#include <map>

#include "measure/measured-metrics.h"
#include "report/run-writer.h"

namespace lockstep::measure {

std::vector<MeasuredLaunch> timed_launches(const std::vector<timing::Placement>& operations) {
    std::vector<MeasuredLaunch> launches;
    for (const timing::Placement& one : operations) {
        if (one.operation.kind != timing::OperationKind::kernel || !one.operation.trace) continue;
        const timing::OperationTrace& trace = *one.operation.trace;
        MeasuredLaunch launch;
        launch.kernel = one.operation.name;
        launch.device = one.device;
        launch.stream = one.operation.stream;
        launch.grid = trace.grid;
        launch.block = trace.block;
        launch.values[duration_name] = one.end - one.begin;
        launch.values["launch__registers_per_thread"] = trace.registers;
        launches.push_back(std::move(launch));
    }
    return launches;
}

Result<void> write_run(const std::filesystem::path& file, const MeasuredRun& run) {
    auto writer = report::RunWriter::open(file, run.info, metrics::metrics());
    if (!writer) return writer.error();
    std::map<std::pair<std::string, int>, std::int64_t> kernels;
    for (const MeasuredLaunch& one : run.launches) {
        if (one.device < 0 || static_cast<std::size_t>(one.device) >= run.info.devices.size())
            return Error{"a launch ran on a GPU that is not among those that were found", {}};
        auto [known, added] = kernels.try_emplace({one.kernel, one.device}, 0);
        if (added) {
            auto id = (*writer)->add_kernel(one.kernel, one.device, "", {run.compiler, true, ""}, {});
            if (!id) return id.error();
            known->second = *id;
        }
        report::Launch launch;
        launch.kernel = one.kernel;
        launch.device = one.device;
        launch.grid = one.grid;
        launch.block = one.block;
        launch.stream = one.stream;
        launch.values = metric_values(one);
        if (const auto shared = one.values.find("launch__shared_mem_per_block_dynamic");
            shared != one.values.end())
            launch.dynamic_shared_bytes = static_cast<std::uint32_t>(shared->second);
        if (auto kept = (*writer)->append(known->second, launch, {}); !kept) return kept;
    }
    return (*writer)->finish();
}

}  // namespace lockstep::measure
