// Functions' headers: linkage, parameters, performance directives.
#include "ptx/parser-state.h"

namespace lockstep::ptx {
namespace {

bool same_signature(const Function& a, const Function& b) {
    auto same = [&](const std::vector<std::uint32_t>& x, const std::vector<std::uint32_t>& y) {
        if (x.size() != y.size()) return false;
        for (std::size_t i = 0; i < x.size(); ++i)
            if (a.variables[x[i]].size() != b.variables[y[i]].size()) return false;
        return true;
    };
    return same(a.returns, b.returns) && same(a.params, b.params);
}

}  // namespace

bool Parser::parse_linked(Linkage linkage) {
    if (token_.is_dot(".entry") || token_.is_dot(".func")) return parse_function(linkage);
    Declaration head;
    return parse_declaration_head(head, false) && parse_module_variables(head, linkage);
}

// 256, 1, 1: missing ones are 1.
bool Parser::parse_three(std::array<std::uint32_t, 3>& values) {
    advance();
    values = {1, 1, 1};
    for (std::uint32_t& each : values) {
        std::uint64_t value = 0;
        if (!expect_count(value, ~0u, "a number")) return false;
        each = static_cast<std::uint32_t>(value);
        if (!accept(',')) return true;
    }
    return fail_here("at most three numbers");
}

bool Parser::parse_function_directives(Function& function) {
    auto number = [&](std::uint32_t& value) {
        std::string what = "a number after " + std::string(token_.text);
        advance();
        std::uint64_t wide = 0;
        if (!expect_count(wide, ~0u, what)) return false;
        value = static_cast<std::uint32_t>(wide);
        return true;
    };
    std::uint32_t ignored = 0;
    while (token_.kind == Token::Kind::dot) {
        std::string_view word = token_.text;
        bool good = true;
        if (word == ".maxntid") {
            good = parse_three(function.max_threads);
        } else if (word == ".reqntid") {
            good = parse_three(function.required_threads);
        } else if (word == ".reqnctapercluster") {
            good = parse_three(function.cluster);
        } else if (word == ".minnctapersm") {
            good = number(function.min_blocks_per_sm);
        } else if (word == ".maxnreg") {
            good = number(function.max_registers);
        } else if (word == ".maxclusterrank") {
            good = number(function.max_cluster_rank);
        } else if (word == ".maxnctapersm" || word == ".abi_preserve" || word == ".abi_preserve_control") {
            good = number(ignored);
        } else if (word == ".noreturn") {
            function.noreturn = true;
            advance();
        } else if (word == ".explicitcluster") {
            function.explicit_cluster = true;
            advance();
        } else if (word == ".blocksareclusters") {
            function.blocks_are_clusters = true;
            advance();
        } else if (word == ".unified") {
            advance();
        } else if (word == ".attribute") {
            good = parse_attribute(nullptr);
        } else if (word == ".pragma") {
            good = parse_pragma();
        } else {
            return fail(token_, "'" + std::string(word) + "' is no directive of a function");
        }
        if (!good) return false;
    }
    return true;
}

bool Parser::add_function(const Token& at, Function function, std::uint32_t& id) {
    auto [entry, fresh] = symbols_.try_emplace(at.text, ModuleSymbol{true, 0});
    if (fresh) {
        id = entry->second.id = static_cast<std::uint32_t>(module_.functions.size());
        module_.functions.push_back(std::move(function));
        return true;
    }
    if (!entry->second.function) return fail(at, "'" + function.name + "' is already declared as a variable");
    id = entry->second.id;
    Function& known = module_.functions[id];
    std::string where = " on line " + std::to_string(known.line);
    if (known.entry != function.entry)
        return fail(
            at, "'" + function.name + "' is declared as " + (known.entry ? "an .entry" : "a .func") + where);
    if (!same_signature(known, function))
        return fail(at, "the parameters of '" + function.name + "' differ from its declaration" + where);
    if (!known.declaration && !function.declaration)
        return fail(at, "'" + function.name + "' already has a body" + where);
    if (function.declaration) return true;
    if (function.linkage == Linkage::none && known.linkage != Linkage::external)
        function.linkage = known.linkage;
    function.noreturn |= known.noreturn;
    known = std::move(function);
    return true;
}

bool Parser::parse_function(Linkage linkage) {
    Function function;
    function.line = token_.line;
    function.linkage = linkage;
    function.entry = token_.text == ".entry";
    advance();
    if (!parse_function_directives(function)) return false;

    std::vector<Variable> returns, params;
    if (token_.is('(')) {
        if (function.entry) return fail(token_, "an .entry returns nothing: expected its name");
        if (!parse_parameters(returns)) return false;
    }
    Token at = token_;
    std::string_view name;
    if (!expect_name(name, function.entry ? "the kernel's name" : "the function's name")) return false;
    if (name == "_") return fail(at, "a function cannot be named '_'");
    function.name = name;
    if (token_.is('(') && !parse_parameters(params)) return false;
    for (auto [from, to] : {std::pair{&returns, &function.returns}, std::pair{&params, &function.params}}) {
        for (Variable& variable : *from) {
            to->push_back(static_cast<std::uint32_t>(function.variables.size()));
            function.variables.push_back(std::move(variable));
        }
    }
    if (!parse_function_directives(function)) return false;

    function.declaration = !token_.is('{');
    std::uint32_t id = 0;
    if (function.declaration) {
        if (!expect(';', "or '{' after the function's header")) return false;
        return add_function(at, std::move(function), id);
    }
    return add_function(at, std::move(function), id) && parse_body(id);
}

}  // namespace lockstep::ptx
