#include "ptx/syntax.h"

#include <cstdio>
#include <cstdlib>

namespace lockstep::ptx {
namespace {

[[noreturn]] void broken_row(std::string_view text, std::string_view why) {
    std::fprintf(stderr, "lockstep: instruction table: \"%.*s\": %.*s\n", static_cast<int>(text.size()),
                 text.data(), static_cast<int>(why.size()), why.data());
    std::abort();
}

template <class Visit>
void split(std::string_view text, char separator, Visit visit) {
    while (true) {
        std::size_t end = text.find(separator);
        visit(text.substr(0, end));
        if (end == text.npos) return;
        text.remove_prefix(end + 1);
    }
}

std::string_view trim(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {}

    void words(std::string_view head, Row& row) {
        while (!head.empty()) {
            if (head == ".*") {
                row.any_words = true;
                return;
            }
            Slot slot;
            char open = head.front();
            if (open == '.') {
                std::size_t end = head.find_first_of(".{(", 1);
                choice(head.substr(0, end), slot);
                head.remove_prefix(end == head.npos ? head.size() : end);
            } else if (open == '{' || open == '(') {
                std::size_t end = head.find(open == '{' ? '}' : ')');
                if (end == head.npos) broken_row(text_, "a bracket is not closed");
                slot.optional = open == '{';
                split(head.substr(1, end - 1), '|', [&](std::string_view each) { choice(each, slot); });
                head.remove_prefix(end + 1);
            } else {
                broken_row(text_, "expected .word, {.word} or (.word|.word)");
            }
            row.slots.push_back(std::move(slot));
        }
    }

    void operands(std::string_view tail, Row& row) {
        split(tail, ',', [&](std::string_view each) {
            each = trim(each);
            OperandSpec spec = operand(each);
            // A row's plain operand text leaves the notes out.
            std::string plain(each.substr(0, each.find(':')));
            if (spec.optional && plain.front() == '{' && plain.back() != '}') plain += '}';
            if (spec.coordinates) plain += ']';
            row.operands.push_back(std::move(plain));
            if (!spec.optional) ++row.required_operands;
            row.specs.push_back(std::move(spec));
        });
    }

  private:
    void choice(std::string_view word, Slot& slot) {
        if (word.size() < 2 || word.front() != '.') broken_row(text_, "expected a word with a dot");
        word.remove_prefix(1);
        if (word.front() != '<') return add_word(word, slot);
        if (word.back() != '>') broken_row(text_, "'<' is not closed");
        word = word.substr(1, word.size() - 2);
        for (auto [name, choices] : word_sets()) {
            if (name != word) continue;
            split(choices, '|', [&](std::string_view each) { add_word(each, slot); });
            return;
        }
        broken_row(text_, "unknown name in <>");
    }

    void add_word(std::string_view word, Slot& slot) {
        if (auto type = parse_type(word))
            slot.types.push_back(*type);
        else if (auto modifier = parse_modifier(word))
            slot.modifiers.push_back(*modifier);
        else if (auto shape = parse_matrix_shape(word))
            slot.shapes.push_back(*shape);
        else
            broken_row(text_, "a word is neither a type nor a shape nor in modifiers.def");
    }

    OperandSpec operand(std::string_view text) {
        OperandSpec spec;
        if (text.starts_with("{!}")) {
            spec.may_negate = true;
            text.remove_prefix(3);
        } else if (text.starts_with("{-}")) {
            spec.may_minus = true;
            text.remove_prefix(3);
        } else if (text.starts_with("{") && text.ends_with("}")) {
            spec.optional = true;
            text = text.substr(1, text.size() - 2);
        }
        std::size_t colon = text.find(':');
        std::string_view note = colon == text.npos ? "" : text.substr(colon + 1);
        std::string_view name = text.substr(0, colon);
        if (std::size_t point = name.find("; "); point != name.npos) {
            if (!name.starts_with("[") || !note.ends_with("]"))
                broken_row(text_, "coordinates outside of [ ]");
            note.remove_suffix(1);
            name = name.substr(1, point - 1);
            spec.shape = OperandSpec::Shape::address;
            spec.coordinates = true;
        }
        if (name.starts_with("[") && name.ends_with("]")) {
            spec.shape = OperandSpec::Shape::address;
            name = name.substr(1, name.size() - 2);
        } else if (name.starts_with("(") && name.ends_with(")")) {
            spec.shape = OperandSpec::Shape::list;
            name = name.substr(1, name.size() - 2);
        } else if (std::size_t bar = name.find("{|"); bar != name.npos) {
            spec.pair = spec.half_pair = true;
            name = name.substr(0, bar);
        } else if (bar = name.find('|'); bar != name.npos) {
            spec.pair = true;
            name = name.substr(0, bar);
        } else if (name == "function") {
            spec.shape = OperandSpec::Shape::function;
        } else if (name == "target") {
            spec.shape = OperandSpec::Shape::label;
        } else if (name == "targets") {
            spec.shape = OperandSpec::Shape::table;
        } else if (name == "prototype") {
            spec.shape = OperandSpec::Shape::prototype;
        }
        if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz") != name.npos)
            broken_row(text_, "an operand has no plain name");
        spec.name = std::string(name);
        spec.written = name == "d" || name == "p" || name == "q";
        read_note(note, spec);
        return spec;
    }

    void read_note(std::string_view note, OperandSpec& spec) {
        if (note.ends_with("+")) {
            spec.wider_register = true;
            note.remove_suffix(1);
        }
        if (note.empty()) return;
        if (note.size() == 1 && note[0] >= '1' && note[0] <= '4')
            spec.type_index = static_cast<std::uint8_t>(note[0] - '1');
        else if (note == "wide")
            spec.twice_as_wide = true;
        else if (note == "any")
            spec.unchecked = true;
        else if (note == "imm")
            spec.constant = true;
        else if (note == "step")
            spec.shape = OperandSpec::Shape::step;
        else if (note == "vec")
            spec.shape = OperandSpec::Shape::pack;
        else if (note == "frag")
            spec.shape = OperandSpec::Shape::fragment;
        else if (note == "sel")
            spec.selector = OperandSpec::Selector::part;
        else if (note == "lanes")
            spec.selector = OperandSpec::Selector::lanes;
        else if (auto type = parse_type(note))
            spec.type = *type;
        else
            broken_row(text_, "unknown note after ':'");
    }

    std::string_view text_;
};

}  // namespace

std::vector<std::pair<std::string_view, std::string_view>> word_sets() {
    return {
#define LOCKSTEP_WORDS(name, words) {#name, words},
#include "ptx/words.def"
#undef LOCKSTEP_WORDS
    };
}

Row read_syntax(Opcode opcode, Family family, bool implemented, std::string_view text) {
    Row row;
    row.opcode = opcode;
    row.family = family;
    row.implemented = implemented;
    row.syntax = text;
    std::size_t space = text.find(' ');
    std::string_view head = text.substr(0, space);
    if (!head.starts_with(opcode_name(opcode))) broken_row(text, "does not begin with its opcode");
    head.remove_prefix(opcode_name(opcode).size());
    Reader reader(text);
    reader.words(head, row);
    if (space != text.npos) reader.operands(text.substr(space + 1), row);
    for (const Slot& slot : row.slots)
        for (Modifier m : slot.modifiers) row.has_vector |= m == Modifier::v2 || m == Modifier::v4;
    if (row.any_words && implemented) broken_row(text, ".* cannot be executed");
    return row;
}

}  // namespace lockstep::ptx
