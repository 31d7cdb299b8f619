#include "cli/assembler-report.h"

#include <fmt/format.h>

#include <cstdlib>
#include <iterator>
#include <limits>
#include <optional>
#include <set>

#include "cli/device-code.h"
#include "cli/kernel-resources.h"
#include "cli/models.h"
#include "gpu/block-limits.h"
#include "ptx/parser.h"

namespace lockstep::cli {
namespace {

// A GPU of that compute capability; where there is no model of one, the nearest in its place.
Result<gpu::GpuModel> model_for(int sm) {
    auto directory = model_directory();
    if (!directory) return directory.error();
    std::optional<gpu::GpuModel> nearest;
    int distance = std::numeric_limits<int>::max();
    for (const std::string& name : gpu::list_models(*directory)) {
        auto model = gpu::find_model(name, *directory);
        if (!model || gpu::execution_obstacle(*model)) continue;
        if (const int away = std::abs(model->compute_capability() - sm); away < distance) {
            nearest = std::move(*model);
            distance = away;
        }
    }
    if (!nearest) return Error{"there is no GPU model", {}};
    nearest->compute_major = sm / 10;
    nearest->compute_minor = sm % 10;
    return *nearest;
}

// Where a kernel's parameters begin in constant bank 0, behind what the driver keeps there. From 9.0 on ptxas
// does not tell what it has in constant banks.
constexpr int first_without_banks = 90;
int parameters_at(int sm) { return sm < 30 ? 32 : sm < 70 ? 320 : 352; }

struct ModuleVariables {
    std::uint64_t global = 0, constant = 0;  // bytes
    std::uint64_t addresses = 0;             // of global variables that the code names, 8 bytes each
};

std::uint64_t placed(std::uint64_t end, const ptx::Variable& variable) {
    const std::uint64_t align = std::max<std::uint64_t>(variable.align(), 1);
    return (end + align - 1) / align * align + variable.size();
}

void note_names(const ptx::Operand& operand, std::set<std::uint32_t>& named) {
    if (operand.kind == ptx::Operand::Kind::variable && !operand.local) named.insert(operand.id);
    for (const ptx::Operand& element : operand.elements) note_names(element, named);
}

ModuleVariables variables_of(const ptx::Module& module) {
    std::set<std::uint32_t> named;
    for (const ptx::Function& function : module.functions)
        for (const ptx::Instruction& instruction : function.instructions)
            for (const ptx::Operand& operand : instruction.operands) note_names(operand, named);
    ModuleVariables result;
    for (std::uint32_t v = 0; v < module.variables.size(); ++v) {
        const ptx::Variable& variable = module.variables[v];
        if (variable.linkage == ptx::Linkage::external) continue;
        if (variable.space == ptx::Space::constant) result.constant = placed(result.constant, variable);
        if (variable.space != ptx::Space::global) continue;
        result.global = placed(result.global, variable);
        if (named.contains(v)) result.addresses += sizeof(std::uint64_t);
    }
    return result;
}

template <class... T>
void say(std::string& out, fmt::format_string<T...> format, T&&... values) {
    out += "ptxas info    : ";
    fmt::format_to(std::back_inserter(out), format, std::forward<T>(values)...);
    out += '\n';
}

std::string memory_words(const ModuleVariables& variables, int sm) {
    std::string words = fmt::format("{} bytes gmem", variables.global);
    if (sm >= first_without_banks) return words;
    if (variables.constant) words += fmt::format(", {} bytes cmem[3]", variables.constant);
    if (variables.addresses) words += fmt::format(", {} bytes cmem[4]", variables.addresses);
    return words;
}

void tell(std::string& out, const KernelResources& kernel, const compile::FatbinPtx& code) {
    say(out, "Compiling entry function '{}' for 'sm_{}'", kernel.mangled, code.sm);
    const KernelRegisters& registers = kernel.registers;
    if (!registers.count) {
        out += fmt::format("lockstep: there is no estimate for it: {}\n", registers.reason);
        return;
    }
    say(out, "Function properties for {}", kernel.mangled);
    out += fmt::format("    {} bytes stack frame, {} bytes spill stores, {} bytes spill loads\n",
                       registers.stack_bytes, *registers.spill_stores, *registers.spill_loads);
    std::string used =
        fmt::format("Used {} registers, used {} barriers", *registers.count, registers.barriers);
    if (registers.stack_bytes && !code.relocatable)
        used += fmt::format(", {} bytes cumulative stack size", registers.stack_bytes);
    if (kernel.static_shared_bytes) used += fmt::format(", {} bytes smem", kernel.static_shared_bytes);
    if (code.sm < first_without_banks)
        used += fmt::format(", {} bytes cmem[0]", parameters_at(code.sm) + kernel.parameter_bytes);
    say(out, "{}", used);
}

Result<std::string> report_on(const compile::FatbinPtx& code) {
    auto gpu = model_for(code.sm);
    if (!gpu) return gpu.error();
    auto module = ptx::parse(code.text, "device code");
    if (!module) return module.error();
    DeviceText text{"device code", code.text, code.sm, 0, code.relocatable};
    if (auto read = ptx::read_assembler_options(code.options, text.assembler); !read) return read.error();
    auto kernels = kernel_resources({text}, *gpu, {.estimate = true});
    if (!kernels) return kernels.error();
    std::string out;
    say(out, "{}", memory_words(variables_of(*module), code.sm));
    // ptxas begins with the last.
    for (auto kernel = kernels->rbegin(); kernel != kernels->rend(); ++kernel) tell(out, *kernel, code);
    return out;
}

}  // namespace

std::string assembler_report(const std::vector<compile::FatbinPtx>& code) {
    std::string out = "lockstep: no ptxas was run; registers, stack and spills are lockstep's own estimate\n";
    for (const compile::FatbinPtx& one : code) {
        auto report = report_on(one);
        out += report ? *report
                      : fmt::format("lockstep: there is no estimate: {}\n", report.error().to_string());
    }
    return out;
}

}  // namespace lockstep::cli
