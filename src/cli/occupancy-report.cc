#include "cli/occupancy-report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>

#include "base/demangle.h"

namespace lockstep::cli {
namespace {

constexpr int bar_width = 24;
constexpr std::size_t widest_name = 36;
constexpr int unlimited = std::numeric_limits<int>::max();

std::string number_or(int value, const char* otherwise) {
    return value == unlimited ? otherwise : std::to_string(value);
}

std::string shape(const gpu::Dimensions& block) {
    if (block[2] > 1) return fmt::format("{} x {} x {}", block[0], block[1], block[2]);
    if (block[1] > 1) return fmt::format("{} x {}", block[0], block[1]);
    return "";
}

std::string plural(std::uint64_t n, const char* word) {
    return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s");
}

std::string range(const gpu::WhatIf& row) {
    return row.first == row.last ? std::to_string(row.first) : fmt::format("{}-{}", row.first, row.last);
}

// A table that is its own plot: a bar for each row, as long as the occupancy.
std::string what_if_table(const gpu::GpuModel& gpu, const char* title, const char* value,
                          const std::vector<gpu::WhatIf>& rows) {
    std::size_t limit_width = 5;
    for (const gpu::WhatIf& row : rows)
        limit_width =
            std::max(limit_width, fmt::format("{}", fmt::join(limiters(row.occupancy), "+")).size());
    std::string text =
        fmt::format("\nif {} were different\n  {:>14} {:>6} {:>5} {:>9}  {:<{}}  {:<{}}100 %\n", title, value,
                    "blocks", "warps", "occupancy", "limit", limit_width, "0", bar_width - 5);
    for (const gpu::WhatIf& row : rows) {
        const double percent = row.occupancy.percent(gpu, row.threads);
        const auto filled = static_cast<std::size_t>(percent / 100 * bar_width + 0.5);
        text +=
            fmt::format("{} {:>14} {:>6} {:>5} {:>7.1f} %  {:<{}}  {}\n", row.current ? '>' : ' ', range(row),
                        row.occupancy.blocks_per_sm, row.occupancy.warps_per_sm(gpu, row.threads), percent,
                        fmt::format("{}", fmt::join(limiters(row.occupancy), "+")), limit_width,
                        std::string(filled, row.current ? '@' : '#'));
    }
    return text;
}

std::string limit_line(const char* name, int blocks, int least, const std::string& why) {
    return fmt::format("  {:<14} {:>9}  {:<10} {}\n", name, number_or(blocks, "no limit"),
                       blocks == least ? "<- limit" : "", why);
}

std::string limits_text(const Calculation& c) {
    const gpu::GpuModel& gpu = c.gpu;
    const int warps = (c.demand.threads + gpu.warp_size - 1) / gpu.warp_size;
    const int least = c.occupancy.blocks_per_sm;
    std::string text = "\nlimits, in blocks an SM\n";
    text += limit_line("warps", c.occupancy.by_threads, least,
                       fmt::format("{} an SM, {} a block", gpu.max_warps_per_sm(), warps));
    const int registers = c.demand.registers_per_thread;
    text += limit_line(
        "registers", c.occupancy.by_registers, least,
        registers == 0 ? "registers are not known"
                       : fmt::format("{} an SM, {} a warp (units of {})", gpu.registers_per_sm,
                                     gpu::allocated_registers(gpu, registers), gpu.register_allocation_unit));
    text += limit_line(
        "shared memory", c.occupancy.by_shared, least,
        fmt::format("{} bytes an SM, {} a block{}", gpu.shared_per_sm,
                    gpu::allocated_shared(gpu, c.demand.shared_bytes),
                    gpu.shared_reserved_per_block == 0
                        ? ""
                        : fmt::format(" ({} of them the system's)", gpu.shared_reserved_per_block)));
    text += limit_line("blocks", c.occupancy.by_blocks, least, "what an SM can hold");
    if (gpu.shared_configurations.size() > 1)
        text += fmt::format(
            "  The driver would make {} KB of an SM's memory shared memory: room for {}, ncu's\n"
            "  launch__occupancy_limit_shared_mem.\n",
            c.shared.bytes / 1024, plural(c.shared.blocks, "block"));
    if (c.demand.shared_bytes > gpu.shared_per_block)
        text += fmt::format(
            "  More than {} bytes a block need cudaFuncSetAttribute(…MaxDynamicSharedMemorySize…).\n",
            gpu.shared_per_block);
    return text;
}

std::string bounds_of(const KernelResources& kernel) {
    if (kernel.max_threads == 0) return "-";
    return kernel.min_blocks ? fmt::format("{},{}", kernel.max_threads, kernel.min_blocks)
                             : std::to_string(kernel.max_threads);
}

std::string registers_of(const KernelResources& kernel) {
    return kernel.registers.count ? std::to_string(*kernel.registers.count) : "?";
}

std::string spills_of(const KernelResources& kernel) {
    const KernelRegisters& r = kernel.registers;
    return r.spill_stores ? std::to_string(*r.spill_stores + r.spill_loads.value_or(0)) : "?";
}

// Without return type and parameters, where that leaves the kernels apart.
std::vector<std::string> table_names(const std::vector<KernelOccupancy>& kernels) {
    std::vector<std::string> names;
    std::map<std::string, int> times;
    for (const KernelOccupancy& k : kernels) ++times[base::short_kernel_name(k.kernel.name)];
    for (const KernelOccupancy& k : kernels) {
        std::string name = base::short_kernel_name(k.kernel.name);
        if (times[name] > 1) name = k.kernel.name;
        names.push_back(name.size() <= widest_name ? name : name.substr(0, widest_name - 3) + "...");
    }
    return names;
}

std::string best_of(const gpu::GpuModel& gpu, const std::vector<gpu::WhatIf>& rows) {
    const gpu::WhatIf* found = gpu::best(gpu, rows);
    return found ? std::to_string(found->threads) : "none";
}

const gpu::WhatIf* row_for(const std::vector<gpu::WhatIf>& rows, int threads) {
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const gpu::WhatIf& r) { return r.threads == threads; });
    return found == rows.end() ? nullptr : &*found;
}

// Where the registers come from, and what follows if they come from nowhere.
std::string sources_text(const std::vector<KernelOccupancy>& kernels) {
    std::vector<std::string> lines;
    for (const KernelOccupancy& k : kernels) {
        const KernelRegisters& r = k.kernel.registers;
        std::string line = "registers: " + r.source;
        if (!r.reason.empty()) line += fmt::format(" ({})", r.reason);
        if (!r.count) line += "; occupancy without their limit: an upper bound. --regs N gives them";
        if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    }
    return fmt::format("{}\n", fmt::join(lines, "\n"));
}

std::string one_kernel_text(const gpu::GpuModel& gpu, const KernelOccupancy& k) {
    const KernelResources& kernel = k.kernel;
    std::string text = fmt::format("{}\n  {:<26} {}\n  {:<26} {} bytes{}\n  {:<26} {} bytes a thread\n",
                                   kernel.name, "registers a thread", registers_of(kernel),
                                   "static shared memory", kernel.static_shared_bytes,
                                   kernel.dynamic_shared ? ", and a dynamic array (--smem BYTES)" : "",
                                   "local memory", kernel.local_bytes);
    const KernelRegisters& r = kernel.registers;
    text += fmt::format(
        "  {:<26} {}\n", "spills",
        r.spill_stores ? fmt::format("{} bytes stored, {} loaded a thread", *r.spill_stores, *r.spill_loads)
                       : "?");
    if (kernel.max_threads)
        text += fmt::format(
            "  {:<26} at most {} threads a block{}\n", "launch bounds", kernel.max_threads,
            kernel.min_blocks ? fmt::format(", at least {} an SM", plural(kernel.min_blocks, "block")) : "");
    if (kernel.register_bound < gpu.max_registers_per_thread)
        text += fmt::format("  {:<26} {} a thread\n", "bound on registers", kernel.register_bound);
    return text;
}

}  // namespace

std::vector<std::string> limiters(const gpu::Occupancy& occupancy) {
    std::vector<std::string> names;
    const int least = occupancy.blocks_per_sm;
    if (occupancy.by_threads == least) names.push_back("warps");
    if (occupancy.by_registers == least) names.push_back("registers");
    if (occupancy.by_shared == least) names.push_back("shared_mem");
    if (occupancy.by_blocks == least) names.push_back("blocks");
    return names;
}

Calculation calculate(const gpu::GpuModel& gpu, const gpu::Dimensions& block, const gpu::BlockDemand& demand,
                      int bound) {
    Calculation c{gpu, block, demand, gpu::occupancy(gpu, demand), gpu::shared_configuration(gpu, demand)};
    c.block_sizes = gpu::what_if_threads(gpu, demand, bound);
    c.registers = gpu::what_if_registers(gpu, demand);
    c.shared_sizes = gpu::what_if_shared(gpu, demand);
    return c;
}

std::string text_of(const Calculation& c) {
    const gpu::GpuModel& gpu = c.gpu;
    const int threads = c.demand.threads;
    const int warps = c.occupancy.warps_per_sm(gpu, threads);
    const std::string dimensions = shape(c.block);
    std::string text = fmt::format(
        "{} ({}), compute capability {}\na block of {}{}, {} a thread, {} bytes of shared memory\n\n",
        gpu.full_name(), gpu.id, gpu.compute_name(), dimensions.empty() ? "" : dimensions + " = ",
        plural(threads, "thread"),
        c.demand.registers_per_thread ? plural(c.demand.registers_per_thread, "register")
                                      : "an unknown number of registers",
        c.demand.shared_bytes);
    text += fmt::format("active blocks an SM  {:>5}\nactive warps an SM   {:>5} of {}\n",
                        c.occupancy.blocks_per_sm, warps, gpu.max_warps_per_sm());
    text += fmt::format("occupancy            {:>5.1f} %\n", c.occupancy.percent(gpu, threads));
    text += limits_text(c);
    text += what_if_table(gpu, "the block size", "threads", c.block_sizes);
    text += what_if_table(gpu, "the registers of a thread", "registers", c.registers);
    text += what_if_table(gpu, "the shared memory of a block", "bytes", c.shared_sizes);
    return text;
}

std::string text_of(const gpu::GpuModel& gpu, const std::vector<KernelOccupancy>& kernels) {
    if (kernels.size() == 1) {
        const KernelOccupancy& k = kernels[0];
        std::string text = one_kernel_text(gpu, k) + sources_text(kernels) + "\n";
        if (k.calculation) return text + text_of(*k.calculation);
        return text +
               fmt::format("{} ({}); the highest occupancy with {} threads a block\n", gpu.name, gpu.id,
                           best_of(gpu, k.block_sizes)) +
               what_if_table(gpu, "the block size", "threads", k.block_sizes);
    }
    constexpr int sizes[] = {32, 64, 128, 256, 512, 768, 1024};
    const bool one_block = kernels[0].calculation.has_value();
    const std::vector<std::string> names = table_names(kernels);
    std::size_t width = 6;
    for (const std::string& name : names) width = std::max(width, name.size());
    std::string text = fmt::format("{} ({}), {}", gpu.name, gpu.id, plural(kernels.size(), "kernel"));
    if (one_block)
        text += fmt::format(", a block of {}\n", plural(kernels[0].calculation->demand.threads, "thread"));
    else
        text += ", occupancy in percent over threads a block\n";
    text += sources_text(kernels);
    text += fmt::format("\n{:<{}} {:>4} {:>6} {:>6} {:>6} {:>7}", "kernel", width, "regs", "spills", "shared",
                        "local", "bounds");
    if (one_block) {
        text += fmt::format(" {:>7} {:>6} {:>9}  limit\n", "blocks", "warps", "occupancy");
    } else {
        for (int size : sizes) text += fmt::format(" {:>4}", size);
        text += "  best\n";
    }
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const KernelOccupancy& k = kernels[i];
        const KernelResources& kernel = k.kernel;
        text +=
            fmt::format("{:<{}} {:>4} {:>6} {:>6} {:>6} {:>7}", names[i], width, registers_of(kernel),
                        spills_of(kernel), kernel.static_shared_bytes, kernel.local_bytes, bounds_of(kernel));
        if (k.calculation) {
            const gpu::Occupancy& o = k.calculation->occupancy;
            const int threads = k.calculation->demand.threads;
            text +=
                fmt::format(" {:>7} {:>6} {:>7.1f} %  {}\n", o.blocks_per_sm, o.warps_per_sm(gpu, threads),
                            o.percent(gpu, threads), fmt::join(limiters(o), "+"));
            continue;
        }
        for (int size : sizes) {
            const gpu::WhatIf* row = row_for(k.block_sizes, size);
            text += row ? fmt::format(" {:>4.0f}", row->occupancy.percent(gpu, size)) : "    -";
        }
        text += fmt::format("  {:>4}\n", best_of(gpu, k.block_sizes));
    }
    return text;
}

}  // namespace lockstep::cli
