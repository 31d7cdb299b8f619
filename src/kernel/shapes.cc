#include "kernel/shapes.h"

#include <algorithm>

#include "kernel/constants.h"
#include "kernel/graph.h"
#include "kernel/loops.h"
#include "kernel/operands.h"
#include "ptx/special-registers.h"

namespace lockstep::kernel {
namespace {

using ptx::Instruction;
using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;
using ptx::SpecialRegister;
using Kind = Shape::Kind;

constexpr Shape uniform{};
constexpr Shape varying{.kind = Kind::varying};
constexpr Shape uniform_by_row{.kind = Kind::affine, .by_row = true};

Shape affine(std::int64_t stride, bool by_row = false) {
    return stride == 0 && !by_row ? uniform : Shape{.kind = Kind::affine, .by_row = by_row, .stride = stride};
}

// What is the same in all rows is something that each row has.
Shape with_rows(Shape shape) {
    if (shape.is_varying()) return shape;
    if (shape.is_uniform()) return uniform_by_row;
    shape.by_row = true;
    return shape;
}

Shape join(const Shape& a, const Shape& b) {
    if (a == b) return a;
    return (a.by_row || b.by_row) && with_rows(a) == with_rows(b) ? with_rows(a) : varying;
}

Shape special_shape(SpecialRegister reg, int row_lanes) {
    switch (reg) {
        case SpecialRegister::tid_x: return row_lanes > 0 ? affine(1) : varying;
        case SpecialRegister::tid_y:
        case SpecialRegister::tid_z:
            return row_lanes == 0 ? varying : rows_of_warp(row_lanes) > 1 ? uniform_by_row : uniform;
        case SpecialRegister::laneid: return affine(1, rows_of_warp(row_lanes) > 1);
        case SpecialRegister::lanemask_eq:
        case SpecialRegister::lanemask_ge:
        case SpecialRegister::lanemask_gt:
        case SpecialRegister::lanemask_le:
        case SpecialRegister::lanemask_lt: return varying;
        default: return uniform;
    }
}

bool is_integer_32_64(ptx::Type type) {
    int bits = ptx::type_bits(type);
    auto cls = ptx::type_class(type);
    return (bits == 32 || bits == 64) &&
           (cls == ptx::TypeClass::bits || cls == ptx::TypeClass::unsigned_int ||
            cls == ptx::TypeClass::signed_int);
}

// Whether lanes wait at the block for others of their warp.
bool begins_with_sync(const Function& function, BlockId block) {
    const std::vector<Instruction>& instructions = function.blocks[block].instructions;
    return !instructions.empty() && is_sync_point(instructions[0]);
}

class Transfer {
  public:
    Transfer(const std::vector<Shape>& shapes, const Constants& constants, int row_lanes)
        : shapes_(shapes), constants_(constants), row_lanes_(row_lanes) {}

    Shape of(const Operand& operand) const {
        switch (operand.kind) {
            case Operand::Kind::reg: return shapes_[operand.id];
            case Operand::Kind::special:
                return special_shape(static_cast<SpecialRegister>(operand.id), row_lanes_);
            case Operand::Kind::address:
            case Operand::Kind::vector:
            case Operand::Kind::pair:
            case Operand::Kind::list: {
                if (operand.elements.size() == 1) return of(operand.elements[0]);
                for (const Operand& element : operand.elements)
                    if (!of(element).is_uniform()) return varying;
                return uniform;
            }
            default: return uniform;
        }
    }

    Shape result(const Instruction& inst) const {
        Shape shape = unguarded(inst);
        if (inst.guard && !shapes_[inst.guard->reg].is_uniform()) return varying;
        return shape;
    }

  private:
    Shape op(const Instruction& inst, std::size_t i) const { return of(inst.operands[i]); }
    static bool constant(const Operand& operand) { return operand.kind == Operand::Kind::integer; }

    static Shape add(const Shape& a, const Shape& b, int sign) {
        if (a.is_uniform() && b.is_uniform()) return uniform;
        auto linear = [](const Shape& s) { return s.is_uniform() || s.kind == Kind::affine; };
        if (linear(a) && linear(b)) return affine(a.stride + sign * b.stride, a.by_row || b.by_row);
        if (a.kind == Kind::wide && is_one_a_row(b)) return b.by_row ? with_rows(a) : a;
        if (b.kind == Kind::wide && is_one_a_row(a) && sign > 0) return a.by_row ? with_rows(b) : b;
        return varying;
    }

    // One value for the warp, or for each of its rows.
    static bool is_one_a_row(const Shape& shape) { return shape.is_uniform() || shape.is_uniform_by_row(); }

    // Operations that do the same in each lane.
    Shape row_by_row(const Instruction& inst) const {
        bool by_row = false;
        for (std::size_t i = 0; i < inst.operands.size(); ++i) {
            if (is_destination(inst, i)) continue;
            const Shape shape = op(inst, i);
            if (!is_one_a_row(shape)) return varying;
            by_row |= shape.by_row;
        }
        return by_row ? uniform_by_row : uniform;
    }

    static Shape times(const Shape& a, std::int64_t factor) {
        if (a.is_uniform()) return uniform;
        if (factor == 0 || a.is_varying()) return varying;  // a zero is not worth a rule
        if (factor > (1 << 24) || factor < -(1 << 24)) return varying;
        Shape shape = a;
        (a.kind == Kind::affine ? shape.stride : shape.scale) *= factor;
        return shape;
    }

    Shape product(const Instruction& inst, std::size_t i, std::size_t j) const {
        Shape a = op(inst, i), b = op(inst, j);
        if (is_one_a_row(a) && is_one_a_row(b)) return join(a, b);
        if (constant(inst.operands[j])) return times(a, static_cast<std::int64_t>(inst.operands[j].bits));
        if (constant(inst.operands[i])) return times(b, static_cast<std::int64_t>(inst.operands[i].bits));
        return varying;
    }

    static Shape widen(const Shape& a, bool sign_extend) {
        if (is_one_a_row(a)) return a;
        if (a.kind != Kind::affine) return varying;
        return {.kind = Kind::wide, .sign_extend = sign_extend, .by_row = a.by_row, .stride = a.stride};
    }

    Shape all_uniform(const Instruction& inst) const {
        for (std::size_t i = 0; i < inst.operands.size(); ++i) {
            if (is_destination(inst, i)) continue;
            if (!op(inst, i).is_uniform()) return varying;
        }
        return uniform;
    }

    Shape unguarded(const Instruction& inst) const {
        bool plain = is_integer_32_64(inst.type()) && !inst.has(Modifier::sat) && !inst.has(Modifier::cc);
        switch (inst.opcode) {
            case Opcode::mov:
                return inst.operands[1].kind == Operand::Kind::vector   ? all_uniform(inst)
                       : inst.operands[0].kind == Operand::Kind::vector ? all_uniform(inst)
                                                                        : moved(inst);
            case Opcode::add: return plain ? add(op(inst, 1), op(inst, 2), 1) : all_uniform(inst);
            case Opcode::sub: return plain ? add(op(inst, 1), op(inst, 2), -1) : all_uniform(inst);
            case Opcode::mul:
                if (plain && inst.has(Modifier::lo)) return product(inst, 1, 2);
                if (plain && inst.has(Modifier::wide)) return wide_product(inst);
                return all_uniform(inst);
            case Opcode::mad:
                if (plain && inst.has(Modifier::lo)) return add(product(inst, 1, 2), op(inst, 3), 1);
                if (plain && inst.has(Modifier::wide)) return add(wide_product(inst), op(inst, 3), 1);
                return all_uniform(inst);
            case Opcode::shl:
                if (plain && constant(inst.operands[2]) && inst.operands[2].bits < 24)
                    return times(op(inst, 1), std::int64_t{1} << inst.operands[2].bits);
                return plain ? row_by_row(inst) : all_uniform(inst);
            case Opcode::shr:
            case Opcode::and_:
            case Opcode::or_: return plain ? row_by_row(inst) : all_uniform(inst);
            case Opcode::cvt: return converted(inst);
            case Opcode::getctarank: return varying;
            case Opcode::cvta:
                if (inst.has(Modifier::shared_cluster)) return varying;
                if (inst.has(Modifier::local) && !op(inst, 1).is_varying()) return varying;
                if (op(inst, 1).by_row && !inst.has(Modifier::global)) return varying;
                return op(inst, 1);
            case Opcode::ld:
            case Opcode::ldu: return inst.has(Modifier::local) ? varying : all_uniform(inst);
            case Opcode::mbarrier: return inst.has(Modifier::pending_count) ? all_uniform(inst) : varying;
            case Opcode::tex:
            case Opcode::tld4:
            case Opcode::txq:
            case Opcode::suld:
            case Opcode::suq:
            case Opcode::atom:
            case Opcode::mma:
            case Opcode::wmma:
            case Opcode::wgmma:
            case Opcode::ldmatrix:
            case Opcode::movmatrix:
            case Opcode::match:
            case Opcode::elect: return varying;
            case Opcode::shfl: return shuffled(inst);
            // All lanes that take part get the same answer.
            case Opcode::vote: return op(inst, inst.operands.size() - 1).is_uniform() ? uniform : varying;
            case Opcode::redux: return op(inst, 2).is_uniform() ? uniform : varying;
            case Opcode::activemask: return uniform;
            case Opcode::bar:
            case Opcode::barrier: return uniform;
            case Opcode::call: return varying;
            // The carry flag is held a lane, whatever it came from.
            case Opcode::addc:
            case Opcode::subc:
            case Opcode::madc: return varying;
            default: return all_uniform(inst);
        }
    }

    Shape shuffled(const Instruction& inst) const {
        const auto bounds = constant_of(inst.operands[3], constants_);
        const bool same_lane = picks_any_lane(inst, bounds) && op(inst, 2).is_uniform();
        return same_lane && op(inst, inst.operands.size() - 1).is_uniform() ? uniform : varying;
    }

    Shape moved(const Instruction& inst) const {
        Shape shape = op(inst, 1);
        bool keeps =
            is_integer_32_64(inst.type()) || inst.type() == ptx::Type::f32 || inst.type() == ptx::Type::f64;
        return shape.is_uniform() || keeps ? shape : varying;
    }

    Shape wide_product(const Instruction& inst) const {
        if (ptx::type_bits(inst.type()) != 32) return all_uniform(inst);
        Shape a = op(inst, 1);
        if (is_one_a_row(a) && is_one_a_row(op(inst, 2))) return join(a, op(inst, 2));
        if (!constant(inst.operands[2])) return varying;
        return times(widen(a, ptx::is_signed(inst.type())), static_cast<std::int64_t>(inst.operands[2].bits));
    }

    Shape converted(const Instruction& inst) const {
        Shape a = op(inst, 1);
        // Packing ones have two sources.
        for (std::size_t i = 2; i < inst.operands.size(); ++i)
            if (!op(inst, i).is_uniform()) return varying;
        if (a.is_uniform()) return uniform;
        ptx::Type to = inst.types[0], from = inst.types[1];
        if (!is_integer_32_64(to) || !is_integer_32_64(from) || inst.has(Modifier::sat)) return varying;
        if (ptx::type_bits(to) == ptx::type_bits(from)) return a;
        if (ptx::type_bits(to) == 64) return widen(a, ptx::is_signed(from));
        return a.kind == Kind::affine ? a : varying;
    }

    const std::vector<Shape>& shapes_;
    const Constants& constants_;
    int row_lanes_;
};

// Instructions that can give another result when the same operands come again.
bool may_change(const Instruction& inst) {
    switch (inst.opcode) {
        case Opcode::ld: return !inst.has(Modifier::param) && !inst.has(Modifier::const_);
        case Opcode::shfl:
        case Opcode::vote:
        case Opcode::redux:
        case Opcode::activemask:
        case Opcode::bar:
        case Opcode::barrier: return true;
        default: return false;
    }
}

class Analysis {
  public:
    Analysis(const Function& function, int row_lanes)
        : function_(function), constants_(constant_registers(function)), row_lanes_(row_lanes) {
        std::size_t blocks = function.blocks.size();
        out_.registers.assign(function.registers.size(), uniform);
        out_.divergent.assign(blocks, false);
        out_.in_region.assign(blocks, false);
        out_.is_stop.assign(blocks, false);
        out_.blend.assign(blocks, RegisterSet(function.registers.size()));
        out_.waits = find_waits(function);
        idom_ = dominators(function);
        ipdom_ = post_dominators(function);
        live_ = live_registers(function);
        raised_.assign(function.registers.size(), false);
        count_definitions();
    }

    Shapes run() {
        out_.unordered = !function_.entry || !is_reducible(function_);
        iterate();
        if (!out_.unordered && spins_diverge()) {
            out_.unordered = true;
            iterate();
        }
        return std::move(out_);
    }

  private:
    void count_definitions() {
        definitions_.assign(function_.registers.size(), 0);
        for (const Block& block : function_.blocks)
            for (const Instruction& inst : block.instructions)
                for (RegId r : registers_written(function_, inst)) ++definitions_[r];
        if (function_.entry) return;
        for (std::uint32_t v : function_.params)
            if (auto found = function_.slots.find(v); found != function_.slots.end())
                for (const ParamSlot& slot : found->second) raise(slot.reg);
    }

    bool raise(RegId r) {
        if (raised_[r]) return false;
        raised_[r] = true;
        out_.registers[r] = varying;
        return true;
    }

    bool spins_diverge() const {
        for (BlockId b = 0; b < function_.blocks.size(); ++b)
            for (std::size_t l = 0; l < function_.loops.size(); ++l)
                if (out_.waits[l] >= Waits::surely && function_.loops[l].contains[b] &&
                    (out_.divergent[b] || out_.in_region[b]))
                    return true;
        return false;
    }

    void iterate() {
        // A register's first definition sets its shape; later ones join. `known_` tells the two apart.
        for (bool changed = true; changed;) {
            propagate();
            find_divergence();
            changed = find_clobbers();
        }
    }

    void propagate() {
        std::vector<Shape>& shapes = out_.registers;
        std::vector<bool> known(shapes.size());
        for (std::size_t r = 0; r < shapes.size(); ++r) shapes[r] = raised_[r] ? varying : uniform;
        Transfer transfer(shapes, constants_, row_lanes_);
        for (bool changed = true; changed;) {
            changed = false;
            for (const Block& block : function_.blocks) {
                for (const Instruction& inst : block.instructions) {
                    std::vector<RegId> written = registers_written(function_, inst);
                    if (written.empty()) continue;
                    Shape shape = transfer.result(inst);
                    for (RegId r : written) {
                        if (raised_[r]) continue;
                        Shape next = shape;
                        if (out_.unordered && (definitions_[r] > 1 || may_change(inst))) next = varying;
                        // A guarded write leaves the old value in place: it counts as a second definition.
                        if (known[r] || (inst.guard && definitions_[r] > 1)) next = join(shapes[r], next);
                        if (known[r] && next == shapes[r]) continue;
                        if (known[r] && shapes[r].is_varying()) continue;
                        changed |= !known[r] || next != shapes[r];
                        known[r] = true;
                        shapes[r] = next;
                    }
                }
            }
        }
    }

    void find_divergence() {
        Transfer transfer(out_.registers, constants_, row_lanes_);
        for (BlockId b = 0; b < function_.blocks.size(); ++b) {
            const Terminator& end = function_.blocks[b].terminator;
            if (out_.divergent[b]) continue;
            if (end.kind == Terminator::Kind::branch) {
                bool leaving = is_leaving(function_, end.targets[0]) || is_leaving(function_, end.targets[1]);
                out_.divergent[b] = !leaving && !out_.registers[end.guard->reg].is_uniform();
            } else if (end.kind == Terminator::Kind::table) {
                out_.divergent[b] = !transfer.of(end.index).is_uniform();
            }
        }
    }

    bool loop_excludes(BlockId x, BlockId s) const {
        for (int l = function_.blocks[x].loop; l >= 0; l = function_.loops[l].parent)
            if (!function_.loops[l].contains[s]) return true;
        return false;
    }

    // Lanes put aside in a spin loop may wait anywhere while the others run anything: every block is a place
    // to wait, and every write of a value that lives beyond its block keeps the lanes that are not active.
    void blend_everywhere() {
        auto count = static_cast<BlockId>(function_.blocks.size());
        RegisterSet lives(function_.registers.size());
        for (BlockId b = 0; b < count; ++b) {
            out_.in_region[b] = true;
            const std::vector<BlockId>& targets = function_.blocks[b].terminator.targets;
            bool all_wait = function_.blocks[b].terminator.kind == Terminator::Kind::table;
            for (BlockId s : targets) {
                if (is_leaving(function_, s) && targets.size() > 1 && !all_wait) continue;
                out_.is_stop[s] = true;
                lives |= live_[s];
            }
        }
        for (BlockId b = 0; b < count; ++b)
            for (const Instruction& inst : function_.blocks[b].instructions)
                for (RegId r : registers_written(function_, inst))
                    if (lives[r] && out_.registers[r].is_varying()) out_.blend[b][r] = true;
    }

    bool find_clobbers() {
        bool changed = false;
        auto count = static_cast<BlockId>(function_.blocks.size());
        if (out_.unordered) {
            if (std::find(out_.divergent.begin(), out_.divergent.end(), true) != out_.divergent.end())
                blend_everywhere();
            return false;
        }
        for (BlockId b = 0; b < count; ++b) {
            if (!out_.divergent[b]) continue;
            std::vector<bool> region(count);
            for (BlockId s : function_.blocks[b].terminator.targets) {
                std::vector<bool> part = reachable_until(function_, s, ipdom_[b]);
                for (BlockId x = 0; x < count; ++x)
                    if (part[x]) region[x] = true;
            }
            std::vector<BlockId> stops;
            std::vector<bool> is_stop(count);
            RegisterSet live(function_.registers.size());
            auto add_stops = [&](BlockId x) {
                const Terminator& end = function_.blocks[x].terminator;
                // A branch runs on with the lanes of one target at once: those that leave, or go back, unless
                // all go back. A table lets all wait.
                bool all_wait = end.kind == Terminator::Kind::table;
                bool all_back =
                    std::all_of(end.targets.begin(), end.targets.end(), [&](BlockId s) { return s <= x; });
                for (BlockId s : end.targets) {
                    if (s <= x && !all_wait && !all_back) continue;
                    if (is_leaving(function_, s) && end.targets.size() > 1 && !all_wait) continue;
                    out_.is_stop[s] = true;
                    if (is_stop[s]) continue;
                    is_stop[s] = true;
                    stops.push_back(s);
                    live |= live_[s];
                }
            };
            add_stops(b);
            bool meeting = false;
            for (BlockId x = 0; x < count; ++x) {
                if (!region[x]) continue;
                add_stops(x);
                meeting |= begins_with_sync(function_, x);
            }
            // Where the region ends, lanes wait for those that still wait inside.
            if (meeting && ipdom_[b] != no_block) out_.is_stop[ipdom_[b]] = true;
            for (BlockId x = 0; x < count; ++x) {
                if (!region[x]) continue;
                out_.in_region[x] = true;
                for (const Instruction& inst : function_.blocks[x].instructions)
                    for (RegId r : registers_written(function_, inst))
                        if (live[r] && !out_.blend[x][r] && clobbers(x, r, stops)) {
                            out_.blend[x][r] = true;
                            changed |= raise(r);
                        }
            }
        }
        return changed;
    }

    // Whether lanes that wait at one of `stops` still need the value that a write of r in x replaces.
    bool clobbers(BlockId x, RegId r, const std::vector<BlockId>& stops) const {
        for (BlockId s : stops) {
            if (!live_[s][r]) continue;
            if (s > x && (!dominates(idom_, x, s) || loop_excludes(x, s))) return true;
            if (s < x && begins_with_sync(function_, s))
                return true;  // there they wait while blocks behind it run, too
        }
        return false;
    }

    const Function& function_;
    Constants constants_;
    int row_lanes_;
    Shapes out_;
    std::vector<BlockId> idom_, ipdom_;
    std::vector<RegisterSet> live_;
    std::vector<bool> raised_;
    std::vector<int> definitions_;
};

}  // namespace

Shapes find_shapes(const Function& function, int row_lanes) { return Analysis(function, row_lanes).run(); }

int row_lanes(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    if (x % warp_lanes == 0 || (y == 1 && z == 1)) return warp_lanes;
    return x == 16 || x == 8 ? static_cast<int>(x) : 0;
}

bool meets(const Function& function, const Shapes& shapes, BlockId block) {
    return shapes.in_region[block] && begins_with_sync(function, block);
}

}  // namespace lockstep::kernel
