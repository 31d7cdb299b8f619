// Instructions by what they do, as the performance counters of AMD's GPUs sort them. Which of them count
// where was seen in recordings of MI100, MI200 and MI300X (docs/hip.md).
#pragma once
#include <array>
#include <cstdint>

#include "gcn/module.h"

namespace lockstep::gcn {

enum class Mix : std::uint8_t {
    flat_load,  // global, flat and scratch instructions
    flat_store,
    flat_atomic,
    buffer_load,  // buffer instructions: on gfx908 and gfx90a the stack's
    buffer_store,
    buffer_atomic,
    scalar_load_1,  // words
    scalar_load_2,
    scalar_load_4,
    scalar_load_8,
    scalar_load_16,
    int32,
    int64,
    f16_add,
    f16_mul,
    f16_fma,
    f16_trans,
    f32_add,
    f32_mul,
    f32_fma,
    f32_trans,
    f64_add,
    f64_mul,
    f64_fma,
    f64_trans,
    conversion,
    mfma_i8,
    mfma_f16,
    mfma_bf16,
    mfma_f32,
    mfma_f64,
    mfma_f8,  // of either kind
    mfma_xf32,
    end,  // s_endpgm, which counters of messages count
    other,
};
inline constexpr int mix_count = 35;
Mix mix_of(const Instruction& instruction);

using MixCounts = std::array<std::uint64_t, mix_count>;  // executed by wavefronts

}  // namespace lockstep::gcn
