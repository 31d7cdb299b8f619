#include "counters/banks.h"
#include "metrics/metric-table.h"

namespace lockstep::metrics {
namespace {

using counters::wavefront_bytes;

using Counts = const Launch&;

// Atomics: with a result and without, which are one instruction in shared memory.
template <AccessType type>
AccessCounts accesses(Counts c) {
    AccessCounts sum = c.totals.of(Memory::shared, type).accesses;
    if (type == AccessType::atomic) sum += c.totals.of(Memory::shared, AccessType::reduction).accesses;
    return sum;
}

AccessCounts all(Counts c) {
    AccessCounts sum = accesses<AccessType::load>(c);
    sum += accesses<AccessType::store>(c);
    return sum += accesses<AccessType::atomic>(c);
}

std::optional<double> bytes_per_wavefront(const AccessCounts& counts) {
    return ratio_or_zero(counts.bytes, counts.wavefronts, 100.0 / wavefront_bytes);
}

template <AccessType type>
void add_counts(std::vector<Metric>& out, const std::string& op, const std::string& title,
                const std::string& what, std::vector<std::string> wavefront_names,
                std::vector<std::string> conflict_names, std::vector<std::string> ratio_names) {
    const std::string suffix = "_mem_shared_op_" + op;
    wavefront_names.insert(wavefront_names.begin(), "l1tex__data_pipe_lsu_wavefronts" + suffix + ".sum");
    conflict_names.insert(conflict_names.begin(), "l1tex__data_bank_conflicts_pipe_lsu" + suffix + ".sum");
    const bool atomic = type == AccessType::atomic;
    const Kind kind = atomic ? Kind::modelled : Kind::counted;
    auto metric = [&](std::vector<std::string> names, Unit unit, std::string name, std::string definition,
                      bool in_default, std::optional<double> (*value)(Counts)) {
        std::vector<std::string> groups{"shared"};
        if (in_default) groups.push_back("default");
        out.push_back({.names = std::move(names),
                       .unit = unit,
                       .kind = kind,
                       .groups = std::move(groups),
                       .title = std::move(name),
                       .definition = std::move(definition),
                       .value = value});
    };
    const std::string lanes = atomic ? " Every lane has a pass of its own where lanes meet at a word." : "";
    metric(std::move(wavefront_names), Unit::count, "Shared " + title + " Transactions",
           "Passes of shared " + what + " over the 32 four-byte banks." + lanes, false,
           [](Counts c) { return number(accesses<type>(c).wavefronts); });
    metric(std::move(conflict_names), Unit::count, "Shared " + title + " Bank Conflicts",
           "Passes of shared " + what +
               " beyond those that their width needs. Hardware also counts waiting for "
               "other warps here, about 1 % of the instructions.",
           !atomic, [](Counts c) { return number(accesses<type>(c).conflicts); });
    if (!ratio_names.empty())
        metric(std::move(ratio_names), Unit::ratio, "Shared Memory " + title + " Transactions Per Request",
               "Passes / requests of shared " + what + "; 0 where there is none.", false, [](Counts c) {
                   return ratio_or_zero(accesses<type>(c).wavefronts, accesses<type>(c).requests);
               });
}

}  // namespace

std::vector<Metric> shared_metrics() {
    std::vector<Metric> out;
    add_counts<AccessType::load>(out, "ld", "Load", "loads", {"shared_load_transactions"},
                                 {"shared_ld_bank_conflict"}, {"shared_load_transactions_per_request"});
    add_counts<AccessType::store>(out, "st", "Store", "stores", {"shared_store_transactions"},
                                  {"shared_st_bank_conflict"}, {"shared_store_transactions_per_request"});
    add_counts<AccessType::atomic>(out, "atom", "Atomic", "atomics", {}, {}, {});
    auto metric = [&](std::vector<std::string> names, Unit unit, std::string title, std::string definition,
                      std::optional<double> (*value)(Counts)) {
        out.push_back({.names = std::move(names),
                       .unit = unit,
                       .kind = Kind::counted,
                       .groups = {"shared"},
                       .title = std::move(title),
                       .definition = std::move(definition),
                       .value = value});
    };
    metric(
        {"smsp__sass_average_data_bytes_per_wavefront_mem_shared.pct", "shared_efficiency"}, Unit::percent,
        "Shared Memory Efficiency",
        "Bytes that shared loads, stores and atomics asked for / 128 × their passes. 0 where there is none.",
        [](Counts c) { return bytes_per_wavefront(all(c)); });
    metric({"smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_ld.pct"}, Unit::percent,
           "Shared Load Efficiency", "Bytes that shared loads asked for / 128 × their passes.",
           [](Counts c) { return bytes_per_wavefront(accesses<AccessType::load>(c)); });
    metric({"smsp__sass_average_data_bytes_per_wavefront_mem_shared_op_st.pct"}, Unit::percent,
           "Shared Store Efficiency", "Bytes that shared stores asked for / 128 × their passes.",
           [](Counts c) { return bytes_per_wavefront(accesses<AccessType::store>(c)); });
    metric({"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"}, Unit::count, "Shared Bank Conflicts",
           "Passes of shared loads, stores and atomics beyond those that their width needs.",
           [](Counts c) { return number(all(c).conflicts); });
    metric({"memory_l1_wavefronts_shared"}, Unit::count, "Shared Wavefronts",
           "Passes of all shared requests over the banks.",
           [](Counts c) { return number(all(c).wavefronts); });
    metric({"memory_l1_wavefronts_shared_ideal"}, Unit::count, "Ideal Shared Wavefronts",
           "What memory_l1_wavefronts_shared would be if the bytes of each request lay together.",
           [](Counts c) { return number(all(c).ideal_wavefronts); });
    metric({"LDS Bank Conflict"}, Unit::percent, "Shared Memory Bank Conflicts",
           "omniperf's: passes lost to bank conflicts / passes that the same requests need without.",
           [](Counts c) {
               AccessCounts sum = all(c);
               return ratio(sum.conflicts, sum.wavefronts - sum.conflicts, 100);
           });
    out.back().vendor = Vendor::both;
    out.back().groups.push_back("amd");
    return out;
}

}  // namespace lockstep::metrics
