// The values of variables: = 5, = { 1, 2 }, = { {1, 2}, {3} }, = generic(f) + 8, = { 0xFF(x), 0xFF00(x) }.
#include "ptx/parser-state.h"

namespace lockstep::ptx {

bool Parser::parse_value(Variable& variable, std::size_t& first_pending) {
    first_pending = pending_symbols_.size();
    if (!accept('=')) return true;
    if (parse_initialiser(variable)) return true;
    pending_symbols_.erase(pending_symbols_.begin() + static_cast<std::ptrdiff_t>(first_pending),
                           pending_symbols_.end());
    return false;
}

// Each brace level is one dimension, the vector elements the last; `size` is 0 where the array's length is
// open.
bool Parser::parse_initialiser(Variable& variable) {
    if (type_class(variable.type) == TypeClass::opaque) {
        // Texture and sampler settings: { addr_mode_0 = wrap, … }. Nothing executes them yet.
        if (!expect('{', "before the settings")) return false;
        while (!token_.is('}') && !token_.is(';') && token_.kind != Token::Kind::end) advance();
        return expect('}', "after the settings");
    }
    bool array = !variable.extents.empty() || variable.vector_width > 1;
    if (!array && !token_.is('{')) return parse_init_element(variable);
    if (!token_.is('{')) return fail_here("'{' before the values of an array");
    if (!array) {
        advance();
        return parse_init_element(variable) && expect('}', "after the value");
    }
    if (!parse_init_level(variable, 0, variable.extents.empty() ? 1 : variable.extents[0], 0)) return false;
    if (!variable.extents.empty() && variable.extents[0] == 0) {
        std::uint64_t row = static_cast<std::uint64_t>(variable.vector_width);
        for (std::size_t i = 1; i < variable.extents.size(); ++i) row *= variable.extents[i];
        variable.extents[0] = (variable.init.size() + row - 1) / row;
    }
    return true;
}

bool Parser::add_init_zeros(Variable& variable, std::uint64_t count) {
    // Zeros that the text only implies could ask for more memory than there is, a brace at a time.
    constexpr std::uint64_t most = 1u << 22;
    if (count > most - implied_zeros_)
        return fail(token_, "the values of variables leave gaps of more than 2^22 elements");
    implied_zeros_ += count;
    variable.init.resize(variable.init.size() + count);
    return true;
}

bool Parser::parse_init_level(Variable& variable, std::size_t level, std::uint64_t size, int depth) {
    if (depth > max_depth) return fail(token_, "the braces are nested too deeply");
    if (!expect('{', "before the values")) return false;
    std::uint64_t inner = 1;  // elements in one member of this level
    for (std::size_t i = level + 1; i < variable.extents.size(); ++i) {
        if (variable.extents[i] > max_variable_size / inner) return fail(token_, "the array is too large");
        inner *= variable.extents[i];
    }
    if (level < variable.extents.size()) inner *= static_cast<std::uint64_t>(variable.vector_width);
    std::uint64_t limit =
        level < variable.extents.size() ? size * inner : static_cast<std::uint64_t>(variable.vector_width);
    bool open = size == 0 && level == 0;

    std::uint64_t begin = variable.init.size();
    while (!token_.is('}')) {
        std::uint64_t filled = variable.init.size() - begin;
        if (!open && filled >= limit)
            return fail(token_, "more values than '" + variable.name + "' has elements");
        if (token_.is('{')) {
            if (inner == 1) return fail_here("a value");
            if (filled % inner != 0) return fail(token_, "a brace in the middle of a row");
            std::uint64_t next = level + 1 < variable.extents.size() ? variable.extents[level + 1] : 1;
            std::uint64_t start = variable.init.size();
            if (!parse_init_level(variable, level + 1, next, depth + 1)) return false;
            std::uint64_t got = variable.init.size() - start;
            if (got < inner && !add_init_zeros(variable, inner - got)) return false;
        } else if (!parse_init_element(variable)) {
            return false;
        }
        if (!accept(',')) break;
    }
    return expect('}', "after the values");
}

// symbol, symbol+4, generic(symbol), generic(symbol)+4
bool Parser::parse_init_symbol(InitElement& element) {
    element.kind = InitElement::Kind::variable;  // until resolve_initialisers() knows better
    bool generic = token_.is_word("generic") && next_.is('(');
    if (generic) {
        element.generic = true;
        advance();
        advance();
    }
    Token symbol = token_;
    std::string_view name;
    if (!expect_name(name, "a variable's or function's name")) return false;
    pending_symbols_.push_back({0, 0, symbol});
    std::int64_t offset = 0;
    if ((token_.is('+') || token_.is('-')) && !parse_offset(offset)) return false;
    if (generic) {
        if (!expect(')', "after generic(")) return false;
        std::int64_t more = 0;
        if ((token_.is('+') || token_.is('-')) && !parse_offset(more)) return false;
        offset =
            static_cast<std::int64_t>(static_cast<std::uint64_t>(offset) + static_cast<std::uint64_t>(more));
    }
    element.bits = static_cast<std::uint64_t>(offset);
    return true;
}

bool Parser::parse_init_element(Variable& variable) {
    InitElement element;
    Token at = token_;
    if (token_.kind == Token::Kind::word) {
        if (!parse_init_symbol(element)) return false;
        if (type_bits(variable.type) < 32)
            return fail(at, "an address needs 32 or 64 bits, or a mask such as 0xFF(x)");
        pending_symbols_.back().element = static_cast<std::uint32_t>(variable.init.size());
    } else if (token_.kind == Token::Kind::number && next_.is('(')) {
        auto mask = parse_number(token_.text);
        if (!mask) return fail(token_, mask.error().message);
        bool byte = false;
        for (int shift = 0; shift < 64; shift += 8) byte |= mask->bits == 0xFFull << shift;
        if (mask->kind != Number::Kind::integer || !byte)
            return fail(token_, "a mask must select one byte: 0xFF, 0xFF00 …");
        if (type_bits(variable.type) != 8) return fail(token_, "a mask can only stand in an array of bytes");
        element.mask = mask->bits;
        advance();
        advance();
        if (token_.kind != Token::Kind::word) return fail_here("a variable's or function's name");
        if (!parse_init_symbol(element) || !expect(')', "after the masked name")) return false;
        pending_symbols_.back().element = static_cast<std::uint32_t>(variable.init.size());
    } else {
        Number number;
        if (!parse_constant(number) || !literal_bits(at, number, variable.type, element.bits)) return false;
    }
    variable.init.push_back(element);
    return true;
}

// Initialisers may name what the text declares only later.
void Parser::resolve_initialisers() {
    for (const PendingSymbol& pending : pending_symbols_) {
        auto found = symbols_.find(pending.token.text);
        if (found == symbols_.end()) {
            fail(pending.token, "undeclared name '" + std::string(pending.token.text) + "'");
            continue;
        }
        InitElement& element = module_.variables[pending.variable].init[pending.element];
        element.kind = found->second.function ? InitElement::Kind::function : InitElement::Kind::variable;
        element.id = found->second.id;
    }
}

}  // namespace lockstep::ptx
