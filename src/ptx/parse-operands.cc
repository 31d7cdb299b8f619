// Operands by their shape alone; check-operands.cc says whether the instruction takes them.
#include "ptx/parser-state.h"

namespace lockstep::ptx {

bool Parser::parse_operands(Instruction& instruction) {
    if (token_.is(';')) return true;
    do {
        if (!parse_operand(instruction.operands.emplace_back(), places_.emplace_back())) return false;
    } while (accept(','));
    return true;
}

bool Parser::parse_operand(Operand& operand, OperandPlace& place) {
    place.token = token_;
    if (token_.is('{')) return parse_vector(operand, place);
    if (token_.is('[')) return parse_address(operand);
    if (token_.kind == Token::Kind::error) return fail_here("an operand");
    if (!parse_simple(operand, place)) return false;
    if (!token_.is('|')) return true;
    // d|p
    advance();
    OperandPlace second{token_};
    Operand pair;
    pair.kind = Operand::Kind::pair;
    pair.elements.push_back(std::move(operand));
    pair.elements.emplace_back();
    if (token_.kind != Token::Kind::word) return fail_here("a predicate register after '|'");
    if (!parse_simple(pair.elements.back(), second)) return false;
    operand = std::move(pair);
    return true;
}

// A name, a constant, or either after ! or -.
bool Parser::parse_simple(Operand& operand, OperandPlace& place) {
    bool prefixed = token_.is('!') || token_.is('-');
    if (prefixed && next_.kind == Token::Kind::word) {
        operand.negated = true;
        advance();
        place.token = token_;
        bool good = parse_name(operand, place);
        if (good && operand.kind != Operand::Kind::reg)
            return fail(place.token, "expected a register after '!' or '-'");
        return good;
    }
    if (token_.kind == Token::Kind::word) return parse_name(operand, place);
    bool constant = token_.kind == Token::Kind::number || token_.is('-') || token_.is('+') ||
                    token_.is('~') || token_.is('!') || token_.is('(');
    if (!constant) return fail_here("an operand");
    return parse_number_operand(operand, place);
}

bool Parser::parse_number_operand(Operand& operand, OperandPlace& place) {
    Number number;
    if (!parse_constant(number)) return false;
    operand.bits = number.bits;
    switch (number.kind) {
        case Number::Kind::integer: operand.kind = Operand::Kind::integer; break;
        case Number::Kind::f32_bits: operand.kind = Operand::Kind::f32; break;
        case Number::Kind::f64_bits: operand.kind = Operand::Kind::f64; break;
        case Number::Kind::decimal:
            operand.kind = Operand::Kind::f64;
            place.decimal = true;
            break;
    }
    return true;
}

std::optional<Operand> Parser::find_special(const Token& name) {
    // %tid.x is two tokens.
    bool dotted = token_.kind == Token::Kind::dot && token_.offset == name.offset + name.text.size();
    std::size_t length = name.text.size() + (dotted ? token_.text.size() : 0);
    auto special = parse_special_register(lexer_.text().substr(name.offset, length));
    if (!special) return std::nullopt;
    if (dotted) advance();
    Operand operand;
    operand.kind = Operand::Kind::special;
    operand.id = static_cast<std::uint32_t>(*special);
    return operand;
}

bool Parser::parse_name(Operand& operand, OperandPlace& place) {
    Token name = token_;
    advance();
    if (name.text == "_") {
        operand.kind = Operand::Kind::sink;
        return true;
    }
    if (auto symbol = body_->names.find(name.text)) {
        operand.id = symbol->id;
        if (symbol->kind == Symbol::Kind::reg) {
            operand.kind = Operand::Kind::reg;
            return parse_selector(operand);
        }
        if (symbol->kind == Symbol::Kind::vector_reg) {
            constexpr std::string_view parts = "xyzwrgba";
            bool part = token_.kind == Token::Kind::dot && token_.text.size() == 2;
            if (part) {
                std::size_t index = parts.find(token_.text[1]);
                if (index == parts.npos || index % 4 >= symbol->width)
                    return fail(token_, "'" + std::string(name.text) + "' has no part '" +
                                            std::string(token_.text) + "'");
                advance();
                operand.kind = Operand::Kind::reg;
                operand.id = body_->names.find_part(name.text, static_cast<std::uint32_t>(index % 4));
                return true;
            }
            operand.kind = Operand::Kind::vector;
            for (std::uint32_t i = 0; i < symbol->width; ++i) {
                Operand& element = operand.elements.emplace_back();
                element.kind = Operand::Kind::reg;
                element.id = body_->names.find_part(name.text, i);
            }
            return true;
        }
        operand.kind = Operand::Kind::variable;
        operand.local = symbol->kind == Symbol::Kind::variable;
        if (!operand.local) body_->module_names.insert(module_.variables[symbol->id].name);
    } else if (auto found = symbols_.find(name.text); found != symbols_.end()) {
        operand.kind = found->second.function ? Operand::Kind::function : Operand::Kind::variable;
        operand.id = found->second.id;
        body_->module_names.emplace(name.text);
    } else if (auto special = find_special(name)) {
        operand = *special;
        return true;
    } else if (is_special_register_word(name.text)) {
        std::string full(name.text);
        if (token_.kind == Token::Kind::dot) full += token_.text;
        return fail(name, "special register '" + full + "' is not implemented");
    } else {
        bool register_like = name.text.front() == '%';
        return fail(name, (register_like ? "undeclared register '" : "undeclared name '") +
                              std::string(name.text) + "'");
    }
    if (token_.is('[')) return parse_index(operand, place);
    if (token_.is('+') || token_.is('-')) return parse_offset(operand.offset);
    return true;
}

// +4, -4, + -4, and sums of those
bool Parser::parse_offset(std::int64_t& offset) {
    Token at = token_;
    Number number;
    // The sign is part of the expression: "+-4" and "-4+8" are constants themselves.
    if (!parse_constant(number)) return false;
    if (number.kind != Number::Kind::integer) return fail(at, "an offset must be an integer");
    offset = static_cast<std::int64_t>(number.bits);
    return true;
}

// a[2]: the address of an element
bool Parser::parse_index(Operand& operand, OperandPlace& place) {
    if (operand.kind != Operand::Kind::variable)
        return fail_here("',' or ';': only a variable can have an index");
    advance();
    Token at = token_;
    Number index;
    if (!parse_constant(index)) return false;
    if (index.kind != Number::Kind::integer) return fail(at, "an index must be an integer");
    const Variable& variable =
        operand.local ? body_->function.variables[operand.id] : module_.variables[operand.id];
    operand.offset = static_cast<std::int64_t>(index.bits * variable.element_size());
    place.indexed = true;
    return expect(']', "after the index");
}

// .b0 .h1 .h10 .b3210
bool Parser::parse_selector(Operand& operand) {
    if (token_.kind != Token::Kind::dot) return true;
    std::string_view text = token_.text.substr(1);
    Selector selector;
    if (text.starts_with("b"))
        selector.unit = Selector::Unit::byte;
    else if (text.starts_with("h"))
        selector.unit = Selector::Unit::half;
    text.remove_prefix(1);
    bool good = selector.unit != Selector::Unit::none && !text.empty() && text.size() <= 4;
    for (std::size_t i = 0; good && i < text.size(); ++i) {
        good = text[i] >= '0' && text[i] <= '7';
        selector.lanes[text.size() - 1 - i] = static_cast<std::uint8_t>(text[i] - '0');
    }
    if (!good) return fail(token_, "'" + std::string(token_.text) + "' selects no part of a register");
    selector.count = static_cast<std::uint8_t>(text.size());
    operand.selector = selector;
    advance();
    return true;
}

// {%r1, %r2, _, 5}
bool Parser::parse_vector(Operand& operand, OperandPlace& place) {
    advance();
    operand.kind = Operand::Kind::vector;
    do {
        OperandPlace element_place{token_};
        Operand& element = operand.elements.emplace_back();
        if (!parse_simple(element, element_place)) return false;
        place.decimal |= element_place.decimal;
    } while (accept(','));
    return expect('}', "after the vector's elements");
}

// [base], [base+4]; textures and bulk copies also have [base, {…}]
bool Parser::parse_address(Operand& operand) {
    advance();
    operand.kind = Operand::Kind::address;
    OperandPlace base_place{token_};
    Operand base;
    if (!parse_simple(base, base_place)) return false;
    switch (base.kind) {
        case Operand::Kind::reg:
            if (base.negated || base.selector.unit != Selector::Unit::none)
                return fail(base_place.token, "expected a plain register");
            if ((token_.is('+') || token_.is('-')) && !parse_offset(operand.offset)) return false;
            break;
        case Operand::Kind::variable:
        case Operand::Kind::function: operand.offset = std::exchange(base.offset, 0); break;
        case Operand::Kind::integer: break;
        default: return fail(base_place.token, "an address must be a register, a variable or a number");
    }
    operand.elements.push_back(std::move(base));
    while (accept(',')) {
        OperandPlace element_place;
        if (token_.is('[')) return fail_here("a register or a vector");
        if (!parse_operand(operand.elements.emplace_back(), element_place)) return false;
    }
    if (!expect(']', "after the address")) return false;
    if (token_.is_dot(".unified")) advance();
    return true;
}

}  // namespace lockstep::ptx
