// lockstep cuobjdump: cuobjdump's command line, for the PTX in executables, objects, libraries and fat
// binaries.
#include <fmt/format.h>

#include <array>
#include <map>

#include "base/read-file.h"
#include "cli/command.h"
#include "cli/profiled-run.h"
#include "cli/tool-options.h"
#include "cli/write-output.h"
#include "compile/architectures.h"
#include "compile/executable.h"
#include "compile/fatbin.h"
#include "compile/files.h"
#include "compile/version.h"

namespace lockstep::cli {
namespace cuobjdump_command {

namespace fs = std::filesystem;

enum class Action { dump_ptx, list_ptx, list_elf, extract_ptx, architecture, all, help, version };

constexpr int act(Action action) { return static_cast<int>(action); }

constexpr const char* no_machine_code = "lockstep runs PTX, and has nothing that reads a GPU's machine code";

constexpr std::array options = {
    ToolOption{"dump-ptx", "ptx", false, act(Action::dump_ptx), "print the PTX"},
    ToolOption{"list-ptx", "lptx", false, act(Action::list_ptx), "list it, a line for each"},
    ToolOption{"list-elf", "lelf", false, act(Action::list_elf), "list the machine code, a line for each"},
    ToolOption{"extract-ptx", "xptx", true, act(Action::extract_ptx),
               "write PTX into files of the names that -lptx lists; all: every one"},
    ToolOption{"gpu-architecture", "arch", true, act(Action::architecture), "only of this one: sm_80"},
    ToolOption{"all-fatbin", "all", false, act(Action::all), "of objects and of device linking: both always"},
    ToolOption{"help", "h", false, act(Action::help), "this text"},
    ToolOption{"version", "V", false, act(Action::version), "the version of lockstep"},
    ToolOption{"dump-sass", "sass", false, 0, "", no_machine_code},
    ToolOption{"dump-elf", "elf", false, 0, "", no_machine_code},
    ToolOption{"extract-elf", "xelf", true, 0, "", no_machine_code},
    ToolOption{"dump-elf-symbols", "symbols", false, 0, "", no_machine_code},
    ToolOption{"dump-resource-usage", "res-usage", false, 0, "",
               "it is in the machine code; lockstep occupancy estimates registers from PTX"},
    ToolOption{"function", "fun", true, 0, "", no_machine_code},
};

struct Request {
    std::vector<std::string> files;
    bool dump_ptx = false, list_ptx = false, list_elf = false;
    std::string extract;
    int architecture = 0;  // 0: all
};

std::string help() {
    return "lockstep cuobjdump [OPTIONS] FILE...\n\n"
           "Shows the device code in executables, objects, shared libraries and fat binaries. Without an "
           "option: "
           "what there is.\n\n" +
           ToolOptions("cuobjdump", options).help() + "\nExample:\n  lockstep cuobjdump -ptx ./a.out\n";
}

std::optional<int> apply(const ToolOption& option, const std::string& value, Request& request) {
    switch (static_cast<Action>(option.action)) {
        case Action::dump_ptx: request.dump_ptx = true; break;
        case Action::list_ptx: request.list_ptx = true; break;
        case Action::list_elf: request.list_elf = true; break;
        case Action::extract_ptx: request.extract = value; break;
        case Action::architecture:
            request.architecture = compile::sm_number(value);
            if (request.architecture == 0)
                return fail(fmt::format("cuobjdump: -arch {}: expected one as sm_80", value), 2);
            break;
        case Action::all: break;
        case Action::help: return write_output("-", help());
        case Action::version:
            return write_output("-", fmt::format("cuobjdump: lockstep {}\n", compile::version()));
    }
    return {};
}

Result<std::vector<compile::Fatbin>> contents_of(const fs::path& file) {
    if (auto good = compile::check_input(file); !good) return good.error();
    if (compile::is_elf(file)) return compile::fatbins_of(file);
    const auto bytes = base::read_file(file);
    if (!bytes) return Error{file.string() + ": cannot be read", {}};
    if (bytes->starts_with("!<arch>"))
        return Error{file.string() + ": an archive; `ar x` gives the objects that are in it", {}};
    auto fatbin = compile::read_fatbin(bytes->data(), bytes->size());
    if (!fatbin)
        return Error{file.string() + ": neither an executable nor an object, a library or a fat binary", {}};
    return std::vector{std::move(*fatbin)};
}

// "8.5" of "\n.version 8.5\n"
std::string ptx_version(const std::string& ptx) {
    const std::size_t at = ptx.find(".version ");
    if (at == std::string::npos) return "unknown";
    const std::size_t begin = at + 9;
    std::string text = ptx.substr(begin, ptx.find_first_of(" \t\r\n", begin) - begin);
    if (const std::size_t dot = text.find('.'); dot != std::string::npos) text[dot] = ',';
    return fmt::format("[{}]", text);
}

void print_header(const char* kind, int architecture, const std::string& code_version) {
    fmt::print("\nFatbin {} code:\n================\narch = sm_{}\n", kind, architecture);
    if (!code_version.empty()) fmt::print("code version = {}\n", code_version);
    fmt::print("host = linux\ncompile_size = 64bit\n");
}

int show(const fs::path& file, const Request& request) {
    auto fatbins = contents_of(file);
    if (!fatbins) return fail("cuobjdump: " + fatbins.error().to_string());
    const bool listing = request.list_ptx || request.list_elf || !request.extract.empty();
    int ptx_files = 0, elf_files = 0, extracted = 0;
    const auto wanted = [&](int sm) { return request.architecture == 0 || request.architecture == sm; };
    for (const compile::Fatbin& fatbin : *fatbins) {
        for (const int sm : fatbin.machine_code) {
            if (!wanted(sm)) continue;
            if (request.list_elf)
                fmt::print("ELF file    {}: {}.{}.sm_{}.cubin\n", elf_files + 1, file.stem().string(),
                           elf_files + 1, sm);
            ++elf_files;
            if (!listing) print_header("elf", sm, "");
        }
        for (const compile::FatbinPtx& ptx : fatbin.ptx) {
            if (!wanted(ptx.sm)) continue;
            ++ptx_files;
            const std::string name = fmt::format("{}.{}.sm_{}.ptx", file.stem().string(), ptx_files, ptx.sm);
            if (request.list_ptx) fmt::print("PTX file    {}: {}\n", ptx_files, name);
            if (!request.extract.empty() && (request.extract == "all" || request.extract == name)) {
                if (auto written = compile::write_file(name, ptx.text); !written)
                    return fail("cuobjdump: " + written.error().to_string());
                fmt::print("Extracting PTX file    {}: {}\n", ptx_files, name);
                ++extracted;
            }
            if (listing) continue;
            print_header("ptx", ptx.sm, ptx_version(ptx.text));
            if (request.dump_ptx) fmt::print("\n{}\n", ptx.text);
        }
    }
    if (!request.extract.empty() && extracted == 0)
        return fail(
            fmt::format("cuobjdump: {}: no PTX of the name {} (see -lptx)", file.string(), request.extract));
    if (ptx_files + elf_files == 0)
        fmt::print(stderr, "cuobjdump info    : File '{}' does not contain device code\n", file.string());
    return 0;
}

}  // namespace cuobjdump_command

int cuobjdump_main(const std::vector<std::string>& arguments) {
    using namespace cuobjdump_command;
    Request request;
    const auto ended = ToolOptions("cuobjdump", options)
                           .parse_all(
                               arguments,
                               [&](const ToolOption& option, const std::string& value) {
                                   return apply(option, value, request);
                               },
                               request.files);
    if (ended) return *ended;
    if (request.files.empty()) return fail("cuobjdump needs a file (see lockstep cuobjdump --help)", 2);
    int status = 0;
    for (const std::string& file : request.files) status = std::max(status, show(file, request));
    return status;
}

void add_cuobjdump(CommandLine& line) {
    using namespace cuobjdump_command;
    line.add_command("cuobjdump", "Show the PTX in executables and objects: takes cuobjdump's options");
}

}  // namespace lockstep::cli
