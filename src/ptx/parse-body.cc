// The inside of a function: statements, scopes, labels and the tables that labels name.
#include "ptx/parser-state.h"

namespace lockstep::ptx {

bool Parser::parse_body(std::uint32_t function_id) {
    Token open = token_;
    advance();
    Function& function = module_.functions[function_id];
    body_ = std::make_unique<Body>(function);
    location_ = -1;
    bool good = true;
    for (std::uint32_t i = 0; i < function.variables.size(); ++i) {
        std::string_view name = body_->parameter_names.emplace_back(function.variables[i].name);
        if (name != "_" && !body_->names.declare(name, {Symbol::Kind::variable, i, 1}))
            good = fail(open, "two parameters are named '" + std::string(name) + "'");
    }
    body_->names.open_scope();
    std::vector<Token> scopes{open};
    while (!scopes.empty() && !stopped()) {
        if (token_.kind == Token::Kind::end) {
            good = fail(scopes.back(), "this '{' is not closed: expected '}' before the end of the file");
            break;
        }
        if (token_.is('{')) {
            if (scopes.size() >= static_cast<std::size_t>(max_depth)) {
                good = fail(token_, "the scopes are nested too deeply");
                break;
            }
            scopes.push_back(token_);
            advance();
            body_->names.open_scope();
            body_->scope_parents.push_back(body_->scope);
            body_->scope = static_cast<std::uint32_t>(body_->scope_parents.size() - 1);
        } else if (accept('}')) {
            scopes.pop_back();
            body_->names.close_scope();
            body_->scope = body_->scope_parents[body_->scope];
        } else {
            parse_statement();
        }
    }
    finish_body();
    body_.reset();
    return good;
}

void Parser::parse_statement() {
    if (accept(';')) return;
    std::size_t before = token_.offset;
    bool good = true;
    if (token_.kind == Token::Kind::dot) {
        good = parse_body_directive();
    } else if (token_.kind == Token::Kind::word && next_.is(':')) {
        good = parse_label();
    } else if (token_.kind == Token::Kind::word || token_.is('@')) {
        good = parse_instruction();
    } else {
        good = fail_here("an instruction, a label or a declaration");
    }
    if (good) return;
    // Nothing that begins a statement was used up: step over it, or this would go on for ever.
    if (token_.offset == before && !token_.is('{') && !token_.is('}')) advance();
    skip_statement();
}

// After an error: past the next ';', or up to a brace that opens or closes a scope.
void Parser::skip_statement() {
    while (token_.kind != Token::Kind::end) {
        if (accept(';')) return;
        bool closes_vector = next_.is(',') || next_.is(']') || next_.is(';');
        if (token_.is('}') && !closes_vector) return;
        bool opens_vector = next_.kind == Token::Kind::number || next_.is_word("_") ||
                            (next_.kind == Token::Kind::word && next_.text[0] == '%');
        if (token_.is('{') && !opens_vector) return;
        advance();
    }
}

bool Parser::parse_body_directive() {
    if (token_.text == ".loc") return parse_loc();
    if (token_.text == ".file") return parse_file();
    if (token_.text == ".pragma") return parse_pragma();
    if (token_.text == ".branchtargets" || token_.text == ".callprototype" || token_.text == ".calltargets")
        return fail(token_, std::string(token_.text) + " needs a label before it");
    Declaration head;
    if (!parse_declaration_head(head, false)) return false;
    return head.is_register ? parse_registers(head) : parse_local_variables(head);
}

bool Parser::declare_label(const Token& name, LabelLike what) {
    if (body_->labels.try_emplace({body_->scope, name.text}, what).second) return true;
    return fail(name, "label '" + std::string(name.text) + "' is already declared in this scope");
}

bool Parser::parse_label() {
    Token name = token_;
    advance();
    advance();
    if (token_.is_dot(".branchtargets")) return parse_branch_targets(name);
    if (token_.is_dot(".callprototype")) return parse_call_prototype(name);
    if (token_.is_dot(".calltargets")) return parse_call_targets(name);
    Function& function = body_->function;
    auto id = static_cast<std::uint32_t>(function.labels.size());
    function.labels.push_back(
        {std::string(name.text), static_cast<std::uint32_t>(function.instructions.size())});
    // The label is good even if its name is not: no skipping.
    declare_label(name, {LabelLike::Kind::label, id});
    return true;
}

std::uint32_t Parser::add_label_ref(const Token& token) {
    body_->label_refs.push_back({token, body_->scope});
    return static_cast<std::uint32_t>(body_->label_refs.size() - 1);
}

bool Parser::parse_branch_targets(const Token& name) {
    advance();
    BranchTable table;
    table.name = name.text;
    do {
        Token at = token_;
        std::string_view label;
        if (!expect_name(label, "a label")) return false;
        table.labels.push_back(add_label_ref(at));
    } while (accept(','));
    auto id = static_cast<std::uint32_t>(body_->function.branch_tables.size());
    body_->function.branch_tables.push_back(std::move(table));
    return expect(';', "after the labels") && declare_label(name, {LabelLike::Kind::table, id});
}

// name : .callprototype (.param .b32 _) _ (.param .b64 _) .noreturn;
bool Parser::parse_call_prototype(const Token& name) {
    advance();
    Prototype prototype;
    prototype.name = name.text;
    if (token_.is('(') && !parse_parameters(prototype.returns)) return false;
    std::string_view placeholder;
    if (!expect_name(placeholder, "'_' for the function's name")) return false;
    if (token_.is('(') && !parse_parameters(prototype.params)) return false;
    Function directives;
    if (!parse_function_directives(directives)) return false;
    prototype.noreturn = directives.noreturn;
    for (std::vector<Variable>* list : {&prototype.returns, &prototype.params})
        for (Variable& variable : *list) variable.name = "_";
    auto id = static_cast<std::uint32_t>(body_->function.prototypes.size());
    body_->function.prototypes.push_back(std::move(prototype));
    return expect(';', "after the prototype") && declare_label(name, {LabelLike::Kind::prototype, id});
}

// name : .calltargets f, g;  All have the same signature, so the first one stands for a prototype.
bool Parser::parse_call_targets(const Token& name) {
    advance();
    Prototype prototype;
    prototype.name = name.text;
    bool first = true;
    do {
        Token at = token_;
        std::string_view target;
        if (!expect_name(target, "a function's name")) return false;
        auto found = symbols_.find(target);
        if (found == symbols_.end() || !found->second.function)
            return fail(at, "'" + std::string(target) + "' is no declared function");
        const Function& callee = module_.functions[found->second.id];
        if (std::exchange(first, false)) {
            for (std::uint32_t i : callee.returns) prototype.returns.push_back(callee.variables[i]);
            for (std::uint32_t i : callee.params) prototype.params.push_back(callee.variables[i]);
            prototype.noreturn = callee.noreturn;
        }
    } while (accept(','));
    for (std::vector<Variable>* list : {&prototype.returns, &prototype.params})
        for (Variable& variable : *list) variable.name = "_";
    auto id = static_cast<std::uint32_t>(body_->function.prototypes.size());
    body_->function.prototypes.push_back(std::move(prototype));
    return expect(';', "after the functions") && declare_label(name, {LabelLike::Kind::prototype, id});
}

std::optional<Parser::LabelLike> Parser::find_label(const LabelRef& ref) const {
    for (std::uint32_t scope = ref.scope;; scope = body_->scope_parents[scope]) {
        auto found = body_->labels.find({scope, ref.token.text});
        if (found != body_->labels.end()) return found->second;
        if (scope == 0) return std::nullopt;
    }
}

// Turns an index into label_refs into one into the table of that kind.
bool Parser::resolve_label(std::uint32_t& ref, LabelLike::Kind kind, std::string_view what) {
    const LabelRef& reference = body_->label_refs[ref];
    ref = 0;
    auto found = find_label(reference);
    std::string name(reference.token.text);
    if (!found) return fail(reference.token, "undeclared label '" + name + "'");
    if (found->kind != kind) return fail(reference.token, "'" + name + "' is no " + std::string(what));
    ref = found->id;
    return true;
}

void Parser::resolve_labels() {
    Function& function = body_->function;
    for (BranchTable& table : function.branch_tables)
        for (std::uint32_t& label : table.labels) resolve_label(label, LabelLike::Kind::label, "label");
    for (Instruction& instruction : function.instructions) {
        if (instruction.syntax().family != Family::control) continue;
        for (Operand& operand : instruction.operands) {
            if (operand.kind == Operand::Kind::label)
                resolve_label(operand.id, LabelLike::Kind::label, "label");
            else if (operand.kind == Operand::Kind::table)
                resolve_label(operand.id, LabelLike::Kind::table, ".branchtargets list");
            else if (operand.kind == Operand::Kind::prototype) {
                const Token at = body_->label_refs[operand.id].token;
                if (resolve_label(operand.id, LabelLike::Kind::prototype, ".callprototype or .calltargets"))
                    check_prototype(at, instruction, function.prototypes[operand.id]);
            }
        }
    }
}

// An indirect call passes what its prototype says.
bool Parser::check_prototype(const Token& at, const Instruction& call, const Prototype& prototype) {
    return check_call_list(at, "'" + prototype.name + "'", call.operands[0], prototype.returns,
                           "return value") &&
           check_call_list(at, "'" + prototype.name + "'", call.operands[2], prototype.params, "parameter");
}

// Scopes are gone from the tree, so every name must be its own.
void Parser::make_names_unique() {
    UniqueNames names;
    for (const std::string& name : body_->module_names) names.reserve(name);
    auto own = [&](std::string& name) {
        if (name == "_") return;
        if (is_special_register_word(name)) names.reserve(name);
        name = names.take(std::move(name));
    };
    Function& function = body_->function;
    for (Variable& each : function.variables) own(each.name);
    for (Register& each : function.registers) own(each.name);
    for (Label& each : function.labels) own(each.name);
    for (BranchTable& each : function.branch_tables) own(each.name);
    for (Prototype& each : function.prototypes) own(each.name);
}

void Parser::finish_body() {
    resolve_labels();
    make_names_unique();
}

}  // namespace lockstep::ptx
