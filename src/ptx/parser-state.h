// The parser's inside, shared by its files:
//     parser.cc               the module: top-level directives, recovery
//     parse-declarations.cc   variables, parameters, functions' headers, .reg
//     parse-initialisers.cc   = { … }
//     parse-constants.cc      constant expressions
//     parse-body.cc           statements, scopes, labels
//     parse-instruction.cc    one instruction
//     parse-operands.cc       its operands
//     check-operands.cc       … against the table
//     parse-debug.cc          .file .loc .section
// A function that returns bool has reported an error where it returns false; whoever owns a place to go on
// from (a statement, a directive) then skips to it.
#pragma once
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ptx/ast.h"
#include "ptx/lexer.h"
#include "ptx/literals.h"
#include "ptx/match.h"
#include "ptx/names.h"
#include "ptx/parser.h"

namespace lockstep::ptx {

class Parser {
  public:
    Parser(std::string_view text, std::string name);
    ParseOutcome run();

  private:
    static constexpr std::size_t max_errors = 100;
    static constexpr int max_depth = 100;  // of scopes, brackets in constants, braces in initialisers
    static constexpr std::uint64_t max_variable_size = 1ull << 40;

    // ---- tokens and errors
    void advance();
    bool fail(const Token& at, std::string message);  // always false
    bool fail_here(std::string_view expected);        // "expected …, found …"
    bool expect(char c, std::string_view context);
    bool accept(char c);
    bool expect_name(std::string_view& name, std::string_view what);
    bool expect_count(std::uint64_t& value, std::uint64_t max, std::string_view what);
    bool stopped() const { return errors_.size() >= max_errors; }

    // ---- module
    void parse_top_level();
    bool parse_directive();
    bool parse_version();
    bool parse_target();
    bool parse_alias();
    bool parse_pragma();
    void skip_to_directive();

    // ---- declarations
    struct Declaration {  // what stands before the name
        Space space = Space::none;
        Variable variable;
        bool is_register = false;
    };
    bool parse_linked(Linkage linkage);
    bool parse_declaration_head(Declaration& head, bool parameter);
    bool parse_pointer(Variable& variable);
    bool parse_attribute(Variable* variable);
    bool parse_alignment(std::uint64_t& alignment);
    bool parse_extents(Variable& variable);
    bool check_size(const Token& at, const Variable& variable);
    bool parse_module_variables(const Declaration& head, Linkage linkage);
    bool add_module_variable(const Token& at, Variable variable, std::size_t first_pending,
                             std::uint32_t& id);
    bool parse_local_variables(const Declaration& head);
    bool parse_registers(const Declaration& head);
    bool parse_parameters(std::vector<Variable>& list);
    bool parse_function(Linkage linkage);
    bool parse_function_directives(Function& function);
    bool parse_three(std::array<std::uint32_t, 3>& values);
    bool add_function(const Token& at, Function function, std::uint32_t& id);

    // ---- initialisers
    struct PendingSymbol {
        std::uint32_t variable, element;
        Token token;
    };
    bool parse_value(Variable& variable, std::size_t& first_pending);  // = …, if there is one
    bool parse_initialiser(Variable& variable);
    bool parse_init_level(Variable& variable, std::size_t level, std::uint64_t size, int depth);
    bool parse_init_element(Variable& variable);
    bool parse_init_symbol(InitElement& element);
    bool add_init_zeros(Variable& variable, std::uint64_t count);
    void resolve_initialisers();

    // ---- constants
    bool parse_constant(Number& value);  // a whole expression
    bool parse_binary(Number& value, int precedence);
    bool parse_unary(Number& value);
    bool combine(const Token& at, std::string_view op, Number& left, const Number& right);
    std::string_view binary_operator(int& precedence) const;
    bool literal_bits(const Token& at, const Number& number, Type type, std::uint64_t& bits);

    // ---- bodies
    struct LabelRef {
        Token token;
        std::uint32_t scope;
    };
    struct LabelLike {  // what stands before a ':'
        enum class Kind : std::uint8_t { label, table, prototype } kind;
        std::uint32_t id;
    };
    struct Body;
    bool parse_body(std::uint32_t function);
    void parse_statement();
    void skip_statement();
    bool parse_body_directive();
    bool parse_label();
    bool parse_branch_targets(const Token& name);
    bool parse_call_prototype(const Token& name);
    bool parse_call_targets(const Token& name);
    bool declare_label(const Token& name, LabelLike what);
    std::optional<LabelLike> find_label(const LabelRef& ref) const;
    bool resolve_label(std::uint32_t& ref, LabelLike::Kind kind, std::string_view what);
    void finish_body();
    void resolve_labels();
    void make_names_unique();

    // ---- instructions
    struct OperandPlace {
        Token token;
        bool decimal = false;  // a float literal without 0f or 0d
        bool indexed = false;  // a[2]
    };
    bool parse_guard(std::optional<Guard>& guard);
    bool parse_instruction();
    const WordMatch& match_instruction(const Token& opcode, std::vector<std::string_view>& words);
    bool parse_branch(Instruction& instruction);
    bool parse_call(Instruction& instruction);
    bool parse_call_list(Operand& list);
    bool check_call(const Token& at, const Instruction& instruction);
    bool check_call_list(const Token& at, const std::string& title, const Operand& given,
                         const std::vector<Variable>& wanted, std::string_view what);
    bool check_prototype(const Token& at, const Instruction& call, const Prototype& prototype);
    std::uint32_t add_label_ref(const Token& token);

    // ---- operands
    bool parse_operands(Instruction& instruction);
    bool parse_operand(Operand& operand, OperandPlace& place);
    bool parse_simple(Operand& operand, OperandPlace& place);
    bool parse_name(Operand& operand, OperandPlace& place);
    bool parse_number_operand(Operand& operand, OperandPlace& place);
    bool parse_vector(Operand& operand, OperandPlace& place);
    bool parse_address(Operand& operand);
    bool parse_offset(std::int64_t& offset);
    bool parse_index(Operand& operand, OperandPlace& place);
    bool parse_selector(Operand& operand);
    std::optional<Operand> find_special(const Token& name);

    // ---- checks of operands
    const Row* choose_row(const WordMatch& match, const Instruction& instruction);
    bool check_operands(const Row& row, Instruction& instruction);
    bool check_operand(const OperandSpec& spec, Instruction& instruction, std::size_t index,
                       std::size_t width);
    bool check_fragment(const OperandSpec& spec, const Instruction& instruction, Operand& operand,
                        const OperandPlace& place);
    bool check_point(const OperandSpec& spec, const Instruction& instruction, Operand& point,
                     const OperandPlace& place);
    bool check_value(const OperandSpec& spec, Type type, const Instruction& instruction, Operand& operand,
                     const OperandPlace& place);
    bool check_register(const OperandSpec& spec, Type type, Opcode opcode, const Operand& operand,
                        const OperandPlace& place);
    bool check_literal(Type type, Operand& operand, const OperandPlace& place);
    bool check_symbol(const Instruction& instruction, Type type, const OperandPlace& place);
    bool check_selector(const OperandSpec& spec, Opcode opcode, const Operand& operand,
                        const OperandPlace& place);
    std::string operand_title(const OperandPlace& place) const;

    // ---- debug information
    struct Location {
        int file = 0, line = 0, column = 0;
        int parent = -1;  // index into locations_
        std::string_view function;
        int interned = -1;  // index into Module::lines
    };
    bool parse_file();
    bool parse_loc();
    bool parse_place(Location& location);
    bool parse_section();
    int current_source();
    void name_inlined_functions();

    Lexer lexer_;
    Token token_, next_;
    std::string token_problem_, next_problem_;
    std::vector<Error> errors_;
    Module module_;
    int depth_ = 0;

    struct ModuleSymbol {
        bool function = false;
        std::uint32_t id = 0;
    };
    std::unordered_map<std::string_view, ModuleSymbol> symbols_;
    std::deque<std::string> own_names_;  // keys of symbols_ that do not stand in the text
    std::vector<PendingSymbol> pending_symbols_;
    std::uint64_t implied_zeros_ = 0;  // in all initialisers

    std::unordered_map<std::string_view, std::unique_ptr<WordMatch>> matches_;
    std::deque<std::string> spaced_spellings_;  // keys of matches_ that have blanks in the text
    std::vector<OperandPlace> places_;          // of the instruction being read

    std::unique_ptr<Body> body_;

    std::vector<Location> locations_;
    std::map<std::tuple<int, int, int>, int> last_location_;
    std::map<std::tuple<int, int, int, int, std::string_view>, int> lines_;
    std::vector<std::string_view> line_functions_;  // label of the name, beside Module::lines
    std::unordered_map<std::string_view, std::string> debug_strings_;
    int location_ = -1;
};

// The function being read.
struct Parser::Body {
    explicit Body(Function& f) : function(f), names(f.registers) {}

    Function& function;
    NameTable names;
    std::vector<std::uint32_t> scope_parents{0};  // scope 0 is the whole body
    std::uint32_t scope = 0;
    bool no_unroll = false;            // .pragma "nounroll" was just read
    std::vector<LabelRef> label_refs;  // label operands hold an index into this until the end of the body
    struct LabelKey {
        std::uint32_t scope;
        std::string_view name;
        bool operator==(const LabelKey&) const = default;
    };
    struct LabelHash {
        std::size_t operator()(const LabelKey& key) const {
            return std::hash<std::string_view>{}(key.name) * 31 + key.scope;
        }
    };
    std::unordered_map<LabelKey, LabelLike, LabelHash> labels;
    std::unordered_set<std::string> module_names;  // those that the body refers to
    std::deque<std::string> parameter_names;       // what `names` points to
};

}  // namespace lockstep::ptx
