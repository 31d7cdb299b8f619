// What registers, constants and symbols hold: scalars, masks of lanes, vectors; and how results are written
// to them.
#include <fmt/format.h>

#include <bit>

#include "exec/wave/emitter.h"

namespace lockstep::exec::wave {
namespace {

using Kind = gcn::Operand::Kind;

std::uint16_t half_bits(double value) {
    llvm::APFloat half(value);
    bool inexact = false;
    half.convert(llvm::APFloat::IEEEhalf(), llvm::APFloat::rmNearestTiesToEven, &inexact);
    return static_cast<std::uint16_t>(half.bitcastToAPInt().getZExtValue());
}

}  // namespace

// ---- scalars ----

Emitter::Value* Emitter::half_of(Value* bits64, int part) {
    if (part) bits64 = builder_.CreateLShr(bits64, 32);
    return builder_.CreateTrunc(bits64, builder_.getInt32Ty());
}

Emitter::Value* Emitter::register32(std::uint32_t number) {
    return builder_.CreateLoad(builder_.getInt32Ty(), scalars_[number % scalars_.size()]);
}
void Emitter::set_register32(std::uint32_t number, Value* value) {
    builder_.CreateStore(value, scalars_[number % scalars_.size()]);
}
Emitter::Value* Emitter::scc() { return builder_.CreateLoad(builder_.getInt1Ty(), scc_); }
void Emitter::set_scc(Value* bit) { builder_.CreateStore(bit, scc_); }
Emitter::Value* Emitter::exec() { return builder_.CreateLoad(builder_.getInt64Ty(), exec_); }
void Emitter::set_exec(Value* bits) { builder_.CreateStore(bits, exec_); }
Emitter::Value* Emitter::vcc() { return builder_.CreateLoad(builder_.getInt64Ty(), vcc_); }
void Emitter::set_vcc(Value* bits) { builder_.CreateStore(bits, vcc_); }

Emitter::Value* Emitter::address_of_symbol(const Op& op) {
    const auto& table = op.through_table ? symbols_.entries : symbols_.addresses;
    const auto found = table.find(op.name);
    if (found == table.end()) {
        if (const auto label = kernel_.code.labels.find(op.name); label != kernel_.code.labels.end())
            return code_address_of(label->second);
        error_ = Error{fmt::format("'{}' is no variable or function of the module", op.name), {}};
        return builder_.getInt64(0);
    }
    auto* i64 = builder_.getInt64Ty();
    const auto place = std::distance(table.begin(), found) +
                       static_cast<std::ptrdiff_t>(op.through_table ? symbols_.addresses.size() : 0);
    auto* addresses =
        module_.getOrInsertGlobal(symbol_table, llvm::ArrayType::get(i64, symbols_.table.size()));
    externals_[symbol_table] = const_cast<std::uint64_t*>(symbols_.table.data());
    auto* address = builder_.CreateLoad(
        i64, builder_.CreateConstInBoundsGEP1_64(i64, addresses, static_cast<std::uint64_t>(place)));
    address->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(llvm_, {}));
    if (op.through_table) return address;
    return builder_.CreateAdd(address, builder_.getInt64(static_cast<std::uint64_t>(op.integer)));
}

Emitter::Value* Emitter::scalar32(const Op& op, bool floating) {
    switch (op.kind) {
        case Kind::scalar: return register32(op.first);
        case Kind::vcc: return half_of(vcc(), op.part > 0);
        case Kind::exec: return half_of(exec(), op.part > 0);
        case Kind::m0: return builder_.CreateLoad(builder_.getInt32Ty(), m0_);
        case Kind::scc: return builder_.CreateZExt(scc(), builder_.getInt32Ty());
        case Kind::integer: return builder_.getInt32(static_cast<std::uint32_t>(op.integer));
        case Kind::floating:
            return builder_.getInt32(std::bit_cast<std::uint32_t>(static_cast<float>(op.floating)));
        case Kind::symbol: return half_of(address_of_symbol(op), op.part > 0);
        case Kind::shared_base: return half_of(builder_.getInt64(shared_aperture), op.part != 0);
        case Kind::private_base: return half_of(builder_.getInt64(private_aperture), op.part != 0);
        case Kind::none: return builder_.getInt32(0);
        default: break;
    }
    (void)floating;
    if (!error_) error_ = Error{"internal error: an operand is no scalar", {}};
    return builder_.getInt32(0);
}

Emitter::Value* Emitter::scalar64(const Op& op) {
    auto* i64 = builder_.getInt64Ty();
    switch (op.kind) {
        case Kind::scalar:
            return builder_.CreateOr(
                builder_.CreateZExt(register32(op.first), i64),
                builder_.CreateShl(builder_.CreateZExt(register32(op.first + 1u), i64), 32));
        case Kind::vcc: return op.part < 0 ? vcc() : builder_.CreateZExt(scalar32(op), i64);
        case Kind::exec: return op.part < 0 ? exec() : builder_.CreateZExt(scalar32(op), i64);
        case Kind::integer:
            return builder_.getInt64(op.hexadecimal && op.integer > 0
                                         ? static_cast<std::uint32_t>(op.integer)
                                         : static_cast<std::uint64_t>(op.integer));
        case Kind::floating: return builder_.getInt64(std::bit_cast<std::uint64_t>(op.floating));
        case Kind::symbol: return address_of_symbol(op);
        case Kind::shared_base: return builder_.getInt64(shared_aperture);
        case Kind::shared_limit: return builder_.getInt64(shared_aperture + aperture_bytes - 1);
        case Kind::private_base: return builder_.getInt64(private_aperture);
        case Kind::private_limit: return builder_.getInt64(private_aperture + aperture_bytes - 1);
        default: return builder_.CreateZExt(scalar32(op), i64);
    }
}

void Emitter::set_scalar32(const Op& op, Value* value) {
    auto* i64 = builder_.getInt64Ty();
    const auto replaced = [&](Value* old) -> Value* {
        const int part = op.part > 0;
        Value* kept = builder_.CreateAnd(old, builder_.getInt64(part ? 0xffffffffull : ~0xffffffffull));
        Value* put = builder_.CreateZExt(value, i64);
        if (part) put = builder_.CreateShl(put, 32);
        return builder_.CreateOr(kept, put);
    };
    switch (op.kind) {
        case Kind::scalar: set_register32(op.first, value); return;
        case Kind::vcc: set_vcc(replaced(vcc())); return;
        case Kind::exec: set_exec(replaced(exec())); return;
        case Kind::m0: builder_.CreateStore(value, m0_); return;
        case Kind::none: return;
        default:
            if (!error_) error_ = Error{"internal error: a result's operand is no scalar register", {}};
    }
}

void Emitter::set_scalar64(const Op& op, Value* value) {
    switch (op.kind) {
        case Kind::scalar:
            set_register32(op.first, half_of(value, 0));
            set_register32(op.first + 1u, half_of(value, 1));
            return;
        case Kind::vcc: set_vcc(value); return;
        case Kind::exec: set_exec(value); return;
        case Kind::none: return;
        default:
            if (!error_)
                error_ = Error{"internal error: a result's operand is no pair of scalar registers", {}};
    }
}

// ---- lanes ----

Emitter::Value* Emitter::to_bits(Value* value) {
    auto* i64 = builder_.getInt64Ty();
    if (!target_.aarch64) {
        Value* bits = builder_.CreateBitCast(value, builder_.getIntNTy(static_cast<unsigned>(lanes_)));
        return builder_.CreateZExt(bits, i64);
    }
    // The backend knows a good sequence for 16 lanes, none for more.
    Value* all = builder_.getInt64(0);
    for (int first = 0; first < lanes_; first += 16) {
        std::vector<int> index;
        for (int lane = 0; lane < 16; ++lane) index.push_back(first + lane);
        Value* part =
            builder_.CreateBitCast(builder_.CreateShuffleVector(value, index), builder_.getInt16Ty());
        all = builder_.CreateOr(
            all, builder_.CreateShl(builder_.CreateZExt(part, i64), static_cast<std::uint64_t>(first)));
    }
    return all;
}

Emitter::Value* Emitter::to_lanes(Value* bits) {
    auto* i1 = builder_.getInt1Ty();
    if (target_.mask_registers) {
        Value* narrow = builder_.CreateTrunc(bits, builder_.getIntNTy(static_cast<unsigned>(lanes_)));
        return builder_.CreateBitCast(narrow, vector_of(i1));
    }
    // Each half of the wavefront tests its own word.
    Value* halves[2] = {half_of(bits, 0), half_of(bits, 1)};
    std::vector<Value*> parts;
    for (int half = 0; half < lanes_ / 32; ++half) {
        std::vector<llvm::Constant*> one_bit;
        for (int lane = 0; lane < 32; ++lane) one_bit.push_back(builder_.getInt32(1u << lane));
        Value* tested = builder_.CreateAnd(builder_.CreateVectorSplat(32, halves[half]),
                                           llvm::ConstantVector::get(one_bit));
        parts.push_back(builder_.CreateICmpNE(tested, llvm::Constant::getNullValue(tested->getType())));
    }
    if (parts.size() == 1) return parts[0];
    std::vector<int> index;
    for (int lane = 0; lane < 64; ++lane) index.push_back(lane);
    return builder_.CreateShuffleVector(parts[0], parts[1], index);
}

Emitter::Value* Emitter::running() {
    if (full_) return llvm::Constant::getAllOnesValue(vector_of(builder_.getInt1Ty()));
    return to_lanes(exec());
}

Emitter::Value* Emitter::lanes_of(const Op& op) {
    if (op.kind == Kind::integer) {
        return splat(builder_.getInt1(op.integer != 0));
    }
    return to_lanes(lanes_ == 32 ? builder_.CreateZExt(scalar32(op), builder_.getInt64Ty()) : scalar64(op));
}

void Emitter::set_lanes(const Op& op, Value* value) {
    Value* bits = to_bits(value);
    if (!full_) bits = builder_.CreateAnd(bits, exec());
    if (lanes_ == 32 && op.kind == Kind::scalar)
        set_scalar32(op, half_of(bits, 0));
    else
        set_scalar64(op, bits);
}

Emitter::Value* Emitter::lane_numbers() {
    std::vector<llvm::Constant*> numbers;
    for (int lane = 0; lane < lanes_; ++lane)
        numbers.push_back(builder_.getInt32(static_cast<std::uint32_t>(lane)));
    return llvm::ConstantVector::get(numbers);
}

Emitter::Value* Emitter::shuffled(Value* value, const std::vector<int>& from) {
    std::vector<int> index;
    for (int lane : from) index.push_back(lane < 0 ? lanes_ : lane);
    return builder_.CreateShuffleVector(value, llvm::Constant::getNullValue(value->getType()), index);
}

// ---- vectors ----

llvm::Type* Emitter::type_of(As as) {
    switch (as) {
        case As::b16: return builder_.getInt16Ty();
        case As::f16: return builder_.getHalfTy();
        case As::b32: return builder_.getInt32Ty();
        case As::f32: return builder_.getFloatTy();
        case As::b64: return builder_.getInt64Ty();
        case As::f64: return builder_.getDoubleTy();
    }
    return builder_.getInt32Ty();
}

Emitter::Value* Emitter::float32(double value) {
    return splat(llvm::ConstantFP::get(builder_.getFloatTy(), value));
}

// The bits of a constant, as wide as the instruction takes it.
Emitter::Value* Emitter::constant(const Op& op, As as) {
    if (op.kind == Kind::floating) {
        switch (as) {
            case As::b16:
            case As::f16: return builder_.getInt32(half_bits(op.floating));
            case As::b32:
            case As::f32:
                return builder_.getInt32(std::bit_cast<std::uint32_t>(static_cast<float>(op.floating)));
            default: return builder_.getInt64(std::bit_cast<std::uint64_t>(op.floating));
        }
    }
    const auto bits = static_cast<std::uint64_t>(op.integer);
    if (as == As::f64 && op.hexadecimal) return builder_.getInt64(bits << 32);
    if (as == As::b64 && op.hexadecimal && op.integer > 0)
        return builder_.getInt64(static_cast<std::uint32_t>(bits));
    if (as == As::f64 || as == As::b64) return builder_.getInt64(bits);
    return builder_.getInt32(static_cast<std::uint32_t>(bits));
}

Emitter::Value* Emitter::vector_part(const Op& op, int part) {
    const auto number = static_cast<std::size_t>(op.first) + static_cast<std::size_t>(part);
    if ((op.kind == Kind::vector && number >= vectors_.size()) ||
        (op.kind == Kind::accumulator && number >= accumulators_.size())) {
        if (!error_) error_ = Error{"internal error: there are fewer vector registers", {}};
        return number32(0);
    }
    if (op.kind == Kind::accumulator)
        return builder_.CreateLoad(vector_of(builder_.getInt32Ty()), accumulators_[number]);
    if (op.kind == Kind::vector)
        return builder_.CreateLoad(vector_of(builder_.getInt32Ty()), vectors_[number]);
    if (op.kind == Kind::scalar) return splat(register32(static_cast<std::uint32_t>(number)));
    return splat(half_of(scalar64(op), part));
}

Emitter::Value* Emitter::vector32(const Op& op) {
    if (op.kind == Kind::vector || op.kind == Kind::accumulator) return vector_part(op, 0);
    if (op.kind == Kind::integer || op.kind == Kind::floating) return splat(constant(op, As::b32));
    return splat(scalar32(op));
}

Emitter::Value* Emitter::vector64(const Op& op) {
    if (op.kind != Kind::vector && op.kind != Kind::accumulator) {
        if (op.kind == Kind::integer || op.kind == Kind::floating) return splat(constant(op, As::b64));
        return splat(scalar64(op));
    }
    auto* i64 = vector_of(builder_.getInt64Ty());
    Value* low = builder_.CreateZExt(vector_part(op, 0), i64);
    Value* high = builder_.CreateZExt(vector_part(op, 1), i64);
    return builder_.CreateOr(low, builder_.CreateShl(high, number64(32)));
}

// SDWA: a byte or a half of the register, extended.
Emitter::Value* Emitter::selected(const Inst& inst, std::size_t operand, bool first, Value* value) {
    const std::int64_t which = inst.value(first ? "src0_sel" : "src1_sel", 6);
    if (which >= 6) return value;
    const bool byte = which < 4;
    const auto shift = static_cast<std::uint32_t>(byte ? 8 * which : 16 * (which - 4));
    value = builder_.CreateLShr(value, number32(shift));
    auto* narrow = vector_of(byte ? static_cast<llvm::Type*>(builder_.getInt8Ty()) : builder_.getInt16Ty());
    value = builder_.CreateTrunc(value, narrow);
    auto* i32 = vector_of(builder_.getInt32Ty());
    return inst.operands.at(operand).sign_extended ? builder_.CreateSExt(value, i32)
                                                   : builder_.CreateZExt(value, i32);
}

Emitter::Value* Emitter::source(const Inst& inst, std::size_t operand, As as) {
    if (operand >= inst.operands.size()) {
        fail(inst, fmt::format("{} has too few operands", inst.name));
        return llvm::Constant::getNullValue(vector_of(type_of(as)));
    }
    const Op& op = inst.operands.at(operand);
    const bool is_constant = op.kind == Kind::integer || op.kind == Kind::floating;
    const bool wide = as == As::b64 || as == As::f64;
    Value* value = nullptr;
    if (is_constant)
        value = splat(constant(op, as));
    else
        value = wide ? vector64(op) : vector32(op);
    // Behind the result, and the lanes that get the carries.
    const std::size_t first = inst.name.find("_co_") == std::string::npos ? 1 : 2;
    if (inst.dpp && operand == first) value = moved(inst, value);
    if (inst.sdwa && !wide) value = selected(inst, operand, operand == first, value);
    if (as == As::b16 || as == As::f16) {
        // op_sel: which half of each operand.
        const auto halves = inst.modifiers.find("op_sel");
        if (!is_constant && halves != inst.modifiers.end() && operand - 1 < halves->second.size() &&
            halves->second[operand - 1])
            value = builder_.CreateLShr(value, number32(16));
        value = builder_.CreateTrunc(value, vector_of(builder_.getInt16Ty()));
    }
    if (as == As::f16 || as == As::f32 || as == As::f64) {
        value = builder_.CreateBitCast(value, vector_of(type_of(as)));
        if (op.absolute) value = builder_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, value);
        if (op.negative) value = builder_.CreateFNeg(value);
    }
    return value;
}

// DPP: operand 1 of each lane is another lane's.
Emitter::Value* Emitter::moved(const Inst& inst, Value* value) {
    std::vector<int> from(static_cast<std::size_t>(lanes_), -1);
    const auto number = [&](const char* name) { return static_cast<int>(inst.value(name)); };
    const auto quad = inst.modifiers.find("quad_perm");
    const auto eight = inst.modifiers.find("dpp8");
    for (int lane = 0; lane < lanes_; ++lane) {
        const int row = lane & ~15, in_row = lane & 15;
        int& to = from[static_cast<std::size_t>(lane)];
        const auto within_row = [&](int other) { to = other >= 0 && other < 16 ? row + other : -1; };
        if (quad != inst.modifiers.end() && quad->second.size() == 4)
            to = (lane & ~3) + static_cast<int>(quad->second[static_cast<std::size_t>(lane & 3)]);
        else if (eight != inst.modifiers.end() && eight->second.size() == 8)
            to = (lane & ~7) + static_cast<int>(eight->second[static_cast<std::size_t>(lane & 7)]);
        else if (inst.has("row_shl"))
            within_row(in_row + number("row_shl"));
        else if (inst.has("row_shr"))
            within_row(in_row - number("row_shr"));
        else if (inst.has("row_ror"))
            to = row + ((in_row - number("row_ror")) & 15);
        else if (inst.has("row_mirror"))
            to = row + 15 - in_row;
        else if (inst.has("row_half_mirror"))
            to = (lane & ~7) + 7 - (lane & 7);
        else if (inst.has("wave_shl"))
            to = lane + 1 < lanes_ ? lane + 1 : -1;
        else if (inst.has("wave_shr"))
            to = lane - 1;
        else if (inst.has("wave_rol"))
            to = (lane + 1) % lanes_;
        else if (inst.has("wave_ror"))
            to = (lane + lanes_ - 1) % lanes_;
        else if (inst.has("row_bcast"))
            to = number("row_bcast") == 15 ? row - 1 : lane >= 32 ? 31 : -1;
        else if (inst.has("row_newbcast"))
            to = row + number("row_newbcast");
        else if (inst.has("row_share"))
            to = row + number("row_share");
        else if (inst.has("row_xmask"))
            to = row + (in_row ^ number("row_xmask"));
        else {
            fail(inst, "this way of moving lanes (DPP) is not supported");
            return value;
        }
    }
    const auto rows = static_cast<std::uint32_t>(inst.value("row_mask", 15));
    const auto banks = static_cast<std::uint32_t>(inst.value("bank_mask", 15));
    std::vector<llvm::Constant*> chosen;
    for (int lane = 0; lane < lanes_; ++lane)
        chosen.push_back(builder_.getInt1((rows >> (lane / 16) & 1) && (banks >> (lane / 4 % 4) & 1)));
    // Where there is no such lane, or it does not run: zero with bound_ctrl, else nothing is written.
    Value* there = shuffled(running(), from);
    Value* read =
        builder_.CreateSelect(there, shuffled(value, from), llvm::Constant::getNullValue(value->getType()));
    Value* writes = llvm::ConstantVector::get(chosen);
    if (!inst.has("bound_ctrl")) writes = builder_.CreateAnd(writes, there);
    kept_ = builder_.CreateNot(writes);
    return read;
}

void Emitter::set_vector_part(const Op& op, int part, Value* value) {
    auto& registers = op.kind == Kind::accumulator ? accumulators_ : vectors_;
    const auto number = static_cast<std::size_t>(op.first) + static_cast<std::size_t>(part);
    if ((op.kind != Kind::vector && op.kind != Kind::accumulator) || number >= registers.size()) {
        if (!error_) error_ = Error{"internal error: a result's operand is no vector register", {}};
        return;
    }
    if (!full_ || kept_) {
        Value* old = builder_.CreateLoad(value->getType(), registers[number]);
        Value* writes = running();
        if (kept_) writes = builder_.CreateAnd(writes, builder_.CreateNot(kept_));
        value = builder_.CreateSelect(writes, value, old);
    }
    builder_.CreateStore(value, registers[number]);
}

void Emitter::set_whole_vector_part(const Op& op, int part, Value* value) {
    auto& registers = op.kind == Kind::accumulator ? accumulators_ : vectors_;
    const auto number = static_cast<std::size_t>(op.first) + static_cast<std::size_t>(part);
    if ((op.kind == Kind::vector || op.kind == Kind::accumulator) && number < registers.size())
        builder_.CreateStore(value, registers[number]);
}

void Emitter::set_vector32(const Op& op, Value* value) { set_vector_part(op, 0, value); }

void Emitter::set_vector64(const Op& op, Value* value) {
    auto* i32 = vector_of(builder_.getInt32Ty());
    set_vector_part(op, 0, builder_.CreateTrunc(value, i32));
    set_vector_part(op, 1, builder_.CreateTrunc(builder_.CreateLShr(value, number64(32)), i32));
}

void Emitter::set(const Inst& inst, Value* value, As as) {
    const Op& op = inst.operands.at(0);
    auto* i32 = vector_of(builder_.getInt32Ty());
    if (as == As::f16 || as == As::f32 || as == As::f64) {
        auto* type = value->getType();
        const auto times = [&](double factor) {
            value = builder_.CreateFMul(value, llvm::ConstantFP::get(type, factor));
        };
        if (inst.has("mul")) times(static_cast<double>(inst.value("mul")));
        if (inst.has("div")) times(1.0 / static_cast<double>(inst.value("div", 1)));
        if (inst.has("clamp")) {
            // To 0 … 1; NaN becomes 0.
            value = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, value,
                                                   llvm::ConstantFP::get(type, 0.0));
            value = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::minnum, value,
                                                   llvm::ConstantFP::get(type, 1.0));
        }
        llvm::Type* bits = as == As::f64   ? static_cast<llvm::Type*>(builder_.getInt64Ty())
                           : as == As::f32 ? builder_.getInt32Ty()
                                           : builder_.getInt16Ty();
        value = builder_.CreateBitCast(value, vector_of(bits));
    }
    if (as == As::b64 || as == As::f64) return set_vector64(op, value);
    if (as == As::b16 || as == As::f16) {
        value = builder_.CreateZExt(value, i32);
        // op_sel's last number: into the upper half, and the lower one stays.
        const auto halves = inst.modifiers.find("op_sel");
        if (halves != inst.modifiers.end() && halves->second.size() == inst.operands.size() &&
            halves->second.back()) {
            Value* old = vector_part(op, 0);
            value = builder_.CreateOr(builder_.CreateAnd(old, number32(0xffff)),
                                      builder_.CreateShl(value, number32(16)));
            return set_vector32(op, value);
        }
    }
    if (inst.sdwa && inst.value("dst_sel", 6) < 6) {
        const std::int64_t which = inst.value("dst_sel");
        const bool byte = which < 4;
        const auto shift = static_cast<std::uint32_t>(byte ? 8 * which : 16 * (which - 4));
        const std::uint32_t field = (byte ? 0xffu : 0xffffu) << shift;
        Value* put = builder_.CreateAnd(builder_.CreateShl(value, number32(shift)), number32(field));
        switch (inst.value("dst_unused", 0)) {
            case 1: {  // UNUSED_SEXT
                const std::uint32_t bits = byte ? 8 : 16;
                Value* high = builder_.CreateShl(value, number32(32 - bits));
                put = builder_.CreateAShr(high, number32(32 - bits));
                put = builder_.CreateShl(put, number32(shift));
                break;
            }
            case 2:  // UNUSED_PRESERVE
                put = builder_.CreateOr(put, builder_.CreateAnd(vector_part(op, 0), number32(~field)));
                break;
            default: break;  // the others become 0
        }
        value = put;
    }
    set_vector32(op, value);
}

}  // namespace lockstep::exec::wave
