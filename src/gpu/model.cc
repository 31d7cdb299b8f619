#include "gpu/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>

#include "base/nearest.h"
#include "gpu/model-checks.h"
#include "gpu/model-keys.h"
#include "gpu/model-settings.h"

namespace lockstep::gpu {
namespace {

Place place_of(const std::string& file, const toml::source_region& region) {
    return {file, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

// Fills a model from a parsed file. The first problem is kept; later ones are often its consequences.
class Reader {
  public:
    Reader(const toml::table& root, std::string file) : root_(root), file_(std::move(file)) {}

    void read(const Key& key) {
        if (const toml::node* node = find(key))
            std::visit([&](auto* member) { take(key, *node, *member); }, key.member);
    }

    // To be called after all keys were read: what is left in the file is not known.
    void reject_unknown_keys() { reject_unknown_keys(root_, ""); }

    void check(const std::optional<Inconsistency>& found) {
        if (!found) return;
        const toml::node* node = root_.at_path(found->key).node();
        fail(node ? *node : root_, fmt::format("'{}' {}", found->key, found->complaint));
    }

    const std::optional<Error>& error() const { return error_; }

  private:
    const toml::node* find(const Key& key) {
        known_.emplace(key.path);
        if (const toml::node* node = root_.at_path(key.path).node()) return node;
        if (key.optional) return nullptr;
        // The nearest section that is there: "pipes.fma" for "pipes.fma.lanes".
        const toml::node* section = nullptr;
        for (auto dot = key.path.rfind('.'); dot != key.path.npos && !section;
             dot = dot == 0 ? key.path.npos : key.path.rfind('.', dot - 1))
            section = root_.at_path(key.path.substr(0, dot)).node();
        fail(section ? *section : root_, fmt::format("missing key '{}'", key.path));
        return nullptr;
    }

    void take(const Key& key, const toml::node& node, std::string& member) {
        const auto* text = node.as_string();
        if (!text) return fail(node, fmt::format("'{}' must be a text in quotes", key.path));
        member = text->get();
        if (member.empty() && !key.optional) fail(node, fmt::format("'{}' is empty", key.path));
    }

    void take(const Key& key, const toml::node& node, bool& member) {
        const auto* truth = node.as_boolean();
        if (!truth) return fail(node, fmt::format("'{}' must be true or false", key.path));
        member = truth->get();
    }

    void take(const Key& key, const toml::node& node, SchedulerPolicy& member) {
        const auto* text = node.as_string();
        const auto* found = text ? std::find(std::begin(policy_names), std::end(policy_names), text->get())
                                 : std::end(policy_names);
        if (found == std::end(policy_names))
            return fail(
                node, fmt::format("'{}' must be one of \"{}\"", key.path, fmt::join(policy_names, "\", \"")));
        member = static_cast<SchedulerPolicy>(found - std::begin(policy_names));
    }

    template <class Integer>
    requires std::is_integral_v<Integer>
    void take(const Key& key, const toml::node& node, Integer& member) {
        const auto* number = node.as_integer();
        if (!number) return fail(node, fmt::format("'{}' must be a whole number", key.path));
        const auto least = static_cast<std::int64_t>(key.least), most = static_cast<std::int64_t>(key.most);
        if (number->get() < least || number->get() > most)
            return fail(node, fmt::format("'{}' is {}; it must be between {} and {}", key.path, number->get(),
                                          least, most));
        member = static_cast<Integer>(number->get());
    }

    void take(const Key& key, const toml::node& node, double& member) {
        const auto number = node.value<double>();  // takes whole numbers as well
        if (!node.is_number() || !number) return fail(node, fmt::format("'{}' must be a number", key.path));
        if (!(*number >= key.least && *number <= key.most))  // nan fails every comparison
            return fail(node, fmt::format("'{}' is {}; it must be between {} and {}", key.path, *number,
                                          key.least, key.most));
        member = *number;
    }

    void take(const Key& key, const toml::node& node, Triple& member) {
        const toml::array* list = node.as_array();
        if (!list || list->size() != 3)
            return fail(node, fmt::format("'{}' must be a list of three whole numbers: [x, y, z]", key.path));
        for (std::size_t i = 0; i < 3; ++i) take(key, (*list)[i], member[i]);
    }

    void take(const Key& key, const toml::node& node, std::vector<std::uint32_t>& member) {
        const toml::array* list = node.as_array();
        if (!list || list->empty())
            return fail(node, fmt::format("'{}' must be a list of whole numbers", key.path));
        member.resize(list->size());
        for (std::size_t i = 0; i < list->size(); ++i) take(key, (*list)[i], member[i]);
    }

    void reject_unknown_keys(const toml::table& table, const std::string& prefix) {
        for (const auto& [key, node] : table) {
            const std::string path = prefix + std::string(key.str());
            if (known_.count(path)) continue;
            const auto below = known_.lower_bound(path + ".");
            const bool section = below != known_.end() && below->starts_with(path + ".");
            if (section && node.is_table())
                reject_unknown_keys(*node.as_table(), path + ".");
            else if (section)
                fail(node, fmt::format("'{}' must be a section: [{}]", path, path));
            else if (!error_)
                error_ = Error{fmt::format("unknown key '{}'", path), place_of(file_, key.source())};
        }
    }

    void fail(const toml::node& node, std::string message) {
        if (!error_) error_ = Error{std::move(message), place_of(file_, node.source())};
    }

    const toml::table& root_;
    std::string file_;
    std::set<std::string> known_;
    std::optional<Error> error_;
};

std::string lower_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

Error unknown_model(const std::string& name, const std::vector<std::string>& known) {
    if (known.empty()) return {fmt::format("no GPU model '{}': no models were found at all", name), {}};
    const auto near = nearest(lower_case(name), known);
    const std::string hint = near.empty() ? "" : fmt::format("; did you mean '{}'?", near.front());
    return {fmt::format("no GPU model '{}'{} (there are: {})", name, hint, fmt::join(known, ", ")), {}};
}

}  // namespace

std::string GpuModel::compute_name() const {
    return target.empty() ? fmt::format("{}.{}", compute_major, compute_minor) : target;
}

std::string GpuModel::full_name() const {
    return changes.empty() ? name : fmt::format("{} with {}", name, fmt::join(changes, ", "));
}

Result<GpuModel> load_model(const std::filesystem::path& file, const std::vector<std::string>& settings) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) return Error{"cannot open this GPU model", {file.string()}};
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const toml::parse_result parsed = toml::parse(text, file.string());
    if (!parsed) {
        const toml::parse_error& error = parsed.error();
        return Error{std::string(error.description()), place_of(file.string(), error.source())};
    }

    GpuModel model;
    model.id = file.stem().string();
    model.file = file;
    Reader reader(parsed.table(), file.string());
    for (const Key& key : keys_of(model)) reader.read(key);
    reader.reject_unknown_keys();
    reader.check(inconsistency(model));
    if (reader.error()) return *reader.error();
    if (auto applied = apply_settings(model, settings); !applied) return applied.error();
    return model;
}

std::vector<std::string> list_models(const std::filesystem::path& directory) {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(directory, ignored))
        if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

Result<GpuModel> find_model(const std::string& name, const std::filesystem::path& directory,
                            const std::vector<std::string>& settings) {
    if (name.ends_with(".toml")) return load_model(name, settings);
    const std::vector<std::string> known = list_models(directory);
    const std::string wanted = lower_case(name);
    if (std::find(known.begin(), known.end(), wanted) == known.end()) return unknown_model(name, known);
    return load_model(directory / (wanted + ".toml"), settings);
}

}  // namespace lockstep::gpu
