#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "metrics/metric.h"
#include "report/dispatches.h"
#include "report/omniperf.h"

namespace lockstep::report {
namespace {

namespace fs = std::filesystem;

std::string plain_number(double value) {
    return value == std::floor(value) && std::abs(value) < 1e15 ? fmt::format("{:.0f}", value)
                                                                : fmt::format("{:.6f}", value);
}

CsvTable system_table(const RunFile& run, const gpu::GpuModel& gpu, const std::string& name) {
    CsvTable table;
    table.rows.emplace_back();
    const auto add = [&](const char* key, std::string value) {
        table.names.emplace_back(key);
        table.rows[0].push_back(std::move(value));
    };
    add("workload_name", name);
    add("command", run.info.command);
    add("timestamp", run.info.started);
    add("version", "lockstep " + run.info.lockstep_version);
    add("gpu_model", omniperf_soc(gpu));
    add("gpu_name", gpu.name);
    add("gpu_arch", gpu.target);
    add("gpu_l1", std::to_string(gpu.timing.l1_bytes / 1024));
    add("gpu_l2", std::to_string(gpu.l2_bytes / 1024));
    add("cu_per_gpu", std::to_string(gpu.sms));
    add("simd_per_cu", std::to_string(gpu.wave.vector_units));
    add("se_per_gpu", std::to_string(gpu.wave.shader_engines));
    add("wave_size", std::to_string(gpu.warp_size));
    add("workgroup_max_size", std::to_string(gpu.max_threads_per_block));
    add("max_waves_per_cu", std::to_string(gpu.max_warps_per_sm()));
    add("max_sclk", std::to_string(gpu.clock_mhz));
    add("max_mclk", std::to_string(gpu.memory_clock_mhz));
    add("total_l2_chan", std::to_string(gpu.wave.l2_channels));
    add("lds_banks_per_cu", "32");
    add("sqc_per_gpu", std::to_string(gpu.wave.scalar_caches));
    add("hbm_bw", std::to_string(gpu.memory_bandwidth_gbs));
    add("num_xcd", std::to_string(gpu.wave.dies));
    return table;
}

// Columns of the dispatch that the group of counters has, under the first of their names.
struct CounterColumn {
    std::string name;
    std::size_t metric;
};

std::vector<CounterColumn> counter_columns(const RunFile& run) {
    std::vector<CounterColumn> columns;
    for (const metrics::Metric& metric : metrics::metrics()) {
        const bool counter = !metric.groups.empty() && metric.groups.front() == "amd_counters";
        for (const std::string& name : metric.names)
            if (const auto at = run.metric(name); at && (counter || name == "SQ_WAVES"))
                columns.push_back({name, *at});
    }
    return columns;
}

}  // namespace

std::string omniperf_soc(const gpu::GpuModel& gpu) {
    if (gpu.target == "gfx908") return "MI100";
    if (gpu.target == "gfx90a") return "MI200";
    if (gpu.target == "gfx942") return "MI300X_A1";
    return {};
}

Result<OmniperfWorkload> make_workload(const RunFile& run, const gpu::GpuModel& gpu,
                                       const std::string& name) {
    auto listed = dispatches(run);
    if (!listed) return listed.error();
    OmniperfWorkload made;
    made.system = system_table(run, gpu, name);
    made.dispatches.names = {"Dispatch_ID", "Kernel_Name",    "GPU_ID",          "PID",
                             "Grid_Size",   "Workgroup_Size", "Start_Timestamp", "End_Timestamp"};
    const std::vector<CounterColumn> columns = counter_columns(run);
    for (const CounterColumn& column : columns) made.dispatches.names.push_back(column.name);
    for (std::size_t i = 0; i < listed->size(); ++i) {
        const Dispatch& one = (*listed)[i];
        std::vector<std::string> row = one.columns(i);
        for (const double ns : {one.begin_ns, one.end_ns}) row.push_back(fmt::format("{:.0f}", ns));
        for (const CounterColumn& column : columns) {
            const auto& value = one.launch().values[column.metric];
            row.push_back(value ? plain_number(*value) : "");
        }
        made.dispatches.rows.push_back(std::move(row));
    }
    return made;
}

Result<void> write_workload(const OmniperfWorkload& workload, const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return Error{fmt::format("cannot make {}: {}", folder.string(), error.message()), {}};
    const auto write = [&](const char* name, const CsvTable& table) -> Result<void> {
        std::ofstream out(folder / name, std::ios::binary);
        out << table.text();
        if (!out.flush()) return Error{fmt::format("cannot write {}", (folder / name).string()), {}};
        return {};
    };
    if (auto done = write("pmc_perf.csv", workload.dispatches); !done) return done;
    return write("sysinfo.csv", workload.system);
}

Result<OmniperfWorkload> read_workload(const fs::path& given) {
    std::error_code ignored;
    fs::path folder = given;
    if (!fs::is_directory(folder, ignored)) return Error{fmt::format("{} is no folder", folder.string()), {}};
    if (!fs::exists(folder / "pmc_perf.csv", ignored)) {
        std::vector<fs::path> inside;
        for (const auto& entry : fs::directory_iterator(folder, ignored))
            if (fs::exists(entry.path() / "pmc_perf.csv", ignored)) inside.push_back(entry.path());
        if (inside.size() != 1)
            return Error{
                fmt::format("{} has no pmc_perf.csv: is it a workload of omniperf profile?", folder.string()),
                {}};
        folder = inside.front();
    }
    auto dispatches = read_csv(folder / "pmc_perf.csv");
    if (!dispatches) return dispatches.error();
    auto system = read_csv(folder / "sysinfo.csv");
    if (!system) return system.error();
    if (system->rows.size() != 1)
        return Error{fmt::format("{} has not one row", (folder / "sysinfo.csv").string()), {}};
    for (const char* name : {"Dispatch_ID", "Kernel_Name", "Start_Timestamp", "End_Timestamp"})
        if (!dispatches->column(name))
            return Error{fmt::format("{} has no column {}", (folder / "pmc_perf.csv").string(), name), {}};
    // omniperf itself keeps this one apart.
    if (const fs::path level = folder / "SQ_LEVEL_WAVES.csv";
        !dispatches->column("SQ_LEVEL_WAVES") && fs::exists(level, ignored))
        if (auto waves = read_csv(level);
            waves && waves->column("SQ_ACCUM_PREV_HIRES") && waves->rows.size() == dispatches->rows.size()) {
            dispatches->names.emplace_back("SQ_LEVEL_WAVES");
            for (std::size_t r = 0; r < waves->rows.size(); ++r)
                dispatches->rows[r].push_back(waves->cell(r, "SQ_ACCUM_PREV_HIRES"));
        }
    return OmniperfWorkload{std::move(*dispatches), std::move(*system)};
}

}  // namespace lockstep::report
