#include "exec/map-change.h"

#include <fmt/format.h>

#include <cstring>

#include "exec/accessible.h"
#include "exec/block-slot.h"
#include "exec/callbacks.h"

namespace lockstep::exec {
namespace {

constexpr TensorElement ptx_elements[] = {TensorElement::u8,      TensorElement::u16,  TensorElement::u32,
                                          TensorElement::s32,     TensorElement::u64,  TensorElement::s64,
                                          TensorElement::f16,     TensorElement::f32,  TensorElement::f32_ftz,
                                          TensorElement::f64,     TensorElement::bf16, TensorElement::tf32,
                                          TensorElement::tf32_ftz};

}  // namespace

// Of a value that a field has no room for, its upper bits are lost.
std::string MapChange::apply(TensorMap& map, std::uint64_t value) const {
    const std::size_t d = dimension;
    if (d >= (field == Field::stride ? most_tensor_dimensions - 1 : most_tensor_dimensions))
        return fmt::format("tensormap.replace of dimension {}, which a tensor does not have", d);
    switch (field) {
        case Field::address: map.address = value; break;
        case Field::rank: map.rank = static_cast<std::uint8_t>((value & 7) + 1); break;
        case Field::box: map.box[d] = static_cast<std::uint16_t>(((value - 1) & 0xff) + 1); break;
        case Field::size: map.last[d] = static_cast<std::uint32_t>(value - 1); break;
        case Field::step: map.steps[d] = static_cast<std::uint8_t>(((value - 1) & 7) + 1); break;
        case Field::stride: map.strides[d] = value & 0xffffffffff & ~std::uint64_t{15}; break;
        case Field::element:
            if (value >= std::size(ptx_elements))
                return fmt::format(
                    "tensormap.replace of the element type with {}, which GPUs of compute "
                    "capability 9.0 do not have",
                    value);
            map.element = ptx_elements[value];
            break;
        case Field::interleave:
            if (value > 2)
                return fmt::format("tensormap.replace with the layout {}, which there is not", value);
            map.interleave = static_cast<std::uint8_t>(value);
            break;
        case Field::swizzle: map.swizzle = static_cast<std::uint8_t>(value & 3); break;
        case Field::fill: map.fills_with_nan = value & 1; break;
    }
    return {};
}

namespace {

// Faults are returned, since one leaves the stack without destroying what lies on it.
std::optional<Fault> change(WarpContext& ctx, std::uint32_t site, MapChange form, std::uint32_t lane,
                            std::uint64_t address, std::uint64_t value) {
    auto window = find_accessible(ctx, site, address, sizeof(TensorMap), lane);
    if (Fault* fault = std::get_if<Fault>(&window)) return std::move(*fault);
    TensorMap map;
    std::memcpy(static_cast<void*>(&map), reinterpret_cast<const void*>(address), sizeof map);
    std::string why = "tensormap.replace: the operand is no tensor map that cuTensorMapEncodeTiled made";
    if (map.marked == TensorMap::mark && !map.im2col) why = form.apply(map, value);
    if (!why.empty()) return fault_at(ctx, FaultKind::illegal_instruction, site, static_cast<int>(lane), why);
    std::memcpy(reinterpret_cast<void*>(address), &map, sizeof map);
    return std::nullopt;
}

std::optional<Fault> publish(WarpContext& ctx, std::uint32_t site, std::uint32_t bytes, std::uint64_t to,
                             std::uint64_t from) {
    for (const auto& [number, address] : {std::pair{site, to}, std::pair{site + 1, from}}) {
        auto window = find_accessible(ctx, number, address, bytes, 0);
        if (Fault* fault = std::get_if<Fault>(&window)) return std::move(*fault);
    }
    std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
    return std::nullopt;
}

}  // namespace

extern "C" void callback_change_tensor_map(WarpContext* ctx, std::uint32_t site, std::uint64_t form,
                                           std::uint32_t mask, const std::uint64_t* maps,
                                           const std::uint64_t* values) {
    for (; mask; mask &= mask - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
        if (auto fault = change(*ctx, site, MapChange::of(form), lane, maps[lane], values[lane]))
            ctx->slot->fault(std::move(*fault));
    }
}

extern "C" void callback_publish_tensor_map(WarpContext* ctx, std::uint32_t site, std::uint32_t bytes,
                                            const std::uint64_t* to, const std::uint64_t* from) {
    if (auto fault = publish(*ctx, site, bytes, to[0], from[0])) ctx->slot->fault(std::move(*fault));
}

}  // namespace lockstep::exec
