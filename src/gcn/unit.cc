#include <algorithm>
#include <array>
#include <string_view>

#include "gcn/module.h"

namespace lockstep::gcn {
namespace {

bool starts(std::string_view name, std::string_view with) { return name.starts_with(with); }

Unit memory_unit(std::string_view name) {
    if (name.find("_atomic") != std::string_view::npos) return Unit::atomic;
    if (name.find("_store") != std::string_view::npos) return Unit::store;
    return Unit::load;
}

// Instructions of the sequencer itself.
constexpr std::array<std::string_view, 20> internal_names = {
    "s_nop",        "s_waitcnt",         "s_barrier",          "s_endpgm",     "s_sleep",
    "s_setprio",    "s_incperflevel",    "s_decperflevel",     "s_sethalt",    "s_trap",
    "s_icache_inv", "s_set_gpr_idx_off", "s_set_gpr_idx_mode", "s_ttracedata", "s_clause",
    "s_delay_alu",  "s_inst_prefetch",   "s_wait_idle",        "s_code_end",   "s_set_inst_prefetch_distance",
};

}  // namespace

Unit unit_of(const Instruction& instruction) {
    const std::string_view name = instruction.name;
    if (starts(name, "v_mfma") || starts(name, "v_smfma") || starts(name, "v_wmma")) return Unit::mfma;
    if (starts(name, "v_")) return Unit::valu;
    if (starts(name, "ds_")) return Unit::lds;
    if (starts(name, "s_")) {
        if (starts(name, "s_load") || starts(name, "s_buffer_") || starts(name, "s_store") ||
            starts(name, "s_dcache") || starts(name, "s_memtime") || starts(name, "s_memrealtime") ||
            starts(name, "s_gl1") || starts(name, "s_scratch_") || starts(name, "s_atomic"))
            return Unit::smem;
        if (starts(name, "s_branch") || starts(name, "s_cbranch") || starts(name, "s_setpc") ||
            starts(name, "s_swappc") || starts(name, "s_call"))
            return Unit::branch;
        if (starts(name, "s_sendmsg")) return Unit::message;
        if (starts(name, "s_waitcnt") || std::ranges::find(internal_names, name) != internal_names.end())
            return Unit::internal;
        return Unit::salu;
    }
    return memory_unit(name);
}

const Kernel* Module::find_kernel(std::string_view name) const {
    const auto found =
        std::ranges::find_if(kernels, [&](const Kernel& kernel) { return kernel.code.name == name; });
    return found == kernels.end() ? nullptr : &*found;
}

}  // namespace lockstep::gcn
