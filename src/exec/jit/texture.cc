// tex, tld4, txq and surface instructions: one call for all lanes of a warp.
#include "exec/jit/emitter.h"
#include "exec/texture-form.h"
#include "kernel/operands.h"

namespace lockstep::exec::jit {

using ptx::Modifier;
using ptx::Opcode;

namespace {

using Operation = TextureForm::Operation;

TextureForm::Query query_of(const ptx::Instruction& inst) {
    using Query = TextureForm::Query;
    if (inst.has(Modifier::width)) return Query::width;
    if (inst.has(Modifier::height)) return Query::height;
    if (inst.has(Modifier::depth)) return Query::depth;
    if (inst.has(Modifier::array_size)) return Query::layers;
    return Query::levels;
}

TextureForm form_of(const ptx::Instruction& inst) {
    TextureForm form;
    using Geometry = Fetch::Geometry;
    form.geometry = inst.has(Modifier::d1) || inst.has(Modifier::a1d)       ? Geometry::d1
                    : inst.has(Modifier::d3)                                ? Geometry::d3
                    : inst.has(Modifier::cube) || inst.has(Modifier::acube) ? Geometry::cube
                                                                            : Geometry::d2;
    form.layered = inst.has(Modifier::a1d) || inst.has(Modifier::a2d) || inst.has(Modifier::acube);
    form.elements = static_cast<std::uint8_t>(kernel::vector_count(inst));
    form.element_bytes = static_cast<std::uint8_t>(ptx::type_bytes(inst.type()));
    form.is_signed = ptx::is_signed(inst.type());
    const auto bound = inst.has(Modifier::clamp)  ? TextureForm::Bound::clamp
                       : inst.has(Modifier::zero) ? TextureForm::Bound::zero
                                                  : TextureForm::Bound::trap;
    form.detail = static_cast<std::int8_t>(bound);
    switch (inst.opcode) {
        case Opcode::tex:
        case Opcode::tld4:
            form.operation = Operation::fetch;
            form.level = inst.has(Modifier::level)  ? Fetch::Level::given
                         : inst.has(Modifier::grad) ? Fetch::Level::gradient
                                                    : Fetch::Level::base;
            form.whole_numbers = inst.types[1] == ptx::Type::s32;
            form.floats = inst.types[0] == ptx::Type::f32;
            form.detail = -1;
            if (inst.opcode == Opcode::tld4)
                form.detail = inst.has(Modifier::r)   ? 0
                              : inst.has(Modifier::g) ? 1
                              : inst.has(Modifier::b) ? 2
                                                      : 3;
            break;
        case Opcode::suld: form.operation = Operation::load; break;
        case Opcode::sust:
            form.operation = inst.has(Modifier::p) ? Operation::store_formatted : Operation::store;
            break;
        case Opcode::sured: {
            using Combine = TextureForm::Combine;
            form.operation = Operation::reduce;
            form.texels = inst.has(Modifier::p);
            form.combine = static_cast<std::uint8_t>(inst.has(Modifier::add)    ? Combine::add
                                                     : inst.has(Modifier::min)  ? Combine::min
                                                     : inst.has(Modifier::max)  ? Combine::max
                                                     : inst.has(Modifier::and_) ? Combine::and_
                                                                                : Combine::or_);
            break;
        }
        default:
            form.operation = Operation::query;
            form.texels = inst.opcode == Opcode::txq;  // a texture's, not a surface's
            form.detail = static_cast<std::int8_t>(query_of(inst));
    }
    return form;
}

}  // namespace

bool Emitter::emit_texture(const Inst& inst) {
    const auto& ops = inst.operands;
    switch (inst.opcode) {
        case Opcode::tex:
        case Opcode::tld4:
        case Opcode::txq:
        case Opcode::suq:
        case Opcode::suld:
        case Opcode::sust:
        case Opcode::sured: break;
        default: return false;
    }
    const TextureForm form = form_of(inst);
    const bool writes = inst.opcode == Opcode::sust || inst.opcode == Opcode::sured;
    const Op& place = ops[writes ? 0 : 1];
    std::vector<Value*> numbers;
    const auto add = [&](const Op& op) { numbers.push_back(read_bits(op, 32, false)); };
    if (place.elements.size() > 1)
        for (std::uint32_t i = 0; i < coordinates_of(form); ++i) add(place.elements[1].elements[i]);
    if (form.level == Fetch::Level::given) add(ops[2]);
    if (form.level == Fetch::Level::gradient)
        for (std::size_t step : {2u, 3u})
            for (std::uint32_t i = 0; i < coordinates_of(form) - form.layered; ++i)
                add(ops[step].elements[i]);

    llvm::Type* words = llvm::FixedVectorType::get(int_type(32), warp_lanes);
    llvm::Type* wide = llvm::FixedVectorType::get(int_type(64), warp_lanes);
    constexpr std::size_t most_numbers = 12, most_values = 4;
    Value* in = scratch(llvm::ArrayType::get(words, most_numbers));
    for (std::size_t i = 0; i < numbers.size(); ++i)
        builder_.CreateStore(numbers[i], builder_.CreateConstInBoundsGEP1_64(words, in, i));
    Value* out = scratch(llvm::ArrayType::get(wide, most_values));
    const auto value_at = [&](std::size_t i) { return builder_.CreateConstInBoundsGEP1_64(wide, out, i); };
    const Op& data = ops[writes ? 1 : 0];
    const auto element = [&](std::size_t i) -> const Op& {
        return data.kind == Op::Kind::vector ? data.elements[i] : data;
    };
    if (writes)
        for (std::size_t i = 0; i < form.elements; ++i)
            builder_.CreateStore(read_bits(element(i), 64, false), value_at(i));
    else
        for (std::size_t i = 0; i < most_values; ++i)
            builder_.CreateStore(llvm::Constant::getNullValue(wide), value_at(i));
    if (records(events::Wants::accesses)) publish_records();  // the function makes its own
    const bool query = form.operation == Operation::query;
    const std::uint32_t site = query ? add_site(inst) : own_site();
    Value* mask = instruction_mask(inst);
    Value* objects = spill(read_bits(place.elements[0], 64, false));
    const auto call = [&] {
        builder_.CreateCall(
            program_.callback(Callback::texture),
            {ctx_, builder_.getInt32(site), builder_.getInt64(form.number()), mask, objects, in, out});
    };
    when_any(inst, mask, call);
    if (inst.opcode == Opcode::sured) program_.order_matters = true;
    if (writes) return true;
    for (std::size_t i = 0; i < form.elements; ++i) {
        const Op& to = element(i);
        if (to.kind == Op::Kind::sink) continue;
        Value* value = builder_.CreateLoad(wide, value_at(i));
        const int bits = ptx::type_bits(function_.registers[to.id].type);
        write(inst, to, builder_.CreateTrunc(value, like(value, int_type(bits))));
    }
    return true;
}

}  // namespace lockstep::exec::jit
