#include "explain/expectation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

#include "explain/rules.h"
#include "report/kernel-filter.h"

namespace lockstep::explain {

namespace {

constexpr const char* whole_program = "program";

std::vector<std::string> all_names() {
    std::vector<std::string> names = imagined_names();
    for (auto& more : {launch_names(), code_names(), compiler_names(), program_names()})
        names.insert(names.end(), more.begin(), more.end());
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

}  // namespace

Result<Expectation> parse_expectation(std::string_view text) {
    static const std::regex form(
        R"(\s*(?:(.*[^\s:])\s*:)?\s*no\s+([a-z-]+)(?:\s+above\s+([0-9.]+)\s*%)?\s*)");
    std::match_results<std::string_view::const_iterator> found;
    if (!std::regex_match(text.begin(), text.end(), found, form))
        return Error{fmt::format("expectation '{}': it should be like 'no finding above 10 %' or 'KERNEL: no "
                                 "bank-conflicts'",
                                 text),
                     {}};
    Expectation result;
    result.kernel = found[1].str();
    result.id = found[2].str();
    if (!result.kernel.empty())
        if (auto good = report::check_kernel_pattern(result.kernel); !good)
            return Error{fmt::format("expectation '{}': {}", text, good.error().to_string()), {}};
    if (result.id == "finding") result.id.clear();
    const std::vector<std::string> names = all_names();
    if (!result.id.empty() && std::find(names.begin(), names.end(), result.id) == names.end())
        return Error{fmt::format("expectation '{}': there is no finding '{}'; there are {}", text, result.id,
                                 fmt::join(names, ", ")),
                     {}};
    if (found[3].matched) result.above = std::stod(found[3].str()) / 100;
    result.text = text;
    return result;
}

std::vector<std::string> check(const Expectation& expectation, const Explanation& all) {
    std::vector<std::string> messages;
    const auto look = [&](const std::string& where, const std::vector<Finding>& findings) {
        for (const Finding& finding : findings)
            if ((expectation.id.empty() || finding.id == expectation.id) &&
                (!expectation.above || finding.cost > *expectation.above))
                messages.push_back(fmt::format(
                    "expectation '{}' does not hold: {}: {} ({}){}", expectation.text, where, finding.id,
                    finding.title,
                    finding.cost > 0 ? fmt::format(" costs {:.1f} %", 100 * finding.cost) : " is there"));
    };
    const bool everywhere = expectation.kernel.empty();
    bool matched = everywhere || expectation.kernel == whole_program;
    if (matched) look(whole_program, all.program.findings);
    for (const KernelFindings& one : all.kernels) {
        if (!everywhere && !report::names_kernel(expectation.kernel, one.kernel)) continue;
        matched = true;
        look(one.kernel, one.findings);
    }
    if (!matched)
        messages.push_back(
            fmt::format("expectation '{}' does not hold: no kernel matches it", expectation.text));
    return messages;
}

}  // namespace lockstep::explain
