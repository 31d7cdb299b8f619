#include "compile/hip-relocatable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <vector>

#include "compile/files.h"
#include "compile/object-parts.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view section = ".lockstep.hip";
// What clang's code for the host registers, of each file by a name of its own; here one for all of a program.
constexpr std::string_view code_symbol = "__hip_fatbin", handle_symbol = "__hip_gpubin_handle",
                           unit_symbol = "__hip_cuid_";

bool is_name_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '$' || c == '-';
}

// The global name that begins at text[at], behind its @.
std::string_view name_at(std::string_view text, std::size_t at) {
    if (at < text.size() && text[at] == '"')
        return text.substr(at + 1, std::min(text.find('"', at + 1), text.size()) - at - 1);
    std::size_t end = at;
    while (end < text.size() && is_name_character(text[end])) ++end;
    return text.substr(at, end - at);
}

bool has_word(std::string_view line, std::string_view word) {
    return line.find(fmt::format(" {} ", word)) != std::string_view::npos;
}

template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        visit(text.substr(at, end - at));
        at = end + 1;
    }
}

// A function or variable of the module: `head` is its line up to the name, or what stands behind the name of
// a variable.
struct Global {
    std::string_view name, head;
    bool variable = false, declared = false;
};

template <class Visit>
void for_each_global(std::string_view ir, Visit visit) {
    for_each_line(ir, [&](std::string_view line) {
        const bool defined = line.starts_with("define "), declared = line.starts_with("declare ");
        if (defined || declared) {
            // Attributes of the result have no @; metadata before the name has none either.
            const std::size_t at = line.find('@');
            if (at != std::string_view::npos)
                visit(Global{name_at(line, at + 1), line.substr(0, at), false, declared});
        } else if (line.starts_with("@")) {
            const std::string_view name = name_at(line, 1);
            const std::size_t is = line.find(" = ", name.size());
            if (is == std::string_view::npos) return;
            // Up to what the variable holds.
            std::string_view head = line.substr(is + 2);
            for (const char* kind : {" global ", " constant ", " alias "})
                if (const std::size_t at = head.find(kind); at != std::string_view::npos) {
                    head = head.substr(0, at + 1);
                    break;
                }
            visit(Global{name, head, true, has_word(head, "external") || has_word(head, "extern_weak")});
        }
    });
}

bool is_shared_between_files(const Global& global) {
    if (global.name.starts_with("llvm.") || global.name.starts_with(unit_symbol)) return false;
    // The LDS is a work-group's, and kernels are the host's business.
    for (const char* word :
         {"private", "internal", "available_externally", "appending", "amdgpu_kernel", "addrspace(3)"})
        if (has_word(global.head, word)) return false;
    return true;
}

bool is_weak(const Global& global) {
    for (const char* word : {"weak", "weak_odr", "linkonce", "linkonce_odr", "extern_weak", "common"})
        if (has_word(global.head, word)) return true;
    return false;
}

// The file's own number, which clang's names for the host end in.
std::string unit_of(std::string_view ir) {
    const std::size_t at = ir.find(fmt::format("@{}", unit_symbol));
    return at == std::string_view::npos ? "" : std::string(name_at(ir, at + 1 + unit_symbol.size()));
}

// `code` empty: for a link that only shows what belongs together.
std::string program_assembly(const fs::path& code) {
    const auto symbol = [](std::string_view name) {
        return fmt::format(".globl {0}\n.hidden {0}\n.type {0}, %object\n{0}:\n", name);
    };
    return fmt::format(
        ".section .note.GNU-stack,\"\"\n.section .hip_fatbin,\"a\"\n.p2align 12\n{}{}"
        ".section .hip_gpubin_handle,\"aw\"\n.p2align 3\n{}.quad 0\n",
        symbol(code_symbol), code.empty() ? ".quad 0\n" : fmt::format(".incbin \"{}\"\n", code.string()),
        symbol(handle_symbol));
}

// What the objects of a linked program brought, in their order.
Result<std::vector<std::vector<BundleEntry>>> read_parts(const std::string& bytes) {
    std::vector<std::vector<BundleEntry>> parts;
    for (std::size_t at = 0; at + 8 <= bytes.size();) {
        std::uint64_t size = 0;
        std::memcpy(&size, bytes.data() + at, sizeof size);
        at += 8;
        if (size == 0 || size > bytes.size() - at) return Error{"device code of an object is damaged", {}};
        auto entries = read_offload_bundle(bytes.data() + at, size);
        if (!entries) return entries.error();
        parts.push_back(std::move(*entries));
        at = (at + size + 7) / 8 * 8;
    }
    return parts;
}

// The IR of several files as one module, and that as assembly.
Result<std::string> compile_together(const Toolchain& toolchain, const std::string& target,
                                     const std::vector<const std::string*>& irs, const fs::path& scratch) {
    const Arguments clang = {toolchain.clang.string(), "--target=amdgcn-amd-amdhsa", "-mcpu=" + target,
                             "-nogpulib"};
    const fs::path first = scratch / "0.ll", assembly = scratch / "joined.s";
    Arguments whole = clang;
    for (std::size_t i = 0; i < irs.size(); ++i) {
        const fs::path text = scratch / fmt::format("{}.ll", i), code = scratch / fmt::format("{}.bc", i);
        if (auto written = write_file(text, *irs[i]); !written) return written.error();
        if (i == 0) continue;
        Arguments command = clang;
        command.insert(command.end(), {"-x", "ir", text.string(), "-c", "-emit-llvm", "-Xclang",
                                       "-disable-llvm-passes", "-o", code.string()});
        if (auto made = must_run(command, "device code", scratch); !made) return made.error();
        whole.insert(whole.end(), {"-Xclang", "-mlink-bitcode-file", "-Xclang", code.string()});
    }
    // Nobody outside calls its functions any more: they can be inlined and left out.
    whole.insert(whole.end(), {"-mllvm", "-amdgpu-internalize-symbols", "-O3", "-S", "-x", "ir",
                               first.string(), "-o", assembly.string()});
    if (auto made = must_run(whole, "device code of several files", scratch); !made) return made.error();
    return read_file(assembly).value_or("");
}

Result<std::string> join(const Toolchain& toolchain, const std::vector<std::vector<BundleEntry>>& parts,
                         const fs::path& scratch) {
    std::vector<BundleEntry> joined;
    for (const BundleEntry& first : parts.front()) {
        std::vector<const std::string*> irs;
        for (const auto& part : parts) {
            const auto same = std::ranges::find(part, first.target, &BundleEntry::target);
            if (same == part.end())
                return Error{fmt::format("device code of one file is for {}, and of another it is not: "
                                         "compile all of them with the same --offload-arch",
                                         first.target),
                             {}};
            irs.push_back(&same->code);
        }
        auto code = compile_together(toolchain, first.target, irs, scratch);
        if (!code) return code.error();
        joined.push_back({first.target, std::move(*code)});
    }
    return write_offload_bundle(joined);
}

}  // namespace

DeviceSymbols ir_symbols(std::string_view ir) {
    DeviceSymbols symbols;
    for_each_global(ir, [&](const Global& global) {
        if (!is_shared_between_files(global)) return;
        if (!global.declared)
            symbols.definitions.push_back({std::string(global.name), is_weak(global), global.variable});
        else if (!is_weak(global))
            symbols.references.emplace_back(global.name);
    });
    return symbols;
}

std::string with_late_names(std::string ir) {
    std::set<std::string> defined, missing;
    for_each_global(ir, [&](const Global& global) {
        (global.declared ? missing : defined).insert(std::string(global.name));
    });
    const std::string unit = unit_of(ir);
    for (const std::string& name : missing) {
        const std::string late = fmt::format("{}.static.{}", name, unit);
        if (!defined.count(late)) continue;
        const std::string old = "@" + name;
        std::string changed;
        for_each_line(ir, [&](std::string_view line) {
            if (line.starts_with(old + " = ")) return;
            for (std::size_t at = 0; at < line.size();) {
                const std::size_t found = std::min(line.find(old, at), line.size());
                changed += line.substr(at, found - at);
                if (found == line.size()) break;
                changed += "@" + (name_at(line, found + 1) == name ? late : name);
                at = found + old.size();
            }
            changed += '\n';
        });
        ir = std::move(changed);
    }
    return ir;
}

Result<void> add_relocatable_code(const Toolchain& toolchain, const fs::path& object,
                                  std::span<const BundleEntry> device, const fs::path& scratch) {
    const fs::path file = scratch / "device-code";
    const std::string bundle = write_offload_bundle(device), ir = device.back().code;
    if (auto written = write_file(file, bundle); !written) return written;
    const std::string assembly =
        device_symbols_assembly(ir_symbols(ir)) +
        fmt::format(".section {},\"\",%progbits\n.p2align 3\n.quad {}\n.incbin \"{}\"\n.p2align 3\n", section,
                    bundle.size(), file.string());
    if (auto added = add_to_object(toolchain, object, assembly, scratch); !added) return added;
    const std::string unit = unit_of(ir);
    Arguments options;
    for (const std::string_view name : {code_symbol, handle_symbol})
        options.push_back(fmt::format("--redefine-sym={0}_{1}={0}", name, unit));
    return run_objcopy(options, object, scratch);
}

bool wants_device_link(std::string_view linker_messages) {
    return linker_messages.find(handle_symbol) != std::string_view::npos;
}

Result<std::string> link_relocatable(const Toolchain& toolchain, const fs::path& program,
                                     const LinkWith& link) {
    auto scratch = TempDir::create();
    if (!scratch) return scratch.error();
    const fs::path& here = scratch->path();
    const auto linked_with = [&](const fs::path& code) -> Result<std::string> {
        const auto object = assemble(toolchain, program_assembly(code), here);
        if (!object) return object.error();
        return link(*object);
    };
    auto messages = linked_with({});
    if (!messages) return messages;
    const fs::path dumped = here / "parts";
    std::error_code ignored;
    fs::copy_file(program, here / "copy", fs::copy_options::overwrite_existing, ignored);
    if (auto read =
            run_objcopy({fmt::format("--dump-section={}={}", section, dumped.string())}, here / "copy", here);
        !read)
        return read.error();
    auto parts = read_parts(read_file(dumped).value_or(""));
    if (!parts) return parts.error();
    if (parts->empty()) return Error{"the program's objects have no device code to link", {}};
    auto bundle = join(toolchain, *parts, here);
    if (!bundle) return bundle.error();
    const fs::path code = here / "bundle";
    if (auto written = write_file(code, *bundle); !written) return written.error();
    if (messages = linked_with(code); !messages) return messages;
    if (auto removed = run_objcopy({fmt::format("--remove-section={}", section)}, program, here); !removed)
        return removed.error();
    return messages;
}

}  // namespace lockstep::compile
