// What things cost on a GPU: the figures that the timing model and the timeline need. Cycles are of the SM
// clock; rates are of one SM unless they say otherwise.
#pragma once
#include <cstdint>
#include <string>

namespace lockstep::gpu {

// One kind of instruction: how long until its result can be used, and for how many threads an SM starts it in
// a cycle.
struct PipeFigures {
    int latency = 0;
    int lanes = 0;
};

// Matrix products of a warp: how long until the result can be used, and between two of one scheduler.
struct ProductFigures {
    int latency = 0;
    double cycles = 0;
};

enum class SchedulerPolicy : std::uint8_t {
    greedy_then_oldest,  // the warp that issued last as long as it can, else the oldest
    loose_round_robin,   // the next one that can, after the one that issued last
};

// Loads from constant memory whose address the lanes compute, in cycles of an SM.
struct ConstantFigures {
    std::uint32_t cache_bytes = 0;
    double word_cycles = 0;          // for each different word that lanes want
    double word_latency = 0;         // more latency for each further one
    double miss_latency = 0;         // more for each line that is not there
    double miss_cycles = 0;          // that the cache is busy with such a line which all lanes want
    double further_miss_cycles = 0;  // from one such line to the next where lanes want several
};

constexpr std::uint32_t most_tag_banks = 16;

// Code that was run before. Lines of 128 bytes; cycles until the target of a jump is there, and of each line
// of straight code.
struct CodeCacheFigures {
    int scheduler_lines = 0;  // that a scheduler keeps; 0: all, and nothing is fetched again
    int sm_lines = 0;         // that the SM keeps
    int shared_lines = 0;     // that it keeps with others
    double sm_jump = 0, shared_jump = 0, far_jump = 0;
    double shared_line = 0, far_line = 0;
};

struct TimingFigures {
    // Warp schedulers.
    int schedulers = 4;
    int issues_per_cycle = 1;  // of one scheduler: Kepler's have two dispatch units
    SchedulerPolicy policy = SchedulerPolicy::greedy_then_oldest;

    // Pipes.
    PipeFigures alu;   // integer additions, logic, shifts, comparisons
    PipeFigures fma;   // float additions, products, multiply-adds
    PipeFigures imad;  // integer multiply-adds
    PipeFigures half;  // packed 16-bit arithmetic
    PipeFigures fp64;
    PipeFigures xu;       // reciprocals, roots, sines, conversions
    PipeFigures shuffle;  // exchanges between lanes
    // Matrix products of a warp; 0 on GPUs that have none.
    ProductFigures tensor;         // with 32 bytes along k: HMMA.16816
    ProductFigures tensor_short;   // with 16 bytes: HMMA.1688
    ProductFigures tensor_sparse;  // HMMA.SP.16832
    ProductFigures tensor_fp64;    // DMMA.8x8x4
    ProductFigures tensor_group;   // a warpgroup's, for eight columns: HGMMA.64x8x16
    int tensor_float_sums = 1;     // products whose sums are f32 take so many times as long
    double tensor_same_warp = 0;   // cycles more until the warp that used the pipe last may use it again
    // Tensor cores that have rested start slowly: a share of the cycles in which a scheduler's made no
    // product, up to a most, is lost again, a part of it with each product. Not where products are of f64.
    double tensor_rest_share = 0, tensor_rest_cycles = 0, tensor_wake_cycles = 0;
    int predicate_latency = 0;       // from a comparison to an instruction that its result guards
    int branch_latency = 0;          // until the next instruction, when a branch is taken …
    int passed_branch_latency = 0;   // … when it is not …
    int split_latency = 0;           // … and when it sends lanes different ways
    int reconverge_latency = 0;      // until the next instruction, where lanes meet again
    int barrier_latency = 0;         // of __syncthreads …
    double barrier_per_warp = 0;     // … and more for each warp of the block
    int constant_latency = 0;        // a load from constant memory that hits
    double cold_constant_times = 0;  // a kernel's first constants take so many of these more
    int fence_latency = 0;           // of a fence, from when the stores before it were sent
    CodeCacheFigures code;
    int instruction_cache_miss = 0;  // cycles for 128 bytes of code that an SM has not run yet …
    int first_code_cycles = 0;       // … and until the first of a kernel are there; part of an empty kernel's
    int code_line_instructions = 1;  // in these 128 bytes

    ConstantFigures constant;

    // Shared memory and L1 cache.
    int shared_latency = 0;
    int shared_conflict_cycles = 0;  // more latency for each further wavefront
    int shared_bytes_per_cycle = 0;  // bandwidth without conflicts
    int shared_atomic_latency = 0;
    int shared_swap_round = 0;  // of a loop that compares and swaps; float additions are such loops. 0: none
    // Shared memory of other blocks of a cluster; 0 on GPUs without clusters.
    int cluster_latency = 0;              // of a load
    double cluster_sector_cycles = 0;     // for each 32 bytes between one SM and the others
    int cluster_barrier_latency = 0;      // of a cluster's barrier, from the last arrival on …
    double cluster_barrier_per_warp = 0;  // … and more for each warp of the block
    std::uint32_t l1_bytes = 0;           // L1 and shared memory together; where they are apart, the L1 alone
    bool l1_shares_with_shared = true;    // the L1 has what shared memory leaves of l1_bytes
    bool l1_caches_loads = true;          // of global memory; false: they go to the L2
    bool l1_keeps_stores = true;          // for loads that follow; false: they go past it
    int l1_latency = 0;
    int l1_bytes_per_cycle = 0;
    int l1_request_cycles = 0;       // of a pass of a request
    std::uint32_t l1_tag_banks = 0;  // a load's pass finds a 128-byte line in each
    // Of L1 and shared memory: work that an SM takes in; beyond, warps wait to issue more.
    int l1_queue_cycles = 0;

    // The texture unit, which stands before the L1.
    int texture_latency = 0;             // of a fetch by coordinates, from the L1
    int texture_load_latency = 0;        // by index, and of a surface
    double texture_line_cycles = 0;      // in which each bank of the L1 finds it a line
    int texture_lanes = 0;               // that it takes in a cycle
    double texture_bytes_per_cycle = 0;  // that it hands on; 0: it does not matter

    // The engine of bulk copies (TMA), which passes by the L1.
    int bulk_latency = 0;        // of a copy to shared memory, beyond its last line's way from the L2
    int bulk_store_latency = 0;  // until one to global memory is known to be there
    double bulk_bytes_per_cycle = 0;
    double bulk_row_cycles = 0;  // that a row of a tensor's box takes at least

    // The host's memory, mapped into the device's addresses.
    int host_latency = 0;                          // cycles, beyond the L2's
    int host_first_cycles = 0;                     // that a kernel's first access of it takes longer
    double host_read_gbs = 1, host_write_gbs = 1;  // whole lines
    int host_line_bytes = 0;                       // that an access of a line costs at least

    // L2 cache and device memory. Bytes a cycle of the whole GPU.
    int l2_partitions =
        1;  // each for a part of the memory; what another one has crosses over, and counts twice
    std::uint64_t l2_effective_bytes = 0;  // that a kernel can use before it misses
    int l2_latency = 0;
    int l2_read_bytes_per_cycle = 0;
    // Requests and data towards the L2 go in pieces of 32 bytes: one for a line that is read, one for each
    // sector that is written, and one more where not all its bytes are.
    int l2_write_bytes_per_cycle = 0;
    int l2_bytes_per_cycle_sm = 0;  // between one SM and the L2, reading
    int l2_write_bytes_per_cycle_sm = 0;
    // Stores and atomics that the L2 has not taken for so long keep an SM from sending more.
    int store_queue_cycles = 0;
    int l2_slices = 0;                          // that lines are spread over
    int atomic_latency = 0;                     // of a global atomic with a result
    double atomics_per_cycle = 0;               // of the whole GPU, lanes that have a word each
    double same_address_atomics_per_cycle = 0;  // lanes at one word
    double dram_read_efficiency = 0;            // of the peak bandwidth that reads reach
    double dram_write_efficiency = 0;
    double dram_mixed_efficiency = 0;  // half reads, half writes
    // Loads wait longer the busier the memory is: so many cycles times u / (1 - u), where u is the share of
    // the bandwidth that can be reached; with reads only, and with as many writes.
    double dram_queue_read = 0, dram_queue_mixed = 0;
    double dram_half_line_cost = 1;  // of a fetch of less than a line, a byte, against one of a line
    int dram_fetch_bytes = 0;        // that a miss of one sector brings
    // More that each further line which one load fetches from device memory takes, and all of them at most.
    double dram_line_cycles = 0, dram_most_line_cycles = 0;
    int dram_first_load_cycles = 0;  // more that an SM's first load waits: nobody knows its address yet

    // Blocks and launches.
    double block_launch_cycles = 0;           // between blocks started, whole GPU, once it is full
    double block_fill_cycles = 0;             // between blocks started on one SM while it fills
    double block_launch_cycles_per_warp = 0;  // at least so long for each warp of a block, on one SM
    double block_warp_cycles = 0;             // from one warp of a block that starts to the next
    int block_restart_cycles = 0;             // from a block's end to the start of the next one in its place
    double kernel_overhead_us = 0;            // of an empty kernel, as a profiler measures it
    double launch_call_us = 0;                // that a launch call takes the host
    double launch_latency_us = 0;             // from the launch call to the kernel's begin, idle GPU
    double record_call_us = 0;                // that recording or awaiting an event takes the host
    double query_call_us = 0;                 // the same of asking, or of waiting for nothing

    // Launches by threads of a kernel.
    double nested_launch_us = 0;          // that one takes the thread
    double nested_interval_us = 0;        // between launches, whole GPU
    double nested_block_interval_us = 0;  // … by threads of one block
    double nested_start_us = 0;           // from the launch to the kernel's begin
    double nested_gap_us = 0;             // between kernels of one stream
    double nested_end_us = 0;             // from the last child's end to its parent's
    double nested_tail_us = 0;            // from a kernel's end to the first of its tail stream
    double nested_tail_interval_us = 0;   // between launches into a tail stream, whole grid
    double nested_tail_done_us = 0;       // more at the end for each further kernel of it, of 32 at most
    double nested_graph_us = 0;           // more of a kernel for each graph that it fires
    double nested_graph_tail_us = 0;      // … and for each in the tail of its own

    // Queues and copies.
    int hardware_queues = 0;     // work queues between host and GPU
    double copy_call_us = 0;     // that an asynchronous copy's call takes the host
    double copy_latency_us = 0;  // of a copy without data
    double pinned_to_device_gbs = 0, device_to_pinned_gbs = 0;
    double pageable_to_device_gbs = 0, device_to_pageable_gbs = 0;
    double device_to_device_gbs = 0;  // bytes copied, each read and written
    double fill_gbs = 0;              // cudaMemset

    // How far the model was compared with this GPU: "time 12 % mean error over 53 launches"; empty: never.
    // Each compiler's code is other code.
    struct Validated {
        std::string nvcc, lockstep;
        bool operator==(const Validated&) const = default;
    };
    Validated validated;
};

}  // namespace lockstep::gpu
