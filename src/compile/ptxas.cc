#include "compile/ptxas.h"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "compile/files.h"
#include "compile/process.h"
#include "compile/toolchain.h"

namespace lockstep::compile {
namespace {

// The number in "400 bytes stack frame" before " bytes stack frame"; 0 if the line has no such part.
std::uint64_t number_before(std::string_view line, std::string_view words) {
    const auto at = line.find(words);
    if (at == line.npos) return 0;
    std::size_t begin = at;
    while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9') --begin;
    std::uint64_t number = 0;
    std::from_chars(line.data() + begin, line.data() + at, number);
    return number;
}

std::string_view between_quotes(std::string_view line) {
    const auto first = line.find('\'');
    const auto last = line.find('\'', first + 1);
    return first == line.npos || last == line.npos ? "" : line.substr(first + 1, last - first - 1);
}

// "ptxas fatal   : Value 'sm_61' is …" without the program's name.
std::string first_complaint(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        for (const char* kind : {"fatal", "error"})
            if (line.find(kind) != line.npos)
                if (const auto colon = line.find(": "); colon != line.npos) return line.substr(colon + 2);
    return "it failed without a message";
}

}  // namespace

Result<std::filesystem::path> find_ptxas() {
    if (auto found = find_program("ptxas")) return *found;
    if (auto nvcc = find_nvcc())
        if (auto found = find_program((nvcc->parent_path() / "ptxas").string())) return *found;
    return Error{"ptxas is not installed", {}};
}

PtxasReport parse_ptxas_report(std::string_view text) {
    PtxasReport report;
    PtxasKernel* kernel = nullptr;
    bool own_properties = false;  // functions that the kernel calls have properties too
    std::string name;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
        if (line.find("Compiling entry function") != line.npos) {
            name = between_quotes(line);
            kernel = name.empty() ? nullptr : &report[name];
        } else if (const auto at = line.find("Function properties for "); at != line.npos) {
            own_properties = line.substr(at + std::string_view("Function properties for ").size()) == name;
        } else if (kernel && own_properties && line.find(" bytes stack frame") != line.npos) {
            kernel->stack_bytes = number_before(line, " bytes stack frame");
            kernel->spill_stores = number_before(line, " bytes spill stores");
            kernel->spill_loads = number_before(line, " bytes spill loads");
        } else if (kernel && line.find("Used ") != line.npos) {
            kernel->registers = static_cast<int>(number_before(line, " registers"));
            kernel->shared_bytes = number_before(line, " bytes smem");
        }
    }
    return report;
}

Result<PtxasReport> run_ptxas(const std::filesystem::path& ptxas, std::string_view ptx,
                              const PtxasOptions& options) {
    auto scratch = TempDir::create();
    if (!scratch) return scratch.error();
    const std::filesystem::path input = scratch->path() / "device.ptx";
    if (auto written = write_file(input, ptx); !written) return written.error();
    Arguments arguments = {ptxas.string(), "-v", fmt::format("-arch=sm_{}", options.sm),
                           input.string(), "-o", (scratch->path() / "device.cubin").string()};
    if (options.max_registers > 0)
        arguments.push_back(fmt::format("-maxrregcount={}", options.max_registers));
    if (!options.optimise) arguments.push_back("-O0");
    if (options.relocatable) arguments.push_back("-c");
    auto finished = run(arguments, scratch->path());
    if (!finished) return finished.error();
    if (!finished->status.ok())
        return Error{"ptxas: " + first_complaint(finished->errors + finished->output), {}};
    return parse_ptxas_report(finished->errors + finished->output);
}

}  // namespace lockstep::compile
