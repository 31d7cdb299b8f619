// One PTX instruction by itself: opcode and number of machine instructions.
#include <array>

#include "kernel/matrix-units.h"
#include "kernel/operands.h"
#include "machine/expand.h"
#include "machine/ptxas.h"
#include "machine/selection.h"
#include "ptx/fragments.h"

namespace lockstep::machine {
namespace {

using ptx::Modifier;
using ptx::Type;

bool is_wide(Type type) { return ptx::type_bits(type) == 64; }

struct Plain {
    ptx::Family family{};
    ptx::Opcode instruction{};  // count: the rest of the family
    Choice narrow, wide;
};

constexpr auto plain_table = std::to_array<Plain>({
#define LOCKSTEP_PLAIN(family, instruction, opcode, issues, wide_opcode, wide_issues) \
    {ptx::Family::family,                                                             \
     ptx::Opcode::instruction,                                                        \
     {Opcode::opcode, issues},                                                        \
     {Opcode::wide_opcode, wide_issues}},
#define LOCKSTEP_PLAIN_REST(family, opcode, issues, wide_opcode, wide_issues) \
    LOCKSTEP_PLAIN(family, count, opcode, issues, wide_opcode, wide_issues)
#include "machine/plain.def"
#undef LOCKSTEP_PLAIN_REST
#undef LOCKSTEP_PLAIN
});

Choice plain(const ptx::Instruction& inst) {
    const ptx::Family family = inst.syntax().family;
    for (const Plain& row : plain_table)
        if (row.family == family && (row.instruction == inst.opcode || row.instruction == ptx::Opcode::count))
            return is_wide(inst.type()) ? row.wide : row.narrow;
    return {};
}

Choice integer(const ptx::Instruction& inst, const Generation& generation) {
    const bool multiplies = inst.opcode == ptx::Opcode::mul || inst.opcode == ptx::Opcode::mad ||
                            inst.opcode == ptx::Opcode::madc;
    if (!multiplies) return plain(inst);
    if (inst.has(Modifier::wide))
        return {Opcode::imad_wide, generation.wide_multiply_add ? 1 : ptxas::wide_multiply_issues};
    const bool high = inst.has(Modifier::hi);
    const int step = generation.integer_multiply ? 1 : ptxas::multiply_issues;
    if (!is_wide(inst.type())) return {high ? Opcode::imad_hi : Opcode::imad, step};
    const int issues = !high                         ? ptxas::long_multiply
                       : ptx::is_signed(inst.type()) ? ptxas::long_multiply_high_signed
                                                     : ptxas::long_multiply_high;
    return {Opcode::imad, issues * step};
}

Choice logic(const ptx::Instruction& inst) {
    if (inst.type() == Type::pred) return {Opcode::plop3, inst.opcode == ptx::Opcode::not_ ? 0 : 1};
    const bool shift = inst.opcode == ptx::Opcode::shl || inst.opcode == ptx::Opcode::shr;
    if (shift && is_wide(inst.type()) && inst.operands[2].kind == ptx::Operand::Kind::integer &&
        inst.operands[2].bits >= 32)  // one half is taken from the other
        return {Opcode::shf, inst.operands[2].bits == 32 && !ptx::is_signed(inst.type()) ? 0 : 1};
    return plain(inst);
}

Choice bits(const ptx::Instruction& inst) {
    // Where place and length are known: a shift, and one LOP3 with the mask.
    const auto known = [&](std::size_t i) { return inst.operands[i].kind == ptx::Operand::Kind::integer; };
    if (inst.opcode == ptx::Opcode::bfi && known(3) && known(4))
        return {Opcode::lop3, (inst.operands[3].bits == 0 ? 1 : 2) * (is_wide(inst.type()) ? 2 : 1)};
    return plain(inst);
}

Choice compare(const ptx::Instruction& inst) {
    const Type type =
        inst.opcode == ptx::Opcode::set && inst.types[1] != Type::none ? inst.types[1] : inst.type();
    const auto is_constant = [](const ptx::Operand& operand) {
        return operand.kind != ptx::Operand::Kind::reg && operand.bits != 0;
    };
    // One of two constants has to be in a register.
    const int constant = is_constant(inst.operands[1]) && is_constant(inst.operands[2]) ? 1 : 0;
    if (inst.opcode == ptx::Opcode::selp || inst.opcode == ptx::Opcode::slct)
        return {ptx::is_float(type) ? Opcode::fsel : Opcode::sel, (is_wide(type) ? 2 : 1) + constant};
    const int extra = inst.opcode == ptx::Opcode::setp ? 0 : 1;  // set needs a select
    if (type == Type::f64) return {Opcode::dsetp, 1 + extra};
    if (ptx::is_float(type)) return {ptx::type_bits(type) == 16 ? Opcode::hsetp2 : Opcode::fsetp, 1 + extra};
    return {Opcode::isetp, (is_wide(type) ? 2 : 1) + extra};
}

Choice convert(const ptx::Instruction& inst) {
    const Type to = inst.types[0], from = inst.types[1];
    const bool to_float = ptx::is_float(to), from_float = ptx::is_float(from);
    if ((to == Type::f16x2 || to == Type::bf16x2) && from == Type::f32) return {Opcode::hadd2_f32};
    if (to_float && from_float) {
        if (inst.has(Modifier::rni) || inst.has(Modifier::rzi) || inst.has(Modifier::rmi) ||
            inst.has(Modifier::rpi))
            return {Opcode::frnd};
        if (ptx::type_bits(to) == 16 || ptx::type_bits(from) == 16) return {Opcode::hadd2_f32};
        return {to == from ? Opcode::f2f_same : Opcode::f2f};
    }
    if (to_float) {
        const bool narrow_sign = ptx::is_signed(from) && ptx::type_bits(from) < 32;
        return {to == Type::f32 && ptx::type_bits(from) <= 32 && !narrow_sign ? Opcode::i2fp : Opcode::i2f};
    }
    if (from_float) return {Opcode::f2i};
    const int to_bits = ptx::type_bits(to), from_bits = ptx::type_bits(from);
    if (inst.has(Modifier::sat)) return {Opcode::i2i, ptxas::saturate_issues};
    if (to_bits > from_bits) {
        if (to_bits == 64 && !ptx::is_signed(from)) return {Opcode::mov, 0};  // the upper half is RZ
        return {from_bits < 32 ? Opcode::prmt : Opcode::shf, 1};
    }
    return {Opcode::mov, to_bits < 32 && from_bits == 32 ? 1 : 0};
}

Opcode memory_opcode(const ptx::Instruction& inst) {
    const bool load = inst.opcode != ptx::Opcode::st;
    if (is_shared(inst)) return load ? Opcode::lds : Opcode::sts;
    if (inst.has(Modifier::local)) return load ? Opcode::ldl : Opcode::stl;
    if (inst.has(Modifier::global)) return load ? Opcode::ldg : Opcode::stg;
    return load ? Opcode::ld : Opcode::st;
}

bool is_param_access(const ptx::Instruction& inst) {
    return inst.has(Modifier::param) || inst.has(Modifier::param_entry) || inst.has(Modifier::param_func);
}

Choice bulk(const ptx::Instruction& inst) {
    constexpr int accessed = 16;  // as the kernel says of all of them
    const bool tensor = inst.has(Modifier::tensor);
    if (inst.has(Modifier::commit_group)) return {Opcode::utmacmdflush};
    if (inst.has(Modifier::wait_group)) return {Opcode::depbar};
    if (inst.has(Modifier::prefetch)) return {tensor ? Opcode::utmapf : Opcode::ublkpf};
    if (inst.has(Modifier::reduce)) return {tensor ? Opcode::utmaredg : Opcode::ublkred, 1, 0, accessed};
    if (!tensor) return {Opcode::ublkcp, 1, 0, accessed};
    return {inst.has(Modifier::complete_bytes) ? Opcode::utmaldg : Opcode::utmastg, 1, 0, accessed};
}

// LDC brings a word or two; what is narrower than a word comes element by element.
int constant_loads(const ptx::Instruction& inst) {
    constexpr int word = 4, most = 8;
    const int elements = kernel::vector_count(inst), bytes = ptx::type_bytes(inst.type());
    return bytes < word ? elements : (elements * bytes + most - 1) / most;
}

Choice memory(const ptx::Instruction& inst) {
    const int bytes = ptx::type_bytes(inst.type()) * kernel::vector_count(inst);
    switch (inst.opcode) {
        case ptx::Opcode::ld:
        case ptx::Opcode::ldu:
        case ptx::Opcode::st:
            // Entry parameters: load_constants decides. Those of calls are registers.
            if (is_param_access(inst)) return {Opcode::ldc, 0};
            if (inst.has(Modifier::const_)) return {Opcode::ldc, constant_loads(inst), 0, bytes};
            return {memory_opcode(inst), (bytes + ptxas::access_bytes - 1) / ptxas::access_bytes, 0, bytes};
        case ptx::Opcode::prefetch:
        case ptx::Opcode::prefetchu:
        case ptx::Opcode::applypriority:
        case ptx::Opcode::discard: return {inst.has(Modifier::tensormap) ? Opcode::utmacctl : Opcode::cctl};
        case ptx::Opcode::createpolicy: return {Opcode::mov};
        case ptx::Opcode::cp:
            if (inst.has(Modifier::bulk)) return bulk(inst);
            if (inst.operands.size() >= 3)
                return {Opcode::ldgsts, 1, 0, static_cast<int>(inst.operands[2].bits)};
            return {Opcode::ldgsts};
        case ptx::Opcode::tensormap:
            return {inst.has(Modifier::shared_cta) && !inst.has(Modifier::cp_fenceproxy) ? Opcode::sts
                                                                                         : Opcode::stg};
        default: return inst.has(Modifier::bulk) ? bulk(inst) : Choice{Opcode::ldgsts};
    }
}

Choice texture(const ptx::Instruction& inst) {
    constexpr int fetched = 16;  // as the kernel says of a fetch
    const int bytes = ptx::type_bytes(inst.type()) * kernel::vector_count(inst);
    switch (inst.opcode) {
        case ptx::Opcode::tld4: return {Opcode::tld4, 1, 0, fetched};
        case ptx::Opcode::suld: return {Opcode::suld, 1, 0, bytes};
        case ptx::Opcode::sust: return {Opcode::sust, 1, 0, bytes};
        case ptx::Opcode::sured: return {Opcode::sured, 1, 0, bytes};
        case ptx::Opcode::tex: {
            const bool whole = inst.types[1] == ptx::Type::s32;
            return {whole                      ? Opcode::tld
                    : inst.has(Modifier::grad) ? Opcode::txd
                                               : Opcode::tex,
                    1, 0, fetched};
        }
        default: return {Opcode::txq};
    }
}

Choice barrier(const ptx::Instruction& inst) {
    switch (inst.opcode) {
        case ptx::Opcode::membar:
        case ptx::Opcode::fence: return {Opcode::membar, inst.has(Modifier::cta) ? 1 : ptxas::fence_issues};
        case ptx::Opcode::mbarrier: return {Opcode::syncs, ptxas::memory_barrier_issues};
        default:
            if (inst.has(Modifier::warp)) return {Opcode::warpsync};
            if (inst.has(Modifier::cluster) && !inst.has(Modifier::wait)) return {Opcode::syncs};
            return {Opcode::bar, inst.has(Modifier::red) ? ptxas::reducing_barrier_issues : 1};
    }
}

// A product of `bytes` along k. ptxas makes two of each wmma, four of tf32's, whose k it halves; 4-bit
// integers and 8-bit floats become larger ones first where the GPU has no products of them (what that takes
// is not counted), and m8n8k4 of f16 becomes multiply-adds.
Choice product(const ptx::Instruction& inst, const Generation& generation) {
    const auto [m, n, k] = inst.shape;
    const Type a = ptx::fragment_of(inst, "a").element;
    const bool wmma = inst.opcode == ptx::Opcode::wmma;
    if (a == Type::f64) return {.opcode = Opcode::dmma, .times = m == 16 ? k / 4 : 1};
    if (a == Type::f16 && k == 4) return {Opcode::ffma, ptxas::quad_pair_issues};
    const bool integer = inst.type() == Type::s32;
    const int times = inst.type() == Type::f32 ? generation.float_sums : 1;
    // What is twice as many products: elements that become wider ones, and XOR, which is made of AND.
    const bool widened = (ptx::type_bits(a) == 4 && !generation.small_integers) ||
                         ((a == Type::e4m3 || a == Type::e5m2) && !generation.small_floats);
    if (inst.has(Modifier::sp) || inst.has(Modifier::sp_ordered_metadata))
        return {
            .opcode = integer ? Opcode::imma_sp : Opcode::hmma_sp, .issues = widened ? 2 : 1, .times = times};
    const bool by_halves = wmma && a == Type::tf32;
    const int bytes = ptx::type_bits(a) * k / 8 / (by_halves ? 2 : 1);
    const bool large = bytes >= 32 && m >= 16;
    const int products =
        (wmma && m * n > 64 ? 2 : 1) * (by_halves ? 2 : 1) * (widened || inst.has(Modifier::xor_) ? 2 : 1);
    if (integer) return {large ? Opcode::imma_16832 : Opcode::imma_16816, products};
    return {.opcode = large ? Opcode::hmma_16816 : Opcode::hmma_1688, .issues = products, .times = times};
}

Choice matrix(const ptx::Instruction& inst, const Generation& generation) {
    switch (inst.opcode) {
        case ptx::Opcode::ldmatrix: return {Opcode::ldsm, 1, 0, 16};
        case ptx::Opcode::stmatrix: return {Opcode::stsm, 1, 0, 16};
        case ptx::Opcode::movmatrix: return {Opcode::movm};
        case ptx::Opcode::wgmma:
            if (!inst.has(Modifier::mma_async)) return {Opcode::warpgroup};
            return {.opcode = inst.type() == Type::s32 ? Opcode::igmma : Opcode::hgmma,
                    .times = inst.shape.n / 8};
        case ptx::Opcode::wmma: {
            const bool store = inst.has(Modifier::store);
            if (!store && !inst.has(Modifier::load)) return product(inst, generation);
            const auto units = kernel::matrix_units(inst);
            const bool shared = is_shared(inst);
            // Blocks of eight lines of 16 bytes are what LDSM loads, four at once.
            constexpr std::size_t at_once = 4;
            const ptx::Fragment fragment = ptx::fragment_of(inst, store ? "c" : "d");
            if (shared && !store && fragment.role <= ptx::MatrixRole::b &&
                ptx::type_bits(fragment.element) <= 16 && units.front().bytes == 4)
                return {Opcode::ldsm, static_cast<int>((units.size() + at_once - 1) / at_once), 0, 4};
            const Opcode opcode = shared                       ? (store ? Opcode::sts : Opcode::lds)
                                  : inst.has(Modifier::global) ? (store ? Opcode::stg : Opcode::ldg)
                                                               : (store ? Opcode::st : Opcode::ld);
            return {opcode, static_cast<int>(units.size()), 0, units.front().bytes};
        }
        default: return product(inst, generation);
    }
}

Choice control(const ptx::Instruction& inst) {
    if (inst.opcode != ptx::Opcode::call) return {Opcode::nop, 0};
    const kernel::CallOperands call = kernel::call_operands(inst);
    const int arguments = call.args ? static_cast<int>(call.args->elements.size()) : 0;
    return {Opcode::call, ptxas::call_issues + arguments, 1};
}

}  // namespace

Choice plain_choice(const ptx::Instruction& inst, const ptx::Module& module, const Generation& generation) {
    if (auto expanded = expand(inst, module)) return *expanded;
    switch (inst.syntax().family) {
        case ptx::Family::integer: return integer(inst, generation);
        case ptx::Family::compare: return compare(inst);
        case ptx::Family::logic: return logic(inst);
        case ptx::Family::bits: return bits(inst);
        case ptx::Family::convert: return convert(inst);
        case ptx::Family::memory: return memory(inst);
        case ptx::Family::texture: return texture(inst);
        case ptx::Family::atomic: {
            const bool shared = is_shared(inst);
            const int bytes = ptx::type_bytes(inst.type());
            return {shared                            ? Opcode::atoms
                    : inst.opcode == ptx::Opcode::red ? Opcode::red
                                                      : Opcode::atomg,
                    1, 0, bytes};
        }
        case ptx::Family::barrier: return barrier(inst);
        case ptx::Family::control: return control(inst);
        case ptx::Family::matrix: return matrix(inst, generation);
        default: return plain(inst);
    }
}

int group_wavefronts(const ptx::Instruction& product) {
    constexpr int lines_in_a_wavefront = 4, rows = 64;
    const bool a_is_shared = product.operands[1].kind == ptx::Operand::Kind::reg;
    const int column_lines = product.has(Modifier::sp) ? 2 : 1;
    return ((a_is_shared ? rows : 0) + product.shape.n * column_lines) / lines_in_a_wavefront;
}

}  // namespace lockstep::machine
