#include "kernel/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "ptx/printer.h"

namespace lockstep::kernel {
namespace {

// "guard jump 4", as a listing ends a block.
std::string end_text(const Terminator& end, const ptx::Function& names) {
    constexpr const char* kinds[] = {"jump", "branch", "table", "ret", "exit", "unreachable"};
    std::string out;
    if (end.guard)
        out += fmt::format("@{}{} ", end.guard->negated ? "!" : "", names.registers[end.guard->reg].name);
    out += kinds[static_cast<int>(end.kind)];
    for (const BlockId target : end.targets) fmt::format_to(std::back_inserter(out), " {}", target);
    return out;
}

std::string_view space_text(ptx::Space space) {
    switch (space) {
        case ptx::Space::none: return "generic";
        case ptx::Space::constant: return "constant";
        case ptx::Space::global: return "global";
        case ptx::Space::local: return "local";
        case ptx::Space::param: return "parameter";
        case ptx::Space::texture: return "texture";
        case ptx::Space::shared: return "shared";
    }
    return "";
}

}  // namespace

ptx::Function names_of(const Function& function) {
    ptx::Function names = function.module->functions[function.index];
    names.registers = function.registers;
    names.variables = function.variables;
    std::set<std::string> taken;
    for (ptx::Register& reg : names.registers)
        while (!taken.insert(reg.name).second) reg.name += "'";
    return names;
}

// Branches keep the numbers of their labels.
std::string print(const Flat& flat, const Function& function) {
    ptx::Function names = names_of(function);
    names.labels.resize(std::max(names.labels.size(), flat.labels.size()));
    for (std::size_t l = 0; l < flat.labels.size(); ++l) names.labels[l].name = fmt::format("$L{}", l);
    names.branch_tables.resize(std::max(names.branch_tables.size(), flat.branch_tables.size()));
    for (std::size_t t = 0; t < flat.branch_tables.size(); ++t) {
        names.branch_tables[t].name = "{";
        for (const std::uint32_t label : flat.branch_tables[t])
            names.branch_tables[t].name +=
                fmt::format("{}$L{}", names.branch_tables[t].name.size() > 1 ? ", " : "", label);
        names.branch_tables[t].name += "}";
    }
    std::string out = fmt::format("function {}\n", function.name);
    for (std::uint32_t i = 0; i <= flat.code.size(); ++i) {
        for (std::size_t l = 0; l < flat.labels.size(); ++l)
            if (flat.labels[l] == i) fmt::format_to(std::back_inserter(out), "$L{}:\n", l);
        if (i < flat.code.size())
            fmt::format_to(std::back_inserter(out), "    {}\n",
                           ptx::print(flat.code[i], *function.module, names));
    }
    return out;
}

std::string print(const Function& function) {
    const ptx::Function names = names_of(function);
    std::string out = fmt::format("function {}\n", function.name);
    for (BlockId b = 0; b < function.blocks.size(); ++b) {
        const Block& block = function.blocks[b];
        fmt::format_to(std::back_inserter(out), "block {}", b);
        if (block.loop >= 0) fmt::format_to(std::back_inserter(out), " (loop {})", block.loop);
        out += ":\n";
        for (const ptx::Instruction& inst : block.instructions)
            fmt::format_to(std::back_inserter(out), "    {}\n", ptx::print(inst, *function.module, names));
        fmt::format_to(std::back_inserter(out), "    -> {}\n", end_text(block.terminator, names));
    }
    return out;
}

std::string print(const Shapes& shapes, const Function& function) {
    const ptx::Function names = names_of(function);
    std::string out = fmt::format("function {}{}\n", function.name,
                                  shapes.unordered ? ": lanes may be scheduled out of order" : "");
    for (RegId r = 0; r < shapes.registers.size(); ++r) {
        const Shape& shape = shapes.registers[r];
        fmt::format_to(std::back_inserter(out), "  {:<12} ", names.registers[r].name);
        const char* const by_row = shape.by_row ? " of its row" : "";
        switch (shape.kind) {
            case Shape::Kind::uniform: out += "uniform\n"; break;
            case Shape::Kind::affine:
                fmt::format_to(std::back_inserter(out), "base{} + lane * {}\n", by_row, shape.stride);
                break;
            case Shape::Kind::wide:
                fmt::format_to(std::back_inserter(out), "offset{} + {}(base + lane * {}) * {}\n", by_row,
                               shape.sign_extend ? "signed" : "unsigned", shape.stride, shape.scale);
                break;
            case Shape::Kind::varying: out += "varying\n"; break;
        }
    }
    for (BlockId b = 0; b < function.blocks.size(); ++b) {
        fmt::format_to(std::back_inserter(out), "block {}:", b);
        if (shapes.divergent[b]) out += " its branch may split the warp;";
        if (shapes.in_region[b]) out += " other lanes may wait elsewhere;";
        if (shapes.is_stop[b]) out += " lanes may wait at its beginning;";
        for (RegId r = 0; r < function.registers.size(); ++r)
            if (shapes.blend[b][r])
                fmt::format_to(std::back_inserter(out), " blends {};", names.registers[r].name);
        if (out.back() == ';')
            out.back() = '\n';
        else
            out += " together\n";
    }
    return out;
}

std::string_view name_of(SiteKind kind) {
    switch (kind) {
        case SiteKind::none: return "none";
        case SiteKind::load: return "load";
        case SiteKind::store: return "store";
        case SiteKind::atomic: return "atomic";
        case SiteKind::reduction: return "reduction";
        case SiteKind::barrier: return "barrier";
        case SiteKind::warp_sync: return "warp sync";
        case SiteKind::fence: return "fence";
        case SiteKind::phase: return "phase";
        case SiteKind::product: return "product";
        case SiteKind::slow_way: return "slow way";
        case SiteKind::allocation: return "allocation";
        case SiteKind::release: return "release";
    }
    return "";
}

std::string print_numbers(const Kernel& kernel) {
    std::string out = fmt::format("kernel {}\n", kernel.functions.front().name);
    for (std::size_t i = 0; i < kernel.blocks.size(); ++i) {
        const NumberedBlock& block = kernel.blocks[i];
        fmt::format_to(std::back_inserter(out), "block {}: block {} of {}, instructions: {}", i, block.block,
                       kernel.functions[block.function].name, block.instructions);
        if (block.entered_with != i)
            fmt::format_to(std::back_inserter(out), ", entered with block {}", block.entered_with);
        out += '\n';
    }
    for (std::size_t i = 0; i < kernel.sites.size(); ++i) {
        const Site& site = kernel.sites[i];
        fmt::format_to(std::back_inserter(out), "site {}: {}", i, name_of(site.kind));
        if (is_access(site.kind))
            fmt::format_to(std::back_inserter(out), " of {} bytes, {}", site.bytes, space_text(site.space));
        fmt::format_to(std::back_inserter(out), ", line {}, block {} of {}\n", site.ptx_line, site.block,
                       kernel.functions[site.function].name);
    }
    return out;
}

}  // namespace lockstep::kernel
