#include "gcn/metadata.h"

#include <fmt/format.h>

#include <algorithm>

#include "gcn/operand-text.h"

namespace lockstep::gcn {
namespace {

struct Entry {
    std::size_t indent = 0;  // of the key
    bool begins = false;     // a new element of a list
    std::string_view key, value;
};

Entry entry_of(std::string_view line) {
    Entry entry;
    entry.indent = line.find_first_not_of(' ');
    if (entry.indent == std::string_view::npos) return {};
    line = line.substr(entry.indent);
    if (line.starts_with("- ")) {
        entry.begins = true;
        entry.indent += 2;
        line.remove_prefix(2);
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return {};
    entry.key = trimmed(line.substr(0, colon));
    entry.value = trimmed(line.substr(colon + 1));
    if (entry.value.size() >= 2 && (entry.value.front() == '\'' || entry.value.front() == '"'))
        entry.value = entry.value.substr(1, entry.value.size() - 2);
    return entry;
}

// Of one kernel, before it is known which.
struct Notes {
    std::string name;
    std::vector<Parameter> parameters;
    std::map<std::string, std::uint32_t, std::less<>> numbers;
};

void keep(const Notes& notes, Module& module) {
    const auto kernel = std::ranges::find_if(
        module.kernels, [&](const Kernel& each) { return each.code.name == notes.name; });
    if (kernel == module.kernels.end()) return;
    kernel->parameters = notes.parameters;
    const auto number = [&](std::string_view key, std::uint32_t& to) {
        if (const auto found = notes.numbers.find(key); found != notes.numbers.end()) to = found->second;
    };
    number(".kernarg_segment_size", kernel->kernarg_bytes);
    number(".vgpr_count", kernel->vgprs);
    number(".agpr_count", kernel->agprs);
    number(".sgpr_count", kernel->sgprs);
    number(".sgpr_spill_count", kernel->sgpr_spills);
    number(".vgpr_spill_count", kernel->vgpr_spills);
    number(".max_flat_workgroup_size", kernel->most_threads);
    std::uint32_t lanes = static_cast<std::uint32_t>(module.wave_lanes);
    number(".wavefront_size", lanes);
    module.wave_lanes = static_cast<int>(lanes);
}

}  // namespace

Result<void> read_metadata(std::string_view yaml, Module& module) {
    bool kernels = false;
    std::size_t list_indent = 0, args_indent = 0;  // of the keys of a kernel; of "args", where we are in it
    Notes notes;
    bool any = false;
    while (!yaml.empty()) {
        const std::size_t end = std::min(yaml.find('\n'), yaml.size());
        const Entry entry = entry_of(yaml.substr(0, end));
        yaml.remove_prefix(std::min(end + 1, yaml.size()));
        if (entry.key.empty()) continue;
        if (entry.indent == 0) {
            kernels = entry.key == "amdhsa.kernels";
            continue;
        }
        if (!kernels) continue;
        if (list_indent == 0) list_indent = entry.indent;
        if (entry.indent == list_indent) {
            args_indent = 0;
            if (entry.begins) {
                if (any) keep(notes, module);
                notes = {};
                any = true;
            }
            if (entry.key == ".args")
                args_indent = entry.indent;
            else if (entry.key == ".name")
                notes.name = std::string(entry.value);
            else if (const auto number = whole_number(entry.value))
                notes.numbers[std::string(entry.key)] = static_cast<std::uint32_t>(*number);
            continue;
        }
        if (args_indent == 0) continue;
        if (entry.begins) notes.parameters.push_back({});
        if (notes.parameters.empty()) continue;
        Parameter& parameter = notes.parameters.back();
        if (entry.key == ".value_kind") parameter.kind = std::string(entry.value);
        const auto number = whole_number(entry.value);
        if (!number) continue;
        if (entry.key == ".offset") parameter.offset = static_cast<std::uint32_t>(*number);
        if (entry.key == ".size") parameter.size = static_cast<std::uint32_t>(*number);
    }
    if (any) keep(notes, module);
    for (const Kernel& kernel : module.kernels)
        for (const Parameter& parameter : kernel.parameters)
            if (std::uint64_t{parameter.offset} + parameter.size > kernel.kernarg_bytes)
                return Error{fmt::format("kernel '{}': a parameter lies behind the {} bytes that it has",
                                         kernel.code.name, kernel.kernarg_bytes),
                             {module.name, 0, 0}};
    return {};
}

}  // namespace lockstep::gcn
