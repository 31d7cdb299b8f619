#include "gpu/model.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <string_view>

#include "base/nearest.h"

namespace lockstep::gpu {
namespace {

constexpr std::int64_t kilo = 1024, mega = kilo * 1024, giga = mega * 1024, tera = giga * 1024;

// The one list of keys: what the file may and must hold, and what each number may be. `key` is called as
// key(path, member, least, most) for numbers and key(path, member) for text and truth values.
template <class Key>
void for_each_key(GpuModel& m, Key&& key) {
    key("name", m.name);
    key("architecture", m.architecture);
    key("compute.major", m.compute_major, 1, 99);
    key("compute.minor", m.compute_minor, 0, 9);
    key("sm.count", m.sms, 1, 1024);
    key("sm.count_full_chip", m.sms_full_chip, 1, 1024);
    key("sm.warp_size", m.warp_size, 1, 64);
    key("sm.clock_mhz", m.clock_mhz, 1, 10'000);
    key("sm.max_threads", m.max_threads_per_sm, 32, 8192);
    key("sm.max_blocks", m.max_blocks_per_sm, 1, 256);
    key("sm.registers", m.registers_per_sm, 1024, mega);
    key("sm.register_allocation_unit", m.register_allocation_unit, 1, 4096);
    key("sm.warp_allocation_granularity", m.warp_allocation_granularity, 1, 16);
    key("sm.shared_bytes", m.shared_per_sm, kilo, 16 * mega);
    key("sm.shared_allocation_unit", m.shared_allocation_unit, 1, 64 * kilo);
    key("sm.shared_configurations", m.shared_configurations, 0, 16 * mega);
    key("sm.fp64_ratio", m.fp64_ratio, 1, 128);
    key("sm.arithmetic_latency_cycles", m.arithmetic_latency_cycles, 1, 10'000);
    key("sm.arithmetic_per_cycle", m.arithmetic_per_cycle, 1, 4096);
    key("block.max_threads", m.max_threads_per_block, 32, 4096);
    key("block.max_registers_per_thread", m.max_registers_per_thread, 16, 1024);
    key("block.registers", m.registers_per_block, 1024, mega);
    key("block.shared_bytes", m.shared_per_block, kilo, 16 * mega);
    key("block.shared_bytes_optin", m.shared_per_block_optin, kilo, 16 * mega);
    key("block.shared_bytes_reserved", m.shared_reserved_per_block, 0, 64 * kilo);
    key("block.max_dim", m.max_block, 1, 65'536);
    key("grid.max_dim", m.max_grid, 1, std::numeric_limits<std::int32_t>::max());
    key("grid.concurrent_kernels", m.concurrent_kernels, 1, 4096);
    key("memory.bytes", m.memory_bytes, mega, 64 * tera);
    key("memory.clock_mhz", m.memory_clock_mhz, 1, 100'000);
    key("memory.bus_bits", m.memory_bus_bits, 8, 65'536);
    key("memory.bandwidth_gbs", m.memory_bandwidth_gbs, 1, 100'000);
    key("memory.latency_cycles", m.memory_latency_cycles, 1, 10'000);
    key("memory.latency_clock_mhz", m.memory_latency_clock_mhz, 1, 100'000);
    key("memory.l2_bytes", m.l2_bytes, kilo, 4 * giga);
    key("memory.constant_bytes", m.constant_bytes, kilo, mega);
    key("memory.ecc", m.ecc);
    key("memory.copy_engines", m.copy_engines, 1, 64);
    key("memory.unified_addressing", m.unified_addressing);
    key("memory.managed", m.managed_memory);
}

Place place_of(const std::string& file, const toml::source_region& region) {
    return {file, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

// Fills a model from a parsed file. The first problem is kept; later ones are often its consequences.
class Reader {
  public:
    Reader(const toml::table& root, std::string file) : root_(root), file_(std::move(file)) {}

    void operator()(std::string_view path, std::string& member) {
        const toml::node* node = find(path);
        if (!node) return;
        const auto* text = node->as_string();
        if (!text) return fail(*node, fmt::format("'{}' must be a text in quotes", path));
        member = text->get();
        if (member.empty()) fail(*node, fmt::format("'{}' is empty", path));
    }

    void operator()(std::string_view path, bool& member) {
        const toml::node* node = find(path);
        if (!node) return;
        const auto* truth = node->as_boolean();
        if (!truth) return fail(*node, fmt::format("'{}' must be true or false", path));
        member = truth->get();
    }

    template <class Integer>
    void operator()(std::string_view path, Integer& member, std::int64_t least, std::int64_t most) {
        const toml::node* node = find(path);
        if (node) read_integer(path, *node, member, least, most);
    }

    void operator()(std::string_view path, std::uint32_t (&member)[3], std::int64_t least,
                    std::int64_t most) {
        const toml::node* node = find(path);
        if (!node) return;
        const toml::array* list = node->as_array();
        if (!list || list->size() != 3)
            return fail(*node, fmt::format("'{}' must be a list of three whole numbers: [x, y, z]", path));
        for (std::size_t i = 0; i < 3; ++i) read_integer(path, (*list)[i], member[i], least, most);
    }

    void operator()(std::string_view path, std::vector<std::uint32_t>& member, std::int64_t least,
                    std::int64_t most) {
        const toml::node* node = find(path);
        if (!node) return;
        const toml::array* list = node->as_array();
        if (!list || list->empty())
            return fail(*node, fmt::format("'{}' must be a list of whole numbers", path));
        member.resize(list->size());
        for (std::size_t i = 0; i < list->size(); ++i) read_integer(path, (*list)[i], member[i], least, most);
    }

    // To be called after all keys were read: what is left in the file is not known.
    void reject_unknown_keys() { reject_unknown_keys(root_, ""); }

    void check(bool holds, std::string_view path, const std::string& complaint) {
        if (holds || error_) return;
        const toml::node* node = root_.at_path(path).node();
        fail(node ? *node : root_, fmt::format("'{}' {}", path, complaint));
    }

    const std::optional<Error>& error() const { return error_; }

  private:
    const toml::node* find(std::string_view path) {
        known_.emplace(path);
        if (const toml::node* node = root_.at_path(path).node()) return node;
        const auto dot = path.find('.');
        const toml::node* section = dot == path.npos ? nullptr : root_.at_path(path.substr(0, dot)).node();
        fail(section ? *section : root_, fmt::format("missing key '{}'", path));
        return nullptr;
    }

    template <class Integer>
    void read_integer(std::string_view path, const toml::node& node, Integer& member, std::int64_t least,
                      std::int64_t most) {
        const auto* number = node.as_integer();
        if (!number) return fail(node, fmt::format("'{}' must be a whole number", path));
        if (number->get() < least || number->get() > most)
            return fail(node, fmt::format("'{}' is {}; it must be between {} and {}", path, number->get(),
                                          least, most));
        member = static_cast<Integer>(number->get());
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

Result<GpuModel> load_model(const std::filesystem::path& file) {
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
    Reader reader(parsed.table(), file.string());
    for_each_key(model, reader);
    reader.reject_unknown_keys();
    reader.check(model.warp_size == 32 || model.warp_size == 64, "sm.warp_size", "must be 32 or 64");
    reader.check(model.max_threads_per_sm % model.warp_size == 0, "sm.max_threads", "must be whole warps");
    reader.check(model.registers_per_block <= model.registers_per_sm, "block.registers",
                 "is more than an SM has");
    reader.check(model.shared_per_block <= model.shared_per_block_optin, "block.shared_bytes",
                 "is more than what a block may have with opting in");
    reader.check(model.shared_per_block_optin + model.shared_reserved_per_block <= model.shared_per_sm,
                 "block.shared_bytes_optin", "(with the reserved part) is more than an SM has");
    reader.check(model.sms <= model.sms_full_chip, "sm.count", "is more than the whole chip has");
    const auto& configurations = model.shared_configurations;
    reader.check(std::is_sorted(configurations.begin(), configurations.end(), std::less_equal<>()) &&
                     !configurations.empty() && configurations.back() == model.shared_per_sm,
                 "sm.shared_configurations", "must ascend and end with all that an SM has");
    if (reader.error()) return *reader.error();
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

Result<GpuModel> find_model(const std::string& name, const std::filesystem::path& directory) {
    if (name.ends_with(".toml")) return load_model(name);
    const std::vector<std::string> known = list_models(directory);
    const std::string wanted = lower_case(name);
    if (std::find(known.begin(), known.end(), wanted) == known.end()) return unknown_model(name, known);
    return load_model(directory / (wanted + ".toml"));
}

}  // namespace lockstep::gpu
