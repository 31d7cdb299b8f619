// Variables, parameters and registers.
#include <bit>

#include "ptx/parser-state.h"

namespace lockstep::ptx {
namespace {

std::optional<Space> parse_space(std::string_view word) {
    if (word == ".global") return Space::global;
    if (word == ".const") return Space::constant;
    if (word == ".shared" || word == ".shared::cta" || word == ".shared::cluster") return Space::shared;
    if (word == ".local") return Space::local;
    if (word == ".param") return Space::param;
    return std::nullopt;
}

std::string_view shown(const Token& token) { return token.text; }

}  // namespace

bool Parser::parse_alignment(std::uint64_t& alignment) {
    advance();
    Token at = token_;
    if (!expect_count(alignment, 1ull << 20, "the alignment")) return false;
    if (!std::has_single_bit(alignment)) return fail(at, "the alignment must be a power of two");
    return true;
}

// .attribute(.managed), .attribute(.unified(…), .managed)
bool Parser::parse_attribute(Variable* variable) {
    advance();
    if (!expect('(', "after .attribute")) return false;
    do {
        if (token_.kind != Token::Kind::dot) return fail_here("an attribute such as .managed");
        if (token_.text == ".managed") {
            if (variable != nullptr) variable->managed = true;
            advance();
        } else if (token_.text == ".unified") {
            advance();
            if (!accept('(')) continue;
            Number ignored;
            if (!parse_constant(ignored) || !expect(',', "between the two numbers of .unified") ||
                !parse_constant(ignored) || !expect(')', "after .unified's numbers"))
                return false;
        } else {
            return fail(token_, "unknown attribute '" + std::string(shown(token_)) +
                                    "'; expected .managed or .unified");
        }
    } while (accept(','));
    return expect(')', "after the attributes");
}

// What may follow .ptr: the space and alignment of what the parameter points to.
bool Parser::parse_pointer(Variable& variable) {
    advance();
    variable.pointer_param = true;
    while (token_.kind == Token::Kind::dot) {
        auto space = parse_space(token_.text);
        if (space) {
            variable.pointer_space = *space;
            advance();
        } else if (token_.text == ".align") {
            if (!parse_alignment(variable.pointer_alignment)) return false;
        } else {
            return fail_here("a state space, .align or the parameter's name after .ptr");
        }
    }
    return true;
}

bool Parser::parse_declaration_head(Declaration& head, bool parameter) {
    Token first = token_;
    while (token_.kind == Token::Kind::dot) {
        std::string_view word = token_.text;
        if (auto space = parse_space(word)) {
            if (head.space != Space::none || head.is_register) return fail(token_, "a second state space");
            head.space = *space;
            advance();
        } else if (word == ".reg") {
            head.is_register = true;
            advance();
        } else if (word == ".align") {
            if (!parse_alignment(head.variable.alignment)) return false;
        } else if (word == ".v2" || word == ".v4" || word == ".v8") {
            head.variable.vector_width = word[2] - '0';
            advance();
        } else if (word == ".attribute") {
            if (!parse_attribute(&head.variable)) return false;
        } else if (word == ".ptr" && parameter) {
            if (!parse_pointer(head.variable)) return false;
        } else if (auto type = parse_type(word.substr(1)); type && !is_element_only(*type)) {
            if (head.variable.type != Type::none) return fail(token_, "a second type");
            head.variable.type = *type;
            advance();
        } else if (word == ".tex" || word == ".sreg") {
            return fail(token_, "the state space " + std::string(word) + " is not implemented");
        } else {
            return fail(token_, "'" + std::string(word) + "' cannot stand in a declaration");
        }
    }
    if (head.space == Space::none && !head.is_register)
        return fail(first, "expected a state space such as .global or .shared");
    if (head.variable.type == Type::none) return fail_here("a type such as .b32");
    if (head.variable.type == Type::pred && !head.is_register)
        return fail(first, "a variable cannot have the type .pred");
    head.variable.space = head.space;
    return true;
}

bool Parser::parse_extents(Variable& variable) {
    while (accept('[')) {
        if (variable.extents.size() == 16)
            return fail(token_, "an array can have at most 16 dimensions here");
        if (token_.is(']')) {
            if (!variable.extents.empty())
                return fail_here("a size: only the first dimension can be left open");
            variable.extents.push_back(0);
        } else {
            Token at = token_;
            Number size;
            if (!parse_constant(size)) return false;
            bool positive = size.kind == Number::Kind::integer && (size.is_unsigned || size.bits >> 63 == 0);
            if (!positive) return fail(at, "an array's size must be a positive integer");
            if (size.bits == 0 && !variable.extents.empty())
                return fail(at, "only the first dimension can be 0");
            variable.extents.push_back(size.bits);
        }
        if (!expect(']', "after the array's size")) return false;
    }
    return true;
}

bool Parser::check_size(const Token& at, const Variable& variable) {
    std::uint64_t bytes = variable.element_size();
    for (std::uint64_t extent : variable.extents) {
        if (extent != 0 && bytes > max_variable_size / extent)
            return fail(at, "'" + variable.name + "' is larger than 2^40 bytes");
        bytes *= extent;
    }
    return true;
}

// `first_pending`: where in pending_symbols_ the names of its initialiser begin.
bool Parser::add_module_variable(const Token& at, Variable variable, std::size_t first_pending,
                                 std::uint32_t& id) {
    auto [entry, fresh] = symbols_.try_emplace(at.text, ModuleSymbol{false, 0});
    bool kept = true;
    bool good = true;
    if (fresh) {
        entry->second.id = static_cast<std::uint32_t>(module_.variables.size());
        module_.variables.push_back(std::move(variable));
    } else if (entry->second.function) {
        good = fail(at, "'" + variable.name + "' is already declared as a function");
    } else {
        Variable& known = module_.variables[entry->second.id];
        if (known.space != variable.space)
            good = fail(at, "'" + variable.name + "' is already declared in another state space");
        else if (variable.linkage == Linkage::external)
            kept = false;  // says nothing new
        else if (known.linkage != Linkage::external)
            good = fail(at, "'" + variable.name + "' is already declared");
        else
            known = std::move(variable);
    }
    id = entry->second.id;
    if (good && kept)
        for (std::size_t i = first_pending; i < pending_symbols_.size(); ++i)
            pending_symbols_[i].variable = id;
    else
        pending_symbols_.erase(pending_symbols_.begin() + static_cast<std::ptrdiff_t>(first_pending),
                               pending_symbols_.end());
    return good;
}

bool Parser::parse_module_variables(const Declaration& head, Linkage linkage) {
    if (head.is_register) return fail(token_, "registers can only be declared inside a function");
    if (head.space == Space::param || head.space == Space::local)
        return fail(token_, "a variable outside of functions must be .global, .const or .shared");
    do {
        Token at = token_;
        Variable variable = head.variable;
        std::string_view name;
        if (!expect_name(name, "the variable's name")) return false;
        if (name == "_") return fail(at, "a variable cannot be named '_'");
        variable.name = name;
        variable.linkage = linkage;
        std::size_t first_pending = 0;
        std::uint32_t id = 0;
        if (!parse_extents(variable) || !check_size(at, variable) || !parse_value(variable, first_pending) ||
            !add_module_variable(at, std::move(variable), first_pending, id))
            return false;
    } while (accept(','));
    return expect(';', "after the declaration");
}

bool Parser::parse_local_variables(const Declaration& head) {
    bool hoisted = head.space == Space::global || head.space == Space::constant;
    do {
        Token at = token_;
        Variable variable = head.variable;
        std::string_view name;
        if (!expect_name(name, "the variable's name")) return false;
        if (name == "_") return fail(at, "a variable cannot be named '_'");
        variable.name = name;
        std::size_t first_pending = 0;
        if (!parse_extents(variable) || !check_size(at, variable)) return false;
        if (token_.is('=') && !hoisted)
            return fail(token_, "only .global and .const variables can have a value");
        if (!parse_value(variable, first_pending)) return false;
        Symbol symbol{Symbol::Kind::variable, 0, 1};
        if (hoisted) {
            // It lives as long as the module, so that is where it goes, under a name of its own.
            std::string own = body_->function.name + "$" + variable.name;
            while (symbols_.contains(own)) own += '$';
            variable.name = own_names_.emplace_back(std::move(own));
            Token own_token = at;
            own_token.text = own_names_.back();
            symbol.kind = Symbol::Kind::module_variable;
            if (!add_module_variable(own_token, std::move(variable), first_pending, symbol.id)) return false;
        } else {
            symbol.id = static_cast<std::uint32_t>(body_->function.variables.size());
            body_->function.variables.push_back(std::move(variable));
        }
        if (!body_->names.declare(name, symbol))
            return fail(at, "'" + std::string(name) + "' is already declared in this scope");
    } while (accept(','));
    return expect(';', "after the declaration");
}

// .reg .b32 %r<17>, %x;
bool Parser::parse_registers(const Declaration& head) {
    std::uint32_t width = static_cast<std::uint32_t>(head.variable.vector_width);
    if (width > 4) return fail(token_, "a vector register has at most 4 elements");
    do {
        Token at = token_;
        std::string_view name;
        if (!expect_name(name, "the register's name")) return false;
        if (name == "_") return fail(at, "a register cannot be named '_'");
        bool fresh = true;
        if (accept('<')) {
            std::uint64_t count = 0;
            if (!expect_count(count, 1u << 30, "the number of registers")) return false;
            if (!expect('>', "after the number of registers")) return false;
            if (width != 1) return fail(at, "vector registers must be declared one by one");
            fresh =
                body_->names.declare_registers(name, static_cast<std::uint32_t>(count), head.variable.type);
        } else {
            fresh = body_->names.declare_register(name, head.variable.type, width);
        }
        if (!fresh) return fail(at, "'" + std::string(name) + "' is already declared in this scope");
    } while (accept(','));
    return expect(';', "after the registers");
}

// ( .param .b64 a, .param .align 8 .b8 b[16] )
bool Parser::parse_parameters(std::vector<Variable>& list) {
    if (!expect('(', "before the parameters")) return false;
    if (accept(')')) return true;
    do {
        Declaration head;
        Token first = token_;
        if (!parse_declaration_head(head, true)) return false;
        if (head.is_register) return fail(first, "parameters in registers are not implemented: use .param");
        if (head.space != Space::param) return fail(first, "expected .param");
        Token at = token_;
        std::string_view name;
        if (!expect_name(name, "the parameter's name")) return false;
        head.variable.name = name;
        if (!parse_extents(head.variable) || !check_size(at, head.variable)) return false;
        list.push_back(std::move(head.variable));
    } while (accept(','));
    return expect(')', "after the parameters");
}

}  // namespace lockstep::ptx
