// The performance counters of AMD's GPUs, under the names that rocprof takes. What is not in this list is not
// counted. A counter that the hardware of an earlier generation lacks has no value there.
#include <algorithm>
#include <cmath>
#include <limits>

#include "metrics/metric-table.h"

namespace lockstep::metrics {
namespace {

using gcn::Mix;
using Counts = const Launch&;
using Value = std::optional<double>;

std::uint64_t executed(Counts c, std::initializer_list<gcn::Unit> units) {
    std::uint64_t sum = 0;
    for (const gcn::Unit unit : units) sum += c.waves->of(unit).executed;
    return sum;
}
template <gcn::Unit... units>
Value instructions(Counts c) {
    return number(executed(c, {units...}));
}
template <Mix... kinds>
Value mix(Counts c) {
    return number((c.waves->of(kinds) + ...));
}
// From gfx90a on.
template <Mix... kinds>
Value newer_mix(Counts c) {
    if (c.gpu->target == "gfx908") return std::nullopt;
    return mix<kinds...>(c);
}
template <Mix kind>
Value newest_mix(Counts c) {
    if (c.gpu->target != "gfx942") return std::nullopt;
    return mix<kind>(c);
}
template <Mix kind>
Value newer_operations(Counts c) {
    if (c.gpu->target == "gfx908") return std::nullopt;
    return static_cast<double>(c.waves->operations[static_cast<std::size_t>(kind)]) / 512;
}
template <Mix kind>
Value newest_operations(Counts c) {
    if (c.gpu->target != "gfx942") return std::nullopt;
    return newer_operations<kind>(c);
}
const gcn::MemoryCounts& memory(Counts c) { return c.waves->memory; }
// Of each die: counters of the whole GPU add them up.
Value gpu_cycles(Counts c) {
    if (!c.prediction) return std::nullopt;
    return c.prediction->cycles * c.gpu->wave.dies;
}

constexpr std::uint64_t fabric_bytes = 64;  // of a request to memory
std::uint64_t fabric_read_bytes(Counts c) { return c.gpu->target == "gfx942" ? 128 : fabric_bytes; }

struct ChannelSpread {
    Value least, most, deviation;
};
template <class Of>
ChannelSpread spread(Counts c, const Of& of) {
    const std::vector<gcn::ChannelCounts>& channels = memory(c).channels;
    if (channels.empty()) return {};
    double least = std::numeric_limits<double>::infinity(), most = 0, sum = 0, squares = 0;
    for (const gcn::ChannelCounts& channel : channels) {
        const auto value = static_cast<double>(of(c, channel));
        least = std::min(least, value), most = std::max(most, value);
        sum += value, squares += value * value;
    }
    const auto count = static_cast<double>(channels.size());
    const double mean = sum / count;
    return {least, most, std::sqrt(std::max(0.0, squares / count - mean * mean))};
}

}  // namespace

std::vector<Metric> wave_counters() {
    std::vector<Metric> out;
    const auto counter = [&](std::vector<std::string> names, Kind kind, std::string definition,
                             Value (*value)(Counts)) {
        const std::string title = names.front();
        out.push_back({.names = std::move(names),
                       .unit = Unit::count,
                       .kind = kind,
                       .groups = {"amd_counters"},
                       .title = title,
                       .definition = std::move(definition),
                       .value = value,
                       .vendor = Vendor::amd});
    };
    using U = gcn::Unit;
    constexpr Kind counted = Kind::counted, modelled = Kind::modelled, predicted_kind = Kind::predicted;

    counter({"GRBM_GUI_ACTIVE", "GRBM_COUNT"}, predicted_kind, "Cycles of the launch, summed over dies.",
            gpu_cycles);
    counter({"SQ_BUSY_CYCLES"}, predicted_kind, "Cycles of the launch, summed over shader engines.",
            [](Counts c) -> Value {
                if (!c.prediction) return std::nullopt;
                return c.prediction->cycles * c.gpu->wave.shader_engines;
            });
    counter({"SQ_BUSY_CU_CYCLES"}, predicted_kind, "Cycles in which a compute unit has wavefronts, summed.",
            [](Counts c) -> Value {
                if (!c.prediction) return std::nullopt;
                return c.prediction->active_cycles * c.gpu->sms;
            });
    counter({"SQ_WAVE_CYCLES"}, predicted_kind, "Quarters of the cycles that wavefronts exist, summed.",
            [](Counts c) -> Value {
                if (!c.prediction) return std::nullopt;
                return c.prediction->warps_active * c.prediction->active_cycles * c.gpu->sms / 4;
            });
    counter({"SQ_LEVEL_WAVES"}, predicted_kind,
            "Wavefronts in flight, summed over cycles: SQ_ACCUM_PREV_HIRES behind this counter.",
            [](Counts c) -> Value {
                if (!c.prediction) return std::nullopt;
                return c.prediction->warps_active * c.prediction->active_cycles * c.gpu->sms;
            });
    counter({"SPI_CSN_WAVE"}, counted, "Wavefronts that were launched.",
            [](Counts c) { return number(c.waves->waves); });
    counter({"SPI_CSN_NUM_THREADGROUPS"}, counted, "Work-groups that were launched.",
            [](Counts c) { return number(c.waves->blocks); });
    counter({"SQ_ITEMS"}, counted, "Work-items.", [](Counts c) { return number(c.waves->threads); });
    counter({"SQ_WAVES_SAVED", "SQ_WAVES_RESTORED"}, counted,
            "Wavefronts whose state was saved: none, since nothing is preempted.",
            [](Counts) -> Value { return 0.0; });

    counter({"SQ_INSTS"}, counted, "Instructions of all kinds that wavefronts execute.",
            [](Counts c) { return number(c.waves->all().executed); });
    counter({"SQ_INSTS_VALU"}, counted, "Instructions of the vector units, with matrix products.",
            instructions<U::valu, U::mfma>);
    counter({"SQ_INSTS_MFMA", "SQ_INSTS_VALU_MFMA"}, counted, "Matrix products; from gfx90a on.",
            [](Counts c) -> Value {
                if (c.gpu->target == "gfx908") return std::nullopt;
                return instructions<U::mfma>(c);
            });
    counter({"SQ_INSTS_SALU"}, counted, "Scalar arithmetic.", instructions<U::salu>);
    counter({"SQ_INSTS_SMEM"}, counted, "Scalar memory.", instructions<U::smem>);
    counter({"SQ_INSTS_VMEM"}, counted, "Vector memory.", instructions<U::load, U::store, U::atomic>);
    counter({"SQ_INSTS_VMEM_RD"}, counted, "Vector memory: loads and atomics.",
            [](Counts c) { return number(executed(c, {U::load, U::atomic})); });
    counter({"SQ_INSTS_VMEM_WR"}, counted, "Vector memory: stores.", instructions<U::store>);
    counter({"SQ_INSTS_FLAT"}, counted, "Global, flat and scratch instructions.",
            mix<Mix::flat_load, Mix::flat_store, Mix::flat_atomic>);
    counter({"SQ_INSTS_LDS"}, counted, "Instructions of the LDS.", instructions<U::lds>);
    counter({"SQ_INSTS_BRANCH"}, counted, "Branches.", instructions<U::branch>);
    counter({"SQ_INSTS_SENDMSG"}, counted, "Messages, and the end of each wavefront.",
            [](Counts c) { return number(c.waves->of(U::message).executed + c.waves->of(Mix::end)); });
    counter({"SQ_INSTS_GDS", "SQ_INSTS_EXP_GDS", "SQ_INSTS_VSKIPPED"}, counted,
            "Global data share, exports, skipped instructions: compilers of HIP emit none.",
            [](Counts) -> Value { return 0.0; });

    counter({"SQ_ACTIVE_INST_VALU"}, counted,
            "Quarters of the cycles in which vector units are busy; a matrix product's issue is one.",
            [](Counts c) -> Value { return c.waves->vector_cycles; });
    counter({"SQ_THREAD_CYCLES_VALU"}, counted, "The same, times the lanes that run.",
            [](Counts c) -> Value { return c.waves->vector_lane_cycles; });
    counter({"SQ_ACTIVE_INST_SCA"}, counted, "Scalar instructions, of arithmetic and memory.",
            instructions<U::salu, U::smem>);
    counter({"SQ_ACTIVE_INST_FLAT"}, counted, "Global, flat and scratch instructions.",
            mix<Mix::flat_load, Mix::flat_store, Mix::flat_atomic>);
    counter({"SQ_ACTIVE_INST_VMEM"}, counted, "Buffer instructions.",
            mix<Mix::buffer_load, Mix::buffer_store, Mix::buffer_atomic>);
    counter({"SQ_ACTIVE_INST_LDS"}, counted, "Instructions of the LDS.", instructions<U::lds>);
    counter({"SQ_ACTIVE_INST_MISC"}, counted, "Branches, messages and ends.",
            [](Counts c) { return number(executed(c, {U::branch, U::message}) + c.waves->of(Mix::end)); });
    counter({"SQ_ACTIVE_INST_ANY"}, counted, "The sum of SQ_ACTIVE_INST_*.", [](Counts c) -> Value {
        return c.waves->vector_cycles +
               static_cast<double>(executed(c, {U::salu, U::smem, U::load, U::store, U::atomic, U::lds,
                                                U::branch, U::message}) +
                                   c.waves->of(Mix::end));
    });

    counter({"SQ_INSTS_VALU_INT32"}, counted, "Integer arithmetic of 32 bits; from gfx90a on.",
            newer_mix<Mix::int32>);
    counter({"SQ_INSTS_VALU_INT64"}, counted, "Integer arithmetic of 64 bits; from gfx90a on.",
            newer_mix<Mix::int64>);
    counter({"SQ_INSTS_VALU_CVT"}, counted, "Conversions; from gfx90a on.", newer_mix<Mix::conversion>);
#define LOCKSTEP_FLOATS(type, kind)                                                                   \
    counter({"SQ_INSTS_VALU_ADD_" #type}, counted, "Sums of " #type "; from gfx90a on.",              \
            newer_mix<Mix::kind##_add>);                                                              \
    counter({"SQ_INSTS_VALU_MUL_" #type}, counted, "Products of " #type "; from gfx90a on.",          \
            newer_mix<Mix::kind##_mul>);                                                              \
    counter({"SQ_INSTS_VALU_FMA_" #type}, counted, "Products and sums of " #type "; from gfx90a on.", \
            newer_mix<Mix::kind##_fma>);                                                              \
    counter({"SQ_INSTS_VALU_TRANS_" #type}, counted,                                                  \
            "Reciprocals, roots, exponentials, logarithms and sines of " #type "; from gfx90a on.",   \
            newer_mix<Mix::kind##_trans>);                                                            \
    counter({"SQ_INSTS_VALU_MFMA_" #type}, counted, "Matrix products of " #type "; from gfx90a on.",  \
            newer_mix<Mix::mfma_##kind>)
    LOCKSTEP_FLOATS(F16, f16);
    LOCKSTEP_FLOATS(F32, f32);
    LOCKSTEP_FLOATS(F64, f64);
#undef LOCKSTEP_FLOATS
    counter({"SQ_INSTS_VALU_MFMA_BF16"}, counted, "Matrix products of BF16; from gfx90a on.",
            newer_mix<Mix::mfma_bf16>);
    counter({"SQ_INSTS_VALU_MFMA_I8"}, counted, "Matrix products of 8-bit integers; from gfx90a on.",
            newer_mix<Mix::mfma_i8>);
    counter({"SQ_INSTS_VALU_MFMA_F8"}, counted, "Matrix products of FP8 and BF8; on gfx942.",
            newest_mix<Mix::mfma_f8>);
#define LOCKSTEP_MATRIX_OPERATIONS(type, kind, since, value)                                 \
    counter({"SQ_INSTS_VALU_MFMA_MOPS_" #type}, counted,                                     \
            "Products and sums of matrix instructions of " #type ", in units of 512; " since \
            ". Of sparse "                                                                   \
            "matrices those that are made.",                                                 \
            value<Mix::mfma_##kind>)
    LOCKSTEP_MATRIX_OPERATIONS(I8, i8, "from gfx90a on", newer_operations);
    LOCKSTEP_MATRIX_OPERATIONS(F16, f16, "from gfx90a on", newer_operations);
    LOCKSTEP_MATRIX_OPERATIONS(BF16, bf16, "from gfx90a on", newer_operations);
    LOCKSTEP_MATRIX_OPERATIONS(F32, f32, "from gfx90a on", newer_operations);
    LOCKSTEP_MATRIX_OPERATIONS(F64, f64, "from gfx90a on", newer_operations);
    LOCKSTEP_MATRIX_OPERATIONS(F8, f8, "on gfx942", newest_operations);
    LOCKSTEP_MATRIX_OPERATIONS(XF32, xf32, "on gfx942", newest_operations);
#undef LOCKSTEP_MATRIX_OPERATIONS
    counter({"SQ_VALU_MFMA_BUSY_CYCLES"}, counted,
            "Cycles that matrix units are busy, by each instruction's published ones; from gfx90a on.",
            [](Counts c) -> Value {
                if (c.gpu->target == "gfx908") return std::nullopt;
                return c.waves->matrix_cycles;
            });

    counter({"SQ_LDS_IDX_ACTIVE"}, counted, "Cycles in which the LDS is accessed, with bank conflicts.",
            [](Counts c) { return number(memory(c).lds_cycles); });
    counter({"SQ_LDS_BANK_CONFLICT"}, counted, "Cycles that bank conflicts add.",
            [](Counts c) { return number(memory(c).lds_conflict_cycles); });

    counter({"SQ_IFETCH", "SQC_ICACHE_REQ"}, modelled,
            "Fetches of instructions: 32 bytes of code along each wavefront's way, anew after each jump.",
            [](Counts c) { return number(c.waves->fetches); });
    counter({"SQC_DCACHE_REQ", "SQC_DCACHE_REQ_READ"}, counted, "Requests of the scalar cache.",
            mix<Mix::scalar_load_1, Mix::scalar_load_2, Mix::scalar_load_4, Mix::scalar_load_8,
                Mix::scalar_load_16>);
    counter({"SQC_DCACHE_REQ_READ_1"}, counted, "… of one word.", mix<Mix::scalar_load_1>);
    counter({"SQC_DCACHE_REQ_READ_2"}, counted, "… of two words.", mix<Mix::scalar_load_2>);
    counter({"SQC_DCACHE_REQ_READ_4"}, counted, "… of four words.", mix<Mix::scalar_load_4>);
    counter({"SQC_DCACHE_REQ_READ_8"}, counted, "… of eight words.", mix<Mix::scalar_load_8>);
    counter({"SQC_DCACHE_REQ_READ_16"}, counted, "… of sixteen words.", mix<Mix::scalar_load_16>);
    counter({"SQC_DCACHE_ATOMIC", "SQC_TC_DATA_ATOMIC_REQ", "SQC_TC_DATA_WRITE_REQ"}, counted,
            "Scalar atomics and stores: compilers of HIP emit none.", [](Counts) -> Value { return 0.0; });

    counter({"TA_TOTAL_WAVEFRONTS_sum"}, counted, "Vector memory instructions.",
            instructions<U::load, U::store, U::atomic>);
    counter({"TA_FLAT_WAVEFRONTS_sum"}, counted, "Global, flat and scratch instructions.",
            mix<Mix::flat_load, Mix::flat_store, Mix::flat_atomic>);
    counter({"TA_FLAT_READ_WAVEFRONTS_sum"}, counted, "… that load.", mix<Mix::flat_load>);
    counter({"TA_FLAT_WRITE_WAVEFRONTS_sum"}, counted, "… that store.", mix<Mix::flat_store>);
    counter({"TA_FLAT_ATOMIC_WAVEFRONTS_sum"}, counted, "… that are atomic.", mix<Mix::flat_atomic>);
    counter({"TA_BUFFER_WAVEFRONTS_sum"}, counted, "Buffer instructions.",
            mix<Mix::buffer_load, Mix::buffer_store, Mix::buffer_atomic>);
    counter({"TA_BUFFER_READ_WAVEFRONTS_sum"}, counted, "… that load.", mix<Mix::buffer_load>);
    counter({"TA_BUFFER_WRITE_WAVEFRONTS_sum"}, counted, "… that store.", mix<Mix::buffer_store>);
    counter({"TA_BUFFER_ATOMIC_WAVEFRONTS_sum"}, counted, "… that are atomic.", mix<Mix::buffer_atomic>);
    counter({"TD_LOAD_WAVEFRONT_sum"}, counted, "Vector memory instructions.",
            instructions<U::load, U::store, U::atomic>);
    counter({"TD_STORE_WAVEFRONT_sum"}, counted, "… that store.", instructions<U::store>);
    counter({"TD_ATOMIC_WAVEFRONT_sum"}, counted, "… that are atomic.", instructions<U::atomic>);

    counter({"TCP_TOTAL_CACHE_ACCESSES_sum"}, counted,
            "Lookups in the vector L1: lines that each four lanes ask for.", [](Counts c) {
                return number(memory(c).loads.lookups + memory(c).stores.lookups + memory(c).atomics.lookups);
            });
    counter({"TCP_TCC_READ_REQ_sum"}, modelled, "Lines that the vector L1 asks the L2 for.",
            [](Counts c) { return number(memory(c).loads.l1_misses); });
    counter({"TCP_TCC_WRITE_REQ_sum"}, counted, "Pieces of 64 bytes that are written to the L2.",
            [](Counts c) { return number(memory(c).stores.l1_misses); });
    counter({"TCP_TCC_ATOMIC_REQ_sum"}, counted, "Pieces of 64 bytes that atomics ask the L2 for.",
            [](Counts c) { return number(memory(c).atomics.l1_misses); });
    counter({"TCC_REQ_sum"}, modelled, "Requests to the L2.", [](Counts c) {
        return number(memory(c).loads.l2_requests + memory(c).stores.l2_requests +
                      memory(c).atomics.l2_requests);
    });
    counter({"TCC_READ_sum"}, modelled, "… that read.",
            [](Counts c) { return number(memory(c).loads.l2_requests); });
    counter({"TCC_WRITE_sum"}, modelled, "… that write.",
            [](Counts c) { return number(memory(c).stores.l2_requests); });
    counter({"TCC_ATOMIC_sum"}, modelled, "… that are atomic.",
            [](Counts c) { return number(memory(c).atomics.l2_requests); });
    counter({"TCC_HIT_sum"}, modelled, "Requests that hit the L2.", [](Counts c) {
        return number(memory(c).loads.l2_hits + memory(c).stores.l2_hits + memory(c).atomics.l2_hits);
    });
    counter({"TCC_MISS_sum"}, modelled, "Requests that miss it.", [](Counts c) {
        const gcn::MemoryCounts& m = memory(c);
        return number(m.loads.l2_requests - m.loads.l2_hits + m.stores.l2_requests - m.stores.l2_hits +
                      m.atomics.l2_requests - m.atomics.l2_hits);
    });
    counter({"TCC_EA_RDREQ_sum", "TCC_EA_RDREQ_DRAM_sum", "TCC_EA0_RDREQ_sum", "TCC_EA0_RDREQ_DRAM_sum"},
            modelled, "Reads from memory, of 64 bytes; of 128 on gfx942.",
            [](Counts c) { return number(memory(c).dram_read_bytes / fabric_read_bytes(c)); });
    counter({"TCC_BUBBLE_sum"}, modelled, "Reads of 128 bytes from memory; on gfx942.",
            [](Counts c) -> Value {
                if (fabric_read_bytes(c) == fabric_bytes) return std::nullopt;
                return number(memory(c).dram_read_bytes / fabric_read_bytes(c));
            });
    counter({"TCC_EA_WRREQ_sum", "TCC_EA_WRREQ_64B_sum", "TCC_EA_WRREQ_DRAM_sum", "TCC_EA0_WRREQ_sum",
             "TCC_EA0_WRREQ_64B_sum", "TCC_EA0_WRREQ_DRAM_sum"},
            modelled, "Writes of 64 bytes to memory.",
            [](Counts c) { return number(memory(c).dram_write_bytes / fabric_bytes); });
    counter({"TCC_EA_RDREQ_32B_sum", "TCC_EA0_RDREQ_32B_sum"}, modelled,
            "Reads of 32 bytes from memory: lines are read as a whole.", [](Counts) -> Value { return 0.0; });

    // How evenly the L2's channels are asked.
    const auto channels = [&]<class Of>(const std::string& name, const std::string& what, Of) {
        counter({"TCC_" + name + "_min"}, modelled, what + ": the channel of the L2 that has fewest.",
                [](Counts c) { return spread(c, Of{}).least; });
        counter({"TCC_" + name + "_max"}, modelled, what + ": the channel that has most.",
                [](Counts c) { return spread(c, Of{}).most; });
        counter({"TCC_" + name + "_std"}, modelled, what + ": the standard deviation over channels.",
                [](Counts c) { return spread(c, Of{}).deviation; });
    };
    using Channel = const gcn::ChannelCounts&;
    channels("REQ", "Requests to the L2", [](Counts, Channel one) { return one.requests(); });
    channels("READ", "… that read", [](Counts, Channel one) { return one.reads; });
    channels("WRITE", "… that write", [](Counts, Channel one) { return one.writes; });
    channels("ATOMIC", "… that are atomic", [](Counts, Channel one) { return one.atomics; });
    channels("HIT", "… that hit", [](Counts, Channel one) { return one.hits; });
    channels("EA_RDREQ", "Reads from memory",
             [](Counts c, Channel one) { return one.dram_read_bytes / fabric_read_bytes(c); });
    channels("EA_WRREQ", "Writes to memory",
             [](Counts, Channel one) { return one.dram_write_bytes / fabric_bytes; });

    // What rocprof and omniperf show beside the counters.
    counter({"Arch_VGPR", "arch_vgpr"}, counted, "Vector registers of a lane.",
            [](Counts c) { return number(c.waves->vgprs); });
    counter({"Accum_VGPR", "accum_vgpr"}, counted, "Accumulation registers of a lane.",
            [](Counts c) { return number(c.waves->agprs); });
    counter({"SGPR", "sgpr"}, counted, "Scalar registers of a wavefront.",
            [](Counts c) { return number(c.waves->sgprs); });
    counter({"LDS_Per_Workgroup", "lds"}, counted, "Bytes of the LDS that a work-group has.",
            [](Counts c) -> Value {
                return static_cast<double>(gpu::allocated_shared(
                    *c.gpu, c.config.static_shared_bytes + c.config.dynamic_shared_bytes));
            });
    counter({"Scratch_Per_Workitem", "scr"}, counted, "Bytes of scratch memory that a work-item has.",
            [](Counts c) { return number(c.waves->scratch_bytes); });
    counter({"wave_size"}, counted, "Lanes of a wavefront.",
            [](Counts c) -> Value { return static_cast<double>(c.gpu->warp_size); });
    return out;
}

}  // namespace lockstep::metrics
