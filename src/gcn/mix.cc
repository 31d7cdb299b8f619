#include "gcn/mix.h"

#include <string_view>

#include "gcn/matrix-product.h"

namespace lockstep::gcn {
namespace {

Mix at(Mix first, int further) { return static_cast<Mix>(static_cast<int>(first) + further); }

Mix matrix(const Instruction& instruction) {
    const auto product = matrix_product(instruction);
    if (!product) return Mix::other;
    switch (product->type) {
        case MatrixType::bf16: return Mix::mfma_bf16;
        case MatrixType::f16: return Mix::mfma_f16;
        case MatrixType::i8: return Mix::mfma_i8;
        case MatrixType::f64: return Mix::mfma_f64;
        case MatrixType::f32: return Mix::mfma_f32;
        case MatrixType::fp8:
        case MatrixType::bf8: return Mix::mfma_f8;
        case MatrixType::xf32: return Mix::mfma_xf32;
    }
    return Mix::other;
}

Mix arithmetic(std::string_view name) {
    name.remove_prefix(2);
    if (name.starts_with("cvt_")) return Mix::conversion;
    const auto starts = [&](std::string_view with) { return name.starts_with(with); };
    const auto ends = [&](std::string_view with) { return name.ends_with(with); };
    if (starts("pk_")) name.remove_prefix(3);
    const bool half = ends("_f16"), single = ends("_f32"), twice = ends("_f64");
    if (half || single || twice) {
        const Mix first = half ? Mix::f16_add : single ? Mix::f32_add : Mix::f64_add;
        if (starts("add_f") || starts("sub_f") || starts("subrev_f")) return first;
        if (starts("mul_f") || starts("mul_legacy_f")) return at(first, 1);
        if (starts("fma") || starts("mad_f") || starts("mad_legacy_f") || starts("mac_")) return at(first, 2);
        if (starts("rcp_") || starts("rsq_") || starts("sqrt_") || starts("exp_") || starts("log_") ||
            starts("sin_") || starts("cos_"))
            return at(first, 3);
        return Mix::other;
    }
    // Of 64 bits are those with 64-bit integers; shifts and moves of bits (_b32, _b64) count as neither.
    if (ends("_u64") || ends("_i64") || starts("mad_u64") || starts("mad_i64")) return Mix::int64;
    if (ends("_u32") || ends("_i32") || ends("_u24") || ends("_i24")) return Mix::int32;
    return Mix::other;
}

// s_load_dwordx4, s_load_b128
Mix scalar_load(std::string_view name) {
    constexpr std::string_view words[] = {"dword", "dwordx2", "dwordx4", "dwordx8", "dwordx16"};
    constexpr std::string_view bits[] = {"b32", "b64", "b128", "b256", "b512"};
    if (!name.starts_with("s_load_") && !name.starts_with("s_buffer_load_")) return Mix::other;
    const std::string_view width = name.substr(name.rfind('_') + 1);
    for (int i = 0; i < 5; ++i)
        if (width == words[i] || width == bits[i]) return at(Mix::scalar_load_1, i);
    return Mix::other;
}

}  // namespace

Mix mix_of(const Instruction& instruction) {
    const std::string_view name = instruction.name;
    const bool buffer = name.starts_with("buffer_");
    switch (unit_of(instruction)) {
        case Unit::valu: return arithmetic(name);
        case Unit::mfma: return matrix(instruction);
        case Unit::smem: return scalar_load(name);
        case Unit::load: return buffer ? Mix::buffer_load : Mix::flat_load;
        case Unit::store: return buffer ? Mix::buffer_store : Mix::flat_store;
        case Unit::atomic: return buffer ? Mix::buffer_atomic : Mix::flat_atomic;
        default: return name == "s_endpgm" ? Mix::end : Mix::other;
    }
}

}  // namespace lockstep::gcn
