#include "gpu/model-settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

#include "base/nearest.h"
#include "gpu/model-checks.h"
#include "gpu/model-keys.h"

namespace lockstep::gpu {
namespace {

constexpr std::string_view short_name = "sms", meant_by_it = "sm.count";

// A complaint, or nothing when the value was taken.
using Complaint = std::optional<std::string>;

std::string whole(double bound) { return fmt::format("{}", static_cast<std::int64_t>(bound)); }

template <class Number>
bool parse(std::string_view text, Number& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

template <class Integer>
requires std::is_integral_v<Integer> Complaint take(const Key& key, std::string_view text, Integer& member) {
    std::int64_t value = 0;
    if (!parse(text, value) || static_cast<double>(value) < key.least ||
        static_cast<double>(value) > key.most)
        return fmt::format("it must be a whole number between {} and {}", whole(key.least), whole(key.most));
    member = static_cast<Integer>(value);
    return {};
}

Complaint take(const Key& key, std::string_view text, double& member) {
    double value = 0;
    if (!parse(text, value) || !(value >= key.least && value <= key.most))  // nan fails every comparison
        return fmt::format("it must be a number between {} and {}", key.least, key.most);
    member = value;
    return {};
}

Complaint take(const Key&, std::string_view text, bool& member) {
    if (text != "true" && text != "false") return "it must be true or false";
    member = text == "true";
    return {};
}

Complaint take(const Key&, std::string_view text, SchedulerPolicy& member) {
    const auto* found = std::find(std::begin(policy_names), std::end(policy_names), text);
    if (found == std::end(policy_names))
        return fmt::format("it must be one of {}", fmt::join(policy_names, ", "));
    member = static_cast<SchedulerPolicy>(found - std::begin(policy_names));
    return {};
}

Complaint take(const Key&, std::string_view, std::string&) { return "only figures can be set, not names"; }

Complaint take(const Key& key, std::string_view text, std::vector<std::uint32_t>& member) {
    std::vector<std::uint32_t> values;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        if (auto complaint = take(key, text.substr(at, comma - at), values.emplace_back()))
            return "of each number: " + *complaint;
        at = comma + 1;
    }
    member = std::move(values);
    return {};
}

Complaint take(const Key& key, std::string_view text, Triple& member) {
    std::vector<std::uint32_t> values;
    if (auto complaint = take(key, text, values)) return complaint;
    if (values.size() != 3) return "it must be three numbers: x,y,z";
    std::copy(values.begin(), values.end(), member);
    return {};
}

Error unknown_key(std::string_view name, const std::vector<Key>& keys) {
    std::vector<std::string> names = {std::string(short_name)};
    for (const Key& key : keys) names.emplace_back(key.path);
    auto near = nearest(name, names);
    // "latency" is no near miss of "l2.latency", but what it means is among those that end so.
    for (const std::string& known : names)
        if (known.ends_with(fmt::format(".{}", name)) &&
            std::find(near.begin(), near.end(), known) == near.end())
            near.push_back(known);
    constexpr std::size_t enough = 5;
    if (near.size() > enough) near.resize(enough);
    return {fmt::format("a GPU model has no figure '{}'{} (lockstep gpus NAME shows them all)", name,
                        near.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(near, " or "))),
            {}};
}

Result<void> change_figure(GpuModel& model, std::string_view setting) {
    const std::size_t equals = setting.find('=');
    if (equals == setting.npos || equals == 0 || equals + 1 == setting.size())
        return Error{"expected KEY=VALUE, for example sms=8", {}};
    const std::string_view name = setting.substr(0, equals), value = setting.substr(equals + 1);
    const std::vector<Key> keys = keys_of(model);
    const std::string_view path = name == short_name ? meant_by_it : name;
    const auto key = std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.path == path; });
    if (key == keys.end()) return unknown_key(name, keys);
    const Complaint complaint =
        std::visit([&](auto* member) { return take(*key, value, *member); }, key->member);
    if (complaint) return Error{*complaint, {}};
    const std::string written = fmt::format("{}={}", path, value);
    std::erase_if(model.changes, [&](const std::string& old) {
        return old.starts_with(written.substr(0, path.size() + 1));
    });
    model.changes.push_back(written);
    return {};
}

}  // namespace

Result<void> apply_settings(GpuModel& model, const std::vector<std::string>& settings) {
    if (settings.empty()) return {};
    for (const std::string& setting : settings)
        if (auto changed = change_figure(model, setting); !changed)
            return Error{fmt::format("--set {}: {}", setting, changed.error().message), {}};
    // All together: two that only fit with each other may be given.
    if (const auto found = inconsistency(model))
        return Error{
            fmt::format("--set {}: '{}' {}", fmt::join(settings, " --set "), found->key, found->complaint),
            {}};
    model.timing.validated = {};  // it was another GPU that times were compared with
    return {};
}

std::vector<std::string> split_settings(std::string_view text) {
    std::vector<std::string> settings;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(';'), text.size());
        if (end > 0) settings.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return settings;
}

std::string join_settings(const std::vector<std::string>& settings) {
    return fmt::format("{}", fmt::join(settings, ";"));
}

}  // namespace lockstep::gpu
