#include "measure/rocprof-metrics.h"

#include <algorithm>
#include <array>
#include <map>

namespace lockstep::measure {
namespace {

// The GPU's own figures, under the names that rocprof's formulas have for them.
constexpr const char *units = "CU_NUM", *dies = "XCC_NUM", *waves_per_unit = "MAX_WAVES_PER_CU",
                     *wave_size = "MAX_WAVE_SIZE";

// Cycles of all compute units: GRBM_GUI_ACTIVE is summed over dies.
double unit_cycles(Figures& f) { return f("GRBM_GUI_ACTIVE") / f(dies) * f(units); }

constexpr std::array wave_formulas = {
    Formula{"smsp__warps_launched.sum", [](Figures& f) { return f("SQ_WAVES"); }},
    Formula{"VALUInsts", [](Figures& f) { return f.ratio("SQ_INSTS_VALU", "SQ_WAVES"); }},
    Formula{"SALUInsts", [](Figures& f) { return f.ratio("SQ_INSTS_SALU", "SQ_WAVES"); }},
    Formula{"VFetchInsts", [](Figures& f) { return f.ratio("SQ_INSTS_VMEM_RD", "SQ_WAVES"); }},
    Formula{"VWriteInsts", [](Figures& f) { return f.ratio("SQ_INSTS_VMEM_WR", "SQ_WAVES"); }},
    Formula{"SFetchInsts", [](Figures& f) { return f.ratio("SQ_INSTS_SMEM", "SQ_WAVES"); }},
    Formula{"LDSInsts", [](Figures& f) { return f.ratio("SQ_INSTS_LDS", "SQ_WAVES"); }},
    Formula{"FlatVMemInsts", [](Figures& f) { return f.ratio("SQ_INSTS_FLAT", "SQ_WAVES"); }},
    Formula{"Branch", [](Figures& f) { return f.ratio("SQ_INSTS_BRANCH", "SQ_WAVES"); }},
    Formula{"VALUUtilization",
            [](Figures& f) {
                return percent * f.ratio("SQ_THREAD_CYCLES_VALU", "SQ_ACTIVE_INST_VALU") / f(wave_size);
            }},
    Formula{"VALU Active Threads",
            [](Figures& f) { return f.ratio("SQ_THREAD_CYCLES_VALU", "SQ_ACTIVE_INST_VALU"); }},
    Formula{"Bank Conflict", [](Figures& f) { return f.ratio("SQ_LDS_BANK_CONFLICT", "SQ_WAVES"); }},
    Formula{"LDS Bank Conflict",
            [](Figures& f) {
                const double lost = f("SQ_LDS_BANK_CONFLICT");
                return percent * lost / (f("SQ_LDS_IDX_ACTIVE") - lost);
            }},
    Formula{"LDSBankConflict",
            [](Figures& f) { return percent * f("SQ_LDS_BANK_CONFLICT") / unit_cycles(f); }},
    Formula{"VALUBusy", [](Figures& f) { return percent * f("SQ_ACTIVE_INST_VALU") / unit_cycles(f); }},
    Formula{"SALUBusy", [](Figures& f) { return percent * f("SQ_INST_CYCLES_SALU") / unit_cycles(f); }},
    // Wavefronts' cycles are counted in quarters, those of compute units are not.
    Formula{"sm__warps_active.avg.pct_of_peak_sustained_active",
            [](Figures& f) {
                return 4 * percent * f.ratio("SQ_WAVE_CYCLES", "SQ_BUSY_CU_CYCLES") / f(waves_per_unit);
            }},
    Formula{"vL1D Hit Rate",
            [](Figures& f) {
                const double missed =
                    f("TCP_TCC_READ_REQ_sum") + f("TCP_TCC_WRITE_REQ_sum") + f("TCP_TCC_ATOMIC_REQ_sum");
                return percent - percent * missed / f("TCP_TOTAL_CACHE_ACCESSES_sum");
            }},
    Formula{"L2CacheHit",
            [](Figures& f) {
                const double hits = f("TCC_HIT_sum");
                return percent * hits / (hits + f("TCC_MISS_sum"));
            }},
    // Requests to memory are of 64 bytes, those counted apart of 32; on gfx942 some are of 128.
    Formula{"FetchSize",
            [](Figures& f) { return 64 * f("TCC_EA_RDREQ_sum") - 32 * f("TCC_EA_RDREQ_32B_sum"); }},
    Formula{"FetchSize",
            [](Figures& f) {
                return 64 * (f("TCC_EA0_RDREQ_sum") + f("TCC_BUBBLE_sum")) - 32 * f("TCC_EA0_RDREQ_32B_sum");
            }},
    Formula{"WriteSize", [](Figures& f) { return 32 * (f("TCC_EA_WRREQ_sum") + f("TCC_EA_WRREQ_64B_sum")); }},
    Formula{"WriteSize",
            [](Figures& f) { return 32 * (f("TCC_EA0_WRREQ_sum") + f("TCC_EA0_WRREQ_64B_sum")); }},
};

// How many counters a block has, as AMD's own omniperf counts them for gfx908 to gfx942.
struct Block {
    std::string_view name;
    std::size_t counters;
};
constexpr std::array blocks = {Block{"SQ", 8},  Block{"TA", 2},  Block{"TD", 2},  Block{"TCP", 4},
                               Block{"TCC", 4}, Block{"SPI", 2}, Block{"GRBM", 2}};

const Block* block_of(std::string_view counter) {
    std::string_view name = counter.substr(0, counter.find('_'));
    if (name == "SQC") name = "SQ";  // which is in it
    const auto found = std::ranges::find(blocks, name, &Block::name);
    return found == blocks.end() ? nullptr : &*found;
}

// A level is summed over cycles by another counter beside it; values of single channels of the L2 are no
// counters of rocprofv3's, so there are no extremes.
bool can_be_asked_for(std::string_view name) {
    return name != "SQ_LEVEL_WAVES" && !name.ends_with("_min") && !name.ends_with("_max") &&
           !name.ends_with("_std");
}

bool is_gfx9(std::string_view target) { return target.starts_with("gfx9") && target.size() == 6; }

// What lockstep's own list says of generations, in AMD's names.
bool has_counter(std::string_view target, std::string_view name) {
    if (!is_gfx9(target)) return block_of(name)->name == "SQ" || block_of(name)->name == "GRBM";
    const bool first = target == "gfx900" || target == "gfx906" || target == "gfx908";
    const bool last = target.starts_with("gfx94") || target.starts_with("gfx95");
    if (name.find("_EA0_") != std::string_view::npos) return last;
    if (name.find("_EA_") != std::string_view::npos) return !last;
    if (name == "TCC_BUBBLE_sum" || name.ends_with("_F8") || name.ends_with("_XF32")) return last;
    // Vector instructions by what they compute, and matrix products.
    constexpr std::string_view by_type = "SQ_INSTS_VALU_";
    if (name.starts_with(by_type) || name.find("MFMA") != std::string_view::npos) return !first;
    return true;
}

}  // namespace

std::span<const Formula> rocprof_formulas() { return wave_formulas; }

bool is_rocprof_counter(std::string_view name) {
    return block_of(name) && name.find('_') != std::string_view::npos && can_be_asked_for(name);
}

std::vector<std::string> rocprof_counters(std::span<const metrics::Selected> selected,
                                          std::string_view target) {
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
        if (is_rocprof_counter(name) && has_counter(target, name) &&
            std::ranges::find(names, name) == names.end())
            names.push_back(name);
    };
    for (const metrics::Selected& one : selected) {
        if (const auto needed = figures_of(wave_formulas, *one.metric); !needed.empty()) {
            for (const std::string& name : needed) add(name);
            continue;
        }
        // The first of its names that this GPU has: the others have the same value here.
        const auto own = std::ranges::find_if(one.metric->names, [&](const std::string& name) {
            return is_rocprof_counter(name) && has_counter(target, name);
        });
        if (own != one.metric->names.end()) add(*own);
    }
    return names;
}

std::vector<std::vector<std::string>> counter_passes(std::span<const std::string> counters) {
    struct Pass {
        std::vector<std::string> names;
        std::map<const Block*, std::size_t> used;
    };
    std::vector<Pass> passes;
    for (const std::string& counter : counters) {
        const Block* const block = block_of(counter);
        const std::size_t room = block ? block->counters : 1;
        auto pass = std::ranges::find_if(passes, [&](const Pass& one) {
            const auto used = one.used.find(block);
            return used == one.used.end() || used->second < room;
        });
        if (pass == passes.end()) pass = passes.insert(passes.end(), Pass{});
        pass->names.push_back(counter);
        ++pass->used[block];
    }
    std::vector<std::vector<std::string>> result;
    for (Pass& pass : passes) result.push_back(std::move(pass.names));
    return result;
}

void add_gpu_figures(const gpu::GpuModel& model, MeasuredLaunch& launch) {
    launch.values[units] = model.sms;
    launch.values[dies] = model.wave.dies;
    launch.values[wave_size] = model.warp_size;
    // Elsewhere wavefronts' cycles are not counted in quarters.
    if (is_gfx9(model.target)) launch.values[waves_per_unit] = model.max_warps_per_sm();
}

}  // namespace lockstep::measure
