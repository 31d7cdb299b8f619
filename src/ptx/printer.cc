#include "ptx/printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "ptx/match.h"

namespace lockstep::ptx {
namespace {

std::string escaped(std::string_view name) {
    std::string text;
    for (const char c : name) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    return text;
}

std::string_view space_word(Space space) {
    switch (space) {
        case Space::constant: return ".const";
        case Space::global: return ".global";
        case Space::local: return ".local";
        case Space::param: return ".param";
        case Space::shared: return ".shared";
        case Space::texture:
        case Space::none: break;
    }
    return "";
}

std::string_view linkage_word(Linkage linkage) {
    switch (linkage) {
        case Linkage::external: return ".extern ";
        case Linkage::visible: return ".visible ";
        case Linkage::weak: return ".weak ";
        case Linkage::common: return ".common ";
        case Linkage::none: break;
    }
    return "";
}

class Printer {
  public:
    explicit Printer(const Module& module) : module_(module) {}

    std::string whole() {
        out("{}{}.{}\n", ".version ", module_.version_major, module_.version_minor);
        out(".target {}", module_.target);
        for (const std::string& option : module_.target_options) out(", {}", option);
        out("\n.address_size {}\n", module_.address_size);
        for (std::size_t i = 0; i < module_.files.size(); ++i)
            if (!module_.files[i].empty()) out(".file {} \"{}\"\n", i, escaped(module_.files[i]));
        text_ += '\n';
        // Functions first: variables may hold their addresses, bodies may name anything.
        for (const Function& function : module_.functions) {
            header(function, function.declaration);
            text_ += ";\n";
        }
        for (const Variable& variable : module_.variables) module_variable(variable);
        for (const Function& function : module_.functions)
            if (!function.declaration) body(function);
        for (const Function& function : module_.functions)
            if (function.alias_of >= 0)
                out(".alias {}, {};\n", function.name,
                    module_.functions[static_cast<std::size_t>(function.alias_of)].name);
        debug_strings();
        return std::move(text_);
    }

    std::string one(const Instruction& instruction, const Function& function) {
        function_ = &function;
        write(instruction);
        return std::move(text_);
    }

  private:
    template <class... Args>
    void out(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    }

    // ---- declarations
    void declaration(const Variable& variable) {
        text_ += space_word(variable.space);
        if (variable.managed) text_ += " .attribute(.managed)";
        if (variable.alignment != 0) out(" .align {}", variable.alignment);
        if (variable.vector_width != 1) out(" .v{}", variable.vector_width);
        out(" .{}", type_name(variable.type));
        if (variable.pointer_param) {
            text_ += " .ptr";
            if (variable.pointer_space != Space::none) out(" {}", space_word(variable.pointer_space));
            if (variable.pointer_alignment != 0) out(" .align {}", variable.pointer_alignment);
        }
        out(" {}", variable.name);
        for (std::uint64_t extent : variable.extents) {
            if (extent == 0)
                text_ += "[]";
            else
                out("[{}]", extent);
        }
    }

    void init_element(const InitElement& element, Type type) {
        if (element.kind == InitElement::Kind::bits) {
            if (type == Type::f32)
                out("0f{:08X}", element.bits);
            else if (type == Type::f64)
                out("0d{:016X}", element.bits);
            else
                out("{}", element.bits);
            return;
        }
        const std::string& name = element.kind == InitElement::Kind::function
                                      ? module_.functions[element.id].name
                                      : module_.variables[element.id].name;
        bool masked = element.mask != ~0ull;
        if (masked) out("0x{:X}(", element.mask);
        out("{}{}{}", element.generic ? "generic(" : "", name, element.generic ? ")" : "");
        if (element.bits != 0) out("{:+}", static_cast<std::int64_t>(element.bits));
        if (masked) text_ += ')';
    }

    void module_variable(const Variable& variable) {
        text_ += linkage_word(variable.linkage);
        declaration(variable);
        if (!variable.init.empty()) {
            bool array = !variable.extents.empty() || variable.vector_width > 1;
            text_ += array ? " = {" : " = ";
            for (std::size_t i = 0; i < variable.init.size(); ++i) {
                if (i != 0) text_ += i % 32 == 0 ? ",\n    " : ", ";
                init_element(variable.init[i], variable.type);
            }
            if (array) text_ += '}';
        }
        text_ += ";\n";
    }

    template <class Range, class Get>
    void parameters(const Range& range, Get get) {
        text_ += '(';
        bool first = true;
        for (const auto& each : range) {
            if (!first) text_ += ", ";
            first = false;
            declaration(get(each));
        }
        text_ += ')';
    }

    void three(std::string_view name, const std::array<std::uint32_t, 3>& values) {
        if (values != std::array<std::uint32_t, 3>{})
            out("\n{} {}, {}, {}", name, values[0], values[1], values[2]);
    }

    // Tuning directives belong to the definition, where there is one.
    void header(const Function& function, bool tuning) {
        out("{}{} ", linkage_word(function.linkage), function.entry ? ".entry" : ".func");
        auto get = [&](std::uint32_t i) -> const Variable& { return function.variables[i]; };
        if (!function.returns.empty()) parameters(function.returns, get);
        out(" {} ", function.name);
        parameters(function.params, get);
        if (function.noreturn) text_ += "\n.noreturn";
        if (!tuning) return;
        three(".maxntid", function.max_threads);
        three(".reqntid", function.required_threads);
        three(".reqnctapercluster", function.cluster);
        if (function.min_blocks_per_sm != 0) out("\n.minnctapersm {}", function.min_blocks_per_sm);
        if (function.max_registers != 0) out("\n.maxnreg {}", function.max_registers);
        if (function.max_cluster_rank != 0) out("\n.maxclusterrank {}", function.max_cluster_rank);
        if (function.explicit_cluster) text_ += "\n.explicitcluster";
        if (function.blocks_are_clusters) text_ += "\n.blocksareclusters";
    }

    // ---- bodies
    void registers(const Function& function) {
        for (std::size_t i = 0; i < function.registers.size();) {
            Type type = function.registers[i].type;
            out("    .reg .{} ", type_name(type));
            std::size_t line_end = i + 12;
            for (bool first = true;
                 i < function.registers.size() && function.registers[i].type == type && i < line_end;
                 ++i, first = false)
                out("{}{}", first ? "" : ", ", function.registers[i].name);
            text_ += ";\n";
        }
    }

    void body(const Function& function) {
        function_ = &function;
        text_ += '\n';
        header(function, true);
        text_ += "\n{\n";
        std::vector<bool> parameter(function.variables.size());
        for (std::uint32_t i : function.returns) parameter[i] = true;
        for (std::uint32_t i : function.params) parameter[i] = true;
        for (std::size_t i = 0; i < function.variables.size(); ++i) {
            if (parameter[i]) continue;
            text_ += "    ";
            declaration(function.variables[i]);
            text_ += ";\n";
        }
        registers(function);
        for (const Prototype& prototype : function.prototypes) {
            out("{} : .callprototype ", prototype.name);
            auto self = [](const Variable& v) -> const Variable& { return v; };
            if (!prototype.returns.empty()) parameters(prototype.returns, self);
            text_ += " _ ";
            parameters(prototype.params, self);
            out("{};\n", prototype.noreturn ? " .noreturn" : "");
        }
        for (const BranchTable& table : function.branch_tables) {
            out("{} : .branchtargets ", table.name);
            for (std::size_t i = 0; i < table.labels.size(); ++i)
                out("{}{}", i == 0 ? "" : ", ", function.labels[table.labels[i]].name);
            text_ += ";\n";
        }
        int source = -1;
        std::size_t label = 0;
        for (std::size_t i = 0; i <= function.instructions.size(); ++i) {
            for (; label < function.labels.size() && function.labels[label].instruction <= i; ++label)
                out("{}:\n", function.labels[label].name);
            if (i == function.instructions.size()) break;
            const Instruction& instruction = function.instructions[i];
            if (instruction.source != source) location(instruction.source);
            source = instruction.source;
            if (instruction.no_unroll) text_ += "    .pragma \"nounroll\";\n";
            text_ += "    ";
            write(instruction);
            text_ += '\n';
        }
        text_ += "}\n";
    }

    // ---- instructions
    void write(const Instruction& instruction) {
        if (instruction.guard)
            out("@{}{} ", instruction.guard->negated ? "!" : "",
                function_->registers[instruction.guard->reg].name);
        const Row& row = instruction.syntax();
        text_ += opcode_name(instruction.opcode);
        if (row.any_words)
            for (const std::string& word : instruction.words) (text_ += '.') += word;
        else
            text_ += spell_words(row, instruction.mods, instruction.types, instruction.shape);
        if (instruction.opcode == Opcode::call) return call(instruction);
        for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
            text_ += i == 0 ? " " : ", ";
            bool minus = !row.any_words && row.family == Family::video;
            operand(instruction.operands[i], minus ? '-' : '!');
        }
        text_ += ';';
    }

    void call(const Instruction& instruction) {
        text_ += ' ';
        if (!instruction.operands[0].elements.empty()) {
            operand(instruction.operands[0]);
            text_ += ", ";
        }
        operand(instruction.operands[1]);
        text_ += ", ";
        operand(instruction.operands[2]);
        if (instruction.operands.size() > 3) {
            text_ += ", ";
            operand(instruction.operands[3]);
        }
        text_ += ';';
    }

    void elements(const Operand& operand_, std::size_t from, std::string_view separator) {
        for (std::size_t i = from; i < operand_.elements.size(); ++i) {
            if (i != from) text_ += separator;
            operand(operand_.elements[i]);
        }
    }

    void selector(const Selector& selector) {
        if (selector.unit == Selector::Unit::none) return;
        text_ += selector.unit == Selector::Unit::byte ? ".b" : ".h";
        for (std::size_t i = selector.count; i-- > 0;) text_ += static_cast<char>('0' + selector.lanes[i]);
    }

    void operand(const Operand& operand_, char negation = '!') {
        using Kind = Operand::Kind;
        if (operand_.negated) text_ += negation;
        switch (operand_.kind) {
            case Kind::none: break;
            case Kind::reg:
                text_ += function_->registers[operand_.id].name;
                selector(operand_.selector);
                break;
            case Kind::special:
                text_ += special_register_name(static_cast<SpecialRegister>(operand_.id));
                break;
            case Kind::integer: out("{}", static_cast<std::int64_t>(operand_.bits)); break;
            case Kind::f32: out("0f{:08X}", operand_.bits); break;
            case Kind::f64: out("0d{:016X}", operand_.bits); break;
            case Kind::variable:
                text_ += operand_.local ? function_->variables[operand_.id].name
                                        : module_.variables[operand_.id].name;
                if (operand_.offset != 0) out("{:+}", operand_.offset);
                break;
            case Kind::function:
                text_ += module_.functions[operand_.id].name;
                if (operand_.offset != 0) out("{:+}", operand_.offset);
                break;
            case Kind::label: text_ += function_->labels[operand_.id].name; break;
            case Kind::table: text_ += function_->branch_tables[operand_.id].name; break;
            case Kind::prototype: text_ += function_->prototypes[operand_.id].name; break;
            case Kind::address:
                text_ += '[';
                operand(operand_.elements[0]);
                // NVIDIA's assembler takes a minus only after a plus.
                if (operand_.offset != 0) out("+{}", operand_.offset);
                if (operand_.elements.size() > 1) text_ += ", ";
                elements(operand_, 1, ", ");
                text_ += ']';
                break;
            case Kind::vector:
                text_ += '{';
                elements(operand_, 0, ", ");
                text_ += '}';
                break;
            case Kind::list:
                text_ += '(';
                elements(operand_, 0, ", ");
                text_ += ')';
                break;
            case Kind::pair: elements(operand_, 0, "|"); break;
            case Kind::sink: text_ += '_'; break;
        }
    }

    // ---- source lines
    // A .loc names its caller by place only, and means the latest .loc of that place; so that one is printed
    // before.
    void location(int source) {
        std::vector<int> chain;
        for (int i = source; i != -1; i = line(i).inlined_at) {
            chain.push_back(i);
            if (i != source && last_location_[key(i)] == i) {
                chain.pop_back();
                break;
            }
        }
        for (std::size_t n = chain.size(); n-- > 0;) {
            const SourceLine& place = line(chain[n]);
            out("    .loc {} {} {}", place.file, place.line, place.column);
            if (!place.function.empty()) out(", function_name $L__info_string{}", string_id(place.function));
            if (place.inlined_at != -1) {
                const SourceLine& caller = line(place.inlined_at);
                out(", inlined_at {} {} {}", caller.file, caller.line, caller.column);
            }
            text_ += '\n';
            last_location_[key(chain[n])] = chain[n];
        }
    }

    const SourceLine& line(int i) const { return module_.lines[static_cast<std::size_t>(i)]; }
    std::array<int, 3> key(int i) const { return {line(i).file, line(i).line, line(i).column}; }

    std::size_t string_id(std::string_view text) {
        auto [entry, fresh] = string_ids_.try_emplace(text, strings_.size());
        if (fresh) strings_.push_back(text);
        return entry->second;
    }

    void debug_strings() {
        if (strings_.empty()) return;
        text_ += ".section .debug_str\n{\n";
        for (std::size_t i = 0; i < strings_.size(); ++i) {
            out("$L__info_string{}:\n.b8 ", i);
            for (char c : strings_[i]) out("{}, ", static_cast<unsigned>(static_cast<unsigned char>(c)));
            text_ += "0\n";
        }
        text_ += "}\n";
    }

    const Module& module_;
    const Function* function_ = nullptr;
    std::string text_;
    std::map<std::array<int, 3>, int> last_location_;
    std::unordered_map<std::string_view, std::size_t> string_ids_;
    std::vector<std::string_view> strings_;
};

}  // namespace

std::string print(const Module& module) { return Printer(module).whole(); }

std::string print(const Instruction& instruction, const Module& module, const Function& function) {
    return Printer(module).one(instruction, function);
}

}  // namespace lockstep::ptx
