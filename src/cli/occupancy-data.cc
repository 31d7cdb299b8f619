// JSON and CSV of `lockstep occupancy`.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "cli/occupancy-report.h"

namespace lockstep::cli {
namespace {

using Json = nlohmann::ordered_json;

Json limit_of(int blocks) { return blocks == std::numeric_limits<int>::max() ? Json() : Json(blocks); }

Json occupancy_json(const gpu::GpuModel& gpu, const gpu::Occupancy& o, int threads) {
    return {{"blocks_per_sm", o.blocks_per_sm},
            {"warps_per_sm", o.warps_per_sm(gpu, threads)},
            {"occupancy_pct", o.percent(gpu, threads)},
            {"limiters", limiters(o)}};
}

Json rows_json(const gpu::GpuModel& gpu, const std::vector<gpu::WhatIf>& rows) {
    Json list = Json::array();
    for (const gpu::WhatIf& row : rows) {
        Json entry = {{"first", row.first}, {"last", row.last}, {"current", row.current}};
        entry.update(occupancy_json(gpu, row.occupancy, row.threads));
        list.push_back(std::move(entry));
    }
    return list;
}

template <class T>
Json known_or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

template <class T>
std::string known_or_empty(const std::optional<T>& value) {
    return value ? std::to_string(*value) : std::string();
}

Json given_or_null(int value) { return value ? Json(value) : Json(); }

void add_rows(std::string& text, const gpu::GpuModel& gpu, const std::string& prefix,
              const std::vector<gpu::WhatIf>& rows) {
    for (const gpu::WhatIf& row : rows)
        text += fmt::format("{},{},{},{},{},{},{:.4g},{}\n", prefix, row.first, row.last, row.current ? 1 : 0,
                            row.occupancy.blocks_per_sm, row.occupancy.warps_per_sm(gpu, row.threads),
                            row.occupancy.percent(gpu, row.threads), fmt::join(limiters(row.occupancy), "+"));
}

std::string csv_cell(const std::string& text) {
    std::string result = "\"";
    for (char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + '"';
}

}  // namespace

Json json_of(const Calculation& c) {
    const gpu::GpuModel& gpu = c.gpu;
    Json json = {{"gpu", gpu.id},
                 {"block", c.block},
                 {"threads", c.demand.threads},
                 {"registers", given_or_null(c.demand.registers_per_thread)},
                 {"shared_bytes", c.demand.shared_bytes},
                 {"max_warps_per_sm", gpu.max_warps_per_sm()}};
    json.update(occupancy_json(gpu, c.occupancy, c.demand.threads));
    json["limits"] = {{"warps", c.occupancy.by_threads},
                      {"registers", limit_of(c.occupancy.by_registers)},
                      {"shared_mem", limit_of(c.occupancy.by_shared)},
                      {"blocks", c.occupancy.by_blocks}};
    json["shared_configuration_bytes"] = c.shared.bytes;
    json["launch__occupancy_limit_shared_mem"] = c.shared.blocks;
    json["what_if"] = {{"threads", rows_json(gpu, c.block_sizes)},
                       {"registers", rows_json(gpu, c.registers)},
                       {"shared_bytes", rows_json(gpu, c.shared_sizes)}};
    return json;
}

Json json_of(const gpu::GpuModel& gpu, const std::vector<KernelOccupancy>& kernels) {
    Json list = Json::array();
    for (const KernelOccupancy& k : kernels) {
        const KernelResources& kernel = k.kernel;
        const gpu::WhatIf* best = gpu::best(gpu, k.block_sizes);
        Json entry = {{"kernel", kernel.name},
                      {"mangled", kernel.mangled},
                      {"registers", known_or_null(kernel.registers.count)},
                      {"registers_source", kernel.registers.source},
                      {"registers_reason", kernel.registers.reason},
                      {"register_bound", kernel.register_bound},
                      {"spill_store_bytes", known_or_null(kernel.registers.spill_stores)},
                      {"spill_load_bytes", known_or_null(kernel.registers.spill_loads)},
                      {"static_shared_bytes", kernel.static_shared_bytes},
                      {"dynamic_shared", kernel.dynamic_shared},
                      {"local_bytes", kernel.local_bytes},
                      {"max_threads_per_block", given_or_null(kernel.max_threads)},
                      {"min_blocks_per_sm", given_or_null(kernel.min_blocks)},
                      {"best_block", best ? Json(best->threads) : Json()}};
        if (k.calculation)
            entry["occupancy"] = json_of(*k.calculation);
        else
            entry["block_sizes"] = rows_json(gpu, k.block_sizes);
        list.push_back(std::move(entry));
    }
    return {{"gpu", gpu.id}, {"kernels", std::move(list)}};
}

std::string csv_of(const Calculation& c) {
    std::string text = "table,first,last,current,blocks_per_sm,warps_per_sm,occupancy_pct,limiters\n";
    add_rows(text, c.gpu, "threads", c.block_sizes);
    add_rows(text, c.gpu, "registers", c.registers);
    add_rows(text, c.gpu, "shared_bytes", c.shared_sizes);
    return text;
}

std::string csv_of(const gpu::GpuModel& gpu, const std::vector<KernelOccupancy>& kernels) {
    std::string text =
        "kernel,registers,registers_source,spill_store_bytes,spill_load_bytes,static_shared_bytes,local_"
        "bytes,"
        "max_threads_per_block,min_blocks_per_sm,threads,blocks_per_sm,warps_per_sm,occupancy_pct,limiters\n";
    const auto given = [](int value) { return value ? std::to_string(value) : std::string(); };
    for (const KernelOccupancy& k : kernels)
        for (const gpu::WhatIf& row : k.block_sizes) {
            if (k.calculation && !row.current) continue;
            const KernelResources& kernel = k.kernel;
            text += fmt::format(
                "{},{},{},{},{},{},{},{},{},{},{},{},{:.4g},{}\n", csv_cell(kernel.name),
                known_or_empty(kernel.registers.count), kernel.registers.source,
                known_or_empty(kernel.registers.spill_stores), known_or_empty(kernel.registers.spill_loads),
                kernel.static_shared_bytes, kernel.local_bytes, given(kernel.max_threads),
                given(kernel.min_blocks), row.threads, row.occupancy.blocks_per_sm,
                row.occupancy.warps_per_sm(gpu, row.threads), row.occupancy.percent(gpu, row.threads),
                fmt::join(limiters(row.occupancy), "+"));
        }
    return text;
}

}  // namespace lockstep::cli
