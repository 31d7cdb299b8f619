#include "gpu/model-keys.h"

#include <limits>

namespace lockstep::gpu {
namespace {

constexpr double kilo = 1024, mega = kilo * 1024, giga = mega * 1024, tera = giga * 1024;
constexpr double most_cycles = 100'000, most_us = 1e6, most_gbs = 1e6, most_rate = 1e6;

void add_structure(std::vector<Key>& keys, GpuModel& m) {
    keys.insert(keys.end(),
                {{"name", &m.name},
                 {"architecture", &m.architecture},
                 {"validated.nvcc", &m.timing.validated.nvcc, 0, 0, "", true},
                 {"validated.lockstep", &m.timing.validated.lockstep, 0, 0, "", true},
                 {"compute.major", &m.compute_major, 1, 99},
                 {"compute.minor", &m.compute_minor, 0, 9},
                 {"compute.target", &m.target, 0, 0, "", true},
                 {"sm.count", &m.sms, 1, 1024, "SMs"},
                 {"sm.count_full_chip", &m.sms_full_chip, 1, 1024, "SMs"},
                 {"sm.warp_size", &m.warp_size, 1, 64, "threads"},
                 {"sm.clock_mhz", &m.clock_mhz, 1, 10'000, "MHz"},
                 {"sm.max_threads", &m.max_threads_per_sm, 32, 8192, "threads"},
                 {"sm.max_blocks", &m.max_blocks_per_sm, 1, 256, "blocks"},
                 {"sm.max_barrier_blocks", &m.max_barrier_blocks_per_sm, 1, 256, "blocks", true},
                 {"sm.registers", &m.registers_per_sm, 1024, mega, "registers"},
                 {"sm.register_allocation_unit", &m.register_allocation_unit, 1, 4096, "registers a warp"},
                 {"sm.warp_allocation_granularity", &m.warp_allocation_granularity, 1, 16, "warps"},
                 {"sm.shared_bytes", &m.shared_per_sm, kilo, 16 * mega, "bytes"},
                 {"sm.shared_allocation_unit", &m.shared_allocation_unit, 1, 64 * kilo, "bytes"},
                 {"sm.shared_configurations", &m.shared_configurations, 0, 16 * mega, "bytes"},
                 {"sm.fp64_ratio", &m.fp64_ratio, 1, 128, "FP32 operations for one FP64"},
                 {"block.max_threads", &m.max_threads_per_block, 32, 4096, "threads"},
                 {"block.max_registers_per_thread", &m.max_registers_per_thread, 16, 1024, "registers"},
                 {"block.registers", &m.registers_per_block, 1024, mega, "registers"},
                 {"block.shared_bytes", &m.shared_per_block, kilo, 16 * mega, "bytes"},
                 {"block.shared_bytes_optin", &m.shared_per_block_optin, kilo, 16 * mega, "bytes"},
                 {"block.shared_bytes_reserved", &m.shared_reserved_per_block, 0, 64 * kilo, "bytes"},
                 {"block.max_dim", &m.max_block, 1, 65'536, "threads"},
                 {"grid.max_dim", &m.max_grid, 1, std::numeric_limits<std::int32_t>::max(), "blocks"},
                 {"grid.concurrent_kernels", &m.concurrent_kernels, 1, 4096, "kernels"},
                 {"memory.bytes", &m.memory_bytes, mega, 64 * tera, "bytes"},
                 {"memory.clock_mhz", &m.memory_clock_mhz, 1, 100'000, "MHz"},
                 {"memory.bus_bits", &m.memory_bus_bits, 8, 65'536, "bits"},
                 {"memory.bandwidth_gbs", &m.memory_bandwidth_gbs, 1, 100'000, "GB/s"},
                 {"memory.constant_bytes", &m.constant_bytes, kilo, mega, "bytes"},
                 {"memory.ecc", &m.ecc},
                 {"memory.copy_engines", &m.copy_engines, 1, 64, "engines"},
                 {"memory.unified_addressing", &m.unified_addressing},
                 {"memory.managed", &m.managed_memory}});
}

void add_pipe(std::vector<Key>& keys, PipeFigures& pipe, std::string_view latency, std::string_view lanes) {
    keys.push_back({latency, &pipe.latency, 1, 10'000, "cycles"});
    keys.push_back({lanes, &pipe.lanes, 1, 4096, "threads a cycle"});
}

void add_products(std::vector<Key>& keys, ProductFigures& pipe, std::string_view latency,
                  std::string_view cycles) {
    keys.push_back({latency, &pipe.latency, 1, 10'000, "cycles", true});
    keys.push_back({cycles, &pipe.cycles, 0.1, 10'000, "cycles", true});
}

void add_sm(std::vector<Key>& keys, TimingFigures& t) {
    keys.insert(keys.end(),
                {{"scheduler.count", &t.schedulers, 1, 16, "an SM"},
                 {"scheduler.issues_per_cycle", &t.issues_per_cycle, 1, 8, "instructions a cycle"},
                 {"scheduler.policy", &t.policy}});
    add_pipe(keys, t.alu, "pipes.alu.latency", "pipes.alu.lanes");
    add_pipe(keys, t.fma, "pipes.fma.latency", "pipes.fma.lanes");
    add_pipe(keys, t.imad, "pipes.imad.latency", "pipes.imad.lanes");
    add_pipe(keys, t.half, "pipes.half.latency", "pipes.half.lanes");
    add_pipe(keys, t.fp64, "pipes.fp64.latency", "pipes.fp64.lanes");
    add_pipe(keys, t.xu, "pipes.xu.latency", "pipes.xu.lanes");
    add_pipe(keys, t.shuffle, "pipes.shuffle.latency", "pipes.shuffle.lanes");
    add_products(keys, t.tensor, "pipes.tensor.latency", "pipes.tensor.cycles");
    add_products(keys, t.tensor_short, "pipes.tensor_short.latency", "pipes.tensor_short.cycles");
    add_products(keys, t.tensor_sparse, "pipes.tensor_sparse.latency", "pipes.tensor_sparse.cycles");
    add_products(keys, t.tensor_fp64, "pipes.tensor_fp64.latency", "pipes.tensor_fp64.cycles");
    add_products(keys, t.tensor_group, "pipes.tensor_group.latency", "pipes.tensor_group.cycles");
    keys.insert(keys.end(),
                {{"pipes.tensor_float_sums", &t.tensor_float_sums, 1, 16, "times as long", true},
                 {"pipes.tensor_same_warp", &t.tensor_same_warp, 0, 100, "cycles", true},
                 {"pipes.tensor_rest_share", &t.tensor_rest_share, 0, 10, "of the cycles", true},
                 {"pipes.tensor_rest_cycles", &t.tensor_rest_cycles, 0, 100'000, "cycles", true},
                 {"pipes.tensor_wake_cycles", &t.tensor_wake_cycles, 0, 10'000, "cycles", true},
                 {"pipes.predicate_latency", &t.predicate_latency, 0, 10'000, "cycles"},
                 {"pipes.branch_latency", &t.branch_latency, 1, 10'000, "cycles"},
                 {"pipes.passed_branch_latency", &t.passed_branch_latency, 1, 10'000, "cycles"},
                 {"pipes.split_latency", &t.split_latency, 1, 10'000, "cycles"},
                 {"pipes.reconverge_latency", &t.reconverge_latency, 1, 10'000, "cycles"},
                 {"pipes.barrier_latency", &t.barrier_latency, 1, 10'000, "cycles"},
                 {"pipes.barrier_per_warp", &t.barrier_per_warp, 0, 1000, "cycles"},
                 {"pipes.constant_latency", &t.constant_latency, 1, 10'000, "cycles"},
                 {"pipes.cold_constant_times", &t.cold_constant_times, 0, 1000, "times the latency"},
                 {"pipes.fence_latency", &t.fence_latency, 0, 10'000, "cycles"},
                 {"pipes.instruction_cache_miss", &t.instruction_cache_miss, 0, 10'000, "cycles"},
                 {"pipes.first_code_cycles", &t.first_code_cycles, 0, 10'000, "cycles", true},
                 {"pipes.code_line_instructions", &t.code_line_instructions, 1, 64, "instructions"},
                 {"code.scheduler_lines", &t.code.scheduler_lines, 0, 1'000'000, "lines", true},
                 {"code.sm_lines", &t.code.sm_lines, 0, 1'000'000, "lines", true},
                 {"code.sm_jump", &t.code.sm_jump, 0, 10'000, "cycles", true},
                 {"code.shared_lines", &t.code.shared_lines, 0, 1'000'000, "lines", true},
                 {"code.shared_jump", &t.code.shared_jump, 0, 10'000, "cycles", true},
                 {"code.shared_line", &t.code.shared_line, 0, 10'000, "cycles", true},
                 {"code.far_jump", &t.code.far_jump, 0, 10'000, "cycles", true},
                 {"code.far_line", &t.code.far_line, 0, 10'000, "cycles", true},
                 {"constant.cache_bytes", &t.constant.cache_bytes, kilo, mega, "bytes"},
                 {"constant.word_cycles", &t.constant.word_cycles, 0.1, 1000, "cycles"},
                 {"constant.word_latency", &t.constant.word_latency, 0, 1000, "cycles"},
                 {"constant.miss_latency", &t.constant.miss_latency, 0, 10'000, "cycles"},
                 {"constant.miss_cycles", &t.constant.miss_cycles, 0, 10'000, "cycles"},
                 {"constant.further_miss_cycles", &t.constant.further_miss_cycles, 0, 10'000, "cycles"},
                 {"shared.latency", &t.shared_latency, 1, 10'000, "cycles"},
                 {"shared.conflict_cycles", &t.shared_conflict_cycles, 0, 1000, "cycles"},
                 {"shared.bytes_per_cycle", &t.shared_bytes_per_cycle, 1, 4096, "bytes a cycle"},
                 {"shared.atomic_latency", &t.shared_atomic_latency, 1, 10'000, "cycles"},
                 {"shared.swap_round", &t.shared_swap_round, 0, 10'000, "cycles", true},
                 {"cluster.latency", &t.cluster_latency, 1, 10'000, "cycles", true},
                 {"cluster.sector_cycles", &t.cluster_sector_cycles, 0.1, 1000, "cycles", true},
                 {"cluster.barrier_latency", &t.cluster_barrier_latency, 1, 10'000, "cycles", true},
                 {"cluster.barrier_per_warp", &t.cluster_barrier_per_warp, 0, 1000, "cycles", true},
                 {"l1.bytes", &t.l1_bytes, kilo, 16 * mega, "bytes"},
                 {"l1.shares_with_shared", &t.l1_shares_with_shared},
                 {"l1.caches_loads", &t.l1_caches_loads},
                 {"l1.keeps_stores", &t.l1_keeps_stores},
                 {"l1.latency", &t.l1_latency, 1, 10'000, "cycles"},
                 {"l1.bytes_per_cycle", &t.l1_bytes_per_cycle, 1, 4096, "bytes a cycle"},
                 {"l1.request_cycles", &t.l1_request_cycles, 1, 1000, "cycles"},
                 {"l1.tag_banks", &t.l1_tag_banks, 1, most_tag_banks, "banks"},
                 {"l1.queue_cycles", &t.l1_queue_cycles, 0, 10'000, "cycles"},
                 {"texture.latency", &t.texture_latency, 1, 10'000, "cycles"},
                 {"texture.load_latency", &t.texture_load_latency, 1, 10'000, "cycles"},
                 {"texture.lanes", &t.texture_lanes, 1, 128, "threads a cycle"},
                 {"texture.bytes_per_cycle", &t.texture_bytes_per_cycle, 1, 4096, "bytes a cycle", true},
                 {"texture.line_cycles", &t.texture_line_cycles, 0, 100, "cycles", true},
                 {"bulk.latency", &t.bulk_latency, 0, 10'000, "cycles", true},
                 {"bulk.store_latency", &t.bulk_store_latency, 0, 10'000, "cycles", true},
                 {"bulk.bytes_per_cycle", &t.bulk_bytes_per_cycle, 1, 4096, "bytes a cycle", true},
                 {"bulk.row_cycles", &t.bulk_row_cycles, 0, 1000, "cycles", true}});
}

void add_wave(std::vector<Key>& keys, WaveFigures& w) {
    keys.insert(keys.end(),
                {{"wave.vector_units", &w.vector_units, 1, 16, "a compute unit", true},
                 {"wave.shift64_lanes", &w.shift64_lanes, 1, 4096, "threads a cycle", true},
                 {"wave.scalar_registers", &w.scalar_registers, 0, 65'536, "a vector unit", true},
                 {"wave.scalar_register_unit", &w.scalar_register_unit, 1, 128, "registers", true},
                 {"wave.unified_registers", &w.unified_registers, 0, 0, "", true},
                 {"wave.l1_line_bytes", &w.l1_line_bytes, 32, 1024, "bytes", true},
                 {"wave.l2_line_bytes", &w.l2_line_bytes, 32, 1024, "bytes", true},
                 {"wave.l2_channels", &w.l2_channels, 1, 1024, "channels", true},
                 {"wave.shader_engines", &w.shader_engines, 1, 256, "engines", true},
                 {"wave.dies", &w.dies, 1, 64, "dies", true},
                 {"wave.scalar_caches", &w.scalar_caches, 1, 1024, "caches", true}});
}

void add_memory(std::vector<Key>& keys, GpuModel& m) {
    TimingFigures& t = m.timing;
    keys.insert(
        keys.end(),
        {{"l2.bytes", &m.l2_bytes, kilo, 4 * giga, "bytes"},
         {"l2.partitions", &t.l2_partitions, 1, 16, "partitions", true},
         {"l2.effective_bytes", &t.l2_effective_bytes, kilo, 4 * giga, "bytes"},
         {"l2.latency", &t.l2_latency, 1, 10'000, "cycles"},
         {"l2.read_bytes_per_cycle", &t.l2_read_bytes_per_cycle, 1, most_rate, "bytes a cycle"},
         {"l2.write_bytes_per_cycle", &t.l2_write_bytes_per_cycle, 1, most_rate, "bytes a cycle"},
         {"l2.sm_read_bytes_per_cycle", &t.l2_bytes_per_cycle_sm, 1, 4096, "bytes a cycle of one SM"},
         {"l2.sm_write_bytes_per_cycle", &t.l2_write_bytes_per_cycle_sm, 1, 4096, "bytes a cycle of one SM"},
         {"l2.store_queue_cycles", &t.store_queue_cycles, 0, most_cycles, "cycles"},
         {"l2.slices", &t.l2_slices, 1, 4096, "slices"},
         {"l2.atomic_latency", &t.atomic_latency, 1, 10'000, "cycles"},
         {"l2.atomics_per_cycle", &t.atomics_per_cycle, 0.001, most_rate, "threads a cycle"},
         {"l2.same_address_atomics_per_cycle", &t.same_address_atomics_per_cycle, 0.001, most_rate,
          "threads a cycle"},
         {"dram.latency", &m.memory_latency_cycles, 1, 10'000, "cycles"},
         {"dram.read_efficiency", &t.dram_read_efficiency, 0.01, 1, "of the peak"},
         {"dram.write_efficiency", &t.dram_write_efficiency, 0.01, 1, "of the peak"},
         {"dram.mixed_efficiency", &t.dram_mixed_efficiency, 0.01, 1, "of the peak"},
         {"dram.queue_read", &t.dram_queue_read, 0, 10'000, "cycles"},
         {"dram.queue_mixed", &t.dram_queue_mixed, 0, 10'000, "cycles"},
         {"dram.half_line_cost", &t.dram_half_line_cost, 1, 16, "times"},
         {"dram.fetch_bytes", &t.dram_fetch_bytes, 32, 1024, "bytes"},
         {"dram.line_cycles", &t.dram_line_cycles, 0, 10'000, "cycles", true},
         {"dram.most_line_cycles", &t.dram_most_line_cycles, 0, 100'000, "cycles", true},
         {"dram.first_load_cycles", &t.dram_first_load_cycles, 0, 10'000, "cycles"}});
}

void add_launches(std::vector<Key>& keys, TimingFigures& t) {
    keys.insert(keys.end(),
                {{"blocks.launch_cycles", &t.block_launch_cycles, 0, most_cycles, "cycles"},
                 {"blocks.fill_cycles", &t.block_fill_cycles, 0, most_cycles, "cycles"},
                 {"blocks.launch_cycles_per_warp", &t.block_launch_cycles_per_warp, 0, most_cycles, "cycles"},
                 {"blocks.warp_cycles", &t.block_warp_cycles, 0, most_cycles, "cycles"},
                 {"blocks.restart_cycles", &t.block_restart_cycles, 0, most_cycles, "cycles"},
                 {"launch.kernel_overhead_us", &t.kernel_overhead_us, 0, most_us, "us"},
                 {"launch.call_us", &t.launch_call_us, 0, most_us, "us"},
                 {"launch.latency_us", &t.launch_latency_us, 0, most_us, "us"},
                 {"launch.record_call_us", &t.record_call_us, 0, most_us, "us"},
                 {"launch.query_call_us", &t.query_call_us, 0, most_us, "us"},
                 {"nested.launch_us", &t.nested_launch_us, 0, most_us, "us"},
                 {"nested.interval_us", &t.nested_interval_us, 0, most_us, "us"},
                 {"nested.block_interval_us", &t.nested_block_interval_us, 0, most_us, "us"},
                 {"nested.start_us", &t.nested_start_us, 0, most_us, "us"},
                 {"nested.gap_us", &t.nested_gap_us, 0, most_us, "us"},
                 {"nested.end_us", &t.nested_end_us, 0, most_us, "us"},
                 {"nested.tail_us", &t.nested_tail_us, 0, most_us, "us"},
                 {"nested.tail_interval_us", &t.nested_tail_interval_us, 0, most_us, "us"},
                 {"nested.tail_done_us", &t.nested_tail_done_us, 0, most_us, "us"},
                 {"nested.graph_us", &t.nested_graph_us, 0, most_us, "us"},
                 {"nested.graph_tail_us", &t.nested_graph_tail_us, 0, most_us, "us"},
                 {"queues.hardware", &t.hardware_queues, 1, 1024, "queues"},
                 {"host.latency", &t.host_latency, 0, most_cycles, "cycles"},
                 {"host.first_cycles", &t.host_first_cycles, 0, most_cycles, "cycles"},
                 {"host.read_gbs", &t.host_read_gbs, 0.001, most_gbs, "GB/s"},
                 {"host.write_gbs", &t.host_write_gbs, 0.001, most_gbs, "GB/s"},
                 {"host.line_bytes", &t.host_line_bytes, 0, 4096, "bytes"},
                 {"copies.call_us", &t.copy_call_us, 0, most_us, "us"},
                 {"copies.latency_us", &t.copy_latency_us, 0, most_us, "us"},
                 {"copies.pinned_to_device_gbs", &t.pinned_to_device_gbs, 0.001, most_gbs, "GB/s"},
                 {"copies.device_to_pinned_gbs", &t.device_to_pinned_gbs, 0.001, most_gbs, "GB/s"},
                 {"copies.pageable_to_device_gbs", &t.pageable_to_device_gbs, 0.001, most_gbs, "GB/s"},
                 {"copies.device_to_pageable_gbs", &t.device_to_pageable_gbs, 0.001, most_gbs, "GB/s"},
                 {"copies.device_to_device_gbs", &t.device_to_device_gbs, 0.001, most_gbs, "GB/s"},
                 {"copies.fill_gbs", &t.fill_gbs, 0.001, most_gbs, "GB/s"}});
}

void add_textbook(std::vector<Key>& keys, TextbookFigures& t) {
    keys.insert(keys.end(),
                {{"textbook.arithmetic_latency", &t.arithmetic_latency, 1, 10'000, "cycles", true},
                 {"textbook.memory_latency", &t.memory_latency, 1, 10'000, "cycles", true},
                 {"textbook.memory_clock_mhz", &t.memory_clock_mhz, 1, 100'000, "MHz", true}});
}

}  // namespace

std::vector<Key> keys_of(GpuModel& model) {
    std::vector<Key> keys;
    add_structure(keys, model);
    add_sm(keys, model.timing);
    add_wave(keys, model.wave);
    add_memory(keys, model);
    add_launches(keys, model.timing);
    add_textbook(keys, model.textbook);
    return keys;
}

std::optional<double> number_of(const Key& key) {
    return std::visit(
        [](const auto* member) -> std::optional<double> {
            if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(*member)>>)
                return static_cast<double>(*member);
            return std::nullopt;
        },
        key.member);
}

}  // namespace lockstep::gpu
