#include "compile/device-symbols.h"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <sstream>

#include "base/demangle.h"
#include "ptx/link.h"
#include "ptx/supplied.h"

namespace lockstep::compile {
namespace {

bool is_memory_of_program(const ptx::Variable& variable) {
    return variable.space == ptx::Space::global || variable.space == ptx::Space::constant;
}

bool is_missing(const ptx::Function& function) {
    return function.declaration && function.alias_of < 0 && !function.entry &&
           !ptx::is_supplied(function.name);
}

bool is_missing(const ptx::Variable& variable) {
    return is_memory_of_program(variable) && variable.linkage == ptx::Linkage::external;
}

bool names(const ptx::Operand& operand, ptx::Operand::Kind kind, std::uint32_t id) {
    if (operand.kind == kind && !operand.local && operand.id == id) return true;
    for (const ptx::Operand& element : operand.elements)
        if (names(element, kind, id)) return true;
    return false;
}

// Where the program first uses a function or a variable.
Place first_use(const ptx::Module& module, ptx::Operand::Kind kind, std::size_t id, const Place& otherwise) {
    for (const ptx::Function& function : module.functions)
        for (const ptx::Instruction& inst : function.instructions) {
            if (inst.source < 0) continue;
            for (const ptx::Operand& operand : inst.operands)
                if (names(operand, kind, static_cast<std::uint32_t>(id))) {
                    const ptx::SourceLine& line = module.lines[static_cast<std::size_t>(inst.source)];
                    if (line.file > 0 && static_cast<std::size_t>(line.file) < module.files.size())
                        return {module.files[static_cast<std::size_t>(line.file)], line.line, 0};
                }
        }
    return otherwise;
}

// `name` between the quotation marks of a linker, without the mark of a device symbol; nothing if it has
// none.
std::optional<std::string> device_name(const std::string& quoted) {
    for (const std::string_view mark : {" [clone .device]", " (.device)", ".device"})
        if (quoted.size() > mark.size() && quoted.ends_with(mark))
            return base::demangle(quoted.substr(0, quoted.size() - mark.size()));
    return {};
}

// The text behind `before` up to the linker's closing quotation mark, or to the line's end.
std::optional<std::string> quoted_after(const std::string& line, std::string_view before) {
    const std::size_t at = line.find(before);
    if (at == std::string::npos) return {};
    const std::size_t begin = at + before.size();
    return line.substr(begin, line.find('\'', begin) - begin);
}

}  // namespace

DeviceSymbols device_symbols(const ptx::Module& module) {
    DeviceSymbols symbols;
    for (const ptx::Function& function : module.functions) {
        if (is_missing(function))
            symbols.references.push_back(function.name);
        else if (!function.entry && ptx::is_public(function.linkage) &&
                 (!function.declaration || function.alias_of >= 0))
            symbols.definitions.push_back({function.name, function.linkage != ptx::Linkage::visible, false});
    }
    for (const ptx::Variable& variable : module.variables) {
        if (is_missing(variable))
            symbols.references.push_back(variable.name);
        else if (is_memory_of_program(variable) && ptx::is_public(variable.linkage) &&
                 !base::is_internal_name(variable.name))
            symbols.definitions.push_back({variable.name, variable.linkage != ptx::Linkage::visible, true});
    }
    return symbols;
}

std::string device_symbols_assembly(const DeviceSymbols& symbols) {
    // The section stays though nothing refers to it. Distances instead of addresses: they need no work when
    // the program is loaded.
    std::string text = ".section .note.GNU-stack,\"\"\n.section .lockstep.device,\"aR\"\n";
    for (const DeviceSymbols::Definition& definition : symbols.definitions)
        text += fmt::format("{0} \"{1}{2}\"\n.hidden \"{1}{2}\"\n\"{1}{2}\":\n",
                            definition.weak ? ".weak" : ".globl", definition.name, device_symbol_suffix);
    text += ".long 0\n";
    // The host's shadows of variables are of one executable or shared library, as the variables are: others
    // may have the same names.
    for (const DeviceSymbols::Definition& definition : symbols.definitions)
        if (definition.variable && !definition.weak)
            text += fmt::format(".weak \"{0}\"\n.hidden \"{0}\"\n", definition.name);
    for (const std::string& name : symbols.references)
        text += fmt::format(".hidden \"{0}{1}\"\n.long \"{0}{1}\" - .\n", name, device_symbol_suffix);
    return text;
}

Result<std::string> close_device_code(std::string& text, const ptx::Module& module,
                                      const std::filesystem::path& source) {
    const Place somewhere{source.string(), 0, 0};
    std::string errors, warnings;
    for (std::size_t f = 0; f < module.functions.size(); ++f)
        if (is_missing(module.functions[f]))
            errors += fmt::format(
                "{}: error: device function {} is defined nowhere in this file; functions of other files "
                "need "
                "-rdc=true (or -dc) for all of them\n",
                first_use(module, ptx::Operand::Kind::function, f, somewhere).to_string(),
                base::demangle(module.functions[f].name));
    for (std::size_t v = 0; v < module.variables.size(); ++v) {
        const ptx::Variable& variable = module.variables[v];
        if (!is_missing(variable)) continue;
        const std::string place = first_use(module, ptx::Operand::Kind::variable, v, somewhere).to_string();
        if (variable.size() == 0) {
            errors += fmt::format(
                "{}: error: device variable {} is defined nowhere in this file; variables of other files "
                "need "
                "-rdc=true (or -dc) for all of them\n",
                place, base::demangle(variable.name));
            continue;
        }
        warnings += fmt::format(
            "{}: warning: without -rdc=true the extern variable {} is this file's own, and zero, as it is "
            "with nvcc\n",
            place, base::demangle(variable.name));
    }
    if (!errors.empty()) return Error{errors, {}};
    if (warnings.empty()) return warnings;
    for (const std::string_view declared : {"\n.extern .global ", "\n.extern .const "})
        for (std::size_t at = 0; (at = text.find(declared, at)) != std::string::npos; ++at)
            text.erase(at + 1, std::string_view(".extern ").size());
    return warnings;
}

std::string explain_device_symbols(const std::string& messages) {
    std::string result;
    std::set<std::string> told;
    std::istringstream lines(messages);
    const auto tell = [&](const std::string& text) {
        if (told.insert(text).second) result += text;
    };
    bool skip_places = false;  // lld's lines that belong to a message that was replaced
    for (std::string line; std::getline(lines, line);) {
        if (skip_places && line.starts_with(">>> ")) continue;
        skip_places = false;
        bool replaced = false;
        for (const std::string_view before : {"undefined reference to `", "undefined hidden symbol: "})
            if (const auto quoted = quoted_after(line, before))
                if (const auto name = device_name(*quoted)) {
                    tell(fmt::format(
                        "error: {} is used in device code, and no file defines it for the device\n", *name));
                    replaced = true;
                }
        for (const std::string_view before : {"multiple definition of `", "duplicate symbol: "})
            if (const auto quoted = quoted_after(line, before))
                if (const auto name = device_name(*quoted)) {
                    tell(fmt::format("error: {} is defined for the device in two files\n", *name));
                    replaced = true;
                }
        if (const auto quoted = quoted_after(line, "hidden symbol `"); quoted && device_name(*quoted))
            replaced = true;
        if (const auto quoted = quoted_after(line, "in function `"); quoted && device_name(*quoted))
            replaced = true;
        if (!replaced) result += line + '\n';
        skip_places = replaced;
    }
    return result;
}

}  // namespace lockstep::compile
