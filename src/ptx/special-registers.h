// The special registers (%tid.x …) that programs read.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "ptx/types.h"

namespace lockstep::ptx {

enum class SpecialRegister : std::uint8_t {
    tid_x, tid_y, tid_z,
    ntid_x, ntid_y, ntid_z,
    ctaid_x, ctaid_y, ctaid_z,
    nctaid_x, nctaid_y, nctaid_z,
    laneid, warpid, nwarpid, smid, nsmid, gridid,
    lanemask_eq, lanemask_le, lanemask_lt, lanemask_ge, lanemask_gt,
    clock, clock_hi, clock64, globaltimer, globaltimer_lo, globaltimer_hi,
    dynamic_smem_size, total_smem_size, aggr_smem_size,
    warp_size,  // WARP_SZ
    cluster_ctaid_x, cluster_ctaid_y, cluster_ctaid_z,
    cluster_nctaid_x, cluster_nctaid_y, cluster_nctaid_z,
    clusterid_x, clusterid_y, clusterid_z,
    nclusterid_x, nclusterid_y, nclusterid_z,
    cluster_ctarank, cluster_nctarank, is_explicit_cluster,
    envreg1, envreg2,  // the upper and lower half of the address of what a cooperative launch gives to its grid
    reserved_smem_offset_1,  // of shared memory behind the program's, for cooperative groups
    current_graph_exec,      // the executable graph that the kernel runs in, if kernels may launch it
    count
};

std::string_view special_register_name(SpecialRegister reg);                    // "%tid.x"
std::optional<SpecialRegister> parse_special_register(std::string_view name);   // with its %, or WARP_SZ
Type special_register_type(SpecialRegister reg);

// Whether PTX predefines this word (without .x .y .z), be it one of those above or one that lockstep lacks (%envreg3).
bool is_special_register_word(std::string_view word);

}  // namespace lockstep::ptx
