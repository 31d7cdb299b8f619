// Metrics of AMD's GPUs, under the names of rocprof and omniperf.
#include <algorithm>

#include "metrics/metric-table.h"

namespace lockstep::metrics {
namespace {

using Counts = const Launch&;

std::optional<double> per_thread(Counts c, std::initializer_list<gcn::Unit> units) {
    // As rocprof has it: an average over work-items, each of which executes what its wavefront does.
    std::uint64_t executed = 0;
    for (const gcn::Unit unit : units) executed += c.waves->of(unit).executed;
    return ratio(executed, c.waves->waves);
}
std::optional<double> of_cycles(Counts c, double cycles) {
    if (!c.prediction || c.prediction->cycles <= 0) return std::nullopt;
    return std::min(100.0, 100 * cycles / (c.prediction->cycles * c.gpu->sms));
}
std::uint64_t l2_requests(Counts c) {
    const gcn::MemoryCounts& m = c.waves->memory;
    return m.loads.l2_requests + m.stores.l2_requests + m.atomics.l2_requests;
}
std::uint64_t l2_hits(Counts c) {
    const gcn::MemoryCounts& m = c.waves->memory;
    return m.loads.l2_hits + m.stores.l2_hits + m.atomics.l2_hits;
}

}  // namespace

std::vector<Metric> wave_metrics() {
    std::vector<Metric> out;
    const auto metric = [&](std::vector<std::string> names, metrics::Unit unit, Kind kind, std::string title,
                            std::string definition, std::optional<double> (*value)(Counts)) {
        out.push_back({.names = std::move(names),
                       .unit = unit,
                       .kind = kind,
                       .groups = {"amd"},
                       .title = std::move(title),
                       .definition = std::move(definition),
                       .value = value,
                       .vendor = Vendor::amd});
    };
    metric({"Wavefronts", "SQ_WAVES"}, Unit::count, Kind::counted, "Wavefronts", "Wavefronts of the grid.",
           [](Counts c) { return number(c.waves->waves); });
    metric({"VALUInsts"}, Unit::ratio, Kind::counted, "Vector ALU Instructions",
           "Vector arithmetic instructions that a wavefront executes, on average.",
           [](Counts c) { return per_thread(c, {gcn::Unit::valu, gcn::Unit::mfma}); });
    metric({"SALUInsts"}, Unit::ratio, Kind::counted, "Scalar ALU Instructions",
           "Scalar arithmetic instructions that a wavefront executes, on average.",
           [](Counts c) { return per_thread(c, {gcn::Unit::salu}); });
    metric({"VFetchInsts"}, Unit::ratio, Kind::counted, "Vector Fetch Instructions",
           "Vector loads and atomics from memory that a wavefront executes, on average.",
           [](Counts c) { return per_thread(c, {gcn::Unit::load, gcn::Unit::atomic}); });
    metric({"VWriteInsts"}, Unit::ratio, Kind::counted, "Vector Write Instructions",
           "Vector stores to memory that a wavefront executes, on average.",
           [](Counts c) { return per_thread(c, {gcn::Unit::store}); });
    metric({"SFetchInsts"}, Unit::ratio, Kind::counted, "Scalar Fetch Instructions",
           "Scalar loads that a wavefront executes, on average.",
           [](Counts c) { return per_thread(c, {gcn::Unit::smem}); });
    metric({"LDSInsts"}, Unit::ratio, Kind::counted, "LDS Instructions",
           "Instructions of the LDS that a wavefront executes, on average.",
           [](Counts c) { return per_thread(c, {gcn::Unit::lds}); });
    metric({"VALUUtilization"}, Unit::percent, Kind::counted, "Vector ALU Utilization",
           "Lanes that run in cycles of vector units / lanes of a wavefront.", [](Counts c) {
               const double all = c.waves->vector_cycles * c.gpu->warp_size;
               return all > 0 ? std::optional(100 * c.waves->vector_lane_cycles / all) : std::nullopt;
           });
    metric({"Bank Conflict"}, Unit::cycles, Kind::counted, "LDS Bank Conflict Cycles",
           "omniperf's: cycles that conflicts of banks add in the LDS / wavefronts. The LDS serves 32 lanes "
           "at once, "
           "of 8 bytes each 16 and so on; lanes that want different words of one of its 32 banks take turns.",
           [](Counts c) { return ratio(c.waves->memory.lds_conflict_cycles, c.waves->waves); });
    metric({"LDSBankConflict"}, Unit::percent, Kind::predicted, "LDS Bank Conflict",
           "Cycles in which the LDS is stalled by bank conflicts / cycles of the launch.",
           [](Counts c) { return of_cycles(c, static_cast<double>(c.waves->memory.lds_conflict_cycles)); });
    metric({"VALUBusy"}, Unit::percent, Kind::predicted, "Vector ALU Busy",
           "Cycles in which a vector unit is busy / cycles of the launch.",
           [](Counts c) { return of_cycles(c, c.waves->vector_cycles); });
    metric({"SALUBusy"}, Unit::percent, Kind::predicted, "Scalar ALU Busy",
           "Cycles in which the scalar unit is busy / cycles of the launch.", [](Counts c) {
               return of_cycles(c, static_cast<double>(c.waves->of(gcn::Unit::salu).executed +
                                                       c.waves->of(gcn::Unit::smem).executed));
           });
    metric({"FlatVMemInsts"}, Unit::ratio, Kind::counted, "Flat Instructions",
           "Global, flat and scratch instructions that a wavefront executes, on average.", [](Counts c) {
               return ratio(c.waves->of(gcn::Mix::flat_load) + c.waves->of(gcn::Mix::flat_store) +
                                c.waves->of(gcn::Mix::flat_atomic),
                            c.waves->waves);
           });
    metric({"MemUnitBusy"}, Unit::percent, Kind::predicted, "Memory Unit Busy",
           "Cycles in which the vector L1 looks up lines / cycles of the launch.", [](Counts c) {
               const gcn::MemoryCounts& m = c.waves->memory;
               return of_cycles(
                   c, static_cast<double>(m.loads.requests + m.stores.requests + m.atomics.requests));
           });
    metric({"vL1D Hit Rate"}, Unit::percent, Kind::modelled, "Vector L1 Hit Rate",
           "omniperf's: lookups in the vector L1 that ask the L2 for nothing / all of them.", [](Counts c) {
               const gcn::MemoryCounts& m = c.waves->memory;
               const std::uint64_t all = m.loads.lookups + m.stores.lookups + m.atomics.lookups;
               const std::uint64_t missed = m.loads.l1_misses + m.stores.l1_misses + m.atomics.l1_misses;
               return ratio(all - std::min(all, missed), all, 100);
           });
    metric({"L2CacheHit", "L2 Cache Hit Rate"}, Unit::percent, Kind::modelled, "L2 Cache Hit",
           "Requests that hit the L2 / all of them.",
           [](Counts c) { return ratio(l2_hits(c), l2_requests(c), 100); });
    metric({"FetchSize"}, Unit::bytes, Kind::modelled, "Bytes Fetched", "Read from device memory.",
           [](Counts c) { return number(c.waves->memory.dram_read_bytes); });
    metric({"WriteSize"}, Unit::bytes, Kind::modelled, "Bytes Written", "Written to device memory.",
           [](Counts c) { return number(c.waves->memory.dram_write_bytes); });
    return out;
}

}  // namespace lockstep::metrics
