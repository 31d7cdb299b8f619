#include "measure/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace lockstep::measure {
namespace {

using Number = std::optional<double>;
using Find = std::function<Number(const Recordings&)>;

struct Rule {
    const char* key;
    const char* file;
    const char* how;  // behind the file's name in the model
    Find find;
};

template <class Operation>
Number both(Number a, Number b, Operation operation) {
    return a && b ? std::optional<double>(operation(*a, *b)) : std::nullopt;
}
Number difference(Number a, Number b) { return both(a, b, std::minus<>()); }
Number ratio(Number a, Number b) { return both(a, b, std::divides<>()); }
Number scaled(Number a, double factor) { return a ? std::optional(*a * factor) : std::nullopt; }

Find property(const char* name, double factor = 1) {
    return [=](const Recordings& r) { return scaled(r.number(name), factor); };
}

// Of arithmetic.csv: one warp with one chain, and the most warp steps of an SM in a cycle.
Number chain(const Recordings& r, std::string_view instruction) {
    return r.first("arithmetic.csv",
                   {{"instruction", instruction}, {"ilp", "1"}, {"unit", "cycles a step of a warp"}});
}
Number rate(const Recordings& r, std::string_view instruction) {
    return r.most("arithmetic.csv", {{"instruction", instruction}, {"unit", "warp steps a cycle of an SM"}});
}
Find latency_of(const char* instruction) {
    return [=](const Recordings& r) { return chain(r, instruction); };
}
// The loop takes up to 2 % of what an SM's units could do: lanes are a multiple of 16 where they nearly are.
Find lanes_of(std::vector<const char*> instructions) {
    return [=](const Recordings& r) -> Number {
        double best = 0;
        for (const char* const one : instructions) best = std::max(best, rate(r, one).value_or(0));
        if (best == 0) return {};
        const double lanes = 32 * best, whole = 16 * std::round(lanes / 16);
        return std::abs(whole - lanes) < 0.02 * lanes ? whole : lanes;
    };
}

Number control(const Recordings& r, std::string_view what, std::string_view warps) {
    return r.first("control.csv", {{"what", what}, {"warps", warps}});
}
Number barrier_per_warp(const Recordings& r) {
    return scaled(difference(control(r, "__syncthreads", "32"), control(r, "__syncthreads", "1")), 1.0 / 31);
}

Number constant_chain(const Recordings& r, std::string_view words, std::string_view step,
                      std::string_view span) {
    return r.first(
        "constant-loads.csv",
        {{"access", "chain"}, {"words", words}, {"lane_stride", "1"}, {"step", step}, {"span", span}});
}

Number shared(const Recordings& r, std::string_view access, std::string_view ways, std::string_view unit) {
    return r.first("shared.csv", {{"access", access}, {"ways", ways}, {"warps", "1"}, {"unit", unit}});
}
constexpr std::string_view step_of_a_warp = "cycles a step of each warp";

// Of lanes in 32 lines.
Number l1_load(const Recordings& r, std::string_view words) {
    return r.first("gathers.csv", {{"cache", "L1"}, {"words", words}, {"parameter", "32"}, {"warps", "32"}});
}

// What a chain of loads takes that stays in so many bytes.
std::vector<std::pair<double, double>> ring(const Recordings& r, std::string_view load,
                                            std::string_view order, std::string_view stride) {
    return r.pairs("global-latency.csv", {{"load", load}, {"order", order}, {"stride", stride}}, "footprint");
}
Number farthest(const std::vector<std::pair<double, double>>& found) {
    const auto last = std::ranges::max_element(found);
    return last == found.end() ? std::nullopt : std::optional(last->second);
}
// The largest footprint that takes as long as small ones.
Number all_hits(std::vector<std::pair<double, double>> found, double least_footprint) {
    std::erase_if(found, [&](const auto& one) { return one.first < least_footprint; });
    std::ranges::sort(found);
    std::vector<double> first;
    for (std::size_t i = 0; i < std::min<std::size_t>(5, found.size()); ++i) first.push_back(found[i].second);
    const Number usual = median(first);
    Number largest;
    for (const auto& [footprint, cycles] : found)
        if (cycles < 1.02 * *usual) largest = footprint;
    return largest;
}

// Bytes a cycle of all SMs, by the size of the arrays: the best of each size that the L2 holds well.
Number l2_throughput(const Recordings& r, std::string_view kind) {
    const Number sms = r.number("sms"), bytes = r.number("l2_bytes");
    if (!sms || !bytes) return {};
    std::map<double, double> best;
    for (const auto& [footprint, value] : r.pairs(
             "l2-throughput.csv",
             {{"kind", kind}, {"sms", fmt::format("{:g}", *sms)}, {"unit", "bytes a cycle"}}, "footprint"))
        if (footprint > *bytes / 8 && footprint < *bytes * 0.65)
            best[footprint] = std::max(best[footprint], value);
    std::vector<double> values;
    for (const auto& [footprint, value] : best) values.push_back(value);
    return median(values);
}

Number peak_gbs(const Recordings& r) {
    const Number clock = r.number("memory_clock_khz"), bits = r.number("memory_bus_bits");
    return both(clock, bits, [](double khz, double width) { return 2 * khz * 1e3 * width / 8 / 1e9; });
}
Find efficiency(const char* kind) {
    return [=](const Recordings& r) {
        return ratio(r.most("dram-throughput.csv", {{"kind", kind}, {"unit", "GB/s"}}), peak_gbs(r));
    };
}

// Lanes of one SM-filling launch, in a cycle: the row with the most blocks.
Number atomics(const Recordings& r, std::string_view pattern) {
    const Number lanes_a_ns =
        farthest(r.pairs("global-atomics.csv", {{"atomic", "red add u32"}, {"pattern", pattern}}, "blocks"));
    return both(lanes_a_ns, r.number("clock_khz"),
                [](double lanes, double khz) { return lanes / khz * 1e6; });
}

Number block_interval(const Recordings& r) {
    const auto rows =
        r.pairs("block-rate.csv", {{"kernel", "empty"}, {"threads", "64"}, {"shared_bytes", "0"}}, "blocks");
    if (rows.size() < 2) return {};
    const auto most = *std::ranges::max_element(rows);
    for (const auto& [blocks, us] : rows)
        if (blocks * 10 == most.first)
            return both((most.second - us) / (most.first - blocks), r.number("clock_khz"),
                        [](double each, double khz) { return each * khz / 1e3; });
    return {};
}
Number fill(const Recordings& r, std::string_view threads) {
    return r.first(
        "block-starts.csv",
        {{"threads", threads}, {"work", "1000"}, {"unit", "cycles between starts on an SM while it fills"}});
}

// From one empty block to the next in its place.
Number empty_blocks(const Recordings& r, std::string_view threads) {
    return r.first("block-gaps.csv", {{"end", "empty"}, {"threads", threads}});
}
Number constant_latency(const Recordings& r) {
    return r.first("other-latency.csv", {{"what", "constant footprint"}, {"setting", "1024"}});
}

Number launch(const Recordings& r, std::string_view what) {
    return r.first("launch-overhead.csv", {{"what", what}});
}
constexpr std::string_view largest_copy = "1073741824";
// 10^9 bytes a second of copies of 1 GB.
Find copied(const char* copy) {
    return [=](const Recordings& r) {
        return both(1073741824.0, r.first("copies.csv", {{"copy", copy}, {"bytes", largest_copy}}),
                    [](double bytes, double us) { return bytes / us / 1e3; });
    };
}

Number tensor(const Recordings& r, const std::string& what, std::string_view warps) {
    return r.first("tensor.csv", {{"what", what}, {"warps", warps}}, "cycles");
}
Find tensor_latency(const char* what) {
    return [=](const Recordings& r) { return tensor(r, std::string(what) + " dependent", "1"); };
}
// 16 warps are four of each scheduler.
Find tensor_cycles(const char* what) {
    return [=](const Recordings& r) { return scaled(tensor(r, what, "16"), 0.25); };
}

const std::vector<Rule>& rules() {
    static const std::vector<Rule> all = {
        {"compute.major", "device.csv", "",
         [](const Recordings& r) -> Number {
             const Number compute = r.number("compute");
             return compute ? std::optional(std::floor(*compute)) : std::nullopt;
         }},
        {"compute.minor", "device.csv", "",
         [](const Recordings& r) -> Number {
             const Number compute = r.number("compute");
             return compute ? std::optional(std::round(10 * (*compute - std::floor(*compute))))
                            : std::nullopt;
         }},
        {"sm.count", "device.csv", "", property("sms")},
        {"sm.warp_size", "device.csv", "", property("warp_size")},
        {"sm.clock_mhz", "device.csv", "largest SM clock", property("clock_khz", 1e-3)},
        {"sm.max_threads", "device.csv", "", property("threads_sm")},
        {"sm.max_blocks", "device.csv", "", property("blocks_sm")},
        {"sm.registers", "device.csv", "", property("registers_sm")},
        {"sm.shared_bytes", "device.csv", "", property("shared_bytes_sm")},
        {"sm.fp64_ratio", "device.csv", "", property("fp64_ratio")},
        {"block.max_threads", "device.csv", "", property("threads_block")},
        {"block.registers", "device.csv", "", property("registers_block")},
        {"block.shared_bytes", "device.csv", "", property("shared_bytes_block")},
        {"block.shared_bytes_optin", "device.csv", "", property("shared_bytes_optin")},
        {"block.shared_bytes_reserved", "device.csv", "", property("shared_bytes_reserved")},
        {"memory.bytes", "device.csv", "", property("memory_bytes")},
        {"memory.clock_mhz", "device.csv", "", property("memory_clock_khz", 1e-3)},
        {"memory.bus_bits", "device.csv", "", property("memory_bus_bits")},
        {"memory.bandwidth_gbs", "device.csv", "two transfers a clock of the memory", peak_gbs},
        {"memory.constant_bytes", "device.csv", "", property("constant_bytes")},
        {"memory.copy_engines", "device.csv", "", property("copy_engines")},

        {"pipes.alu.latency", "arithmetic.csv", "a chain of LOP3", latency_of("lop3")},
        {"pipes.alu.lanes", "arithmetic.csv", "LOP3, IADD3, shifts", lanes_of({"lop3", "iadd3", "shl"})},
        {"pipes.fma.latency", "arithmetic.csv", "a chain of FADD", latency_of("fadd")},
        {"pipes.fma.lanes", "arithmetic.csv", "FADD, FMUL, FFMA",
         lanes_of({"fadd", "fmul", "ffma_immediate"})},
        {"pipes.imad.latency", "arithmetic.csv", "a chain of IMAD", latency_of("imad")},
        {"pipes.imad.lanes", "arithmetic.csv", "IMAD", lanes_of({"imad"})},
        {"pipes.half.latency", "arithmetic.csv", "a chain of HFMA2", latency_of("hfma2")},
        {"pipes.half.lanes", "arithmetic.csv", "HFMA2", lanes_of({"hfma2"})},
        {"pipes.fp64.latency", "arithmetic.csv", "a chain of DADD", latency_of("dadd")},
        {"pipes.fp64.lanes", "arithmetic.csv", "DADD, DMUL", lanes_of({"dadd", "dmul"})},
        {"pipes.xu.latency", "arithmetic.csv", "a chain of MUFU.RSQ", latency_of("mufu_rsq")},
        {"pipes.xu.lanes", "arithmetic.csv", "MUFU.RSQ, POPC", lanes_of({"mufu_rsq", "popc"})},
        {"pipes.shuffle.latency", "arithmetic.csv", "a chain of SHFL", latency_of("shfl_bfly")},
        {"pipes.shuffle.lanes", "arithmetic.csv", "SHFL", lanes_of({"shfl_bfly"})},
        {"pipes.tensor.latency", "tensor.csv", "m16n8k16", tensor_latency("m16n8k16 f16 f32")},
        {"pipes.tensor.cycles", "tensor.csv", "four warps a scheduler", tensor_cycles("m16n8k16 f16 f32")},
        {"pipes.tensor_short.latency", "tensor.csv", "m16n8k8", tensor_latency("m16n8k8 f16 f32")},
        {"pipes.tensor_short.cycles", "tensor.csv", "four warps a scheduler",
         tensor_cycles("m16n8k8 f16 f32")},
        {"pipes.tensor_sparse.latency", "tensor.csv", "sparse m16n8k32", tensor_latency("sp m16n8k32 f16")},
        {"pipes.tensor_sparse.cycles", "tensor.csv", "four warps a scheduler",
         tensor_cycles("sp m16n8k32 f16")},
        {"pipes.predicate_latency", "predicates.csv", "a comparison and what it guards, less the addition",
         [](const Recordings& r) {
             return difference(r.first("predicates.csv", {{"chain", "ISETP, @P IADD3"}}), chain(r, "iadd3"));
         }},
        {"pipes.branch_latency", "control.csv",
         "a loop of 16 dependent additions, less 15 and the issue of the last",
         [](const Recordings& r) {
             return difference(difference(control(r, "16 additions in a loop", "1"), 1),
                               scaled(chain(r, "iadd3"), 15));
         }},
        {"pipes.barrier_latency", "control.csv", "__syncthreads of one warp, less what each warp adds",
         [](const Recordings& r) {
             return difference(control(r, "__syncthreads", "1"), barrier_per_warp(r));
         }},
        {"pipes.barrier_per_warp", "control.csv", "__syncthreads of 1 and 32 warps", barrier_per_warp},
        {"pipes.constant_latency", "other-latency.csv", "a chain in 1 KB of constant memory",
         constant_latency},

        {"constant.cache_bytes", "other-latency.csv", "the largest footprint of a chain that hits",
         [](const Recordings& r) {
             return all_hits(r.pairs("other-latency.csv", {{"what", "constant footprint"}}, "setting"), 0);
         }},
        {"constant.word_cycles", "constant-loads.csv", "32 different words by 32 warps",
         [](const Recordings& r) {
             return scaled(r.first("constant-loads.csv", {{"access", "load32"},
                                                          {"warps", "32"},
                                                          {"words", "32"},
                                                          {"lane_stride", "1"},
                                                          {"step", "0"}}),
                           1.0 / 32);
         }},
        {"constant.word_latency", "constant-loads.csv", "chains of two different words and of one",
         [](const Recordings& r) {
             return difference(constant_chain(r, "2", "0", "256"), constant_chain(r, "1", "0", "256"));
         }},
        {"constant.miss_latency", "constant-loads.csv", "chains through 32 KB and through 1 KB",
         [](const Recordings& r) {
             return difference(constant_chain(r, "1", "16", "8192"), constant_chain(r, "1", "16", "256"));
         }},

        {"shared.latency", "shared.csv", "a chain of loads",
         [](const Recordings& r) { return shared(r, "load32", "1", step_of_a_warp); }},
        {"shared.conflict_cycles", "shared.csv", "32 lanes of a bank, and one",
         [](const Recordings& r) {
             return scaled(difference(shared(r, "load32", "32", step_of_a_warp),
                                      shared(r, "load32", "1", step_of_a_warp)),
                           1.0 / 31);
         }},
        {"shared.bytes_per_cycle", "shared.csv", "loads of 4 bytes a lane",
         [](const Recordings& r) -> Number {
             const Number most =
                 r.most("shared.csv",
                        {{"access", "load32"}, {"ways", "1"}, {"unit", "warp steps a cycle of an SM"}});
             return most ? std::optional(8 * std::round(128 * *most / 8)) : std::nullopt;
         }},
        {"shared.atomic_latency", "shared.csv", "a chain of additions",
         [](const Recordings& r) { return shared(r, "atomic add", "1", step_of_a_warp); }},

        {"l1.latency", "global-latency.csv", "a chain in 1 KB",
         [](const Recordings& r) {
             return r.first(
                 "global-latency.csv",
                 {{"load", "ld.ca"}, {"order", "in order"}, {"stride", "32"}, {"footprint", "1024"}});
         }},
        {"l1.bytes_per_cycle", "l1-throughput.csv", "the most that hits brought",
         [](const Recordings& r) -> Number {
             const Number most = r.most("l1-throughput.csv", {{"unit", "bytes a cycle of an SM"}});
             return most ? std::optional(8 * std::round(*most / 8)) : std::nullopt;
         }},
        {"l1.request_cycles", "gathers.csv", "32 words of one bank",
         [](const Recordings& r) -> Number {
             const Number cycles = l1_load(r, "one bank");
             return cycles ? std::optional(*cycles / 32) : std::nullopt;
         }},
        {"l1.tag_banks", "gathers.csv", "a load of 32 lines",
         [](const Recordings& r) -> Number {
             const Number cycles = l1_load(r, "own banks");
             return cycles ? std::optional(std::round(32 / *cycles)) : std::nullopt;
         }},

        {"l2.bytes", "device.csv", "", property("l2_bytes")},
        {"l2.effective_bytes", "global-latency.csv", "one SM's chain of lines hits up to here",
         [](const Recordings& r) { return all_hits(ring(r, "ld.cg", "in order", "128"), 1 << 20); }},
        {"l2.latency", "l2-by-sm.csv", "median of all SMs and lines",
         [](const Recordings& r) { return r.middle("l2-by-sm.csv", {}, "cycles"); }},
        {"l2.read_bytes_per_cycle", "l2-throughput.csv", "all SMs",
         [](const Recordings& r) { return l2_throughput(r, "read"); }},
        {"l2.write_bytes_per_cycle", "l2-throughput.csv", "all SMs",
         [](const Recordings& r) { return l2_throughput(r, "write"); }},
        {"l2.sm_read_bytes_per_cycle", "l2-throughput.csv", "one SM",
         [](const Recordings& r) {
             return r.most("l2-throughput.csv", {{"kind", "read"}, {"sms", "1"}, {"unit", "bytes a cycle"}});
         }},
        {"l2.sm_write_bytes_per_cycle", "dram-throughput.csv", "one SM",
         [](const Recordings& r) {
             return r.most("dram-throughput.csv",
                           {{"kind", "write"}, {"sms", "1"}, {"unit", "bytes a cycle"}});
         }},
        {"l2.atomic_latency", "other-latency.csv", "a chain of one lane's additions",
         [](const Recordings& r) {
             return r.first("other-latency.csv",
                            {{"what", "global atomic add u32 lane stride"}, {"lanes", "1"}});
         }},
        {"l2.atomics_per_cycle", "global-atomics.csv", "coalesced, without result",
         [](const Recordings& r) { return atomics(r, "coalesced"); }},
        {"l2.same_address_atomics_per_cycle", "global-atomics.csv", "all lanes at one word",
         [](const Recordings& r) { return atomics(r, "one word"); }},

        {"dram.latency", "global-latency.csv", "a chain of lines through the largest ring",
         [](const Recordings& r) { return farthest(ring(r, "ld.cg", "in order", "128")); }},
        {"dram.read_efficiency", "dram-throughput.csv", "the best read, of memory.bandwidth_gbs",
         efficiency("read")},
        {"dram.write_efficiency", "dram-throughput.csv", "the best write", efficiency("write")},
        {"dram.mixed_efficiency", "dram-throughput.csv", "the best copy", efficiency("copy")},

        {"blocks.launch_cycles", "block-rate.csv", "empty blocks, all SMs", block_interval},
        {"blocks.fill_cycles", "block-starts.csv", "blocks of 128 threads",
         [](const Recordings& r) { return fill(r, "128"); }},
        {"blocks.launch_cycles_per_warp", "block-starts.csv", "blocks of 1024 threads",
         [](const Recordings& r) { return scaled(fill(r, "1024"), 1.0 / 32); }},
        {"blocks.warp_cycles", "block-gaps.csv", "empty blocks of 1 and 32 warps",
         [](const Recordings& r) {
             return scaled(difference(empty_blocks(r, "1024"), empty_blocks(r, "32")), 1.0 / 31);
         }},
        {"blocks.restart_cycles", "block-gaps.csv",
         "empty blocks of a warp, less the constant that they load",
         [](const Recordings& r) { return difference(empty_blocks(r, "32"), constant_latency(r)); }},

        {"launch.kernel_overhead_us", "ncu-duration.csv", "median of empty kernels of one block, by ncu",
         [](const Recordings& r) {
             return scaled(r.middle("ncu-duration.csv", {{"kernel", "empty"}, {"blocks", "1"}}, "ns"), 1e-3);
         }},
        {"launch.call_us", "launch-overhead.csv", "1000 launches",
         [](const Recordings& r) { return launch(r, "host: 1000 launches and a wait: each"); }},
        {"launch.record_call_us", "launch-overhead.csv", "events around nothing",
         [](const Recordings& r) { return launch(r, "events around nothing"); }},
        {"launch.query_call_us", "launch-overhead.csv", "cudaDeviceSynchronize with nothing to wait for",
         [](const Recordings& r) {
             return launch(r, "host: cudaDeviceSynchronize with nothing to wait for");
         }},

        {"host.latency", "mapped.csv", "a chain of loads, less the L2's latency",
         [](const Recordings& r) {
             return difference(r.first("mapped.csv", {{"what", "load"}}),
                               r.middle("l2-by-sm.csv", {}, "cycles"));
         }},
        {"host.read_gbs", "mapped.csv", "4 bytes a thread",
         [](const Recordings& r) { return r.first("mapped.csv", {{"what", "read"}, {"bytes", "4"}}); }},
        {"host.write_gbs", "mapped.csv", "4 bytes a thread",
         [](const Recordings& r) { return r.first("mapped.csv", {{"what", "write"}, {"bytes", "4"}}); }},

        {"copies.latency_us", "copies.csv", "4 bytes from pinned memory, less the events",
         [](const Recordings& r) {
             return difference(
                 r.first("copies.csv",
                         {{"copy", "pinned to device"}, {"bytes", "4"}, {"unit", "us by events"}}),
                 launch(r, "events around nothing"));
         }},
        {"copies.call_us", "copies.csv", "the call with 4 bytes of pageable memory",
         [](const Recordings& r) {
             return r.first(
                 "copies.csv",
                 {{"copy", "pageable to device"}, {"bytes", "4"}, {"unit", "us by the host's clock"}});
         }},
        {"copies.pinned_to_device_gbs", "copies.csv", "1 GB", copied("pinned to device")},
        {"copies.device_to_pinned_gbs", "copies.csv", "1 GB", copied("device to pinned")},
        {"copies.pageable_to_device_gbs", "copies.csv", "1 GB", copied("pageable to device")},
        {"copies.device_to_pageable_gbs", "copies.csv", "1 GB", copied("device to pageable")},
        {"copies.device_to_device_gbs", "copies.csv", "1 GB", copied("device to device")},
        {"copies.fill_gbs", "copies.csv", "1 GB", copied("memset")},
    };
    return all;
}

}  // namespace

Calibration calibrate(const Recordings& recordings) {
    Calibration result;
    for (const Rule& rule : rules()) {
        const Number value = rule.find(recordings);
        if (!value || !std::isfinite(*value)) {
            result.missing.push_back(fmt::format("{} ({})", rule.key, rule.file));
            continue;
        }
        result.figures.push_back(
            {rule.key, *value, fmt::format("[M] {}{}{}", rule.file, *rule.how ? ": " : "", rule.how)});
    }
    return result;
}

void agree(std::vector<gpu::NewFigure>& figures, const gpu::GpuModel& base) {
    const auto at_least = [&](const char* key, double has, const std::string& measured, const char* why) {
        const auto least = std::ranges::find(figures, measured, &gpu::NewFigure::key);
        if (least != figures.end() && least->value > has) figures.push_back({key, least->value, why});
    };
    at_least("sm.count_full_chip", base.sms_full_chip, "sm.count",
             "[M] device.csv: no fewer than the product has");
    if (base.timing.l1_shares_with_shared)
        at_least("l1.bytes", static_cast<double>(base.timing.l1_bytes), "sm.shared_bytes",
                 "[M] device.csv: no less than the shared memory that it holds");
    const auto bytes = std::ranges::find(figures, "l2.bytes", &gpu::NewFigure::key);
    const auto effective = std::ranges::find(figures, "l2.effective_bytes", &gpu::NewFigure::key);
    if (bytes == figures.end()) return;
    if (effective != figures.end())
        effective->value = std::min(effective->value, bytes->value);
    else if (static_cast<double>(base.timing.l2_effective_bytes) > bytes->value)
        figures.push_back({"l2.effective_bytes", bytes->value, "[M] device.csv: all of it"});
}

std::string validation_text(std::span<const double> errors) {
    // Half of it is as wrong as twice.
    const auto factor = [](double error) { return std::max(1 + error, 1 / (1 + error)); };
    double sum = 0, worst = 0;
    for (const double error : errors) {
        sum += std::abs(error);
        if (factor(error) > factor(worst)) worst = error;
    }
    return fmt::format("mean error of time {:.0f} % over {} launches, worst {:+.0f} %",
                       100 * sum / static_cast<double>(std::max<std::size_t>(1, errors.size())),
                       errors.size(), 100 * worst);
}

}  // namespace lockstep::measure
