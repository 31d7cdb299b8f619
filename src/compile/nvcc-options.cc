#include "compile/nvcc-options.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "compile/files.h"

namespace lockstep::compile {
namespace {

using enum NvccAction;
constexpr NvccValue none = NvccValue::none, required = NvccValue::required, joined = NvccValue::joined,
                    optional = NvccValue::optional;

// clang-format off
constexpr NvccOption table[] = {
    // long                              short              value     list   action
    // What to make
    {"output-file",                      "o",               required, false, output},
    {"output-directory",                 "odir",            required, false, output_dir},
    {"compile",                          "c",               none,     false, mode_compile},
    {"device-c",                         "dc",              none,     false, mode_device_compile},
    {"device-w",                         "dw",              none,     false, mode_compile},
    {"device-link",                      "dlink",           none,     false, mode_device_link},
    {"ptx",                              "ptx",             none,     false, mode_ptx},
    {"cubin",                            "cubin",           none,     false, mode_cubin},
    {"fatbin",                           "fatbin",          none,     false, mode_fatbin},
    {"preprocess",                       "E",               none,     false, mode_preprocess},
    {"generate-dependencies",            "M",               none,     false, mode_dependencies},
    {"generate-nonsystem-dependencies",  "MM",              none,     false, mode_dependencies},
    {"generate-dependencies-with-compile", "MD",            none,     false, with_dependencies},
    {"generate-nonsystem-dependencies-with-compile", "MMD", none,     false, with_dependencies},
    {"dependency-output",                "MF",              required, false, dependency_file},
    {"generate-dependency-targets",      "MP",              none,     false, dependency_extra},
    {"dependency-target-name",           "MT",              required, false, dependency_target},
    {"",                                 "MQ",              required, false, dependency_target},
    {"lib",                              "lib",             none,     false, mode_library},
    {"link",                             "link",            none,     false, mode_link},
    {"shared",                           "shared",          none,     false, mode_shared},
    {"run",                              "run",             none,     false, mode_run},
    {"run-args",                         "run-args",        required, true,  run_arguments},
    {"x",                                "x",               required, false, language},
    // For which GPU
    {"gpu-architecture",                 "arch",            required, false, architecture},
    {"gpu-code",                         "code",            required, true,  code},
    {"generate-code",                    "gencode",         required, false, generate_code},
    {"relocatable-device-code",          "rdc",             required, false, relocatable},
    {"maxrregcount",                     "maxrregcount",    required, false, max_registers},
    {"entries",                          "e",               required, true,  ignored},
    {"machine",                          "m",               joined,   false, machine},
    {"m64",                              "m64",             none,     false, ignored},
    {"m32",                              "m32",             none,     false, machine},
    {"cudart",                           "cudart",          required, false, cudart},
    {"cudadevrt",                        "cudadevrt",       required, false, ignored},
    // How
    {"optimize",                         "O",               joined,   false, optimize},
    {"Ofast-compile",                    "Ofc",             required, false, ignored},
    {"dopt",                             "dopt",            required, false, ignored},
    {"debug",                            "g",               none,     false, debug},
    {"device-debug",                     "G",               none,     false, device_debug},
    {"generate-line-info",               "lineinfo",        none,     false, line_info},
    {"profile",                          "pg",              none,     false, profile},
    {"std",                              "std",             required, false, standard},
    {"use_fast_math",                    "use_fast_math",   none,     false, fast_math},
    {"ftz",                              "ftz",             required, false, flush_denormals},
    {"prec-div",                         "prec-div",        required, false, precise_division},
    {"prec-sqrt",                        "prec-sqrt",       required, false, precise_sqrt},
    {"fmad",                             "fmad",            required, false, contract},
    {"extra-device-vectorization",       "extra-device-vectorization", none, false, ignored},
    {"restrict",                         "restrict",        none,     false, ignored},
    {"expt-relaxed-constexpr",           "expt-relaxed-constexpr", none, false, ignored},
    {"extended-lambda",                  "extended-lambda", none,     false, ignored},
    {"expt-extended-lambda",             "expt-extended-lambda", none, false, ignored},
    {"default-stream",                   "default-stream",  required, false, default_stream},
    {"no-exceptions",                    "noeh",            none,     false, compiler_flag},
    {"resource-usage",                   "res-usage",       none,     false, ptxas_option},
    // Preprocessor and files
    {"include-path",                     "I",               joined,   true,  include_dir},
    {"system-include",                   "isystem",         required, true,  system_include},
    {"define-macro",                     "D",               joined,   false, define},
    {"undefine-macro",                   "U",               joined,   false, undefine},
    {"pre-include",                      "include",         required, true,  preinclude},
    {"library-path",                     "L",               joined,   true,  library_dir},
    {"library",                          "l",               joined,   true,  library},
    // Options for other tools
    {"compiler-options",                 "Xcompiler",       required, true,  host_option},
    {"linker-options",                   "Xlinker",         required, true,  linker_option},
    {"ptxas-options",                    "Xptxas",          required, true,  ptxas_option},
    {"archive-options",                  "Xarchive",        required, true,  archive_option},
    {"nvlink-options",                   "Xnvlink",         required, true,  ignored},
    {"fatbin-options",                   "Xfatbin",         required, true,  ignored},
    {"cudafe-options",                   "Xcudafe",         required, true,  ignored},
    {"nvvm-options",                     "Xnvvm",           required, true,  ignored},
    {"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler", none, false, forward_unknown},
    {"forward-unknown-to-host-linker",   "forward-unknown-to-host-linker", none, false, forward_unknown},
    {"forward-unknown-opts",             "forward-unknown-opts", none, false, forward_unknown},
    {"compiler-bindir",                  "ccbin",           required, false, host_compiler},
    {"allow-unsupported-compiler",       "allow-unsupported-compiler", none, false, ignored},
    {"threads",                          "t",               joined,   false, ignored},
    {"split-compile",                    "split-compile",   required, false, ignored},
    {"options-file",                     "optf",            required, true,  response_file},
    {"compress-mode",                    "compress-mode",   required, false, ignored},
    {"no-compress",                      "no-compress",     none,     false, ignored},
    {"dlink-time-opt",                   "dlto",            none,     false, ignored},
    {"lto",                              "lto",             none,     false, ignored},
    {"gen-opt-lto",                      "gen-opt-lto",     none,     false, ignored},
    {"split-compile-extended",           "split-compile-extended", required, false, ignored},
    {"jobserver",                        "jobserver",       none,     false, ignored},
    {"frandom-seed",                     "frandom-seed",    required, false, ignored},
    {"libdevice-directory",              "ldir",            required, false, ignored},
    {"target-directory",                 "target-dir",      required, false, warned},
    {"archiver-binary",                  "arbin",           required, false, warned},
    {"dont-use-profile",                 "noprof",          none,     false, ignored},
    {"no-device-link",                   "nodlink",         none,     false, ignored},
    {"extensible-whole-program",         "ewp",             none,     false, ignored},
    {"keep-device-functions",            "keep-device-functions", none, false, ignored},
    {"relocatable-ptx",                  "reloc-ptx",       none,     false, ignored},
    {"static-global-template-stub",      "static-global-template-stub", required, false, ignored},
    {"device-entity-has-hidden-visibility", "device-entity-has-hidden-visibility", required, false, ignored},
    {"device-stack-protector",           "device-stack-protector", required, false, ignored},
    {"jump-table-density",               "jtd",             required, false, ignored},
    {"no-host-device-initializer-list",  "nohdinitlist",    none,     false, ignored},
    {"no-host-device-move-forward",      "nohdmoveforward", none,     false, ignored},
    {"ftemplate-depth",                  "ftemplate-depth", required, false, compiler_value},
    {"ftemplate-backtrace-limit",        "ftemplate-backtrace-limit", required, false, compiler_value},
    {"objdir-as-tempdir",                "objtemp",         none,     false, ignored},
    {"pthread",                          "pthread",         none,     false, passed},
    {"fPIC",                             "fPIC",            none,     false, compiler_flag},
    {"fopenmp",                          "fopenmp",         none,     false, passed},
    // Messages
    {"disable-warnings",                 "w",               none,     false, no_warnings},
    {"Werror",                           "Werror",          optional, true,  warnings_as_errors},
    {"Wno-deprecated-gpu-targets",       "Wno-deprecated-gpu-targets", none, false, ignored},
    {"Wno-deprecated-declarations",      "Wno-deprecated-declarations", none, false, compiler_flag},
    {"Wreorder",                         "Wreorder",        none,     false, compiler_flag},
    {"Wall",                             "Wall",            none,     false, compiler_flag},
    {"Wextra",                           "Wextra",          none,     false, compiler_flag},
    {"Wdefault-stream-launch",           "Wdefault-stream-launch", none, false, ignored},
    {"Wext-lambda-captures-this",        "Wext-lambda-captures-this", none, false, ignored},
    {"Wmissing-launch-bounds",           "Wmissing-launch-bounds", none, false, ignored},
    {"diag-suppress",                    "diag-suppress",   required, true,  ignored},
    {"diag-warn",                        "diag-warn",       required, true,  ignored},
    {"diag-error",                       "diag-error",      required, true,  ignored},
    {"display-error-number",             "err-no",          none,     false, ignored},
    {"no-display-error-number",          "no-err-no",       none,     false, ignored},
    {"source-in-ptx",                    "src-in-ptx",      none,     false, ignored},
    {"brief-diagnostics",                "brief-diag",      required, false, ignored},
    {"optimization-info",                "opt-info",        required, true,  warned},
    {"fdevice-time-trace",               "fdevice-time-trace", required, false, warned},
    {"keep",                             "keep",            none,     false, keep},
    {"keep-dir",                         "keep-dir",        required, false, ignored},
    {"save-temps",                       "save-temps",      none,     false, keep},
    {"clean-targets",                    "clean",           none,     false, warned},
    {"time",                             "time",            required, false, warned},
    {"verbose",                          "v",               none,     false, verbose},
    {"dryrun",                           "dryrun",          none,     false, dry_run},
    {"version",                          "V",               none,     false, version},
    {"help",                             "h",               none,     false, help},
    {"list-gpu-arch",                    "arch-ls",         none,     false, list_architectures},
    {"list-gpu-code",                    "code-ls",         none,     false, list_code},
};
// clang-format on

struct Match {
    const NvccOption* option = nullptr;
    bool has_value = false;
    std::string value;
};

Match match(std::string_view argument) {
    const bool is_long = argument.rfind("--", 0) == 0;
    std::string_view body = argument.substr(is_long ? 2 : 1);
    const auto equals = body.find('=');
    const std::string_view name = body.substr(0, equals);
    for (const NvccOption& option : table) {
        // nvcc takes long names with one dash and short ones with two.
        if (name.empty() || (name != option.long_name && name != option.short_name)) continue;
        if (equals == std::string_view::npos) return {&option, false, {}};
        if (option.value != none) return {&option, true, std::string(body.substr(equals + 1))};
    }
    // The longest glued name wins, so that -include is never -I nclude.
    const NvccOption* best = nullptr;
    for (const NvccOption& option : table)
        if (option.value == joined && !is_long && body.size() > option.short_name.size() &&
            body.rfind(option.short_name, 0) == 0 &&
            (!best || option.short_name.size() > best->short_name.size()))
            best = &option;
    if (best && best->action != machine && best->short_name != "t")
        return {best, true, std::string(body.substr(best->short_name.size()))};
    // -t4 and -m64 have numbers only.
    if (best && body.find_first_not_of("0123456789", 1) == std::string_view::npos)
        return {best, true, std::string(body.substr(1))};
    return {};
}

// Options for other tools are words of those tools' command lines: -Xcompiler "-fPIC -Wall" is two.
bool takes_words(const NvccOption& option) {
    return option.action == host_option || option.action == linker_option || option.action == ptxas_option ||
           option.action == archive_option;
}

// Commas separate, for some options white space as well; "\," is a comma; text in quotes is whole.
std::vector<std::string> split(const std::string& text, bool at_spaces) {
    std::vector<std::string> parts(1);
    char quote = '\0';
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',') {
            parts.back() += ',';
            ++i;
        } else if (quote) {
            if (text[i] == quote)
                quote = '\0';
            else
                parts.back() += text[i];
        } else if (text[i] == '"' || text[i] == '\'') {
            quote = text[i];
        } else if (text[i] == ',' || (at_spaces && (text[i] == ' ' || text[i] == '\t'))) {
            parts.emplace_back();
        } else {
            parts.back() += text[i];
        }
    }
    std::erase(parts, "");
    return parts;
}

// What -Werror may be followed by. Many write it alone, as for gcc: then the next word is something else.
bool are_warnings(const std::string& text) {
    static const std::set<std::string_view> kinds = {
        "all-warnings",           "cross-execution-space-call", "reorder",
        "default-stream-launch",  "missing-launch-bounds",      "ext-lambda-captures-this",
        "deprecated-declarations"};
    const std::vector<std::string> parts = split(text, false);
    return !parts.empty() && std::all_of(parts.begin(), parts.end(),
                                         [](const std::string& part) { return kinds.count(part) > 0; });
}

// A response file: words at white space, quotes and backslashes as in a shell.
std::vector<std::string> words(const std::string& text) {
    std::vector<std::string> result;
    std::string word;
    bool inside = false;
    char quote = '\0';
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote) {
            if (c == quote)
                quote = '\0';
            else
                word += c;
        } else if (c == '"' || c == '\'') {
            quote = c;
            inside = true;
        } else if (c == '\\' && i + 1 < text.size()) {
            word += text[++i];
            inside = true;
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            if (inside) result.push_back(std::exchange(word, {}));
            inside = false;
        } else {
            word += c;
            inside = true;
        }
    }
    if (inside) result.push_back(word);
    return result;
}

Result<void> parse(const std::vector<std::string>& arguments, int depth, NvccCommandLine& result) {
    if (depth > 16) return Error{"options files include each other without end", {}};
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        if (argument.size() < 2 || argument[0] != '-') {
            result.arguments.push_back({nullptr, {}, argument, {}});
            continue;
        }
        Match found = match(argument);
        if (!found.option) {
            result.unknown.push_back(argument);
            continue;
        }
        std::vector<std::string> as_written = {argument};
        if (found.option->value == required || found.option->value == joined) {
            if (!found.has_value) {
                if (i + 1 == arguments.size())
                    return Error{fmt::format("option {} needs a value", argument), {}};
                found.value = arguments[++i];
                as_written.push_back(found.value);
            }
            found.has_value = true;
        }
        if (found.option->action == warnings_as_errors && !found.has_value && i + 1 < arguments.size() &&
            are_warnings(arguments[i + 1])) {
            found.value = arguments[++i];
            found.has_value = true;
            as_written.push_back(found.value);
        }
        NvccArgument parsed{found.option, {}, argument, std::move(as_written)};
        if (found.has_value)
            parsed.values = found.option->list ? split(found.value, takes_words(*found.option))
                                               : std::vector{found.value};
        if (found.option->action != response_file) {
            result.arguments.push_back(std::move(parsed));
            continue;
        }
        for (const std::string& file : parsed.values) {
            const auto text = read_file(file);
            if (!text) return Error{fmt::format("options file {}: no such file", file), {}};
            if (auto inner = parse(words(*text), depth + 1, result); !inner) return inner;
        }
    }
    return {};
}

}  // namespace

std::span<const NvccOption> nvcc_options() { return table; }

Result<NvccCommandLine> parse_nvcc(const std::vector<std::string>& arguments) {
    NvccCommandLine result;
    if (auto parsed = parse(arguments, 0, result); !parsed) return parsed.error();
    return result;
}

}  // namespace lockstep::compile
