// Metrics of what memory and caches move in the time that the timing model gives a launch.
#include <algorithm>
#include <cmath>

#include "counters/geometry.h"
#include "counters/transactions.h"
#include "metrics/predicted-table.h"

namespace lockstep::metrics {
namespace {

constexpr double sector = 32, bank_pass = 128;  // bytes

double sectors(C c, Memory memory, AccessType type) {
    return static_cast<double>(c.totals.of(memory, type).accesses.sectors);
}
double all_sectors(C c, Memory memory) {
    double sum = 0;
    for (const AccessType type :
         {AccessType::load, AccessType::store, AccessType::atomic, AccessType::reduction})
        sum += sectors(c, memory, type);
    return sum;
}
double passes(C c, AccessType type) {
    return static_cast<double>(c.totals.of(Memory::shared, type).accesses.wavefronts);
}

std::optional<double> rate(double bytes, P p) { return per(1e9 * bytes, p.nanoseconds); }

template <Memory memory, AccessType type>
std::optional<double> sector_rate(P p, C c) {
    return rate(sector * sectors(c, memory, type), p);
}
template <AccessType type>
std::optional<double> requested_rate(P p, C c) {
    return rate(static_cast<double>(c.totals.of(Memory::global, type).accesses.bytes), p);
}
template <AccessType type>
std::optional<double> shared_rate(P p, C c) {
    return rate(bank_pass * passes(c, type), p);
}

// Shares of what could be moved in the launch's cycles.
std::optional<double> l1_share(double bytes, P p, C c) {
    return per(bytes, static_cast<double>(c.gpu->timing.l1_bytes_per_cycle) * c.gpu->sms * p.cycles, 100);
}
template <AccessType type>
std::optional<double> global_share(P p, C c) {
    return l1_share(sector * sectors(c, Memory::global, type), p, c);
}
std::optional<double> dram_share(double bytes, P p, C c) {
    return per(100 * bytes, p.nanoseconds * c.gpu->memory_bandwidth_gbs);
}
std::optional<double> l2_share(double moved, int bytes_per_cycle, P p) {
    return per(sector * moved, bytes_per_cycle * p.cycles, 100);
}
double dram_bytes(P p) { return p.dram_read_bytes + p.dram_write_bytes; }

std::optional<double> largest(std::initializer_list<std::optional<double>> values) {
    std::optional<double> result;
    for (const auto& value : values)
        if (value && (!result || *value > *result)) result = value;
    return result;
}

// Global, local and shared memory take turns.
std::optional<double> l1_throughput(P p, C c) {
    const auto global =
        l1_share(sector * (all_sectors(c, Memory::global) + all_sectors(c, Memory::local)), p, c);
    const auto shared =
        per(bank_pass * (passes(c, AccessType::load) + passes(c, AccessType::store) +
                         passes(c, AccessType::atomic) + passes(c, AccessType::reduction)),
            static_cast<double>(c.gpu->timing.shared_bytes_per_cycle) * c.gpu->sms * p.cycles, 100);
    if (!global || !shared) return largest({global, shared});
    return c.gpu->timing.l1_shares_with_shared ? *global + *shared : std::max(*global, *shared);
}
std::optional<double> l2_throughput(P p, C c) {
    return largest({l2_share(p.l2_read_sectors, c.gpu->timing.l2_read_bytes_per_cycle, p),
                    l2_share(p.l2_write_sectors, c.gpu->timing.l2_write_bytes_per_cycle, p)});
}
std::optional<double> dram_throughput(P p, C c) { return dram_share(dram_bytes(p), p, c); }

std::optional<double> l1_transactions(double sectors, C c) {
    return counters::transactions_are_lines(*c.gpu) ? sectors / counters::line_sectors : sectors;
}
std::optional<double> hit_rate(const timing::CachedLoads& loads) {
    return per(loads.hits, loads.sectors, 100).value_or(0);
}

constexpr const char* global_names[] = {"l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum",
                                        "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum"};
constexpr const char* of_peak = ".pct_of_peak_sustained_elapsed";

void add_global(PredictedTable& table) {
    const std::string load = global_names[0], store = global_names[1];
    table
        .add({load + ".per_second", "gld_throughput"}, Unit::bytes_per_second, {"memory"},
             "Global Load Throughput", "32 × the sectors of global loads / time.",
             predicted<sector_rate<Memory::global, AccessType::load>>)
        .share_of_peak = load + of_peak;
    table.add({load + of_peak}, Unit::percent, {"memory"}, "Global Load Throughput, of Peak",
              "The same, of what the L1 caches can deliver.", predicted<global_share<AccessType::load>>);
    table
        .add({store + ".per_second", "gst_throughput"}, Unit::bytes_per_second, {"memory"},
             "Global Store Throughput", "32 × the sectors of global stores / time.",
             predicted<sector_rate<Memory::global, AccessType::store>>)
        .share_of_peak = store + of_peak;
    table.add({store + of_peak}, Unit::percent, {"memory"}, "Global Store Throughput, of Peak",
              "The same, of what the L1 caches can take.", predicted<global_share<AccessType::store>>);
    table.add({"gld_requested_throughput"}, Unit::bytes_per_second, {"memory"},
              "Requested Global Load Throughput", "Bytes that global loads asked for / time.",
              predicted<requested_rate<AccessType::load>>);
    table.add({"gst_requested_throughput"}, Unit::bytes_per_second, {"memory"},
              "Requested Global Store Throughput", "Bytes that global stores asked for / time.",
              predicted<requested_rate<AccessType::store>>);
    table.add({"local_load_throughput"}, Unit::bytes_per_second, {"memory"}, "Local Memory Load Throughput",
              "32 × the sectors of local loads / time.",
              predicted<sector_rate<Memory::local, AccessType::load>>);
    table.add({"local_store_throughput"}, Unit::bytes_per_second, {"memory"}, "Local Memory Store Throughput",
              "32 × the sectors of local stores / time.",
              predicted<sector_rate<Memory::local, AccessType::store>>);
    table.add({"shared_load_throughput"}, Unit::bytes_per_second, {"shared"}, "Shared Memory Load Throughput",
              "128 × the passes of shared loads over the banks / time.",
              predicted<shared_rate<AccessType::load>>);
    table.add({"shared_store_throughput"}, Unit::bytes_per_second, {"shared"},
              "Shared Memory Store Throughput", "128 × the passes of shared stores over the banks / time.",
              predicted<shared_rate<AccessType::store>>);
    table.add({"l1tex__t_bytes.sum"}, Unit::bytes, {"memory"}, "L1/TEX Bytes",
              "32 × the sectors asked of the L1 cache.",
              predicted<[](P p, C) -> std::optional<double> { return sector * p.l1_sectors; }>);
    table.add({"l1tex__t_sector_hit_rate.pct", "global_hit_rate", "tex_cache_hit_rate"}, Unit::percent,
              {"memory", "default"}, "L1/TEX Hit Rate",
              "Sectors that the L1 cache had / sectors asked of it.",
              predicted<[](P p, C) { return per(p.l1_hits, p.l1_sectors, 100); }>);
    table.add(
        {"l1_cache_global_hit_rate"}, Unit::percent, {"memory"}, "L1 Global Hit Rate",
        "Of what global loads ask the L1 cache for, what it had. 0 where none asks it: Kepler and Pascal "
        "send them to the L2, unless ptxas is told -dlcm=ca.",
        predicted<[](P p, C) { return hit_rate(p.l1_global); }>);
    table.add({"l1_global_load_hit"}, Unit::count, {"memory"}, "L1 Global Load Hits",
              "Transactions of global loads that the L1 cache had.",
              predicted<[](P p, C c) { return l1_transactions(p.l1_global.hits, c); }>);
    table.add({"l1_global_load_miss"}, Unit::count, {"memory"}, "L1 Global Load Misses",
              "Transactions of global loads that asked the L1 cache and that it did not have.",
              predicted<[](P p, C c) { return l1_transactions(p.l1_global.sectors - p.l1_global.hits, c); }>);
    table.add({"l1_cache_local_hit_rate"}, Unit::percent, {"memory"}, "L1 Local Hit Rate",
              "Of what local loads ask the L1 cache for, what it had. 0 where there is none.",
              predicted<[](P p, C) { return hit_rate(p.l1_local); }>);
    table.add({"l1tex__throughput.avg.pct_of_peak_sustained_elapsed"}, Unit::percent, {"memory"},
              "L1/TEX Throughput",
              "Bytes of the sectors of global and local memory and of the passes over shared memory's banks, "
              "of what an SM can move in all cycles.",
              predicted<l1_throughput>);
}

// What an SM asks of a partition of the L2 that another one has is counted in both: a written sector, and one
// that device memory delivers.
double crossing(C c) { return 1 - 1.0 / c.gpu->timing.l2_partitions; }
double l2_reads(P p, C c) { return p.l2_read_sectors + crossing(c) * p.dram_read_bytes / sector; }
double l2_writes(P p, C c) { return p.l2_write_sectors * (1 + crossing(c)); }

void add_l2(PredictedTable& table) {
    table.add({"lts__t_sectors_op_read.sum", "l2_read_transactions"}, Unit::count, {"memory"},
              "L2 Read Transactions",
              "Sectors read from the L2 cache, by an SM or by another part of the L2.",
              predicted<[](P p, C c) -> std::optional<double> { return l2_reads(p, c); }>);
    table.add({"lts__t_sectors_op_write.sum", "l2_write_transactions"}, Unit::count, {"memory"},
              "L2 Write Transactions",
              "Sectors written to the L2 cache, by an SM or by another part of the L2.",
              predicted<[](P p, C c) -> std::optional<double> { return l2_writes(p, c); }>);
    table.add({"lts__t_sectors.sum"}, Unit::count, {"memory"}, "L2 Transactions",
              "Sectors read from and written to the L2 cache.",
              predicted<[](P p, C c) -> std::optional<double> { return l2_reads(p, c) + l2_writes(p, c); }>);
    table.add(
        {"lts__t_sectors_srcunit_tex.sum"}, Unit::count, {"memory"}, "L2 Transactions of the SMs",
        "Sectors that SMs read from and write to the L2 cache.",
        predicted<[](P p, C) -> std::optional<double> { return p.l2_read_sectors + p.l2_write_sectors; }>);
    table.add({"lts__t_bytes.sum"}, Unit::bytes, {"memory"}, "L2 Bytes", "32 × these sectors.",
              predicted<[](P p, C c) -> std::optional<double> {
                  return sector * (l2_reads(p, c) + l2_writes(p, c));
              }>);
    table
        .add({"l2_read_throughput"}, Unit::bytes_per_second, {"memory"}, "L2 Throughput (Reads)",
             "32 × the sectors read from the L2 cache / time.",
             predicted<[](P p, C c) { return rate(sector * l2_reads(p, c), p); }>)
        .share_of_peak = std::string("lts__t_sectors_op_read.sum") + of_peak;
    table.add({std::string("lts__t_sectors_op_read.sum") + of_peak}, Unit::percent, {"memory"},
              "L2 Reads, of Peak", "Sectors read from the L2 cache, of what it can deliver in all cycles.",
              predicted<[](P p, C c) {
                  return l2_share(p.l2_read_sectors, c.gpu->timing.l2_read_bytes_per_cycle, p);
              }>);
    table
        .add({"l2_write_throughput"}, Unit::bytes_per_second, {"memory"}, "L2 Throughput (Writes)",
             "32 × the sectors written to the L2 cache / time.",
             predicted<[](P p, C c) { return rate(sector * l2_writes(p, c), p); }>)
        .share_of_peak = std::string("lts__t_sectors_op_write.sum") + of_peak;
    table.add({std::string("lts__t_sectors_op_write.sum") + of_peak}, Unit::percent, {"memory"},
              "L2 Writes, of Peak", "Sectors written to the L2 cache, of what it can take in all cycles.",
              predicted<[](P p, C c) {
                  return l2_share(p.l2_write_sectors, c.gpu->timing.l2_write_bytes_per_cycle, p);
              }>);
    table.add({"lts__throughput.avg.pct_of_peak_sustained_elapsed"}, Unit::percent, {"memory"},
              "L2 Throughput", "The larger one of the shares of its reads and of its writes.",
              predicted<l2_throughput>);
    table.add({"lts__t_sector_hit_rate.pct", "l2_tex_hit_rate"}, Unit::percent, {"memory", "default"},
              "L2 Hit Rate", "Sectors that the L2 cache had, or took to write / sectors asked of it.",
              predicted<[](P p, C) { return per(p.l2_hits, p.l2_read_sectors + p.l2_write_sectors, 100); }>);
}

void add_dram(PredictedTable& table) {
    table.add({"dram__bytes_read.sum", "dram_read_bytes"}, Unit::bytes, {"memory"},
              "Device Memory Read Bytes", "Bytes read from device memory.",
              predicted<[](P p, C) -> std::optional<double> { return p.dram_read_bytes; }>);
    table.add({"dram__bytes_write.sum", "dram_write_bytes"}, Unit::bytes, {"memory"},
              "Device Memory Write Bytes",
              "Bytes written to device memory before the launch ended; what stays in the L2 is not.",
              predicted<[](P p, C) -> std::optional<double> { return p.dram_write_bytes; }>);
    table.add({"dram__bytes.sum"}, Unit::bytes, {"memory"}, "Device Memory Bytes",
              "Bytes read from and written to device memory.",
              predicted<[](P p, C) -> std::optional<double> { return dram_bytes(p); }>);
    table.add({"dram_read_transactions"}, Unit::count, {"memory"}, "Device Memory Read Transactions",
              "Bytes read from device memory / 32.",
              predicted<[](P p, C) { return per(p.dram_read_bytes, sector); }>);
    table.add({"dram_write_transactions"}, Unit::count, {"memory"}, "Device Memory Write Transactions",
              "Bytes written to device memory / 32.",
              predicted<[](P p, C) { return per(p.dram_write_bytes, sector); }>);
    table
        .add({"dram__bytes_read.sum.per_second", "dram_read_throughput"}, Unit::bytes_per_second, {"memory"},
             "Device Memory Read Throughput", "Bytes read from device memory / time.",
             predicted<[](P p, C) { return rate(p.dram_read_bytes, p); }>)
        .share_of_peak = std::string("dram__bytes_read.sum") + of_peak;
    table.add({std::string("dram__bytes_read.sum") + of_peak}, Unit::percent, {"memory"},
              "Device Memory Reads, of Peak", "The same, of the peak bandwidth.",
              predicted<[](P p, C c) { return dram_share(p.dram_read_bytes, p, c); }>);
    table
        .add({"dram__bytes_write.sum.per_second", "dram_write_throughput"}, Unit::bytes_per_second,
             {"memory"}, "Device Memory Write Throughput", "Bytes written to device memory / time.",
             predicted<[](P p, C) { return rate(p.dram_write_bytes, p); }>)
        .share_of_peak = std::string("dram__bytes_write.sum") + of_peak;
    table.add({std::string("dram__bytes_write.sum") + of_peak}, Unit::percent, {"memory"},
              "Device Memory Writes, of Peak", "The same, of the peak bandwidth.",
              predicted<[](P p, C c) { return dram_share(p.dram_write_bytes, p, c); }>);
    table
        .add({"dram__bytes.sum.per_second"}, Unit::bytes_per_second, {"memory", "default"},
             "Device Memory Throughput", "Bytes read from and written to device memory / time.",
             predicted<[](P p, C) { return rate(dram_bytes(p), p); }>)
        .share_of_peak = "dram__throughput.avg.pct_of_peak_sustained_elapsed";
    table.add({"dram__throughput.avg.pct_of_peak_sustained_elapsed",
               "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
              Unit::percent, {"memory"}, "Device Memory Throughput, of Peak",
              "The same, of the peak bandwidth.", predicted<dram_throughput>);
    table.add({"dram_utilization"}, Unit::count, {"memory"}, "Device Memory Utilization",
              "The same on nvprof's scale of 0 to 10, rounded.",
              predicted<[](P p, C c) -> std::optional<double> {
                  const auto share = dram_throughput(p, c);
                  if (!share) return std::nullopt;
                  return std::round(*share / 10);
              }>);
    table.add({"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"}, Unit::percent, {"memory"},
              "Memory Throughput",
              "The largest one of the shares of peak of L1, L2 and device memory (l1tex__throughput, "
              "lts__throughput, dram__throughput).",
              predicted<[](P p, C c) {
                  return largest({l1_throughput(p, c), l2_throughput(p, c), dram_throughput(p, c)});
              }>);
}

}  // namespace

std::vector<Metric> throughput_metrics() {
    PredictedTable table;
    add_global(table);
    add_l2(table);
    add_dram(table);
    return std::move(table.metrics);
}

}  // namespace lockstep::metrics
