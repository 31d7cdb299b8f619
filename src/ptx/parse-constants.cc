// Constant expressions: C's operators on 64-bit integers. Floating-point literals only stand alone or after a
// minus.
#include <bit>
#include <cmath>
#include <limits>

#include "ptx/parser-state.h"

namespace lockstep::ptx {
namespace {

struct Operator {
    std::string_view text;
    int precedence;
};
// Longer spellings first, so that "<<" is not read as "<".
constexpr Operator operators[] = {
    {"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"|", 3},
    {"^", 4},  {"&", 5},  {"<", 7},  {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10},
};

bool is_float(const Number& number) { return number.kind != Number::Kind::integer; }

std::uint64_t divide(std::uint64_t a, std::uint64_t b, bool is_unsigned, bool remainder) {
    if (is_unsigned) return remainder ? a % b : a / b;
    auto x = static_cast<std::int64_t>(a);
    auto y = static_cast<std::int64_t>(b);
    if (y == -1) return remainder ? 0 : 0 - a;  // INT64_MIN / -1 traps on some machines
    return static_cast<std::uint64_t>(remainder ? x % y : x / y);
}

}  // namespace

std::string_view Parser::binary_operator(int& precedence) const {
    if (token_.kind != Token::Kind::punct) return {};
    std::string_view rest = lexer_.text().substr(token_.offset, 2);
    for (const Operator& each : operators) {
        if (!rest.starts_with(each.text)) continue;
        precedence = each.precedence;
        return each.text;
    }
    return {};
}

bool Parser::combine(const Token& at, std::string_view op, Number& left, const Number& right) {
    if (is_float(left) || is_float(right))
        return fail(at, "floating-point values cannot be combined in an expression");
    bool is_unsigned = left.is_unsigned || right.is_unsigned;
    std::uint64_t a = left.bits;
    std::uint64_t b = right.bits;
    auto sa = static_cast<std::int64_t>(a);
    auto sb = static_cast<std::int64_t>(b);
    auto truth = [&](bool value) {
        left = {Number::Kind::integer, false, value ? 1u : 0u};
        return true;
    };
    if (op == "||") return truth(a != 0 || b != 0);
    if (op == "&&") return truth(a != 0 && b != 0);
    if (op == "==") return truth(a == b);
    if (op == "!=") return truth(a != b);
    if (op == "<") return truth(is_unsigned ? a < b : sa < sb);
    if (op == "<=") return truth(is_unsigned ? a <= b : sa <= sb);
    if (op == ">") return truth(is_unsigned ? a > b : sa > sb);
    if (op == ">=") return truth(is_unsigned ? a >= b : sa >= sb);
    if ((op == "/" || op == "%") && b == 0) return fail(at, "division by zero");
    std::uint64_t value = 0;
    if (op == "|") value = a | b;
    if (op == "^") value = a ^ b;
    if (op == "&") value = a & b;
    if (op == "+") value = a + b;
    if (op == "-") value = a - b;
    if (op == "*") value = a * b;
    if (op == "/" || op == "%") value = divide(a, b, is_unsigned, op == "%");
    if (op == "<<" || op == ">>") {
        is_unsigned = left.is_unsigned;
        if (op == "<<")
            value = b > 63 ? 0 : a << b;
        else if (is_unsigned)
            value = b > 63 ? 0 : a >> b;
        else
            value = static_cast<std::uint64_t>(sa >> (b > 63 ? 63 : b));
    }
    left = {Number::Kind::integer, is_unsigned, value};
    return true;
}

bool Parser::parse_unary(Number& value) {
    // Prefixes are counted, not recursed into: "- - - - …" may be as long as the file.
    std::string prefixes;
    while (token_.is('-') || token_.is('+') || token_.is('~') || token_.is('!')) {
        prefixes += token_.text[0];
        advance();
    }
    Token at = token_;
    if (token_.is('(')) {
        if (++depth_ > max_depth) {
            --depth_;
            return fail(token_, "the brackets are nested too deeply");
        }
        advance();
        bool good = false;
        if (token_.is_dot(".s64") || token_.is_dot(".u64")) {
            bool to_unsigned = token_.text == ".u64";
            advance();
            good = expect(')', "after the cast's type") && parse_unary(value);
            if (good && is_float(value)) good = fail(at, "a cast needs an integer");
            value.is_unsigned = to_unsigned;
        } else {
            good = parse_constant(value) && expect(')', "after the expression");
        }
        --depth_;
        if (!good) return false;
    } else if (token_.kind == Token::Kind::number) {
        auto number = parse_number(token_.text);
        if (!number) return fail(token_, number.error().message);
        value = *number;
        advance();
    } else {
        return fail_here("a number");
    }
    for (std::size_t i = prefixes.size(); i-- > 0;) {
        char prefix = prefixes[i];
        if (prefix == '+') continue;
        if (is_float(value)) {
            if (prefix != '-') return fail(at, "only a minus can stand before a floating-point value");
            value.bits ^= value.kind == Number::Kind::f32_bits ? 1ull << 31 : 1ull << 63;
        } else if (prefix == '-') {
            value.bits = 0 - value.bits;
            if (value.bits >> 63 != 0) value.is_unsigned = false;
        } else if (prefix == '~') {
            value.bits = ~value.bits;
        } else {
            value = {Number::Kind::integer, false, value.bits == 0 ? 1u : 0u};
        }
    }
    return true;
}

bool Parser::parse_binary(Number& value, int precedence) {
    if (!parse_unary(value)) return false;
    while (true) {
        int found = 0;
        std::string_view op = binary_operator(found);
        if (op.empty() || found < precedence) return true;
        Token at = token_;
        for (std::size_t i = 0; i < op.size(); ++i) advance();
        Number right;
        if (!parse_binary(right, found + 1) || !combine(at, op, value, right)) return false;
    }
}

bool Parser::parse_constant(Number& value) {
    if (++depth_ > max_depth) {
        --depth_;
        return fail(token_, "the expression is nested too deeply");
    }
    bool good = parse_binary(value, 1);
    if (good && token_.is('?')) {
        Token at = token_;
        advance();
        Number first, second;
        good = parse_constant(first) && expect(':', "of the ?: expression") && parse_constant(second);
        if (good && is_float(value)) good = fail(at, "the condition must be an integer");
        if (good) value = value.bits != 0 ? first : second;
    }
    --depth_;
    return good;
}

// A literal's bits in a variable of this type.
bool Parser::literal_bits(const Token& at, const Number& number, Type type, std::uint64_t& bits) {
    bits = number.bits;
    bool wide = type == Type::f64;
    if (type == Type::f32 || type == Type::f64) {
        if (!is_float(number)) return fail(at, "expected a floating-point value, such as 1.0 or 0f3F800000");
        if (number.kind == Number::Kind::f32_bits && wide)
            bits = std::bit_cast<std::uint64_t>(
                static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
        if (number.kind != Number::Kind::f32_bits && !wide)
            bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
        return true;
    }
    bool same_bits = (number.kind == Number::Kind::f32_bits && type == Type::b32) ||
                     (number.kind == Number::Kind::f64_bits && type == Type::b64);
    if (is_float(number) && !same_bits)
        return fail(at, "a floating-point value cannot stand in a ." + std::string(type_name(type)));
    int width = type_bits(type);
    if (width < 64) bits &= (1ull << width) - 1;
    return true;
}

}  // namespace lockstep::ptx
