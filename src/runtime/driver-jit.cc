// Modules from PTX with the messages of the compiler, and the linker of PTX.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>

#include "compile/fatbin.h"
#include "compile/offload-bundle.h"
#include "exec/externals.h"
#include "ptx/link.h"
#include "ptx/parser.h"
#include "ptx/printer.h"
#include "ptx/unresolved.h"
#include "runtime/driver.h"
#include "runtime/jit.h"
#include "runtime/links.h"
#include "session/loading.h"

namespace lockstep::runtime {
namespace {

// A program's buffer for messages; how much was written goes where its size came from.
void write_log(const std::string& text, char* buffer, void** size) {
    if (!size) return;
    std::size_t room = 0;
    std::memcpy(&room, size, sizeof(unsigned));
    std::size_t written = 0;
    if (buffer && room > 0 && !text.empty()) {
        written = std::min(text.size() + 1, room);
        std::memcpy(buffer, text.data(), written - 1);
        buffer[written - 1] = 0;
    }
    *size = reinterpret_cast<void*>(written);
}

}  // namespace

JitOptions::JitOptions(unsigned count, const CUjit_option* options, void** values) {
    for (unsigned i = 0; options && values && i < count; ++i) options_[options[i]] = &values[i];
}

Outcome JitOptions::check() const {
    if (options_.empty() || options_.rbegin()->first < CU_JIT_NUM_OPTIONS) return {};
    return Outcome(Status::invalid_value,
                   fmt::format("there is no option {}", static_cast<int>(options_.rbegin()->first)));
}

bool JitOptions::verbose() const {
    const auto found = options_.find(CU_JIT_LOG_VERBOSE);
    return found != options_.end() && *found->second;
}

void JitOptions::tell(const std::string& information, const std::string& errors) const {
    const auto find = [&](CUjit_option option) {
        const auto it = options_.find(option);
        return it == options_.end() ? nullptr : it->second;
    };
    const auto buffer = [&](CUjit_option option) {
        void** const value = find(option);
        return value ? static_cast<char*>(*value) : nullptr;
    };
    write_log(information, buffer(CU_JIT_INFO_LOG_BUFFER), find(CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES));
    write_log(errors, buffer(CU_JIT_ERROR_LOG_BUFFER), find(CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES));
    if (void** const value = find(CU_JIT_WALL_TIME)) {
        const float milliseconds =
            std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - begin_).count();
        std::memcpy(value, &milliseconds, sizeof milliseconds);
    }
}

std::string errors_of(const std::string& text) {
    std::string log;
    for (const Error& error : ptx::parse_all(text, "module").errors)
        log += fmt::format("ptxas application ptx input, line {}; error   : {}\n", error.place.line,
                           error.message);
    if (!log.empty()) log += "ptxas fatal   : Ptx assembly aborted due to errors";
    return log;
}

Found<std::string> text_of(Device& device, const void* image) {
    if (!image) return null_pointer("image");
    constexpr std::uint32_t fatbin_magic = 0xBA55ED50, wrapper_magic = 0x466243B1;
    const unsigned char first = *static_cast<const unsigned char*>(image);
    if (first != (fatbin_magic & 0xFF) && first != (wrapper_magic & 0xFF) &&
        !compile::is_offload_bundle(image)) {
        std::string text = static_cast<const char*>(image);
        if (text.find(".amdgcn_target") != std::string::npos) return text;
        if (text.find(".version") == std::string::npos && first != 0x7f)
            return Outcome(Status::invalid_kernel_image, "this is neither PTX nor a fat binary");
        return text;
    }
    std::uint32_t magic = 0;
    std::memcpy(&magic, image, sizeof magic);
    if (magic == wrapper_magic) std::memcpy(&image, static_cast<const char*>(image) + 8, sizeof image);
    auto selected = session::select_ptx(image, device.gpu());
    if (!selected) return Outcome(Status::no_kernel_image, selected.error().to_string(), true);
    if (!*selected) return Outcome(Status::no_kernel_image, "this fat binary is empty", true);
    return std::move((*selected)->text);
}

namespace {

// What each kernel takes, in ptxas's words and as lockstep estimates it. Spills are not told.
std::string information_of(Device& device, exec::Module* module, const std::string& text) {
    std::string log;
    const auto parsed = ptx::parse(text, "module");
    if (!parsed) return log;
    for (const ptx::Function& entry : parsed->functions) {
        if (!entry.entry) continue;
        const auto function = device.modules().function(module, entry.name);
        if (!function) continue;
        log += fmt::format("ptxas info    : Compiling entry function '{}' for 'sm_{}'\n", entry.name,
                           device.gpu().compute_capability());
        log += fmt::format("ptxas info    : Used {} registers", device.resources(**function).registers);
        if (const auto bytes = (*function)->info().static_shared_bytes)
            log += fmt::format(", {} bytes smem", bytes);
        log += '\n';
    }
    if (!log.empty()) log.pop_back();
    return log;
}

constexpr std::pair newest_ptx{9, 0};  // that CUDA 13.0's driver takes

bool may_be_newer(const std::string& text) {
    int major = 0, minor = 0;
    const std::size_t at = text.find(".version");
    return at != std::string::npos && std::sscanf(text.c_str() + at, ".version %d.%d", &major, &minor) == 2 &&
           std::pair(major, minor) > newest_ptx;
}

// A module that is loaded alone, as it is when it has all that it uses: a variable that nobody defines is
// its own then. Functions have to be there.
Found<std::string> made_whole(const std::string& text, const JitOptions& options) {
    const auto fail = [&](Status status, const std::string& reason) {
        options.tell("", "ptxas fatal   : " + reason);
        return Outcome(status, reason, true);
    };
    if (text.find(".extern") == std::string::npos && !may_be_newer(text)) return text;
    auto parsed = ptx::parse(text, "module");
    if (!parsed) return text;  // what is wrong is told where it is loaded
    if (std::pair(parsed->version_major, parsed->version_minor) > newest_ptx)
        return fail(
            static_cast<Status>(cudaErrorUnsupportedPtxVersion),
            fmt::format("Unsupported .version {}.{}; current version is '{}.{}'", parsed->version_major,
                        parsed->version_minor, newest_ptx.first, newest_ptx.second));
    const auto missing = ptx::unresolved(*parsed, exec::is_external_function);
    for (const ptx::Unresolved& one : missing)
        if (one.function)
            return fail(Status::invalid_ptx, fmt::format("Unresolved extern function '{}'", one.name));
    if (missing.empty()) return text;
    for (ptx::Variable& variable : parsed->variables)
        if (variable.linkage == ptx::Linkage::external && variable.space != ptx::Space::shared)
            variable.linkage = ptx::Linkage::visible;
    return ptx::print(*parsed);
}

}  // namespace

Found<exec::Module*> load_text(Device& device, const std::string& given, const JitOptions& options) {
    const auto whole = made_whole(given, options);
    if (!whole) return whole.outcome;
    const std::string& text = *whole;
    const auto module = device.modules().load(text.c_str());
    std::string errors;
    if (!module) {
        errors = errors_of(text);
        if (errors.empty()) errors = fmt::format("error   : {}", module.outcome.reason);
    }
    options.tell(module && options.verbose() ? information_of(device, *module, text) : "", errors);
    return module;
}

std::optional<std::string> read_file(const char* path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return std::nullopt;
    return std::string{std::istreambuf_iterator<char>(stream), {}};
}

namespace {

// What the linker was made with; options of single inputs are for those alone.
JitOptions options_of(const CUlinkState_st& state) {
    JitOptions options(0, nullptr, nullptr);
    for (const auto& [option, value] : state.options) options.set(static_cast<CUjit_option>(option), value);
    return options;
}

// What an input defines for all, which no other may; empty: none does.
std::string note_definitions(CUlinkState_st& state, const ptx::Module& module, const std::string& name) {
    std::string errors;
    const auto note = [&](const std::string& symbol) {
        const auto [first, is_new] = state.defined.emplace(symbol, name);
        if (!is_new)
            errors += fmt::format("{}error   : Multiple definition of '{}' in '{}', first defined in '{}'",
                                  errors.empty() ? "" : "\n", symbol, name, first->second);
    };
    for (const ptx::Function& function : module.functions)
        if (function.linkage == ptx::Linkage::visible && !function.declaration) note(function.name);
    for (const ptx::Variable& variable : module.variables)
        if (variable.linkage == ptx::Linkage::visible) note(variable.name);
    return errors;
}

Outcome add(CUlinkState_st& state, Device& device, const void* data, std::string name,
            const JitOptions& options) {
    auto text = text_of(device, data);
    if (!text) return text.outcome;
    if (const std::string errors = errors_of(*text); !errors.empty()) {
        options.tell("", errors);
        return Outcome(Status::invalid_ptx, ptx::parse_all(*text, name).errors[0].to_string());
    }
    if (const std::string errors = note_definitions(state, *ptx::parse(*text, name), name); !errors.empty()) {
        state.failed = true;
        options.tell("", errors);
        return Outcome(static_cast<Status>(cudaErrorUnknown), errors.substr(errors.find(": ") + 2));
    }
    state.inputs.push_back({std::move(name), std::move(text.value)});
    return {};
}

// Objects and archives of them: the fat binaries that they hold, wherever these lie. The device runtime, for
// which programs name a library, needs none of its code.
Outcome add_contained(CUlinkState_st& state, Device& device, std::string_view bytes, const std::string& name,
                      const JitOptions& options) {
    constexpr std::string_view magic = "\x50\xED\x55\xBA";
    const bool archive = bytes.starts_with("!<arch>");
    if (archive && name.ends_with("libcudadevrt.a")) return {};
    bool found = false;
    for (std::size_t at = 0; (at = bytes.find(magic, at)) != bytes.npos;) {
        const std::string aligned(bytes.substr(at));
        const auto fatbin = compile::read_fatbin(aligned.data(), aligned.size());
        if (!fatbin) {
            at += magic.size();  // chance
            continue;
        }
        if (Outcome bad = add(state, device, aligned.data(), name, options); !bad) return bad;
        found = true;
        at += std::max(fatbin->bytes, magic.size());
    }
    if (found || archive) return {};
    return Outcome(Status::invalid_kernel_image, fmt::format("{}: no device code in this object", name));
}

Outcome add(CUlinkState_st& state, Device& device, CUjitInputType type, std::string_view bytes,
            const std::string& name) {
    const JitOptions options = options_of(state);
    switch (type) {
        case CU_JIT_INPUT_OBJECT:
        case CU_JIT_INPUT_LIBRARY: return add_contained(state, device, bytes, name, options);
        case CU_JIT_INPUT_NVVM: {
            constexpr const char* reason = "the linker takes PTX and what holds it; NVVM is not implemented";
            options.tell("", std::string("error   : ") + reason);
            return Outcome::lacking(Status::not_supported, reason);
        }
        // PTX need not end with a zero, where its length is told.
        case CU_JIT_INPUT_PTX:
        case CU_JIT_INPUT_CUBIN:
        case CU_JIT_INPUT_FATBINARY: return add(state, device, std::string(bytes).c_str(), name, options);
        default:
            return Outcome(Status::invalid_value,
                           fmt::format("there is no input of type {}", static_cast<int>(type)));
    }
}

Outcome complete(CUlinkState_st& state, const JitOptions& options) {
    if (state.failed)
        return Outcome(static_cast<Status>(cudaErrorUnknown), "an input could not be added to the others");
    if (state.inputs.empty()) {
        state.linked = ".version 7.0\n.target sm_52\n.address_size 64\n";
        return {};
    }
    std::vector<ptx::Module> modules;
    for (const CUlinkState_st::Input& input : state.inputs)
        modules.push_back(std::move(*ptx::parse(input.text, input.name)));
    const auto fail = [&](const std::string& reason) {
        options.tell("", "error   : " + reason);
        return Outcome(static_cast<Status>(cudaErrorUnknown), reason);
    };
    auto linked = ptx::link(std::move(modules));
    if (!linked) return fail(linked.error().to_string());
    for (const ptx::Unresolved& one : ptx::unresolved(linked->module, exec::is_external_function))
        return fail(fmt::format("Undefined reference to '{}'", one.name));
    ptx::name_apart(linked->module);
    state.linked = ptx::print(linked->module);
    options.tell("", "");
    return {};
}

}  // namespace
}  // namespace lockstep::runtime

using namespace lockstep::runtime;

namespace {

CUresult load(const char* name, CUmodule* handle, const void* image, const JitOptions& options) {
    return driver_call(name, Waits::no, [&](Device& current) -> Outcome {
        if (!handle) return null_pointer("module");
        if (Outcome bad = options.check(); !bad) return bad;
        const auto text = text_of(current, image);
        if (!text) {
            options.tell("", "error   : " + text.outcome.reason);
            return text.outcome;
        }
        const auto module = load_text(current, *text, options);
        if (!module) return module.outcome;
        *handle = reinterpret_cast<CUmodule>(*module);
        return {};
    });
}

template <class Body>
CUresult with_link(const char* name, CUlinkState handle, Body&& body) {
    return driver_call(name, Waits::no, [&](Device& current) -> Outcome {
        const auto link = state().links.find(handle);
        if (!link) return Outcome(Status::invalid_handle, "no such linker, or it was destroyed");
        return body(current, *link);
    });
}

}  // namespace

extern "C" {

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
    return load("cuModuleLoadData", module, image, {0, nullptr, nullptr});
}

// Register limits, targets and caching are about a compiler that is not ours; its messages are told.
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned count, CUjit_option* options,
                            void** values) {
    return load("cuModuleLoadDataEx", module, image, {count, options, values});
}

CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
    return load("cuModuleLoadFatBinary", module, image, {0, nullptr, nullptr});
}

CUresult cuModuleLoad(CUmodule* module, const char* file) {
    if (!file) return refuse_null("file");
    const auto image = read_file(file);
    if (!image) return refuse(cudaErrorFileNotFound, fmt::format("'{}' cannot be read", file));
    return load("cuModuleLoad", module, image->c_str(), {0, nullptr, nullptr});
}

CUresult cuLinkCreate(unsigned count, CUjit_option* options, void** values, CUlinkState* out) {
    return driver_call("cuLinkCreate", Waits::no, [&](Device&) -> Outcome {
        if (!out || (count && (!options || !values))) return null_pointer("state, options or values");
        CUlinkState_st link;
        for (unsigned i = 0; i < count; ++i) link.options.emplace_back(options[i], &values[i]);
        *out = state().links.create(std::move(link));
        return {};
    });
}

CUresult cuLinkAddData(CUlinkState handle, CUjitInputType type, void* data, size_t size, const char* name,
                       unsigned, CUjit_option*, void**) {
    return with_link("cuLinkAddData", handle, [&](Device& current, CUlinkState_st& link) -> Outcome {
        if (!data || size == 0) return null_pointer("data");
        const std::string_view bytes(static_cast<const char*>(data), size);
        const char* const unnamed = type == CU_JIT_INPUT_PTX ? "<unnamed-ptx>" : "<unnamed>";
        return add(link, current, type, bytes, name ? name : unnamed);
    });
}

CUresult cuLinkAddFile(CUlinkState handle, CUjitInputType type, const char* path, unsigned, CUjit_option*,
                       void**) {
    if (!path) return refuse_null("path");
    const auto data = read_file(path);
    if (!data) return refuse(cudaErrorFileNotFound, fmt::format("'{}' cannot be read", path));
    return with_link("cuLinkAddFile", handle, [&](Device& current, CUlinkState_st& link) {
        return add(link, current, type, *data, path);
    });
}

// What is linked is PTX again, as one text: cuModuleLoadData takes it where a cubin would be.
CUresult cuLinkComplete(CUlinkState handle, void** cubin, size_t* size) {
    return with_link("cuLinkComplete", handle, [&](Device&, CUlinkState_st& link) -> Outcome {
        if (!cubin) return null_pointer("cubin");
        if (Outcome bad = complete(link, options_of(link)); !bad) return bad;
        *cubin = link.linked.data();
        if (size) *size = link.linked.size() + 1;
        return {};
    });
}

CUresult cuLinkDestroy(CUlinkState handle) {
    return driver_call("cuLinkDestroy", Waits::no, [&](Device&) -> Outcome {
        if (!state().links.destroy(handle)) return Outcome(Status::invalid_handle, "no such linker");
        return {};
    });
}
}
