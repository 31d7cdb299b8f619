#include "gcn/operand-text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <utility>

namespace lockstep::gcn {
namespace {

using Kind = Operand::Kind;

// Scalar registers that have names, by the number under which instructions encode them on gfx9.
constexpr std::uint16_t flat_scratch = 102, xnack_mask = 104, first_trap_register = 108;

struct Named {
    std::string_view name;
    Kind kind;
    std::int8_t part;
    std::uint16_t first;
    std::uint8_t count;
};
constexpr std::array<Named, 24> named_operands = {{
    {"vcc", Kind::vcc, -1, 0, 2},
    {"vcc_lo", Kind::vcc, 0, 0, 1},
    {"vcc_hi", Kind::vcc, 1, 0, 1},
    {"exec", Kind::exec, -1, 0, 2},
    {"exec_lo", Kind::exec, 0, 0, 1},
    {"exec_hi", Kind::exec, 1, 0, 1},
    {"m0", Kind::m0, -1, 0, 1},
    {"scc", Kind::scc, -1, 0, 1},
    {"src_scc", Kind::scc, -1, 0, 1},
    {"off", Kind::none, -1, 0, 0},
    {"null", Kind::none, -1, 0, 0},
    {"flat_scratch", Kind::scalar, -1, flat_scratch, 2},
    {"flat_scratch_lo", Kind::scalar, -1, flat_scratch, 1},
    {"flat_scratch_hi", Kind::scalar, -1, flat_scratch + 1, 1},
    {"xnack_mask", Kind::scalar, -1, xnack_mask, 2},
    {"xnack_mask_lo", Kind::scalar, -1, xnack_mask, 1},
    {"xnack_mask_hi", Kind::scalar, -1, xnack_mask + 1, 1},
    {"src_shared_base", Kind::shared_base, -1, 0, 2},
    {"src_shared_limit", Kind::shared_limit, -1, 0, 2},
    {"src_private_base", Kind::private_base, -1, 0, 2},
    {"src_private_limit", Kind::private_limit, -1, 0, 2},
    {"src_shared_base_lo", Kind::shared_base, 0, 0, 1},
    {"src_private_base_lo", Kind::private_base, 0, 0, 1},
    {"lds_direct", Kind::none, -1, 0, 0},
}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<Operand> register_operand(std::string_view text) {
    Operand operand;
    std::uint16_t base = 0;
    if (text.starts_with("ttmp")) {
        operand.kind = Kind::scalar, base = first_trap_register;
        text.remove_prefix(4);
    } else {
        if (text.size() < 2) return std::nullopt;
        switch (text[0]) {
            case 'v': operand.kind = Kind::vector; break;
            case 'a': operand.kind = Kind::accumulator; break;
            case 's': operand.kind = Kind::scalar; break;
            default: return std::nullopt;
        }
        text.remove_prefix(1);
    }
    const auto limit = operand.kind == Kind::scalar ? 128 : 256;
    if (is_digit(text[0])) {
        const auto number = whole_number(text);
        if (!number || *number >= limit) return std::nullopt;
        operand.first = static_cast<std::uint16_t>(base + *number);
        return operand;
    }
    if (text.size() < 3 || text.front() != '[' || text.back() != ']') return std::nullopt;
    text = text.substr(1, text.size() - 2);
    const std::size_t colon = text.find(':');
    const auto first = whole_number(text.substr(0, colon));
    const auto last = colon == std::string_view::npos ? first : whole_number(text.substr(colon + 1));
    if (!first || !last || *first < 0 || *last < *first || *last >= limit || *last - *first >= 32)
        return std::nullopt;
    operand.first = static_cast<std::uint16_t>(base + *first);
    operand.count = static_cast<std::uint8_t>(*last - *first + 1);
    return operand;
}

bool is_symbol(std::string_view text) {
    const char c = text.empty() ? '0' : text[0];
    return c == '_' || c == '.' || c == '$' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// name@rel32@lo+4 and @hi+12: the halves of a symbol's address, counted from behind s_getpc_b64. 4 and 12
// make up for the distance of the literals to that; what goes beyond is an offset from the symbol.
std::optional<Operand> symbol_operand(std::string_view text) {
    Operand operand;
    operand.kind = Kind::symbol;
    const std::size_t at = text.find('@');
    std::string_view name = text.substr(0, at);
    const std::string_view relation = at == std::string_view::npos ? "" : text.substr(at);
    if (relation.starts_with("@rel32@lo") || relation.starts_with("@gotpcrel32@lo") ||
        relation.starts_with("@abs32@lo"))
        operand.part = 0;
    else if (relation.starts_with("@rel32@hi") || relation.starts_with("@gotpcrel32@hi") ||
             relation.starts_with("@abs32@hi"))
        operand.part = 1;
    else
        return std::nullopt;
    operand.through_table = relation.starts_with("@gotpcrel32");
    if (const std::size_t sign = relation.find_first_of("+-"); sign != std::string_view::npos) {
        const auto added = whole_number(relation.substr(relation[sign] == '+' ? sign + 1 : sign));
        if (!added) return std::nullopt;
        const bool relative = !relation.starts_with("@abs32");
        operand.integer = *added - (!relative ? 0 : operand.part == 0 ? 4 : 12);
    }
    // name+16@rel32@lo+4
    if (const std::size_t sign = name.find_first_of("+-"); sign != std::string_view::npos) {
        const auto addend = whole_number(name.substr(name[sign] == '+' ? sign + 1 : sign));
        if (!addend) return std::nullopt;
        operand.integer += *addend;
        name = name.substr(0, sign);
    }
    operand.name = std::string(name);
    return operand;
}

// (.LBB0_3-.Lpost_getpc0)&4294967295 or >>32: half of the distance to a label that no branch reaches.
std::optional<Operand> far_label(std::string_view text) {
    const std::size_t end = text.find(')'), minus = text.find("-.Lpost_getpc");
    if (!text.starts_with("(") || end == std::string_view::npos || minus > end) return std::nullopt;
    Operand operand;
    operand.kind = Kind::symbol;
    operand.name = std::string(text.substr(1, minus - 1));
    const std::string_view half = text.substr(end + 1);
    if (half == "&4294967295")
        operand.part = 0;
    else if (half == ">>32")
        operand.part = 1;
    else
        return std::nullopt;
    return operand;
}

std::optional<Operand> plain_operand(std::string_view text) {
    for (const Named& named : named_operands)
        if (named.name == text) {
            Operand operand;
            operand.kind = named.kind, operand.part = named.part;
            operand.first = named.first, operand.count = named.count;
            return operand;
        }
    if (auto found = register_operand(text)) return found;
    // A register that there is none of.
    if (text.size() > 1 && (text[0] == 'v' || text[0] == 's' || text[0] == 'a') &&
        (is_digit(text[1]) || text[1] == '['))
        return std::nullopt;
    if (const auto number = whole_number(text)) {
        Operand operand;
        operand.kind = Kind::integer, operand.integer = *number;
        operand.hexadecimal = text.find('x') != std::string_view::npos;
        return operand;
    }
    if (!text.empty() && (is_digit(text[0]) || text[0] == '-' || text[0] == '.')) {
        const std::string copy(text);
        char* end = nullptr;
        const double value = std::strtod(copy.c_str(), &end);
        if (end == copy.c_str() + copy.size() && end != copy.c_str()) {
            Operand operand;
            operand.kind = Kind::floating, operand.floating = value;
            return operand;
        }
    }
    if (text.starts_with("hwreg(") || text.starts_with("sendmsg(")) {
        Operand operand;
        operand.kind = Kind::hardware_register;
        operand.name = std::string(text.substr(text.find('(') + 1, text.size() - text.find('(') - 2));
        return operand;
    }
    if (text.find('@') != std::string_view::npos) return symbol_operand(text);
    if (text.starts_with("(")) return far_label(text);
    if (is_symbol(text)) {
        Operand operand;
        operand.kind = Kind::label, operand.name = std::string(text);
        return operand;
    }
    return std::nullopt;
}

std::optional<Operand> any_operand(std::string_view text) {
    bool negative = false, absolute = false, sign_extended = false;
    if (text.size() > 1 && text[0] == '-' && !is_digit(text[1]) && text[1] != '.') {
        negative = true;
        text.remove_prefix(1);
    }
    const auto inside = [&](std::string_view before, std::string_view behind) {
        if (text.size() <= before.size() + behind.size() || !text.starts_with(before) ||
            !text.ends_with(behind))
            return false;
        text = text.substr(before.size(), text.size() - before.size() - behind.size());
        return true;
    };
    if (inside("neg(", ")")) negative = !negative;
    if (inside("|", "|") || inside("abs(", ")")) absolute = true;
    if (inside("sext(", ")")) sign_extended = true;
    auto operand = plain_operand(text);
    if (operand) {
        operand->negative = negative, operand->absolute = absolute;
        operand->sign_extended = sign_extended;
    }
    return operand;
}

// Words that stand for numbers in modifiers of SDWA.
std::optional<std::int64_t> selection(std::string_view text) {
    constexpr std::array<std::string_view, 10> words = {
        "BYTE_0", "BYTE_1", "BYTE_2",     "BYTE_3",      "WORD_0",
        "WORD_1", "DWORD",  "UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] == text) return static_cast<std::int64_t>(i < 7 ? i : i - 7);
    return std::nullopt;
}

// ds_swizzle's offset, as LLVM writes it: swizzle(SWAP,2), swizzle(QUAD_PERM,3,2,1,0),
// swizzle(BITMASK_PERM,"00pip"), swizzle(REVERSE,8), swizzle(BROADCAST,4,1).
std::optional<std::int64_t> swizzle_offset(std::string_view text) {
    constexpr std::string_view begin = "swizzle(";
    if (!text.starts_with(begin) || !text.ends_with(")")) return std::nullopt;
    text = text.substr(begin.size(), text.size() - begin.size() - 1);
    const std::size_t comma = text.find(',');
    if (comma == text.npos) return std::nullopt;
    const std::string_view kind = trimmed(text.substr(0, comma));
    std::string_view rest = trimmed(text.substr(comma + 1));
    const auto masks = [](std::int64_t keep, std::int64_t set, std::int64_t turn) {
        return keep | set << 5 | turn << 10;
    };
    if (kind == "BITMASK_PERM") {  // of each bit of a lane's number, the highest first
        if (rest.size() != 7 || rest.front() != '"' || rest.back() != '"') return std::nullopt;
        std::int64_t keep = 0, set = 0, turn = 0;
        for (const char bit : rest.substr(1, 5)) {
            keep <<= 1, set <<= 1, turn <<= 1;
            if (bit == '1') set |= 1;
            if (bit == 'p' || bit == 'i') keep |= 1;
            if (bit == 'i') turn |= 1;
        }
        return masks(keep, set, turn);
    }
    std::vector<std::int64_t> numbers;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.size(), rest.find(','));
        const auto number = whole_number(trimmed(rest.substr(0, end)));
        if (!number) return std::nullopt;
        numbers.push_back(*number);
        rest.remove_prefix(std::min(rest.size(), end + 1));
    }
    if (kind == "QUAD_PERM" && numbers.size() == 4)
        return 0x8000 | numbers[0] | numbers[1] << 2 | numbers[2] << 4 | numbers[3] << 6;
    if (kind == "SWAP" && numbers.size() == 1) return masks(31, 0, numbers[0]);
    if (kind == "REVERSE" && numbers.size() == 1) return masks(31, 0, numbers[0] - 1);
    if (kind == "BROADCAST" && numbers.size() == 2) return masks(32 - numbers[0], numbers[1], 0);
    return std::nullopt;
}

bool read_modifier(std::string_view text, Instruction& instruction) {
    const std::size_t end = text.find_first_of(":(");
    std::string name(text.substr(0, end));
    std::vector<std::int64_t>& numbers = instruction.modifiers[std::move(name)];
    if (end == std::string_view::npos) return is_symbol(text);
    std::string_view rest = text.substr(end + 1);
    if (text[end] == '(') {
        if (rest.empty() || rest.back() != ')') return false;
        rest.remove_suffix(1);
        if (const auto number = whole_number(rest)) numbers.push_back(*number);
        return true;
    }
    if (rest.starts_with("[")) {
        if (rest.back() != ']') return false;
        rest = rest.substr(1, rest.size() - 2);
        for (;;) {
            const std::size_t comma = rest.find(',');
            const auto number = whole_number(trimmed(rest.substr(0, comma)));
            if (!number) return false;
            numbers.push_back(*number);
            if (comma == std::string_view::npos) return true;
            rest.remove_prefix(comma + 1);
        }
    }
    if (const auto number = whole_number(rest)) {
        numbers.push_back(*number);
        return true;
    }
    if (const auto number = swizzle_offset(rest)) {
        numbers.push_back(*number);
        return true;
    }
    if (const auto word = selection(rest)) {
        numbers.push_back(*word);
        return true;
    }
    return instruction.name == "s_setreg_b32" || instruction.name.starts_with("s_delay");
}

}  // namespace

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::optional<std::int64_t> whole_number(std::string_view text) {
    const bool negative = text.starts_with("-");
    if (negative) text.remove_prefix(1);
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        base = 16;
        text.remove_prefix(2);
    }
    std::uint64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (problem != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
    return static_cast<std::int64_t>(negative ? 0 - value : value);
}

Result<void> read_operands(std::string_view text, Instruction& instruction) {
    // Waits name counters, not operands.
    const bool only_modifiers = instruction.name == "s_waitcnt" || instruction.name.starts_with("s_delay");
    bool expects_operand = !only_modifiers;
    std::size_t at = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (c == ' ' || c == '\t' || c == '&') {
            ++at;
            continue;
        }
        if (c == ',') {
            expects_operand = !only_modifiers;
            ++at;
            continue;
        }
        if (only_modifiers && c == '|') {
            ++at;
            continue;
        }
        std::size_t end = at;
        int depth = 0;
        for (; end < text.size(); ++end) {
            const char d = text[end];
            if (d == '[' || d == '(') ++depth;
            if (d == ']' || d == ')') --depth;
            if (depth == 0 && (d == ',' || d == ' ' || d == '\t')) break;
        }
        const std::string_view word = text.substr(at, end - at);
        if (expects_operand) {
            const auto operand = any_operand(word);
            if (!operand) return Error{fmt::format("'{}' is no operand of {}", word, instruction.name), {}};
            instruction.operands.push_back(*operand);
            expects_operand = false;
        } else if (!read_modifier(word, instruction)) {
            return Error{fmt::format("'{}' is no modifier of {}", word, instruction.name), {}};
        }
        at = end;
    }
    return {};
}

}  // namespace lockstep::gcn
