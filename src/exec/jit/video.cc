// The video instructions: scalar and SIMD-in-a-word operations on bytes and half words, lane by lane.
#include "exec/scalar/video.h"

#include "exec/jit/emitter.h"

namespace lockstep::exec::jit {

using ptx::Modifier;
using ptx::Opcode;

namespace {

struct Form {
    VideoOp op;
    int parts;  // of a word that are computed each by itself; 1: the scalar instructions
};

std::optional<Form> form_of(Opcode opcode) {
    switch (opcode) {
        case Opcode::vadd: return Form{VideoOp::add, 1};
        case Opcode::vsub: return Form{VideoOp::sub, 1};
        case Opcode::vabsdiff: return Form{VideoOp::absdiff, 1};
        case Opcode::vmin: return Form{VideoOp::min, 1};
        case Opcode::vmax: return Form{VideoOp::max, 1};
        case Opcode::vshl: return Form{VideoOp::shl, 1};
        case Opcode::vshr: return Form{VideoOp::shr, 1};
        case Opcode::vmad: return Form{VideoOp::mad, 1};
        case Opcode::vset: return Form{VideoOp::set, 1};
        case Opcode::vadd2: return Form{VideoOp::add, 2};
        case Opcode::vsub2: return Form{VideoOp::sub, 2};
        case Opcode::vavrg2: return Form{VideoOp::average, 2};
        case Opcode::vabsdiff2: return Form{VideoOp::absdiff, 2};
        case Opcode::vmin2: return Form{VideoOp::min, 2};
        case Opcode::vmax2: return Form{VideoOp::max, 2};
        case Opcode::vset2: return Form{VideoOp::set, 2};
        case Opcode::vadd4: return Form{VideoOp::add, 4};
        case Opcode::vsub4: return Form{VideoOp::sub, 4};
        case Opcode::vavrg4: return Form{VideoOp::average, 4};
        case Opcode::vabsdiff4: return Form{VideoOp::absdiff, 4};
        case Opcode::vmin4: return Form{VideoOp::min, 4};
        case Opcode::vmax4: return Form{VideoOp::max, 4};
        case Opcode::vset4: return Form{VideoOp::set, 4};
        default: return std::nullopt;
    }
}

VideoSelect select_of(const ptx::Selector& selector) {
    VideoSelect first = VideoSelect::word;
    if (selector.unit == ptx::Selector::Unit::byte) first = VideoSelect::b0;
    if (selector.unit == ptx::Selector::Unit::half) first = VideoSelect::h0;
    if (first == VideoSelect::word) return first;
    return static_cast<VideoSelect>(static_cast<int>(first) + selector.lanes[0]);
}

void read_parts(const ptx::Selector& selector, std::array<std::uint8_t, 4>& parts) {
    for (std::uint8_t i = 0; i < selector.count; ++i) parts[i] = selector.lanes[i];
}

Video video_of(const ptx::Instruction& inst, Form form) {
    const auto& ops = inst.operands;
    Video v;
    v.op = form.op;
    v.parts = static_cast<std::uint8_t>(form.parts);
    bool set = form.op == VideoOp::set;  // has no type of its own for the result
    v.d_signed = ptx::is_signed(inst.types[0]);
    v.a_signed = ptx::is_signed(inst.types[set ? 0 : 1]);
    v.b_signed = ptx::is_signed(inst.types[set ? 1 : 2]);
    v.saturate = inst.has(Modifier::sat);
    v.wrap = inst.has(Modifier::wrap);
    v.scale = inst.has(Modifier::shr7) ? 7 : inst.has(Modifier::shr15) ? 15 : 0;
    v.plus_one = inst.has(Modifier::po);
    if (form.op == VideoOp::mad) {
        v.negate_product = ops[1].negated != ops[2].negated;
        v.negate_c = ops[3].negated;
    }
    for (auto [word, value] : {std::pair{Modifier::add, VideoSecondary::add},
                               {Modifier::min, VideoSecondary::min},
                               {Modifier::max, VideoSecondary::max}})
        if (inst.has(word)) v.secondary = value;
    for (auto [word, value] : {std::pair{Modifier::eq, VideoCompare::eq},
                               {Modifier::ne, VideoCompare::ne},
                               {Modifier::lt, VideoCompare::lt},
                               {Modifier::le, VideoCompare::le},
                               {Modifier::gt, VideoCompare::gt},
                               {Modifier::ge, VideoCompare::ge}})
        if (inst.has(word)) v.compare = value;
    if (form.parts == 1) {
        v.d = select_of(ops[0].selector);
        v.a = select_of(ops[1].selector);
        v.b = select_of(ops[2].selector);
        return v;
    }
    if (form.parts == 2) v.b_parts = {2, 3, 0, 0};
    if (ops[0].selector.count) {
        v.mask = 0;
        for (std::uint8_t i = 0; i < ops[0].selector.count; ++i)
            v.mask |= static_cast<std::uint8_t>(1 << ops[0].selector.lanes[i]);
    }
    read_parts(ops[1].selector, v.a_parts);
    read_parts(ops[2].selector, v.b_parts);
    return v;
}

}  // namespace

bool Emitter::emit_video(const Inst& inst) {
    std::optional<Form> form = form_of(inst.opcode);
    if (!form) return false;
    const auto& ops = inst.operands;
    bool scalar = scalar_result(inst);
    std::vector<Value*> args;
    for (std::size_t i = 1; i <= 3; ++i) {
        if (i >= ops.size()) {
            args.push_back(llvm::ConstantInt::get(int_type(32), 0));
            continue;
        }
        Op operand = ops[i];
        operand.negated = false;  // vmad's minus, which Video holds; elsewhere this would be a bitwise not
        args.push_back(read_bits(operand, 32, scalar));
    }
    args.push_back(llvm::ConstantInt::get(int_type(64), video_of(inst, *form).packed()));
    write(inst, ops[0],
          call_lanes("video", reinterpret_cast<void*>(&video), int_type(32), args, scalar,
                     instruction_mask(inst)));
    return true;
}

}  // namespace lockstep::exec::jit
