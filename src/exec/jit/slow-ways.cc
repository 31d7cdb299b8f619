// Divisions and roots whose usual code on a GPU is not good for some lane, told to whoever wants to know
// (Wants::slow_ways). Compiled code asks whether there may be one, by exponents; which lanes they are, and
// what they do then, is looked at out of line.
#include "kernel/slow-ways.h"

#include "events/records.h"
#include "exec/jit/emitter.h"

namespace lockstep::exec::jit {

using events::SlowWayRecord;
using kernel::SlowWay;

namespace {

// Appends a record, if some lane needs the slow way: where the next one begins. `some`: of the lanes in the
// mask, those that may.
template <class Bits>
std::byte* tell_slow_way(std::byte* next, std::uint32_t word, std::uint32_t way, std::uint32_t mask,
                         std::uint32_t some, const Bits* a, const Bits* b) {
    using kernel::SlowPath;
    events::WarpBits by_path[kernel::slow_paths] = {};
    events::WarpBits& usual = by_path[static_cast<std::size_t>(SlowPath::usual)];
    usual = mask & ~some;
    // Neighbours often have the same operands.
    int before = -1;
    auto path = SlowPath::usual;
    for (events::WarpBits left = some; left; left &= left - 1) {
        const int lane = std::countr_zero(left);
        if (before < 0 || a[lane] != a[before] || b[lane] != b[before])
            path = kernel::slow_path(static_cast<SlowWay>(way), a[lane], b[lane]);
        by_path[static_cast<std::size_t>(path)] |= events::WarpBits{1} << lane;
        before = lane;
    }
    if (usual == mask) return next;
    auto& record = *reinterpret_cast<SlowWayRecord*>(next);
    record.word = word;
    record.count = 0;
    for (std::uint32_t i = 0; i < kernel::slow_paths; ++i)
        if (by_path[i]) record.lanes[record.count++] = {i, by_path[i]};
    return next + record.size();
}

extern "C" std::byte* lockstep_slow_way_f32(std::byte* next, std::uint32_t word, std::uint32_t way,
                                            std::uint32_t mask, std::uint32_t some, const std::uint32_t* a,
                                            const std::uint32_t* b) {
    return tell_slow_way(next, word, way, mask, some, a, b);
}
extern "C" std::byte* lockstep_slow_way_f64(std::byte* next, std::uint32_t word, std::uint32_t way,
                                            std::uint32_t mask, std::uint32_t some, const std::uint64_t* a,
                                            const std::uint64_t* b) {
    return tell_slow_way(next, word, way, mask, some, a, b);
}

}  // namespace

// Whether the operands are such that the slow way may be needed.
Emitter::Value* Emitter::may_need_slow_way(SlowWay way, Value* a, Value* b) {
    const bool twice = way >= SlowWay::div_f64;
    const auto outside = [&](Value* value, std::uint64_t first, std::uint64_t size) {
        return builder_.CreateICmpUGE(builder_.CreateSub(value, constant(value, first)),
                                      constant(value, size));
    };
    if (!b) {
        const kernel::UsualWords usual = kernel::usual_words(way);
        Value* word =
            twice ? builder_.CreateTrunc(builder_.CreateLShr(a, constant(a, 32)), like(a, int_type(32))) : a;
        if (usual.of_magnitude) word = builder_.CreateAnd(word, constant(word, ~0u >> 1));
        return outside(word, usual.first, usual.size);
    }
    const kernel::QuotientRange& range = twice ? kernel::usual_doubles : kernel::usual_floats;
    const auto exponent = [&](Value* bits) {
        Value* field = builder_.CreateLShr(bits, constant(bits, twice ? 52 : 23));
        return builder_.CreateAnd(field, constant(field, twice ? 0x7ff : 0xff));
    };
    Value* dividend = exponent(a);
    Value* divisor = exponent(b);
    const auto distance = [](auto least, auto most) { return static_cast<std::uint64_t>(most - least + 1); };
    Value* first =
        outside(dividend, range.least_dividend, distance(range.least_dividend, range.most_dividend));
    Value* second = outside(divisor, range.least_divisor, distance(range.least_divisor, range.most_divisor));
    Value* both = outside(builder_.CreateSub(dividend, divisor),
                          static_cast<std::uint64_t>(std::int64_t{range.least_difference}),
                          distance(range.least_difference, range.most_difference));
    return builder_.CreateOr(builder_.CreateOr(first, second), both);
}

void Emitter::record_slow_way(const Inst& inst) {
    if (!records(events::Wants::slow_ways)) return;
    const SlowWay way = kernel::slow_way(inst);
    if (way == SlowWay::none) return;
    const bool twice = way >= SlowWay::div_f64, quotient = inst.operands.size() > 2;
    bool scalar = true;
    for (std::size_t i = 1; i < inst.operands.size(); ++i) scalar &= is_scalar_operand(inst.operands[i]);
    Value* a = read_bits(inst.operands[1], twice ? 64 : 32, scalar);
    Value* b = quotient ? read_bits(inst.operands[2], twice ? 64 : 32, scalar) : nullptr;
    Value* mask = instruction_mask(inst);
    Value* lanes = taking_part(inst, may_need_slow_way(way, a, b));
    reserve_records(sizeof(SlowWayRecord));
    auto* some = llvm::BasicBlock::Create(context_, "slow_way", target_);
    auto* done = llvm::BasicBlock::Create(context_, "divided", target_);
    builder_.CreateCondBr(builder_.CreateICmpNE(lanes, constant(lanes, 0)), some, done, program_.unlikely());
    builder_.SetInsertPoint(some);
    const auto in_lanes = [&](Value* value) { return spill(is_vector(value) ? value : splat(value)); };
    Value* first = in_lanes(a);
    Value* second = b ? in_lanes(b) : first;
    auto callee = twice ? program_.external("lockstep_slow_way_f64", &lockstep_slow_way_f64)
                        : program_.external("lockstep_slow_way_f32", &lockstep_slow_way_f32);
    Value* next = builder_.CreateLoad(builder_.getPtrTy(), next_record_);
    Value* end = builder_.CreateCall(
        callee, {next, builder_.getInt32(events::tagged(events::Tag::slow_way, own_site())),
                 builder_.getInt32(static_cast<std::uint32_t>(way)), mask, lanes, first, second});
    builder_.CreateStore(end, next_record_);
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
}

}  // namespace lockstep::exec::jit
