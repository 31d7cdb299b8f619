#include "compile/hipcc-plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

// Options of clang's whose value is the next word.
constexpr std::array with_value = {
    "-I",         "-D",      "-U",     "-include",      "-isystem",    "-iquote",        "-imacros",
    "-idirafter", "-Xclang", "-mllvm", "-Xarch_device", "-Xarch_host", "-Xpreprocessor", "-Xassembler",
    "-target",    "-B"};
constexpr std::array link_with_value = {"-L", "-l", "-Xlinker", "-T", "-u", "-z", "-rpath"};
// Where real tools are and what they link: ours are where they are.
constexpr std::array of_the_installation = {
    "--rocm-path=",   "--hip-path=",     "--hip-device-lib-path=", "--rocm-device-lib-path=",
    "--hip-version=", "--gcc-toolchain="};
constexpr std::array without_effect = {"--hip-link",           "-hip-link",
                                       "--driver-mode=g++",    "-no-hip-rt",
                                       "-fhip-new-launch-api", "--no-offload-compress",
                                       "--offload-compress"};

constexpr std::array names_targets = {"--offload-arch=", "--amdgpu-target=", "--cuda-gpu-arch="};

template <class List>
bool is_one_of(const List& list, const std::string& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

template <class List>
bool begins_with_one_of(const List& list, const std::string& word) {
    return std::any_of(list.begin(), list.end(),
                       [&](const char* option) { return word.starts_with(option); });
}

bool is_link_option(const std::string& word) {
    return word.starts_with("-Wl,") || word.starts_with("-L") || word.starts_with("-l") ||
           word == "-rdynamic" || word.starts_with("-static") || is_one_of(link_with_value, word);
}

// Which hipcc itself is to have: not what it makes, and whereto.
bool is_for_hipcc(const std::string& word) {
    return word.starts_with("-") && word != "-" && word != "-o" && !word.starts_with("-M") &&
           !is_link_option(word) && !begins_with_one_of(names_targets, word);
}

Result<Language> hip_language_of(const fs::path& file) {
    auto language = language_of(file);
    // hipcc takes every C++ file for HIP, and CUDA's own name as well.
    if (language && (*language == Language::cxx || *language == Language::cuda)) return Language::hip;
    return language;
}

Result<std::optional<Language>> named_language(const std::string& name) {
    if (name == "hip") return std::optional(Language::hip);
    if (name == "c++") return std::optional(Language::cxx);
    if (name == "c") return std::optional(Language::c);
    if (name == "none") return std::optional<Language>();
    return Error{fmt::format("-x {}: hip, c++ and c are known", name), {}};
}

}  // namespace

bool is_hip(const std::vector<std::string>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == "-xhip" ||
            (arguments[i] == "-x" && i + 1 < arguments.size() && arguments[i + 1] == "hip"))
            return true;
        if (!arguments[i].starts_with("-") && fs::path(arguments[i]).extension() == ".hip") return true;
    }
    return false;
}

Result<HipccPlan> plan_hipcc(const std::vector<std::string>& arguments,
                             const std::vector<std::string>& targets) {
    HipccPlan plan;
    plan.flags.host_level = 3;  // hipcc's own
    std::vector<std::string> asked;
    std::optional<Language> language;
    bool device_only = false, assembly = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& word = arguments[i];
        std::string next;
        const bool takes_next = word == "-o" || word == "-x" || word == "-MF" || word == "-MT" ||
                                word == "-MQ" || is_one_of(with_value, word) ||
                                is_one_of(link_with_value, word);
        if (takes_next) {
            if (i + 1 == arguments.size()) return Error{fmt::format("{} lacks its value", word), {}};
            next = arguments[++i];
        }
        if (is_for_hipcc(word)) {
            plan.hipcc.push_back(word);
            if (takes_next) plan.hipcc.push_back(next);
        }
        if (!word.starts_with("-") || word == "-") {
            if (language) {
                plan.inputs.push_back({word, *language});
                continue;
            }
            auto known = hip_language_of(word);
            if (!known) return known.error();
            plan.inputs.push_back({word, *known});
        } else if (word == "-o") {
            plan.output = next;
        } else if (word == "-x" || word.starts_with("-x")) {
            auto named = named_language(word == "-x" ? next : word.substr(2));
            if (!named) return named.error();
            language = *named;
        } else if (word == "-c") {
            if (plan.mode == HipccMode::link) plan.mode = HipccMode::compile;
        } else if (word == "-S") {
            assembly = true;
        } else if (word == "-E") {
            plan.mode = HipccMode::preprocess;
        } else if (word == "--genco") {
            plan.mode = HipccMode::code;
        } else if (word == "--offload-device-only" || word == "--cuda-device-only") {
            device_only = true;
        } else if (word == "--version" || word == "-dumpversion") {
            plan.mode = HipccMode::version;
        } else if (word == "--help" || word == "-h") {
            plan.mode = HipccMode::help;
        } else if (word == "--emit-static-lib") {
            plan.mode = HipccMode::archive;
        } else if (word == "-fgpu-rdc") {
            plan.flags.relocatable = true;
        } else if (word == "-fno-gpu-rdc") {
            plan.flags.relocatable = false;
        } else if (begins_with_one_of(names_targets, word)) {
            std::istringstream in(word.substr(word.find('=') + 1));
            for (std::string one; std::getline(in, one, ',');) {
                if (one == "native")
                    asked.insert(asked.end(), targets.begin(), targets.end());
                else if (one.starts_with("gfx"))
                    asked.push_back(one);
                else
                    return Error{
                        fmt::format("{}: lockstep compiles HIP for AMD's GPUs, gfx908 for example", word),
                        {}};
            }
        } else if (word == "-MD" || word == "-MMD") {
            plan.write_dependencies = true;
            plan.system_dependencies = word == "-MD";
        } else if (word == "-MP") {
            plan.phony_targets = true;
        } else if (word == "-MF") {
            plan.dependency_file = next;
        } else if (word == "-MT" || word == "-MQ") {
            plan.dependency_target = next;
        } else if (word == "-shared" || word == "--shared") {
            plan.shared = true;
        } else if (word == "-v" || word == "--verbose") {
            plan.flags.verbose = true;
        } else if (word == "-w") {
            plan.flags.no_warnings = true;
        } else if (begins_with_one_of(of_the_installation, word) || is_one_of(without_effect, word)) {
            continue;
        } else if (is_link_option(word)) {
            plan.link.push_back(word);
            if (takes_next) plan.link.push_back(next);
        } else {
            plan.flags.common.push_back(word);
            if (takes_next) plan.flags.common.push_back(next);
            if (word == "-pthread" || word.starts_with("-fsanitize") || word == "-fopenmp")
                plan.link.push_back(word);
        }
    }
    if (assembly && !device_only && plan.mode == HipccMode::link)
        return Error{"-S: with --offload-device-only, for the device code of one GPU", {}};
    if (device_only) plan.mode = assembly ? HipccMode::assembly : HipccMode::code;
    // Device code alone is whole.
    if (plan.mode == HipccMode::code || plan.mode == HipccMode::assembly) plan.flags.relocatable = false;
    // hipcc links the runtime library itself.
    std::erase(plan.link, "-lamdhip64");
    std::set<std::string> seen;
    std::erase_if(asked, [&](const std::string& one) { return !seen.insert(one).second; });
    plan.flags.targets = asked.empty() ? targets : asked;
    return plan;
}

}  // namespace lockstep::compile
