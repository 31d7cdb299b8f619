#include "measure/amd.h"

#include <fmt/format.h>

#include <array>
#include <sstream>

#include "base/trimmed.h"
#include "compile/files.h"
#include "compile/toolchain.h"
#include "measure/ask-tool.h"

namespace lockstep::measure {
namespace {

// "  Marketing Name:          AMD Instinct MI210": the value of that key.
std::optional<std::string> value_of_line(const std::string& line, std::string_view key) {
    const std::string text = base::trimmed(line);
    if (!text.starts_with(key)) return {};
    const std::string rest = base::trimmed(text.substr(key.size()));
    if (!rest.starts_with(":")) return {};
    return base::trimmed(rest.substr(1));
}

// Why rocminfo, or a program, finds no GPU: its own words say it.
std::string explained(const std::string& said) {
    const auto says = [&](std::string_view words) { return said.find(words) != std::string::npos; };
    if (says("Unable to open /dev/kfd"))
        return "/dev/kfd, AMD's driver, may not be used by this user: an administrator puts the user into "
               "the groups that own it (usermod -a -G render,video USER, then log in again; in a container "
               "--device=/dev/kfd --device=/dev/dri)";
    if (says("module is NOT loaded")) return "AMD's driver (the kernel module amdgpu) is not loaded";
    return "";
}

Error no_gpu(const std::string& tool, const std::string& said) {
    const std::string why = explained(said);
    if (!why.empty()) return {why, {}};
    return {fmt::format("{} names no AMD GPU of this machine: {}", tool,
                        base::trimmed(said.substr(0, said.find('\n')))),
            {}};
}

// Of the kernel's module, where it says so: AMD's own packages do.
std::string driver_version() {
    const auto text = compile::read_file("/sys/module/amdgpu/version");
    return text ? base::trimmed(text->substr(0, text->find('\n'))) : "";
}

// "version: 0.5.0", "ROCProfiler-SDK 0.6.0": the first word that is one.
std::string version_in(const std::string& text) {
    std::istringstream words(text);
    for (std::string word; words >> word;)
        if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos)
            return word;
    return "";
}

}  // namespace

Result<std::vector<RealGpu>> parse_rocminfo(const std::string& printed) {
    struct Agent {
        std::string name, marketing_name, type;
    };
    std::vector<Agent> agents;
    std::istringstream lines(printed);
    for (std::string line; std::getline(lines, line);) {
        if (base::trimmed(line).starts_with("Agent ")) agents.emplace_back();
        if (agents.empty()) continue;
        // An agent's parts (instruction sets, caches) have names, too: the first is its own.
        const auto take = [&](std::string& to, std::string_view key) {
            if (!to.empty()) return;
            if (const auto value = value_of_line(line, key)) to = *value;
        };
        take(agents.back().name, "Name");
        take(agents.back().marketing_name, "Marketing Name");
        take(agents.back().type, "Device Type");
    }
    std::vector<RealGpu> gpus;
    for (const Agent& agent : agents)
        if (agent.type == "GPU" && agent.name.starts_with("gfx"))
            gpus.push_back({agent.marketing_name.empty() ? "AMD GPU" : agent.marketing_name, "", agent.name});
    if (gpus.empty()) return no_gpu("rocminfo", printed);
    return gpus;
}

Result<std::vector<RealGpu>> parse_agent_list(const std::string& printed) {
    std::vector<RealGpu> gpus;
    std::istringstream lines(printed);
    for (std::string line; std::getline(lines, line);)
        if (const std::string name = base::trimmed(line); name.starts_with("gfx") && name != "gfx000")
            gpus.push_back({fmt::format("AMD GPU ({})", name), "", name});
    if (gpus.empty()) return no_gpu("rocm_agent_enumerator", printed);
    return gpus;
}

Result<std::vector<RealGpu>> find_amd_gpus() {
    struct Source {
        const char* program;
        Result<std::vector<RealGpu>> (*parse)(const std::string&);
    };
    constexpr std::array sources = {Source{"rocminfo", parse_rocminfo},
                                    Source{"rocm_agent_enumerator", parse_agent_list}};
    for (const Source& source : sources) {
        const auto program = compile::find_rocm_program(source.program);
        if (!program) continue;
        auto told = ask_tool({program->string()});
        if (!told) return told.error();
        if (!told->status.ok()) return no_gpu(source.program, told->output + told->errors);
        auto gpus = source.parse(told->output);
        if (gpus)
            for (RealGpu& gpu : *gpus) gpu.driver = driver_version();
        return gpus;
    }
    return Error{"there is no AMD GPU here: rocminfo, which comes with ROCm, is not installed", {}};
}

std::string Rocprof::name() const {
    const std::string tool = is_v3 ? "rocprofv3" : "rocprof";
    return version.empty() ? tool : tool + " " + version;
}

std::optional<Rocprof> find_rocprof() {
    for (const bool is_v3 : {true, false}) {
        const auto program = compile::find_rocm_program(is_v3 ? "rocprofv3" : "rocprof");
        if (!program) continue;
        Rocprof found;
        found.file = *program;
        found.is_v3 = is_v3;
        if (auto told = ask_tool({program->string(), "--version"}); told && told->status.ok())
            found.version = version_in(told->output);
        return found;
    }
    return {};
}

}  // namespace lockstep::measure
