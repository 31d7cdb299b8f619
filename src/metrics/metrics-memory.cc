#include "counters/coalescing.h"
#include "metrics/metric-table.h"

namespace lockstep::metrics {
namespace {

using counters::sector_bytes;

using Counts = const Launch&;

template <Memory memory, AccessType type>
const AccessCounts& accesses(Counts c) {
    return c.totals.of(memory, type).accesses;
}

template <Memory memory, AccessType type>
std::optional<double> requests(Counts c) {
    return number(accesses<memory, type>(c).requests);
}
template <Memory memory, AccessType type>
std::optional<double> sectors(Counts c) {
    return number(accesses<memory, type>(c).sectors);
}
template <Memory memory, AccessType type>
std::optional<double> transactions(Counts c) {
    return number(accesses<memory, type>(c).transactions);
}
template <Memory memory, AccessType type>
std::optional<double> transactions_per_request(Counts c) {
    const AccessCounts& counts = accesses<memory, type>(c);
    return ratio_or_zero(counts.transactions, counts.requests);
}
template <Memory memory, AccessType type>
std::optional<double> moved_bytes(Counts c) {
    return number(accesses<memory, type>(c).sectors * sector_bytes);
}
template <Memory memory, AccessType type>
std::optional<double> sectors_per_request(Counts c) {
    const AccessCounts& counts = accesses<memory, type>(c);
    return ratio_or_zero(counts.sectors, counts.requests);
}
template <AccessType type, int scale>
std::optional<double> bytes_per_sector(Counts c) {
    const AccessCounts& counts = accesses<Memory::global, type>(c);
    return ratio_or_zero(counts.bytes, counts.sectors, scale == 100 ? 100.0 / sector_bytes : 1);
}

std::uint64_t sum(Counts c, Memory memory, std::uint64_t AccessCounts::* field) {
    std::uint64_t total = 0;
    for (const MemoryTotals& totals : c.totals.memory[static_cast<std::size_t>(memory)])
        total += totals.accesses.*field;
    return total;
}

// Threads that executed a global load, or store, of so many bytes.
template <kernel::SiteKind kind, int bytes>
std::optional<double> threads_of_width(Counts c) {
    std::uint64_t lanes = 0;
    for (std::size_t s = 0; s < c.raw.sites.size(); ++s)
        if (c.kernel->sites[s].kind == kind && c.kernel->sites[s].bytes == bytes)
            lanes += c.raw.at(s, Memory::global).lanes;
    return number(lanes);
}

template <kernel::SiteKind kind, int... bytes>
void add_widths(std::vector<Metric>& out, const std::string& prefix, const std::string& title) {
    (out.push_back(
         {.names = {prefix + std::to_string(8 * bytes) + "bit"},
          .unit = Unit::count,
          .kind = Kind::counted,
          .groups = {"memory"},
          .title = title + " of " + std::to_string(8 * bytes) + " Bits",
          .definition = "Threads that executed such an instruction of the PTX, a vector as a whole.",
          .value = threads_of_width<kind, bytes>}),
     ...);
}

template <AccessType type>
constexpr const char* whole_lines =
    type == AccessType::load
        ? " Before compute capability 5.0 those that the L1 caches move all sectors of a 128-byte line."
        : "";

struct Words {
    const char* memory;  // "global"
    const char* op;      // "ld"
    const char* title;   // "Global Load"
    const char* what;    // "global loads"
};

// The counts that every memory and operation has. `transactions_name`: nvprof's, empty where it has none.
template <Memory memory, AccessType type>
void add_counts(std::vector<Metric>& out, const Words& w, const std::string& requests_name,
                const std::string& transactions_name) {
    const std::string suffix = std::string("_pipe_lsu_mem_") + w.memory + "_op_" + w.op;
    const std::string title = w.title, what = w.what;
    auto metric = [&](std::vector<std::string> names, Unit unit, std::string name, std::string definition,
                      std::optional<double> (*value)(Counts)) {
        out.push_back({.names = std::move(names),
                       .unit = unit,
                       .kind = Kind::counted,
                       .groups = {"memory"},
                       .title = std::move(name),
                       .definition = std::move(definition),
                       .value = value});
    };
    metric({"l1tex__t_requests" + suffix + ".sum", requests_name}, Unit::count, title + " Requests",
           "Requests of " + what + ": one a warp instruction with at least one active lane.",
           requests<memory, type>);
    metric({"l1tex__t_sectors" + suffix + ".sum"}, Unit::count, title + " Sectors",
           "32-byte sectors that " + what + " touch, summed over requests." + whole_lines<type>,
           sectors<memory, type>);
    metric({"l1tex__average_t_sectors_per_request" + suffix + ".ratio"}, Unit::ratio,
           title + " Sectors Per Request", "Sectors / requests of " + what + "; 0 where there is none.",
           sectors_per_request<memory, type>);
    if (!transactions_name.empty()) {
        metric(
            {transactions_name}, Unit::count, title + " Transactions",
            "Sectors of " + what +
                ", summed over requests. Before compute capability 5.0: 128-byte lines that they touch, of "
                "each part of a warp that asks for 128 bytes.",
            transactions<memory, type>);
        metric({transactions_name + "_per_request"}, Unit::ratio, title + " Transactions Per Request",
               "Transactions / requests of " + what + "; 0 where there is none.",
               transactions_per_request<memory, type>);
    }
    metric({"l1tex__t_bytes" + suffix + ".sum"}, Unit::bytes, title + " Bytes Moved",
           "32 × the sectors of " + what + ".", moved_bytes<memory, type>);
}

}  // namespace

std::vector<Metric> memory_metrics() {
    using enum Memory;
    using enum AccessType;
    std::vector<Metric> out;
    const std::string asked =
        "Bytes that the lanes asked for / bytes of the sectors that were moved for them. Within a request a "
        "byte "
        "that several lanes want counts once; before compute capability 5.0 for each of them, which may give "
        "more than 100 %. 0 where there is none.";
    out.push_back(
        {.names = {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", "gld_efficiency"},
         .unit = Unit::percent,
         .kind = Kind::counted,
         .groups = {"memory", "default"},
         .title = "Global Memory Load Efficiency",
         .definition = "Global loads: " + asked,
         .value = bytes_per_sector<load, 100>});
    out.push_back(
        {.names = {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", "gst_efficiency"},
         .unit = Unit::percent,
         .kind = Kind::counted,
         .groups = {"memory", "default"},
         .title = "Global Memory Store Efficiency",
         .definition = "Global stores: " + asked,
         .value = bytes_per_sector<store, 100>});
    out.push_back({.names = {"smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio"},
                   .unit = Unit::ratio,
                   .kind = Kind::counted,
                   .groups = {"memory"},
                   .title = "Global Load Bytes per Sector",
                   .definition = "Bytes that global loads asked for / sectors.",
                   .value = bytes_per_sector<load, 1>});
    out.push_back({.names = {"smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio"},
                   .unit = Unit::ratio,
                   .kind = Kind::counted,
                   .groups = {"memory"},
                   .title = "Global Store Bytes per Sector",
                   .definition = "Bytes that global stores asked for / sectors.",
                   .value = bytes_per_sector<store, 1>});
    add_counts<global, load>(out, {"global", "ld", "Global Load", "global loads"}, "global_load_requests",
                             "gld_transactions");
    add_counts<global, store>(out, {"global", "st", "Global Store", "global stores"}, "global_store_requests",
                              "gst_transactions");
    add_counts<global, atomic>(out, {"global", "atom", "Global Atomic", "global atomics with a result"},
                               "global_atomic_requests", "");
    add_counts<global, reduction>(out,
                                  {"global", "red", "Global Reduction", "global atomics without a result"},
                                  "global_reduction_requests", "");
    add_counts<local, load>(out, {"local", "ld", "Local Load", "local loads"}, "local_load_requests",
                            "local_load_transactions");
    add_counts<local, store>(out, {"local", "st", "Local Store", "local stores"}, "local_store_requests",
                             "local_store_transactions");
    add_widths<kernel::SiteKind::load, 1, 2, 4, 8, 16>(out, "gld_inst_", "Global Loads");
    add_widths<kernel::SiteKind::store, 1, 2, 4, 8, 16>(out, "gst_inst_", "Global Stores");
    out.push_back({.names = {"memory_l2_theoretical_sectors_global"},
                   .unit = Unit::count,
                   .kind = Kind::counted,
                   .groups = {"memory"},
                   .title = "Global Sectors",
                   .definition = "Sectors of all global requests: loads, stores and atomics.",
                   .value = [](Counts c) { return number(sum(c, global, &AccessCounts::sectors)); }});
    out.push_back({.names = {"memory_l2_theoretical_sectors_global_ideal"},
                   .unit = Unit::count,
                   .kind = Kind::counted,
                   .groups = {"memory"},
                   .title = "Ideal Global Sectors",
                   .definition =
                       "What memory_l2_theoretical_sectors_global would be if the bytes of each request "
                       "lay together.",
                   .value = [](Counts c) { return number(sum(c, global, &AccessCounts::ideal_sectors)); }});
    return out;
}

}  // namespace lockstep::metrics
