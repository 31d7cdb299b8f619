// One instruction: guard, words, operands. Branches and calls have shapes of their own.
#include <utility>

#include "ptx/parser-state.h"

namespace lockstep::ptx {

// @%p, @!%p
bool Parser::parse_guard(std::optional<Guard>& guard) {
    advance();
    Guard parsed;
    parsed.negated = accept('!');
    Token at = token_;
    std::string_view name;
    if (!expect_name(name, "a predicate register after '@'")) return false;
    auto symbol = body_->names.find(name);
    if (!symbol) return fail(at, "undeclared register '" + std::string(name) + "'");
    if (symbol->kind != Symbol::Kind::reg || body_->function.registers[symbol->id].type != Type::pred)
        return fail(at, "'" + std::string(name) + "' is no predicate register");
    parsed.reg = symbol->id;
    guard = parsed;
    return true;
}

// The same few hundred spellings make up any program, so each is matched once.
const WordMatch& Parser::match_instruction(const Token& opcode, std::vector<std::string_view>& words) {
    std::size_t end = opcode.offset + opcode.text.size();
    bool contiguous = true;
    while (token_.kind == Token::Kind::dot) {
        contiguous &= token_.offset == end;
        end = token_.offset + token_.text.size();
        words.push_back(token_.text.substr(1));
        advance();
    }
    std::string_view key = lexer_.text().substr(opcode.offset, end - opcode.offset);
    if (!contiguous) {
        std::string joined(opcode.text);
        for (std::string_view word : words) (joined += '.') += word;
        auto known = matches_.find(joined);
        if (known != matches_.end()) return *known->second;
        key = spaced_spellings_.emplace_back(std::move(joined));
    }
    std::unique_ptr<WordMatch>& match = matches_[key];
    if (match == nullptr) match = std::make_unique<WordMatch>(match_words(opcode.text, words));
    return *match;
}

bool Parser::parse_instruction() {
    Instruction instruction;
    instruction.line = token_.line;
    instruction.column = token_.column;
    if (token_.is('@') && !parse_guard(instruction.guard)) return false;
    Token opcode = token_;
    if (token_.kind != Token::Kind::word) return fail_here("an instruction");
    advance();
    std::vector<std::string_view> words;
    const WordMatch& match = match_instruction(opcode, words);
    if (match.rows.empty()) return fail(opcode, match.problem);
    instruction.opcode = match.opcode;
    instruction.mods = match.mods;
    instruction.types = match.types;
    instruction.shape = match.shape;
    places_.clear();

    const Row* row = match.rows.front();
    if (instruction.opcode == Opcode::bra || instruction.opcode == Opcode::brx) {
        if (!parse_branch(instruction)) return false;
    } else if (instruction.opcode == Opcode::call) {
        if (!parse_call(instruction)) return false;
    } else if (!parse_operands(instruction)) {
        return false;
    }
    std::string context = "after '" + std::string(opcode.text) + "' and its operands";
    if (!expect(';', context)) return false;
    if (row->any_words) {
        instruction.words.assign(words.begin(), words.end());
        instruction.types = {};
        instruction.mods = {};
        instruction.shape = {};
    } else if (row->opcode == Opcode::call) {
        if (!check_call(opcode, instruction)) return true;
    } else {
        row = choose_row(match, instruction);
        // The statement has been read to its end: there is nothing to skip after these errors.
        if (!check_operands(*row, instruction)) return true;
    }
    instruction.row = static_cast<std::uint16_t>(row_index(*row));
    instruction.source = current_source();
    instruction.no_unroll = std::exchange(body_->no_unroll, false);
    body_->function.instructions.push_back(std::move(instruction));
    return true;
}

// bra label; brx.idx %r1, table;
bool Parser::parse_branch(Instruction& instruction) {
    bool indexed = instruction.opcode == Opcode::brx;
    if (indexed) {
        if (!parse_operand(instruction.operands.emplace_back(), places_.emplace_back())) return false;
        if (!expect(',', "before the list of targets")) return false;
    }
    Token at = token_;
    std::string_view name;
    if (!expect_name(name, indexed ? "the label of a .branchtargets list" : "a label")) return false;
    Operand& target = instruction.operands.emplace_back();
    target.kind = indexed ? Operand::Kind::table : Operand::Kind::label;
    target.id = add_label_ref(at);
    places_.push_back({at});
    return true;
}

bool Parser::parse_call_list(Operand& list) {
    list.kind = Operand::Kind::list;
    if (!expect('(', "before the arguments")) return false;
    if (accept(')')) return true;
    do {
        OperandPlace place{token_};
        Operand& element = list.elements.emplace_back();
        if (!parse_simple(element, place)) return false;
        bool variable = element.kind == Operand::Kind::variable && element.local && element.offset == 0;
        if (!variable && element.kind != Operand::Kind::sink)
            return fail(place.token, "expected a .param variable of this function");
        if (variable && body_->function.variables[element.id].space != Space::param)
            return fail(place.token, "'" + std::string(place.token.text) + "' is no .param variable");
    } while (accept(','));
    return expect(')', "after the arguments");
}

// call (returns), function, (params), prototype; where everything but the function may be missing
bool Parser::parse_call(Instruction& instruction) {
    instruction.operands.resize(3);
    instruction.operands[0].kind = instruction.operands[2].kind = Operand::Kind::list;
    if (token_.is('(')) {
        if (!parse_call_list(instruction.operands[0]) || !expect(',', "before the function")) return false;
    }
    OperandPlace place{token_};
    if (token_.kind != Token::Kind::word) return fail_here("a function or a register");
    if (!parse_simple(instruction.operands[1], place)) return false;
    places_.push_back(place);
    bool indirect = instruction.operands[1].kind == Operand::Kind::reg;
    if (!indirect &&
        (instruction.operands[1].kind != Operand::Kind::function || instruction.operands[1].offset != 0))
        return fail(place.token,
                    "'" + std::string(place.token.text) + "' is neither a function nor a register");
    bool more = accept(',');
    if (more && token_.is('(')) {
        if (!parse_call_list(instruction.operands[2])) return false;
        more = accept(',');
    }
    if (!more) {
        if (indirect) return fail_here("',' and a prototype: the function is in a register");
        return true;
    }
    if (!indirect) return fail_here("';': a prototype belongs to a call through a register");
    Token at = token_;
    std::string_view name;
    if (!expect_name(name, "the label of a .callprototype or .calltargets")) return false;
    Operand& prototype = instruction.operands.emplace_back();
    prototype.kind = Operand::Kind::prototype;
    prototype.id = add_label_ref(at);
    return true;
}

bool Parser::check_call(const Token& at, const Instruction& instruction) {
    const Operand& callee = instruction.operands[1];
    if (callee.kind == Operand::Kind::reg) {
        int bits = type_bits(body_->function.registers[callee.id].type);
        if (bits != 32 && bits != 64)
            return fail(places_[0].token, "an address of a function needs 32 or 64 bits");
        return true;
    }
    const Function& function = module_.functions[callee.id];
    if (function.entry) return fail(at, "'" + function.name + "' is an .entry: only a .func can be called");
    auto variables = [&](const std::vector<std::uint32_t>& ids) {
        std::vector<Variable> list;
        for (std::uint32_t id : ids) list.push_back(function.variables[id]);
        return list;
    };
    const std::string title = "'" + function.name + "'";
    return check_call_list(at, title, instruction.operands[0], variables(function.returns), "return value") &&
           check_call_list(at, title, instruction.operands[2], variables(function.params), "parameter");
}

// `given`: a call's list; `wanted`: what the function or prototype named `title` has. A last one without a
// size stands for any number of arguments.
bool Parser::check_call_list(const Token& at, const std::string& title, const Operand& given,
                             const std::vector<Variable>& wanted, std::string_view what) {
    bool open_ended = !wanted.empty() && wanted.back().size() == 0;
    if (given.elements.size() != wanted.size() && !(open_ended && given.elements.size() + 1 >= wanted.size()))
        return fail(at, title + " has " + std::to_string(wanted.size()) + " " + std::string(what) +
                            "s, found " + std::to_string(given.elements.size()));
    for (std::size_t i = 0; i < given.elements.size() && i < wanted.size(); ++i) {
        if (given.elements[i].kind == Operand::Kind::sink) continue;
        std::uint64_t have = body_->function.variables[given.elements[i].id].size();
        std::uint64_t want = wanted[i].size();
        if (have != want && want != 0 && have != 0)
            return fail(at, std::string(what) + " " + std::to_string(i + 1) + " of " + title + " has " +
                                std::to_string(want) + " bytes, found " + std::to_string(have));
    }
    return true;
}

}  // namespace lockstep::ptx
