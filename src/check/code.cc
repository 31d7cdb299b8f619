#include "check/code.h"

#include <algorithm>

#include "base/demangle.h"
#include "kernel/accesses.h"
#include "kernel/constants.h"
#include "kernel/graph.h"
#include "kernel/operands.h"
#include "ptx/check-events.h"

namespace lockstep::check {
namespace {

using ptx::Modifier;
using ptx::Opcode;
using ptx::Operand;

SiteFacts facts_of(const kernel::Site& site, const ptx::Instruction& inst) {
    SiteFacts facts;
    facts.product = site.kind == kernel::SiteKind::product;
    if (!kernel::is_access(site.kind)) return facts;
    facts.atomic = kernel::is_atomic(site.kind);
    facts.reads = site.kind == kernel::SiteKind::load || facts.atomic;
    facts.writes = site.kind != kernel::SiteKind::load;
    // Those that bypass the L1 are weak by the memory model, but CUB's look-back relies on them.
    const bool bypasses = inst.opcode != Opcode::cp &&
                          (inst.has(Modifier::cg) || inst.has(Modifier::cv) || inst.has(Modifier::wt));
    facts.strong = facts.atomic || bypasses || inst.has(Modifier::volatile_) || inst.has(Modifier::relaxed) ||
                   inst.has(Modifier::acquire) || inst.has(Modifier::release) || inst.has(Modifier::acq_rel);
    facts.releases = inst.has(Modifier::release) || inst.has(Modifier::acq_rel);
    facts.acquires =
        facts.strong && (site.kind == kernel::SiteKind::load || site.kind == kernel::SiteKind::atomic);
    facts.publishes = facts.strong && facts.writes;
    facts.block_scope = inst.has(Modifier::cta);
    facts.system_scope =
        facts.publishes && (bypasses || inst.has(Modifier::volatile_) || inst.has(Modifier::sys));
    facts.async = inst.opcode == Opcode::cp;
    facts.told = inst.opcode != Opcode::cp && inst.has(Modifier::async);
    return facts;
}

template <class F>
void each_with_result(const kernel::Function& function, const F& f) {
    for (const kernel::Block& block : function.blocks)
        for (const ptx::Instruction& inst : block.instructions)
            if (!inst.operands.empty() && inst.operands[0].kind == Operand::Kind::reg) f(inst);
}

// Registers that hold a copy of what a load gives, and come to be what a compare-and-swap expects. Most loops
// around one begin with a plain load, as the CUDA C++ Programming Guide shows it.
std::vector<bool> expected_registers(const kernel::Function& function) {
    std::vector<bool> expected(function.registers.size());
    for (const kernel::Block& block : function.blocks)
        for (const ptx::Instruction& inst : block.instructions)
            if (inst.opcode == Opcode::atom && inst.has(Modifier::cas) &&
                inst.operands[2].kind == Operand::Kind::reg)
                expected[inst.operands[2].id] = true;
    const auto copied_to = [&](const ptx::Instruction& inst) {
        return inst.opcode == Opcode::mov && inst.operands[1].kind == Operand::Kind::reg &&
               expected[inst.operands[0].id];
    };
    for (bool changed = true; changed;) {
        changed = false;
        each_with_result(function, [&](const ptx::Instruction& inst) {
            if (!copied_to(inst) || expected[inst.operands[1].id]) return;
            expected[inst.operands[1].id] = changed = true;
        });
    }
    return expected;
}

// Registers with addresses in the buffer for the parameters of a launch by this thread: the device runtime's
// memory, which it has to itself until then.
std::vector<bool> parameter_buffers(const kernel::Function& function) {
    std::vector<bool> inside(function.registers.size());
    bool any = false;
    for (const kernel::Block& block : function.blocks)
        for (const ptx::Instruction& inst : block.instructions) {
            if (inst.opcode != Opcode::call) continue;
            const kernel::CallOperands call = kernel::call_operands(inst);
            if (call.callee->kind != Operand::Kind::function || !call.returns ||
                !function.module->functions[call.callee->id].name.ends_with("GetParameterBufferV2"))
                continue;
            for (const Operand& variable : call.returns->elements)
                if (const auto slots = function.slots.find(variable.id); slots != function.slots.end())
                    for (const kernel::ParamSlot& slot : slots->second) any = inside[slot.reg] = true;
        }
    const auto is_inside = [&](const Operand& operand) {
        return operand.kind == Operand::Kind::reg && inside[operand.id];
    };
    for (bool changed = any; changed;) {
        changed = false;
        each_with_result(function, [&](const ptx::Instruction& inst) {
            const bool leads =
                inst.opcode == Opcode::mov || inst.opcode == Opcode::cvta || inst.opcode == Opcode::add;
            if (!leads || inside[inst.operands[0].id] ||
                std::none_of(inst.operands.begin() + 1, inst.operands.end(), is_inside))
                return;
            inside[inst.operands[0].id] = changed = true;
        });
    }
    return inside;
}

// What a store says to write, if it is a number.
std::optional<std::uint64_t> stored(const ptx::Instruction& inst, const kernel::Constants& constants) {
    if (inst.opcode != Opcode::st || inst.operands.size() < 2) return std::nullopt;
    const Operand& value = inst.operands[1];
    if (value.kind == Operand::Kind::integer || value.kind == Operand::Kind::f32 ||
        value.kind == Operand::Kind::f64)
        return value.bits;
    if (const auto known = kernel::constant_of(value, constants)) return *known;
    return std::nullopt;
}

}  // namespace

const ptx::Instruction& KernelCode::instruction(std::uint32_t site) const {
    const kernel::Site& at = kernel->sites[site];
    return kernel->functions[at.function].blocks[at.block].instructions[at.instruction];
}

bool KernelCode::copies_out(std::uint32_t site) const {
    return sites[site].writes && kernel->sites[site].space == ptx::Space::global &&
           kernel::is_bulk_copy(instruction(site));
}

std::optional<SiteFacts> KernelCode::asynchronous(std::uint32_t site) const {
    if (sites[site].product || copies_out(site)) return SiteFacts{.reads = true};
    if (kernel::is_bulk_copy(instruction(site))) return SiteFacts{.writes = true};
    return std::nullopt;
}

int KernelCode::source(std::uint32_t site) const {
    const kernel::Site& at = kernel->sites[site];
    return source_near(kernel->functions[at.function], at.block, at.instruction, at.source);
}

int KernelCode::source_near(const kernel::Function& function, kernel::BlockId block,
                            std::uint32_t instruction, int source) {
    const std::vector<ptx::SourceLine>& lines = function.module->lines;
    const auto known = [&](int source) {
        return source >= 0 && source < static_cast<int>(lines.size()) &&
               lines[static_cast<std::size_t>(source)].line != 0;
    };
    // What the optimiser has moved may have no line: the next instruction's is near it.
    const auto& instructions = function.blocks[block].instructions;
    for (std::size_t i = instruction; !known(source) && i < instructions.size(); ++i)
        source = instructions[i].source;
    if (!known(source)) source = function.blocks[block].terminator.source;
    for (std::size_t i = instruction; !known(source) && i-- > 0;) source = instructions[i].source;
    return source;
}

Place KernelCode::place(std::uint32_t site, std::string role, std::string who) const {
    return place_of(kernel->functions[kernel->sites[site].function], source(site), std::move(role),
                    std::move(who));
}

void KernelCode::add_callers(std::vector<Place>& places, std::uint32_t site) const {
    const kernel::Function& function = kernel->functions[kernel->sites[site].function];
    const std::vector<ptx::SourceLine>& lines = function.module->lines;
    int at = source(site);
    if (at < 0 || at >= static_cast<int>(lines.size())) return;
    while ((at = lines[static_cast<std::size_t>(at)].inlined_at) >= 0) {
        Place caller = place_of(function, at, "called from", {});
        if (std::find(places.begin(), places.end(), caller) == places.end())
            places.push_back(std::move(caller));
    }
}

Place KernelCode::place_of(const kernel::Function& function, int source, std::string role,
                           std::string who) const {
    Place place{.role = std::move(role), .who = std::move(who)};
    place.function = base::demangle(function.name);
    const ptx::Module& module = *function.module;
    if (source < 0 || source >= static_cast<int>(module.lines.size())) return place;
    const ptx::SourceLine& line = module.lines[static_cast<std::size_t>(source)];
    if (line.file <= 0 || line.file >= static_cast<int>(module.files.size())) return place;
    place.file = module.files[static_cast<std::size_t>(line.file)];
    place.line = line.line;
    if (!line.function.empty()) place.function = base::demangle(line.function);
    return place;
}

namespace {

bool calls_any(const kernel::Function& function, std::initializer_list<std::string_view> names) {
    for (const kernel::Block& block : function.blocks)
        for (const ptx::Instruction& inst : block.instructions)
            for (const Operand& operand : inst.operands)
                if (operand.kind == Operand::Kind::function &&
                    std::find(names.begin(), names.end(), function.module->functions[operand.id].name) !=
                        names.end())
                    return true;
    return false;
}

// A function of the device library that gives back its result and does nothing to memory, or one of the
// runtime's that the checks know otherwise.
bool leaves_memory(const ptx::Function& callee) {
    const std::string_view name = callee.name;
    if (!callee.declaration) return false;
    for (const std::string_view known : {"vprintf", "__assertfail", "malloc", "free"})
        if (name == known) return true;
    if (!name.starts_with("__nv_")) return false;
    if (name.ends_with("_sin") || name.ends_with("_cos")) return true;  // one result of a sincos
    for (const std::string_view with_pointer : {"sincos", "frexp", "modf", "remquo"})
        if (name.find(with_pointer) != std::string_view::npos) return false;
    return true;
}

bool leaves_memory(const kernel::Function& function, const ptx::Instruction& inst) {
    if (inst.opcode != Opcode::call) return true;
    const Operand& callee = *kernel::call_operands(inst).callee;
    return callee.kind == Operand::Kind::function && leaves_memory(function.module->functions[callee.id]);
}

}  // namespace

bool tells_indices(const kernel::Kernel& kernel) {
    for (const kernel::Function& function : kernel.functions)
        for (const kernel::Block& block : function.blocks)
            for (const ptx::Instruction& inst : block.instructions)
                if (inst.opcode == Opcode::pmevent && inst.has(Modifier::mask) &&
                    inst.operands[0].bits == static_cast<std::uint64_t>(ptx::CheckEvent::index))
                    return true;
    return false;
}

KernelCode describe(const kernel::Kernel& kernel, std::string name) {
    KernelCode code{.kernel = &kernel, .name = std::move(name), .sites = {}};
    code.tells = std::any_of(
        kernel.functions.begin(), kernel.functions.end(),
        [](const kernel::Function& function) { return calls_any(function, {"vprintf", "__assertfail"}); });
    code.sites.resize(kernel.sites.size());
    for (const kernel::Function& function : kernel.functions)
        for (const kernel::Block& block : function.blocks)
            for (const ptx::Instruction& inst : block.instructions)
                code.calls |= !leaves_memory(function, inst);
    std::uint32_t site = 0;
    for (std::uint32_t f = 0; f < kernel.functions.size(); ++f) {
        const kernel::Function& function = kernel.functions[f];
        const auto constants = kernel::constant_registers(function);
        const std::vector<bool> expected = expected_registers(function),
                                buffers = parameter_buffers(function);
        for (; site < kernel.sites.size() && kernel.sites[site].function == f; ++site) {
            const kernel::Site& at = kernel.sites[site];
            const ptx::Instruction& inst = code.instruction(site);
            SiteFacts& facts = code.sites[site] = facts_of(at, inst);
            facts.value = stored(inst, constants);
            if (inst.opcode == Opcode::st && inst.operands[0].kind == Operand::Kind::address) {
                const Operand& base = inst.operands[0].elements[0];
                facts.told |= base.kind == Operand::Kind::reg && buffers[base.id];
            }
            facts.verified = at.kind == kernel::SiteKind::load &&
                             inst.operands[0].kind == Operand::Kind::reg && expected[inst.operands[0].id];
        }
    }
    return code;
}

}  // namespace lockstep::check
