#include "ptx/assembler-options.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "ptx/kernel-memory.h"
#include "ptx/parser.h"
#include "ptx/printer.h"

namespace lockstep::ptx {
namespace {

constexpr std::pair<std::string_view, Modifier> load_caches[] = {
    {"ca", Modifier::ca}, {"cg", Modifier::cg}, {"cs", Modifier::cs},
    {"lu", Modifier::lu}, {"cv", Modifier::cv},
};

// The next word of `text`, which is taken off it; empty: there is none.
std::string_view next_word(std::string_view& text) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t,"), text.size());
    text.remove_prefix(begin);
    const std::string_view word = text.substr(0, text.find_first_of(" \t,"));
    text.remove_prefix(word.size());
    return word;
}

Result<void> read_cache(std::string_view value, AssemblerOptions& options) {
    for (const auto& [name, modifier] : load_caches)
        if (value == name) {
            options.load_cache = modifier;
            return {};
        }
    return Error{fmt::format("ptxas -dlcm={}: known are ca, cg, cs, lu and cv", value), {}};
}

Result<void> read_registers(std::string_view value, AssemblerOptions& options) {
    constexpr int most = 1024;
    if (value == "archmax" || value == "archmin") {
        options.max_registers = value == "archmax" ? 0 : 1;
        return {};
    }
    int number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size() || number < 0 || number > most)
        return Error{fmt::format("-maxrregcount: '{}' is no number of registers", value), {}};
    options.max_registers = number;
    return {};
}

bool says_nothing_of_caches(const Instruction& load) {
    for (const auto& [name, modifier] : load_caches)
        if (load.has(modifier)) return false;
    for (const Modifier other : {Modifier::volatile_, Modifier::relaxed, Modifier::acquire, Modifier::mmio,
                                 Modifier::nc, Modifier::L1_evict_normal, Modifier::L1_evict_unchanged,
                                 Modifier::L1_evict_first, Modifier::L1_evict_last, Modifier::L1_no_allocate})
        if (load.has(other)) return false;
    return true;
}

// Of global memory, or of what an address says only when the kernel runs.
bool may_be_global(const Instruction& load) {
    for (const Modifier other :
         {Modifier::shared, Modifier::shared_cta, Modifier::shared_cluster, Modifier::local, Modifier::const_,
          Modifier::param, Modifier::param_entry, Modifier::param_func})
        if (load.has(other)) return false;
    return true;
}

}  // namespace

Result<void> read_assembler_options(std::string_view words, AssemblerOptions& options) {
    while (!words.empty()) {
        const std::string_view word = next_word(words);
        const std::size_t dashes = std::min<std::size_t>(word.find_first_not_of('-'), 2);
        const std::size_t equals = word.find('=');
        const std::string_view name = word.substr(std::min(dashes, word.size()), equals - dashes);
        const bool cache = name == "dlcm" || name == "def-load-cache";
        if (!cache && name != "maxrregcount") continue;
        const std::string_view value =
            equals == std::string_view::npos ? next_word(words) : word.substr(equals + 1);
        if (auto read = cache ? read_cache(value, options) : read_registers(value, options); !read)
            return read;
    }
    return {};
}

std::string to_string(const AssemblerOptions& options) {
    std::string words;
    for (const auto& [name, modifier] : load_caches)
        if (options.load_cache == modifier) words += fmt::format("-dlcm={} ", name);
    if (options.max_registers) words += fmt::format("-maxrregcount={} ", options.max_registers);
    return words;
}

void apply(const AssemblerOptions& options, Module& module) {
    for (Function& function : module.functions) {
        if (options.max_registers && !function.max_registers && !max_threads_per_block(function))
            function.max_registers = static_cast<std::uint32_t>(options.max_registers);
        if (!options.load_cache) continue;
        for (Instruction& instruction : function.instructions)
            if (instruction.opcode == Opcode::ld && may_be_global(instruction) &&
                says_nothing_of_caches(instruction))
                instruction.mods.add(*options.load_cache);
    }
}

std::string assembled(std::string text, std::string_view words) {
    AssemblerOptions options;
    // What a compiler has written down it understood itself.
    (void)read_assembler_options(words, options);
    if (options == AssemblerOptions{}) return text;
    auto module = parse(text, "device code");
    if (!module) return text;
    apply(options, *module);
    return print(*module);
}

}  // namespace lockstep::ptx
