// Operands against the table: their number, shape, and the widths that PTX asks for.
#include <bit>

#include "ptx/fragments.h"
#include "ptx/parser-state.h"

namespace lockstep::ptx {
namespace {

using Kind = Operand::Kind;
using Shape = OperandSpec::Shape;

// Optional operands can stand in the middle; those that are given fill the places from the left.
std::vector<const OperandSpec*> assign(const Row& row, std::size_t count) {
    std::vector<const OperandSpec*> list;
    std::size_t spare = count - row.required_operands;
    for (const OperandSpec& spec : row.specs) {
        if (spec.optional && spare == 0) continue;
        if (spec.optional) --spare;
        list.push_back(&spec);
    }
    return list;
}

bool count_fits(const Row& row, std::size_t count) {
    return count >= row.required_operands && count <= row.specs.size();
}

bool shape_fits(const OperandSpec& spec, const Operand& operand) {
    if (spec.shape == Shape::fragment) return operand.kind == Kind::vector;
    bool address =
        operand.kind == Kind::address || (spec.shape == Shape::address && operand.kind == Kind::variable);
    if ((spec.shape == Shape::address) != address) return false;
    if ((spec.shape == Shape::pack) != (operand.kind == Kind::vector) && spec.shape != Shape::value)
        return false;
    if (operand.kind == Kind::pair) return spec.pair;
    return !spec.pair || spec.half_pair;
}

std::string operand_count(const Row& row) {
    std::string text = std::to_string(row.required_operands);
    if (row.required_operands != row.specs.size()) text += " to " + std::to_string(row.specs.size());
    return text + (row.specs.size() == 1 ? " operand" : " operands");
}

bool is_warp_size(const Operand& operand) {
    return operand.kind == Kind::special &&
           static_cast<SpecialRegister>(operand.id) == SpecialRegister::warp_size;
}

}  // namespace

std::string Parser::operand_title(const OperandPlace& place) const {
    std::size_t index = static_cast<std::size_t>(&place - places_.data());
    return "operand " + std::to_string(index + 1);
}

const Row* Parser::choose_row(const WordMatch& match, const Instruction& instruction) {
    const Row* best = match.rows.front();
    bool counted = false;
    for (const Row* row : match.rows) {
        if (!count_fits(*row, instruction.operands.size())) continue;
        if (!counted) best = row;
        counted = true;
        std::vector<const OperandSpec*> specs = assign(*row, instruction.operands.size());
        bool fits = true;
        for (std::size_t i = 0; i < specs.size(); ++i) {
            const Operand& operand = instruction.operands[i];
            fits &= shape_fits(*specs[i], operand);
            bool plain_vector = operand.kind == Kind::vector && specs[i]->shape == Shape::value;
            fits &= !plain_vector || row->has_vector;
        }
        if (fits) return row;
    }
    return best;
}

bool Parser::check_operands(const Row& row, Instruction& instruction) {
    std::size_t count = instruction.operands.size();
    if (!count_fits(row, count)) {
        Token at = places_.empty() ? Token{} : places_.back().token;
        if (places_.empty()) at.line = instruction.line, at.column = instruction.column;
        std::string form(opcode_name(row.opcode));
        form += spell_words(row, instruction.mods, instruction.types, instruction.shape);
        for (std::size_t i = 0; i < row.operands.size(); ++i)
            (form += i == 0 ? " " : ", ") += row.operands[i];
        return fail(
            at, "expected " + operand_count(row) + " as in '" + form + "', found " + std::to_string(count));
    }
    std::size_t width = 0;  // of .v2, .v4, .v8
    if (row.has_vector) {
        if (instruction.has(Modifier::v2)) width = 2;
        if (instruction.has(Modifier::v4)) width = 4;
        if (instruction.has(Modifier::v8)) width = 8;
    }
    if (width * static_cast<std::size_t>(type_bits(instruction.type())) > 256)
        return fail(places_.front().token, "a vector can have at most 256 bits");
    std::vector<const OperandSpec*> specs = assign(row, count);
    for (std::size_t i = 0; i < count; ++i)
        if (!check_operand(*specs[i], instruction, i, width)) return false;
    return true;
}

bool Parser::check_operand(const OperandSpec& spec, Instruction& instruction, std::size_t index,
                           std::size_t width) {
    Operand& operand = instruction.operands[index];
    const OperandPlace& place = places_[index];
    std::string title = operand_title(place);
    // nvcc writes one element of a surface in braces.
    const bool surface = instruction.opcode == Opcode::suld || instruction.opcode == Opcode::sust ||
                         instruction.opcode == Opcode::sured;
    if (surface && width == 0 && operand.kind == Kind::vector && operand.elements.size() == 1) {
        Operand element = std::move(operand.elements[0]);
        operand = std::move(element);
    }
    if (spec.shape == Shape::label || spec.shape == Shape::table) return true;
    if (spec.shape == Shape::address) {
        if (operand.kind == Kind::variable && place.indexed) {
            Operand address;
            address.kind = Kind::address;
            address.offset = std::exchange(operand.offset, 0);
            address.elements.push_back(std::move(operand));
            operand = std::move(address);
        }
        if (operand.kind != Kind::address) return fail(place.token, title + " must be an address in [ ]");
        if (spec.coordinates) {
            if (operand.elements.size() != 2)
                return fail(place.token, title + " must have an object and coordinates, as in '[a, {x, y}]'");
            if (!check_point(spec, instruction, operand.elements[1], place)) return false;
        } else if (operand.elements.size() != 1) {
            return fail(place.token, title + " must be a single address");
        }
        const Operand& base = operand.elements[0];
        if (base.kind == Kind::reg) {
            const Register& reg = body_->function.registers[base.id];
            int bits = type_bits(reg.type);
            bool good = (bits == 32 || bits == 64) && type_class(reg.type) != TypeClass::floating;
            if (!good)
                return fail(place.token, "an address must be 32 or 64 bits wide; " + reg.name + " is ." +
                                             std::string(type_name(reg.type)));
        }
        return true;
    }
    Type type = spec.type != Type::none ? spec.type : instruction.types[spec.type_index];
    if (operand.kind == Kind::address) return fail(place.token, title + " must not be an address in [ ]");
    if (spec.shape == Shape::step) return check_point(spec, instruction, operand, place);

    if (operand.kind == Kind::pair) {
        if (!spec.pair) return fail(place.token, title + " cannot be a pair of registers");
        Operand& second = operand.elements[1];
        bool predicate = second.kind == Kind::reg && !second.negated &&
                         second.selector.unit == Selector::Unit::none &&
                         body_->function.registers[second.id].type == Type::pred;
        if (!predicate && second.kind != Kind::sink)
            return fail(place.token, "the second half of " + title + " must be a predicate register");
        if (operand.elements[0].kind == Kind::sink) return true;
        return check_value(spec, type, instruction, operand.elements[0], place);
    }
    if (spec.pair && !spec.half_pair)
        return fail(place.token, title + " must be a pair of registers, as in 'd|p'");

    if (spec.shape == Shape::fragment) return check_fragment(spec, instruction, operand, place);

    bool memory_vector = width != 0 && spec.type == Type::none && spec.type_index == 0 && !spec.constant;
    if (memory_vector || spec.shape == Shape::pack) {
        if (operand.kind != Kind::vector)
            return fail(place.token, title + " must be a vector such as {a, b}");
        std::size_t parts = operand.elements.size();
        if (memory_vector && parts != width)
            return fail(place.token, title + " must have " + std::to_string(width) + " elements, found " +
                                         std::to_string(parts));
        if (spec.shape == Shape::pack) {
            bool good = parts == 2 || (parts == 4 && type_bits(type) >= 32);
            if (!good)
                return fail(place.token,
                            title + " must have 2 or 4 elements, found " + std::to_string(parts));
            int bits = type_bits(type) / static_cast<int>(parts);
            type = bits == 8 ? Type::b8 : bits == 16 ? Type::b16 : bits == 32 ? Type::b32 : Type::b64;
        }
        for (Operand& element : operand.elements) {
            if (element.kind == Kind::sink && spec.written) continue;
            if (!check_value(spec, type, instruction, element, place)) return false;
        }
        return true;
    }
    if (operand.kind == Kind::vector) return fail(place.token, title + " cannot be a vector");
    const bool may_sink = instruction.opcode == Opcode::atom || instruction.opcode == Opcode::mbarrier;
    if (operand.kind == Kind::sink && may_sink && spec.written) return true;
    return check_value(spec, type, instruction, operand, place);
}

// A matrix of one register stands in braces, too.
bool Parser::check_fragment(const OperandSpec& spec, const Instruction& instruction, Operand& operand,
                            const OperandPlace& place) {
    const Fragment fragment = fragment_of(instruction, spec.name);
    if (operand.kind != Kind::vector)
        return fail(place.token, operand_title(place) + " must be a matrix's registers, such as {a, b}");
    if (operand.elements.size() != static_cast<std::size_t>(fragment.registers))
        return fail(place.token, operand_title(place) + " must have " + std::to_string(fragment.registers) +
                                     (fragment.registers == 1 ? " register" : " registers") + " of ." +
                                     std::string(type_name(fragment.element)) + " elements, found " +
                                     std::to_string(operand.elements.size()));
    for (Operand& element : operand.elements) {
        if (element.kind == Kind::sink && spec.written) continue;
        if (!check_value(spec, fragment.register_type, instruction, element, place)) return false;
    }
    return true;
}

// The numbers that name a point of a texture, surface or tensor, or a step in it. A layer's number comes
// first and is an integer; three coordinates of a texture have a fourth element for show. A tensor's steps
// are along all dimensions but the first and the last.
bool Parser::check_point(const OperandSpec& spec, const Instruction& instruction, Operand& point,
                         const OperandPlace& place) {
    const bool step = spec.shape == Shape::step;
    const bool layered = !step && (instruction.has(Modifier::a1d) || instruction.has(Modifier::a2d) ||
                                   instruction.has(Modifier::acube));
    const bool tensor = instruction.opcode == Opcode::cp;
    const std::size_t space = instruction.has(Modifier::d1) || instruction.has(Modifier::a1d)   ? 1
                              : instruction.has(Modifier::d2) || instruction.has(Modifier::a2d) ? 2
                              : instruction.has(Modifier::d4)                                   ? 4
                              : instruction.has(Modifier::d5)                                   ? 5
                                                                                                : 3;
    const std::size_t needed = step && tensor ? space - 2 : space + layered,
                      whole = needed == 3 && !tensor ? 4 : needed;
    const std::string title = operand_title(place);
    if (point.kind != Kind::vector) {
        Operand vector;
        vector.kind = Kind::vector;
        vector.elements.push_back(std::move(point));
        point = std::move(vector);
    }
    if (point.elements.size() != needed && point.elements.size() != whole)
        return fail(place.token, title + " must have " + std::to_string(whole) +
                                     " numbers for this geometry, found " +
                                     std::to_string(point.elements.size()));
    OperandSpec each;
    each.written = false;
    for (std::size_t i = 0; i < point.elements.size(); ++i) {
        Operand& element = point.elements[i];
        if (i >= needed) {
            // Any 32 bits.
            if (element.kind == Kind::variable || element.kind == Kind::function)
                return fail(place.token, title + " has the wrong shape for this instruction");
            continue;
        }
        const Type type = layered && i == 0         ? Type::b32
                          : step                    ? (tensor ? Type::b16 : Type::f32)
                          : spec.type != Type::none ? spec.type
                                                    : instruction.types[spec.type_index];
        if (!check_value(each, type, instruction, element, place)) return false;
    }
    return true;
}

bool Parser::check_value(const OperandSpec& spec, Type type, const Instruction& instruction, Operand& operand,
                         const OperandPlace& place) {
    std::string title = operand_title(place);
    if (spec.constant) {
        if (operand.kind != Kind::integer && !is_warp_size(operand))
            return fail(place.token, title + " must be an integer constant");
        return true;
    }
    if (operand.kind == Kind::sink) return fail(place.token, title + " cannot be '_'");
    if (spec.written && operand.kind != Kind::reg) return fail(place.token, title + " must be a register");
    switch (operand.kind) {
        case Kind::reg: return check_register(spec, type, instruction.opcode, operand, place);
        case Kind::integer:
        case Kind::f32:
        case Kind::f64: return spec.unchecked || check_literal(type, operand, place);
        case Kind::special: {
            if (is_warp_size(operand)) return true;
            if (instruction.opcode != Opcode::mov && instruction.opcode != Opcode::cvt)
                return fail(place.token, title + " cannot be a special register: use mov");
            Type own = special_register_type(static_cast<SpecialRegister>(operand.id));
            if (type_bits(type) > type_bits(own) || (type == Type::pred) != (own == Type::pred))
                return fail(place.token, title + " must be ." + std::string(type_name(type)) +
                                             "; the special register is ." + std::string(type_name(own)));
            return true;
        }
        case Kind::variable:
        case Kind::function: return check_symbol(instruction, type, place);
        default: return fail(place.token, title + " has the wrong shape for this instruction");
    }
}

bool Parser::check_symbol(const Instruction& instruction, Type type, const OperandPlace& place) {
    if (instruction.opcode != Opcode::mov && instruction.opcode != Opcode::cvta)
        return fail(place.token, operand_title(place) + " must be a register: take the address with mov");
    TypeClass kind = type_class(type);
    bool integer =
        kind == TypeClass::bits || kind == TypeClass::unsigned_int || kind == TypeClass::signed_int;
    if (!integer || type_bits(type) < 32)
        return fail(place.token, "an address does not fit in a ." + std::string(type_name(type)));
    return true;
}

bool Parser::check_register(const OperandSpec& spec, Type type, Opcode opcode, const Operand& operand,
                            const OperandPlace& place) {
    const Register& reg = body_->function.registers[operand.id];
    std::string title = operand_title(place);
    bool may_negate = !spec.written && (spec.may_minus || spec.may_negate || type == Type::pred);
    if (operand.negated && !may_negate) return fail(place.token, title + " cannot be negated");
    if (!check_selector(spec, opcode, operand, place)) return false;
    if (spec.unchecked) return true;

    int want = type_bits(type) * (spec.twice_as_wide ? 2 : 1);
    int have = type_bits(reg.type);
    TypeClass want_class = type_class(type);
    TypeClass have_class = type_class(reg.type);
    bool want_float = want_class == TypeClass::floating;
    bool have_float = have_class == TypeClass::floating;
    bool integer = have_class == TypeClass::unsigned_int || have_class == TypeClass::signed_int;
    bool want_integer = want_class == TypeClass::unsigned_int || want_class == TypeClass::signed_int;
    bool good =
        have == want || (spec.wider_register && have > want && !have_float && want_class != TypeClass::pred);
    good &= (type == Type::pred) == (reg.type == Type::pred);
    good &= !(want_float && integer) && !(have_float && want_integer);
    if (good) return true;
    std::string wanted = "." + std::string(type_name(type));
    if (spec.twice_as_wide) wanted = std::to_string(want) + " bits wide";
    return fail(place.token,
                title + " must be " + wanted + "; " + reg.name + " is ." + std::string(type_name(reg.type)));
}

bool Parser::check_selector(const OperandSpec& spec, Opcode opcode, const Operand& operand,
                            const OperandPlace& place) {
    const Selector& selector = operand.selector;
    if (selector.unit == Selector::Unit::none) return true;
    if (spec.selector == OperandSpec::Selector::none)
        return fail(place.token, operand_title(place) + " cannot select a part of a register");
    bool byte = selector.unit == Selector::Unit::byte;
    // The lanes of vadd2 are halves, those of vadd4 bytes.
    if (spec.selector == OperandSpec::Selector::lanes && byte != opcode_name(opcode).ends_with('4'))
        return fail(place.token, operand_title(place) + " selects " + (byte ? "bytes" : "halves") + ", but " +
                                     std::string(opcode_name(opcode)) + " works on " +
                                     (byte ? "halves" : "bytes"));
    bool good = false;
    if (spec.selector == OperandSpec::Selector::part) {
        good = selector.count == 1 && selector.lanes[0] < (byte ? 4 : 2);
    } else if (spec.written) {
        // A mask: each lane at most once, highest first.
        good = true;
        for (std::uint8_t i = 0; i < selector.count; ++i) {
            good &= selector.lanes[i] < (byte ? 4 : 2);
            good &= i == 0 || selector.lanes[i] > selector.lanes[i - 1];
        }
    } else {
        good = selector.count == (byte ? 4 : 2);
        for (std::uint8_t i = 0; i < selector.count; ++i) good &= selector.lanes[i] < (byte ? 8 : 4);
    }
    return good || fail(place.token, operand_title(place) + " selects a part that does not exist");
}

// Literals get the type of where they stand: 1.5 is an f32 in an .f32 instruction.
bool Parser::check_literal(Type type, Operand& operand, const OperandPlace& place) {
    std::string title = operand_title(place);
    std::string type_text = "." + std::string(type_name(type));
    TypeClass kind = type_class(type);
    if (operand.kind == Kind::integer) {
        if (kind == TypeClass::floating || kind == TypeClass::packed) {
            bool literal_exists = type == Type::f32 || type == Type::f64;
            return fail(place.token, title + " must be " + type_text +
                                         (literal_exists ? ", such as 1.0 or 0f3F800000, found an integer"
                                                         : "; that type has no literals"));
        }
        return true;
    }
    if (type == Type::f32 || type == Type::f64) {
        if (type == Type::f32 && operand.kind == Kind::f64) {
            auto value = static_cast<float>(std::bit_cast<double>(operand.bits));
            operand.bits = std::bit_cast<std::uint32_t>(value);
            operand.kind = Kind::f32;
        } else if (type == Type::f64 && operand.kind == Kind::f32) {
            double value = std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits));
            operand.bits = std::bit_cast<std::uint64_t>(value);
            operand.kind = Kind::f64;
        }
        return true;
    }
    bool same_bits = !place.decimal && ((operand.kind == Kind::f32 && type == Type::b32) ||
                                        (operand.kind == Kind::f64 && type == Type::b64));
    return same_bits ||
           fail(place.token, title + " must be " + type_text + ", found a floating-point literal");
}

}  // namespace lockstep::ptx
