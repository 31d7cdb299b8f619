#include "exec/wave/access.h"

#include "exec/wave/calls.h"
#include "exec/wave/names.h"

namespace lockstep::exec::wave {
namespace {

using Value = llvm::Value;
using Inst = gcn::Instruction;

int words_of(const MemoryForm& form) { return static_cast<int>(form.bytes < 4 ? 1 : form.bytes / 4); }

ptx::Space space_of(Space space) {
    return space == Space::shared    ? ptx::Space::shared
           : space == Space::scratch ? ptx::Space::local
                                     : ptx::Space::none;
}

Value* word(Emitter& e, Value* array, int number) {
    auto& b = e.builder();
    return b.CreateConstInBoundsGEP1_64(b.getInt32Ty(), array, static_cast<unsigned>(number * e.lanes()));
}

Value* call(Emitter& e, const Inst& inst, const char* name, void* function, const MemoryForm& form,
            kernel::SiteKind kind, Value* address, Value* data) {
    auto& b = e.builder();
    // Accesses need no alignment: no size stands in the site.
    const std::uint32_t site = e.site(inst, kind, space_of(form.space), 0);
    return e.call(
        name, function, b.getVoidTy(),
        {e.context(), b.getInt32(site), b.getInt32(form.number()), e.exec(), e.stored(address), data});
}

void take_results(Emitter& e, Value* data, int words, const gcn::Operand& to, int first) {
    auto& b = e.builder();
    for (int k = 0; k < words; ++k)
        e.set_vector_part(
            to, first + k,
            b.CreateAlignedLoad(e.vector_of(b.getInt32Ty()), word(e, data, k), llvm::Align(64)));
}

}  // namespace

std::optional<MemoryForm> form_of(std::string_view type) {
    MemoryForm form;
    // gfx11 has it in front.
    if (takes_suffix(type, "_d16_hi") || takes_prefix(type, "d16_hi_"))
        form.high_half = form.keeps_half = true;
    else if (takes_suffix(type, "_d16") || takes_prefix(type, "d16_"))
        form.keeps_half = true;
    struct Named {
        std::string_view name;
        std::uint32_t bytes;
        bool sign;
    };
    static constexpr Named names[] = {
        {"dword", 4, false}, {"dwordx2", 8, false}, {"dwordx3", 12, false}, {"dwordx4", 16, false},
        {"b32", 4, false},   {"b64", 8, false},     {"b96", 12, false},     {"b128", 16, false},
        {"ubyte", 1, false}, {"sbyte", 1, true},    {"byte", 1, false},     {"u8", 1, false},
        {"i8", 1, true},     {"b8", 1, false},      {"ushort", 2, false},   {"sshort", 2, true},
        {"short", 2, false}, {"u16", 2, false},     {"i16", 2, true},       {"b16", 2, false},
    };
    for (const Named& named : names)
        if (named.name == type) {
            form.bytes = named.bytes, form.sign = named.sign;
            return form;
        }
    return std::nullopt;
}

void access_load(Emitter& e, const Inst& inst, const MemoryForm& form, Value* address, const gcn::Operand& to,
                 int first) {
    auto& b = e.builder();
    const int words = words_of(form);
    Value* data = e.array(words);
    if (form.keeps_half) b.CreateAlignedStore(e.vector_part(to, first), data, llvm::Align(64));
    call(e, inst, "lockstep_wave_load", reinterpret_cast<void*>(&wave_load), form, kernel::SiteKind::load,
         address, data);
    take_results(e, data, words, to, first);
}

void access_store(Emitter& e, const Inst& inst, const MemoryForm& form, Value* address,
                  const gcn::Operand& from) {
    auto& b = e.builder();
    const int words = words_of(form);
    Value* data = e.array(words);
    for (int k = 0; k < words; ++k)
        b.CreateAlignedStore(e.vector_part(from, k), word(e, data, k), llvm::Align(64));
    call(e, inst, "lockstep_wave_store", reinterpret_cast<void*>(&wave_store), form, kernel::SiteKind::store,
         address, data);
}

void access_atomic(Emitter& e, const Inst& inst, const MemoryForm& form, Value* address,
                   const gcn::Operand& operand, const gcn::Operand* compared) {
    auto& b = e.builder();
    const int words = words_of(form);
    const bool compares = form.atomic == AtomicOp::cmpswap;
    Value* data = e.array(compares ? 2 * words : words);
    for (int k = 0; k < (compares && !compared ? 2 * words : words); ++k)
        b.CreateAlignedStore(e.vector_part(operand, k), word(e, data, k), llvm::Align(64));
    if (compared)
        for (int k = 0; k < words; ++k)
            b.CreateAlignedStore(e.vector_part(*compared, k), word(e, data, words + k), llvm::Align(64));
    call(e, inst, "lockstep_wave_atomic", reinterpret_cast<void*>(&wave_atomic), form,
         form.returns ? kernel::SiteKind::atomic : kernel::SiteKind::reduction, address, data);
    if (form.returns) take_results(e, data, words, inst.operands.at(0), 0);
}

}  // namespace lockstep::exec::wave
