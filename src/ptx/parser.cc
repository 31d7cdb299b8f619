#include "ptx/parser.h"

#include "ptx/parser-state.h"

namespace lockstep::ptx {
namespace {

std::string describe(const Token& token) {
    constexpr std::size_t longest = 40;
    switch (token.kind) {
        case Token::Kind::end: return "the end of the file";
        case Token::Kind::string: return "a string";
        default: break;
    }
    std::string text(token.text.substr(0, longest));
    if (token.text.size() > longest) text += "…";
    return "'" + text + "'";
}

bool starts_directive(const Token& token) {
    constexpr std::string_view starts[] = {
        ".version", ".target", ".address_size", ".file", ".section", ".pragma", ".extern", ".visible",
        ".weak",    ".common", ".entry",        ".func", ".global",  ".const",  ".shared", ".alias"};
    if (token.kind != Token::Kind::dot) return false;
    for (std::string_view start : starts)
        if (token.text == start) return true;
    return false;
}

}  // namespace

Parser::Parser(std::string_view text, std::string name) : lexer_(text) {
    module_.name = std::move(name);
    module_.files.emplace_back();
    advance();
    advance();
}

void Parser::advance() {
    token_ = next_;
    std::swap(token_problem_, next_problem_);
    next_ = lexer_.next();
    if (next_.kind == Token::Kind::error) next_problem_ = lexer_.problem();
}

bool Parser::fail(const Token& at, std::string message) {
    if (stopped()) return false;
    // Names can be as long as the file; a message is for people.
    constexpr std::size_t longest = 400;
    if (message.size() > longest) {
        message.resize(longest);
        while ((static_cast<unsigned char>(message.back()) & 0x80) != 0) message.pop_back();
        message += "…";
    }
    errors_.push_back({std::move(message), {module_.name, at.line, at.column}});
    if (errors_.size() == max_errors - 1)
        errors_.push_back(
            {"too many errors: the rest of the file is not read", {module_.name, at.line, at.column}});
    return false;
}

bool Parser::fail_here(std::string_view expected) {
    if (token_.kind == Token::Kind::error) return fail(token_, token_problem_);
    return fail(token_, "expected " + std::string(expected) + ", found " + describe(token_));
}

bool Parser::accept(char c) {
    if (!token_.is(c)) return false;
    advance();
    return true;
}

bool Parser::expect(char c, std::string_view context) {
    if (accept(c)) return true;
    return fail_here("'" + std::string(1, c) + "' " + std::string(context));
}

bool Parser::expect_name(std::string_view& name, std::string_view what) {
    if (token_.kind != Token::Kind::word) return fail_here(what);
    name = token_.text;
    advance();
    return true;
}

bool Parser::expect_count(std::uint64_t& value, std::uint64_t max, std::string_view what) {
    if (token_.kind != Token::Kind::number) return fail_here(what);
    auto number = parse_number(token_.text);
    if (!number) return fail(token_, number.error().message);
    if (number->kind != Number::Kind::integer) return fail_here(what);
    if (number->bits > max)
        return fail(token_, std::string(what) + " must be at most " + std::to_string(max));
    value = number->bits;
    advance();
    return true;
}

// After an error outside a body: over anything in braces, up to what may begin a declaration.
void Parser::skip_to_directive() {
    std::uint64_t open = 0;
    while (token_.kind != Token::Kind::end) {
        if (open == 0 && starts_directive(token_)) return;
        if (token_.is('{')) ++open;
        if (token_.is('}') && open != 0) --open;
        advance();
    }
}

bool Parser::parse_version() {
    advance();
    std::string_view text = token_.text;
    std::size_t point = text.find('.');
    if (token_.kind != Token::Kind::number || point == text.npos || point > 4 || text.size() - point > 5)
        return fail_here("a version such as 8.5 after .version");
    int* part = &module_.version_major;
    module_.version_major = module_.version_minor = 0;
    for (char c : text) {
        if (c == '.')
            part = &module_.version_minor;
        else if (c >= '0' && c <= '9')
            *part = *part * 10 + (c - '0');
        else
            return fail_here("a version such as 8.5 after .version");
    }
    advance();
    return true;
}

bool Parser::parse_target() {
    advance();
    do {
        std::string_view word;
        if (!expect_name(word, "a target such as sm_90")) return false;
        bool architecture = word.starts_with("sm_") || word.starts_with("compute_");
        if (architecture && module_.target.empty())
            module_.target = word;
        else
            module_.target_options.emplace_back(word);
    } while (accept(','));
    return true;
}

bool Parser::parse_alias() {
    advance();
    Token alias_token = token_;
    std::string_view alias, target;
    if (!expect_name(alias, "a function's name after .alias") || !expect(',', "after the alias"))
        return false;
    Token target_token = token_;
    if (!expect_name(target, "the function that the alias stands for") || !expect(';', "after .alias"))
        return false;
    auto from = symbols_.find(alias);
    auto to = symbols_.find(target);
    if (from == symbols_.end() || !from->second.function)
        return fail(alias_token, "'" + std::string(alias) + "' is no declared function");
    if (to == symbols_.end() || !to->second.function)
        return fail(target_token, "'" + std::string(target) + "' is no declared function");
    if (!module_.functions[from->second.id].declaration)
        return fail(alias_token, "'" + std::string(alias) + "' has a body, so it cannot be an alias");
    if (module_.functions[to->second.id].declaration)
        return fail(target_token, "'" + std::string(target) + "' has no body, so it cannot be aliased");
    module_.functions[from->second.id].alias_of = static_cast<int>(to->second.id);
    return true;
}

bool Parser::parse_pragma() {
    advance();
    do {
        if (token_.kind != Token::Kind::string) return fail_here("a string after .pragma");
        if (body_ && token_.text.find("nounroll") != std::string_view::npos) body_->no_unroll = true;
        advance();
    } while (accept(','));
    return expect(';', "after .pragma");
}

bool Parser::parse_directive() {
    if (token_.is_dot(".version")) return parse_version();
    if (token_.is_dot(".target")) return parse_target();
    if (token_.is_dot(".address_size")) {
        advance();
        std::uint64_t bits = 0;
        Token at = token_;
        if (!expect_count(bits, 64, "the address size")) return false;
        if (bits != 32 && bits != 64) return fail(at, "the address size must be 32 or 64");
        module_.address_size = static_cast<int>(bits);
        return true;
    }
    if (token_.is_dot(".file")) return parse_file();
    if (token_.is_dot(".loc")) return parse_loc();
    if (token_.is_dot(".section")) return parse_section();
    if (token_.is_dot(".pragma")) return parse_pragma();
    if (token_.is_dot(".alias")) return parse_alias();
    if (token_.kind != Token::Kind::dot) return fail_here("a directive such as .entry, .func or .global");
    Linkage linkage = Linkage::none;
    if (token_.text == ".extern") linkage = Linkage::external;
    if (token_.text == ".visible") linkage = Linkage::visible;
    if (token_.text == ".weak") linkage = Linkage::weak;
    if (token_.text == ".common") linkage = Linkage::common;
    if (linkage != Linkage::none) advance();
    return parse_linked(linkage);
}

void Parser::parse_top_level() {
    if (accept(';')) return;
    std::size_t before = token_.offset;
    if (parse_directive()) return;
    if (token_.offset == before) advance();
    skip_to_directive();
}

ParseOutcome Parser::run() {
    while (token_.kind != Token::Kind::end && !stopped()) parse_top_level();
    if (!stopped() && errors_.empty()) {
        if (module_.version_major == 0) fail(token_, "there is no .version directive: this is no PTX module");
        if (module_.target.empty())
            fail(token_, "there is no .target directive that names an sm_ architecture");
    }
    resolve_initialisers();
    name_inlined_functions();
    return {std::move(module_), std::move(errors_)};
}

ParseOutcome parse_all(std::string_view text, std::string name) {
    while (text.ends_with('\0')) text.remove_suffix(1);  // fat binaries pad their PTX with zeros
    return Parser(text, std::move(name)).run();
}

Result<Module> parse(std::string_view text, std::string name) {
    ParseOutcome outcome = parse_all(text, std::move(name));
    if (outcome.errors.empty()) return std::move(outcome.module);
    Error first = outcome.errors.front();
    if (std::size_t more = outcome.errors.size() - 1; more != 0)
        first.message += " (and " + std::to_string(more) + (more == 1 ? " more error)" : " more errors)");
    return first;
}

std::vector<Error> unsupported(const Module& module, const Function& function) {
    std::vector<Error> errors;
    for (const Instruction& instruction : function.instructions) {
        const Row& row = instruction.syntax();
        if (row.implemented) continue;
        std::string spelling(opcode_name(instruction.opcode));
        if (row.any_words)
            for (const std::string& word : instruction.words) (spelling += '.') += word;
        else
            spelling += spell_words(row, instruction.mods, instruction.types, instruction.shape);
        errors.push_back({"instruction '" + spelling + "' is not implemented (in " + function.name + ")",
                          {module.name, instruction.line, instruction.column}});
    }
    return errors;
}

}  // namespace lockstep::ptx
