#include "cli/launch-selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "base/pattern.h"
#include "base/range-pattern.h"

namespace lockstep::cli {
namespace {

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (std::string_view(".[]{}()*+?^$|\\").find(c) != std::string_view::npos) result += '\\';
        result += c;
    }
    return result;
}

std::string number_or_nothing(std::uint64_t number) { return number == 0 ? "" : std::to_string(number); }

}  // namespace

bool LaunchSelection::chooses() const {
    return !kernels.empty() || !nvtx_include.empty() || !nvtx_exclude.empty() || !streams.empty() ||
           !invocations.empty() || launch_skip != 0 || launch_count || skip_before_match != 0 || !from_start;
}

Variables selection_variables(const LaunchSelection& selection) {
    return {
        {"LOCKSTEP_KERNELS", selection.kernels},
        {"LOCKSTEP_KERNEL_NAMES", selection.names},
        {"LOCKSTEP_STREAMS", selection.streams},
        {"LOCKSTEP_INVOCATIONS", selection.invocations},
        {"LOCKSTEP_NVTX_INCLUDE", selection.nvtx_include},
        {"LOCKSTEP_NVTX_EXCLUDE", selection.nvtx_exclude},
        {"LOCKSTEP_LAUNCH_SKIP_ALL", number_or_nothing(selection.skip_before_match)},
        {"LOCKSTEP_LAUNCH_SKIP", number_or_nothing(selection.launch_skip)},
        {"LOCKSTEP_LAUNCH_COUNT", selection.launch_count ? std::to_string(*selection.launch_count) : ""},
        {"LOCKSTEP_PROFILE_FROM_START", !selection.heeds_calls ? "always"
                                        : selection.from_start ? ""
                                                               : "0"},
    };
}

Result<void> choose_ranges(const std::string& option, const std::string& text, std::string& to) {
    const auto pattern = base::RangePattern::create(text);
    if (!pattern) return Error{fmt::format("{}: {}", option, pattern.error().message), {}};
    to += text + '\n';
    return {};
}

Result<void> check_regex(const std::string& option, const std::string& regex) {
    const auto pattern = base::Pattern::create(regex);
    if (pattern) return {};
    return Error{fmt::format("{} {}: not a regular expression ({})", option, regex, pattern.error().message),
                 {}};
}

Result<void> choose_kernel(const std::string& option, const std::string& text, LaunchSelection& selection) {
    constexpr std::string_view prefix = "regex:";
    if (text.empty() || text == prefix)
        return Error{fmt::format("{}: the kernel's name is empty", option), {}};
    if (selection.names.empty()) selection.names = "function";
    if (!text.starts_with(prefix)) {
        selection.kernels = "^" + escaped(text) + "$";
        return {};
    }
    selection.kernels = text.substr(prefix.size());
    return check_regex(option, selection.kernels);
}

Result<void> choose_name_base(const std::string& option, const std::string& text,
                              LaunchSelection& selection) {
    if (text != "function" && text != "demangled" && text != "mangled")
        return Error{fmt::format("{} {}: there are function, demangled and mangled", option, text), {}};
    selection.names = text;
    return {};
}

Result<void> choose_by_id(const std::string& option, const std::string& text, bool ncu,
                          LaunchSelection& selection) {
    const std::size_t context_end = text.find(':');
    const std::size_t stream_end = context_end == text.npos ? text.npos : text.find(':', context_end + 1);
    const std::size_t kernel_end = text.rfind(':');
    if (stream_end == text.npos || kernel_end <= stream_end)
        return Error{fmt::format("{} {}: expected CONTEXT:STREAM:KERNEL:INVOCATION", option, text), {}};
    const std::string context = text.substr(0, context_end);
    if (!context.empty() && context != "1")
        return Error{fmt::format("{} {}: there is one context, number 1", option, text), {}};
    selection.streams = text.substr(context_end + 1, stream_end - context_end - 1);
    selection.invocations = text.substr(kernel_end + 1);
    for (const std::string& part : {selection.streams, selection.invocations})
        if (auto good = check_regex(option, part); !good) return good;
    const std::string kernel = text.substr(stream_end + 1, kernel_end - stream_end - 1);
    if (kernel.empty()) return {};
    if (ncu) return choose_kernel(option, kernel, selection);
    selection.kernels = kernel;
    return check_regex(option, kernel);
}

Result<void> choose_start(const std::string& option, const std::string& text, LaunchSelection& selection) {
    const bool on = text == "on" || text == "yes" || text == "true" || text == "1";
    if (!on && text != "off" && text != "no" && text != "false" && text != "0")
        return Error{fmt::format("{} {}: there are on and off", option, text), {}};
    selection.from_start = on;
    return {};
}

Result<std::set<int>> parse_devices(const std::string& text) {
    std::set<int> devices;
    if (text == "all") return devices;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        int number = 0;
        const auto [stop, error] = std::from_chars(text.data() + begin, text.data() + end, number);
        if (error != std::errc() || stop != text.data() + end || number < 0)
            return Error{text + ": expected numbers of devices, separated by commas, or all", {}};
        devices.insert(number);
        begin = end + 1;
    }
    return devices;
}

Result<void> keep_devices(const std::set<int>& devices, report::RunFile& run) {
    for (const int device : devices)
        if (static_cast<std::size_t>(device) >= run.info.devices.size())
            return Error{fmt::format("--devices: there is no device {}, but {} (from 0 on)", device,
                                     run.info.devices.size()),
                         {}};
    if (!devices.empty()) run.keep_devices(devices);
    return {};
}

}  // namespace lockstep::cli
