// Textures and surfaces: what the texture unit is asked for.
#include "machine/opcode.h"
#include "metrics/metric-table.h"

namespace lockstep::metrics {
namespace {

using Counts = const Launch&;

const MemoryTotals& totals(Counts c, AccessType type) { return c.totals.of(Memory::texture, type); }

std::uint64_t all(Counts c, std::uint64_t AccessCounts::* field) {
    std::uint64_t sum = 0;
    for (const AccessType type : {AccessType::load, AccessType::store, AccessType::reduction})
        sum += totals(c, type).accesses.*field;
    return sum;
}

}  // namespace

std::vector<Metric> texture_metrics() {
    std::vector<Metric> out;
    const auto metric = [&](std::vector<std::string> names, std::string title, std::string definition,
                            std::optional<double> (*value)(Counts)) {
        out.push_back({.names = std::move(names),
                       .unit = Unit::count,
                       .kind = Kind::counted,
                       .groups = {"memory"},
                       .title = std::move(title),
                       .definition = std::move(definition),
                       .value = value});
    };
    metric(
        {"sm__inst_executed_pipe_tex.sum", "smsp__inst_executed_pipe_tex.sum", "inst_executed_tex_ops"},
        "Texture Instructions", "Instructions of textures and surfaces that warps executed.",
        [](Counts c) { return number(c.totals.by_pipe[static_cast<std::size_t>(machine::Pipe::texture)]); });
    metric({"l1tex__t_requests_pipe_tex.sum"}, "Texture Requests",
           "Groups of lanes, with at least one in them, that texture and surface instructions are cut into: "
           "four lanes "
           "of a fetch by coordinates, eight by index and of a surface; of texels of 16 bytes twice as many "
           "by index.",
           [](Counts c) { return number(all(c, &AccessCounts::requests)); });
    metric({"l1tex__t_sectors_pipe_tex.sum"}, "Texture Sectors",
           "32-byte sectors that these groups touch, each once in a group.",
           [](Counts c) { return number(all(c, &AccessCounts::sectors)); });
    metric({"l1tex__f_wavefronts.sum"}, "Texture Filter Wavefronts",
           "Passes of reads through the filter: one a group, and more where a lane's texels are more than 16 "
           "bytes.",
           [](Counts c) { return number(totals(c, AccessType::load).accesses.wavefronts); });
    return out;
}

}  // namespace lockstep::metrics
