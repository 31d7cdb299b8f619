#include "nvrtc/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "compile/architectures.h"

namespace lockstep::nvrtc {
namespace {

using enum Action;
using enum Value;

constexpr std::string_view no_link_time = "lockstep's device code is PTX: there is no link-time optimisation";
constexpr std::string_view no_optix = "there is no OptiX";
constexpr std::string_view no_time_file = "lockstep does not write where compile time goes";
constexpr std::string_view no_pch_file = "lockstep keeps precompiled headers by itself, in its cache";

constexpr KnownOption table[] = {
    {"gpu-architecture", "arch", text, architecture},
    {"device-c", "dc", none, relocatable},
    {"device-w", "dw", none, whole_program},
    {"relocatable-device-code", "rdc", boolean, relocatable},
    {"extensible-whole-program", "ewp", none, relocatable},
    {"device-debug", "G", none, device_debug},
    {"generate-line-info", "lineinfo", none, ignored},  // always there
    {"dopt", "dopt", text, device_optimised},
    {"Ofast-compile", "Ofc", text, ignored},
    {"ptxas-options", "Xptxas", text, assembler},
    {"maxrregcount", "maxrregcount", text, max_registers},
    {"ftz", "ftz", boolean, flush_denormals},
    {"prec-sqrt", "prec-sqrt", boolean, precise_sqrt},
    {"prec-div", "prec-div", boolean, precise_division},
    {"fmad", "fmad", boolean, contract},
    {"use_fast_math", "use_fast_math", none, fast_math},
    {"extra-device-vectorization", "extra-device-vectorization", none, ignored},
    {"modify-stack-limit", "modify-stack-limit", boolean, ignored},
    {"dlink-time-opt", "dlto", none, lacking, no_link_time},
    {"gen-opt-lto", "gen-opt-lto", none, lacking, no_link_time},
    {"optix-ir", "optix-ir", none, lacking, no_optix},
    {"jump-table-density", "jtd", text, ignored},
    {"device-stack-protector", "device-stack-protector", boolean, ignored},
    {"no-cache", "no-cache", none, no_cache},
    {"frandom-seed", "frandom-seed", text, ignored},
    {"define-macro", "D", glued, define},
    {"undefine-macro", "U", glued, undefine},
    {"include-path", "I", glued, include_dir},
    {"pre-include", "include", text, preinclude},
    {"no-source-include", "no-source-include", none, no_source_include},
    {"std", "std", text, standard},
    {"builtin-move-forward", "builtin-move-forward", boolean, ignored},
    {"builtin-initializer-list", "builtin-initializer-list", boolean, ignored},
    {"pch", "pch", none, ignored},
    {"create-pch", "create-pch", text, lacking, no_pch_file},
    {"use-pch", "use-pch", text, lacking, no_pch_file},
    {"pch-dir", "pch-dir", text, ignored},
    {"pch-verbose", "pch-verbose", boolean, ignored},
    {"pch-messages", "pch-messages", boolean, ignored},
    {"instantiate-templates-in-pch", "instantiate-templates-in-pch", boolean, ignored},
    {"disable-warnings", "w", none, no_warnings},
    {"restrict", "restrict", none, ignored},
    {"device-as-default-execution-space", "default-device", none, default_device},
    {"device-int128", "device-int128", none, int128},
    {"device-float128", "device-float128", none, lacking, "GPUs have it from compute capability 10.0 on"},
    {"optimization-info", "opt-info", text, ignored},
    {"display-error-number", "err-no", none, ignored},
    {"no-display-error-number", "no-err-no", none, ignored},
    {"diag-error", "diag-error", text, ignored},  // numbers of another compiler's messages
    {"diag-suppress", "diag-suppress", text, ignored},
    {"diag-warn", "diag-warn", text, ignored},
    {"brief-diagnostics", "brief-diag", boolean, brief},
    {"time", "time", text, lacking, no_time_file},
    {"fdevice-time-trace", "fdevice-time-trace", text, lacking, no_time_file},
    {"split-compile", "split-compile", text, ignored},
    {"fdevice-syntax-only", "fdevice-syntax-only", none, syntax_only},
    {"minimal", "minimal", none, ignored},
};

// "--fmad (-fmad)"
std::string title(const KnownOption& option) {
    return fmt::format("--{} (-{})", option.long_name, option.short_name);
}

Error invalid_value(const KnownOption& option) {
    return Error{fmt::format("invalid value for {}", title(option)), {}};
}

std::string_view trimmed(std::string_view word) {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    while (!word.empty() && blank(word.front())) word.remove_prefix(1);
    while (!word.empty() && blank(word.back())) word.remove_suffix(1);
    return word;
}

struct Split {
    const KnownOption* option = nullptr;
    std::optional<std::string> value;  // that stood in the same word
};

// One word: --name, -name, --name=value, -name=value, -Dvalue, "-D value", "-name value".
Split split(std::string_view word) {
    for (const KnownOption& option : table) {
        for (const bool is_short : {false, true}) {
            const std::string name =
                is_short ? "-" + std::string(option.short_name) : "--" + std::string(option.long_name);
            if (!word.starts_with(name)) continue;
            std::string_view rest = word.substr(name.size());
            if (rest.empty()) return {&option, {}};
            const bool apart = rest.front() == '=' || rest.front() == ' ';
            if (!apart && !(is_short && option.value == glued)) continue;
            if (apart) rest = trimmed(rest.substr(1));
            return {&option, std::string(rest)};
        }
    }
    return {};
}

Result<void> apply(Options& options, const KnownOption& option, const std::string& value) {
    compile::Flags& flags = options.flags;
    const bool on = option.value != boolean || value == "true";
    switch (option.action) {
        case architecture: {
            const int number = compile::sm_number(value);
            const std::vector<int> listed = compile::listed_architectures();
            constexpr int newest = 121;  // that CUDA 13.0 knows, and clang 19 does not
            if (number < listed.front() || number > newest) return invalid_value(option);
            flags.architectures = compile::choose_architectures({value}, {}, options.warnings);
            flags.specific = compile::specific_architectures({value});
            options.machine_code = value.starts_with("sm_");
            break;
        }
        case relocatable: flags.relocatable = on; break;
        case whole_program: flags.relocatable = false; break;
        case device_debug: flags.device_debug = true; break;
        case device_optimised:
            if (value != "on") return Error{fmt::format("{} expects on", title(option)), {}};
            break;
        case flush_denormals: flags.flush_denormals = on; break;
        case precise_sqrt: flags.precise_sqrt = on; break;
        case precise_division: flags.precise_division = on; break;
        case contract: flags.contract = on; break;
        case fast_math:
            flags.fast_math = flags.flush_denormals = flags.contract = true;
            flags.precise_division = flags.precise_sqrt = false;
            break;
        case define: flags.common.push_back("-D" + value); break;
        case undefine: flags.common.push_back("-U" + value); break;
        case include_dir: {
            // Clients name NVIDIA's folder where it is installed. Its headers are for another compiler: ours
            // go before.
            std::error_code failed;
            const bool is_cuda =
                std::filesystem::exists(std::filesystem::path(value) / "cuda_runtime.h", failed);
            flags.common.push_back((is_cuda ? "-idirafter" : "-I") + value);
            break;
        }
        case preinclude: flags.common.insert(flags.common.end(), {"-include", value}); break;
        case no_source_include: options.source_include = false; break;
        case standard:
            for (const char* known : {"c++03", "c++11", "c++14", "c++17", "c++20", "c++23"})
                if (value == known) {
                    std::erase_if(flags.common, [](const std::string& f) { return f.starts_with("-std="); });
                    flags.common.push_back("-std=" + value);
                    return {};
                }
            return invalid_value(option);
        case no_warnings: flags.no_warnings = true; break;
        case default_device: options.default_device = true; break;
        case int128: flags.common.push_back("-D__CUDACC_RTC_INT128__=1"); break;
        case brief:
            if (on) flags.common.push_back("-fno-caret-diagnostics");
            break;
        case syntax_only: options.syntax_only = true; break;
        case no_cache: options.use_cache = false; break;
        case assembler: return ptx::read_assembler_options(value, flags.assembler);
        case max_registers: return ptx::read_assembler_options("-maxrregcount=" + value, flags.assembler);
        case ignored: break;
        case lacking: return Error{fmt::format("{}: {}", title(option), option.reason), {}};
    }
    return {};
}

}  // namespace

std::span<const KnownOption> known_options() { return table; }

Result<Options> parse_options(std::span<const char* const> words, int default_architecture) {
    Options options;
    options.flags.run_time = true;
    options.flags.architectures = {default_architecture};
    options.flags.common = {"-std=c++17"};
    bool optimised = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = trimmed(words[i] ? words[i] : "");
        if (word.empty()) continue;
        auto [option, value] = split(word);
        if (!option) return Error{fmt::format("unrecognized option {} found", word), {}};
        if (option->value == none && value)
            return Error{fmt::format("{} takes no value", title(*option)), {}};
        if (option->value != none && !value) {
            // On its own, a boolean option is a wish.
            if (option->value == boolean &&
                (i + 1 == words.size() || std::string_view(words[i + 1]).starts_with('-')))
                value = "true";
            else if (i + 1 < words.size())
                value = std::string(trimmed(words[++i]));
            else
                return invalid_value(*option);
        }
        if (option->value == boolean && *value != "true" && *value != "false")
            return Error{fmt::format("{} expects true or false", title(*option)), {}};
        if (option->action == device_optimised) optimised = true;
        if (auto applied = apply(options, *option, value.value_or("")); !applied) return applied.error();
    }
    if (optimised) options.flags.device_debug = false;  // what is left of -G then is line numbers
    return options;
}

}  // namespace lockstep::nvrtc
