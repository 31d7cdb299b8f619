#include "ptx/kernel-memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/demangle.h"
#include "ptx/special-registers.h"

namespace lockstep::ptx {
namespace {

// By name, the function that they are declared in (none: the module) and their number there: functions may
// use the same name for variables of their own.
using SharedVariables = std::map<std::tuple<std::string, std::int64_t, std::uint32_t>, const Variable*>;
constexpr std::int64_t whole_module = -1;

std::uint64_t round_up(std::uint64_t n, std::uint64_t alignment) {
    alignment = std::max<std::uint64_t>(alignment, 1);
    return (n + alignment - 1) / alignment * alignment;
}

void collect_shared(const Operand& operand, const Module& module, std::uint32_t function,
                    SharedVariables& out) {
    if (operand.kind == Operand::Kind::variable) {
        const Variable& variable =
            operand.local ? module.functions[function].variables[operand.id] : module.variables[operand.id];
        if (variable.space == Space::shared)
            out[{variable.name, operand.local ? function : whole_module, operand.id}] = &variable;
    }
    for (const Operand& element : operand.elements) collect_shared(element, module, function, out);
}

SharedVariables shared_variables(const Module& module, std::uint32_t kernel,
                                 const std::vector<bool>& address_taken, bool& reserved) {
    SharedVariables shared;
    for (const std::uint32_t f : reached_functions(module, kernel, address_taken))
        for (const Instruction& instruction : module.functions[f].instructions)
            for (const Operand& operand : instruction.operands) {
                collect_shared(operand, module, f, shared);
                reserved |=
                    operand.kind == Operand::Kind::special &&
                    static_cast<SpecialRegister>(operand.id) == SpecialRegister::reserved_smem_offset_1;
            }
    return shared;
}

}  // namespace

std::set<std::uint32_t> reached_functions(const Module& module, std::uint32_t kernel,
                                          const std::vector<bool>& address_taken) {
    std::set<std::uint32_t> seen;
    std::vector<std::uint32_t> work{kernel};
    for (std::uint32_t f = 0; f < module.functions.size(); ++f)
        if (address_taken[f]) work.push_back(f);
    while (!work.empty()) {
        const std::uint32_t f = work.back();
        work.pop_back();
        if (!seen.insert(f).second) continue;
        for (const Instruction& instruction : module.functions[f].instructions)
            for (const Operand& operand : instruction.operands)
                // A kernel's name is there to launch it.
                if (operand.kind == Operand::Kind::function && !module.functions[operand.id].entry)
                    work.push_back(operand.id);
    }
    return seen;
}

std::vector<bool> address_taken(const Module& module) {
    std::vector<bool> taken(module.functions.size(), false);
    for (const Variable& variable : module.variables)
        for (const InitElement& element : variable.init)
            if (element.kind == InitElement::Kind::function) taken[element.id] = true;
    for (const Function& function : module.functions)
        for (const Instruction& instruction : function.instructions) {
            if (instruction.opcode == Opcode::call) continue;
            for (const Operand& operand : instruction.operands)
                if (operand.kind == Operand::Kind::function) taken[operand.id] = true;
        }
    // Kernels are launched by it, and never called.
    for (std::size_t f = 0; f < taken.size(); ++f)
        if (module.functions[f].entry) taken[f] = false;
    return taken;
}

KernelMemory kernel_memory(const Module& module, std::uint32_t kernel,
                           const std::vector<bool>& address_taken) {
    KernelMemory memory;
    const SharedVariables shared = shared_variables(module, kernel, address_taken, memory.reserved_shared);
    std::uint64_t dynamic_alignment = 16;
    for (const auto& [key, variable] : shared) {
        if (variable->size() == 0) {
            memory.dynamic_shared = true;
            dynamic_alignment = std::max(dynamic_alignment, variable->align());
            continue;
        }
        const std::uint64_t at = round_up(memory.static_shared_bytes, variable->align());
        memory.shared_offsets[variable->name] = at;
        memory.static_shared_bytes = at + variable->size();
    }
    for (const auto& [key, variable] : shared)
        if (variable->size() == 0)
            memory.shared_offsets[variable->name] = round_up(memory.static_shared_bytes, dynamic_alignment);
    for (const Variable& variable : module.functions[kernel].variables)
        if (variable.space == Space::local)
            memory.local_bytes = round_up(memory.local_bytes, variable.align()) + variable.size();
    return memory;
}

std::vector<Error> too_much_shared(const Module& module) {
    std::vector<Error> errors;
    const std::vector<bool> taken = address_taken(module);
    for (std::uint32_t f = 0; f < module.functions.size(); ++f) {
        const Function& function = module.functions[f];
        if (!function.entry || function.declaration) continue;
        const std::uint64_t bytes = kernel_memory(module, f, taken).static_shared_bytes;
        if (bytes > most_static_shared)
            errors.push_back(
                {fmt::format(
                     "kernel {} has {} bytes of static shared memory, and {} are the most that a GPU's "
                     "compiler accepts; more is to be had as dynamic shared memory "
                     "(cudaFuncAttributeMaxDynamicSharedMemorySize)",
                     base::demangle(function.name), bytes, most_static_shared),
                 {}});
    }
    return errors;
}

std::uint32_t max_threads_per_block(const Function& kernel) {
    const auto& limit = kernel.required_threads[0] ? kernel.required_threads : kernel.max_threads;
    return limit[0] * std::max(limit[1], 1u) * std::max(limit[2], 1u);
}

std::uint64_t constant_bytes(const Module& module) {
    std::uint64_t bytes = 0;
    for (const Variable& variable : module.variables) {
        if (variable.space != Space::constant || variable.linkage == Linkage::external) continue;
        const std::uint64_t align = std::max<std::uint64_t>(variable.align(), 1);
        bytes = (bytes + align - 1) / align * align + variable.size();
    }
    return bytes;
}

}  // namespace lockstep::ptx
