#include "gcn/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "gcn/called-functions.h"
#include "gcn/metadata.h"
#include "gcn/operand-text.h"

namespace lockstep::gcn {
namespace {

// Without what stands behind a semicolon, unless that is inside a string.
std::string_view without_comment(std::string_view line) {
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\\' && quoted) {
            ++i;
            continue;
        }
        if (line[i] == '"') quoted = !quoted;
        if (line[i] == ';' && !quoted) return line.substr(0, i);
    }
    return line;
}

// The first of words that are separated by commas; takes it off.
std::string_view take_word(std::string_view& list) {
    const std::size_t comma = list.find(',');
    const std::string_view word = trimmed(list.substr(0, comma));
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    return word;
}

// What stands between quotes, with its escapes read.
std::optional<std::string> quoted_text(std::string_view text) {
    text = trimmed(text);
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::nullopt;
    std::string out;
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
        if (text[i] != '\\') {
            out += text[i];
            continue;
        }
        ++i;
        switch (text[i]) {
            case 'n': out += '\n'; break;
            case 't': out += '\t'; break;
            case 'r': out += '\r'; break;
            case 'b': out += '\b'; break;
            case 'f': out += '\f'; break;
            default: {
                int value = 0, digits = 0;
                while (digits < 3 && i + 1 < text.size() && text[i] >= '0' && text[i] <= '7')
                    value = value * 8 + (text[i++] - '0'), ++digits;
                if (digits) {
                    out += static_cast<char>(value);
                    --i;
                } else {
                    out += text[i];
                }
            }
        }
    }
    return out;
}

// A name without the quotes that some have.
std::string plain_name(std::string_view text) {
    if (auto quoted = quoted_text(text)) return *quoted;
    return std::string(text);
}

class Parser {
  public:
    Parser(std::string_view text, std::string name) : text_(text) { module_.name = std::move(name); }

    Result<Module> run() {
        std::size_t at = 0;
        while (at <= text_.size()) {
            std::size_t end = text_.find('\n', at);
            if (end == std::string_view::npos) end = text_.size();
            ++line_;
            if (auto read = read_line(text_.substr(at, end - at)); !read) return read.error();
            at = end + 1;
        }
        return finish();
    }

  private:
    enum class Section { code, data, read_only, zero, other };

    Error error(std::string message) const { return Error{std::move(message), {module_.name, line_, 0}}; }

    Result<void> read_line(std::string_view line) {
        if (in_metadata_) {
            if (trimmed(line) == ".end_amdgpu_metadata")
                in_metadata_ = false;
            else
                metadata_.append(line).append("\n");
            return {};
        }
        line = trimmed(without_comment(line));
        if (line.empty()) return {};
        if (line.back() == ':' && line.find(' ') == std::string_view::npos) {
            begin_symbol(plain_name(line.substr(0, line.size() - 1)));
            return {};
        }
        const std::size_t space = line.find_first_of(" \t");
        const std::string_view word = line.substr(0, space);
        const std::string_view rest = space == std::string_view::npos ? "" : trimmed(line.substr(space));
        if (word.starts_with(".")) return directive(word, rest);
        if (section_ != Section::code) return {};
        // No instruction of AMD's has such a name.
        if (word.find('.') != word.npos || word.starts_with("{") || word.starts_with("@")) return ptx(line);
        auto instructions = parse_instructions(line);
        if (!instructions) return error(instructions.error().message);
        if (!code_) return error(fmt::format("{} stands before any function", instructions->front().name));
        for (Instruction& instruction : *instructions) {
            instruction.text_line = line_;
            instruction.source = source_;
            code_->instructions.push_back(std::move(instruction));
        }
        return {};
    }

    Error ptx(std::string_view line) const {
        std::string place;
        if (source_ >= 0) {
            const SourceLine& at = module_.lines[static_cast<std::size_t>(source_)];
            if (static_cast<std::size_t>(at.file) < module_.files.size())
                place = fmt::format("{}:{}: ", module_.files[static_cast<std::size_t>(at.file)], at.line);
        }
        return error(fmt::format("{}asm with '{}', which is PTX: an AMD GPU takes instructions of its own",
                                 place, line));
    }

    void begin_symbol(std::string name) {
        if (section_ == Section::code) {
            if (functions_.count(name)) {
                codes_.push_back({});
                code_ = &codes_.back();
                code_->name = name, code_->text_line = line_;
                source_ = -1;
            }
            if (code_) code_->labels[name] = static_cast<std::uint32_t>(code_->instructions.size());
            return;
        }
        if (section_ == Section::other) return;
        module_.variables.push_back({});
        Variable& variable = module_.variables.back();
        variable.name = std::move(name);
        variable.alignment = alignment_;
        variable.read_only = section_ == Section::read_only;
        alignment_ = 1;
    }

    Result<void> directive(std::string_view word, std::string_view rest) {
        if (kernel_) return describe(word, rest);
        if (word == ".amdgcn_target") {
            const std::string target = plain_name(rest);
            std::string gpu =
                target.substr(target.rfind("--") == std::string::npos ? 0 : target.rfind("--") + 2);
            module_.target = gpu.substr(0, gpu.find(':'));
        } else if (word == ".amdgpu_metadata") {
            in_metadata_ = true;
        } else if (word == ".amdhsa_kernel") {
            descriptors_.push_back({std::string(rest), {}});
            kernel_ = &descriptors_.back().second;
        } else if (word == ".text") {
            section_ = Section::code;
        } else if (word == ".data") {
            section_ = Section::data;
        } else if (word == ".bss") {
            section_ = Section::zero;
        } else if (word == ".section") {
            section_ = section_of(rest);
        } else if (word == ".type") {
            const std::string name = plain_name(take_word(rest));
            if (trimmed(rest) == "@function") functions_.insert(name);
        } else if (word == ".size") {
            const std::string name = plain_name(take_word(rest));
            if (const auto size = whole_number(trimmed(rest));
                size && !module_.variables.empty() && module_.variables.back().name == name)
                module_.variables.back().size = static_cast<std::uint64_t>(*size);
        } else if (word == ".p2align") {
            if (const auto power = whole_number(take_word(rest)); power && *power >= 0 && *power < 32)
                alignment_ = std::uint64_t{1} << *power;
        } else if (word == ".file") {
            file(rest);
        } else if (word == ".loc") {
            location(rest);
        } else if (section_ != Section::code && section_ != Section::other) {
            return datum(word, rest);
        }
        return {};
    }

    static Section section_of(std::string_view text) {
        const std::string name = plain_name(take_word(text));
        if (name.starts_with(".text")) return Section::code;
        if (name.starts_with(".data.rel.ro") || name.starts_with(".rodata")) return Section::read_only;
        if (name.starts_with(".data")) return Section::data;
        if (name.starts_with(".bss")) return Section::zero;
        return Section::other;
    }

    Result<void> describe(std::string_view word, std::string_view rest) {
        if (word == ".end_amdhsa_kernel") {
            kernel_ = nullptr;
            return {};
        }
        if (!word.starts_with(".amdhsa_")) return {};
        const auto number = whole_number(rest);
        if (!number) return error(fmt::format("'{}' is no number", rest));
        (*kernel_)[std::string(word.substr(8))] = *number;
        return {};
    }

    // Bytes of a variable.
    Result<void> datum(std::string_view word, std::string_view rest) {
        if (module_.variables.empty()) return {};
        Variable& variable = module_.variables.back();
        const auto bytes = word == ".byte"    ? 1
                           : word == ".short" ? 2
                           : word == ".long"  ? 4
                           : word == ".quad"  ? 8
                                              : 0;
        constexpr std::int64_t largest = 1 << 30;
        if (bytes) {
            while (!rest.empty()) {
                const std::string_view value = take_word(rest);
                std::uint64_t bits = 0;
                if (const auto number = whole_number(value)) {
                    bits = static_cast<std::uint64_t>(*number);
                } else if (bytes >= 4) {
                    Relocation relocation{variable.bytes.size(), {}, 0, static_cast<std::uint8_t>(bytes)};
                    const std::size_t sign = value.find_first_of("+-", 1);
                    relocation.symbol = plain_name(value.substr(0, sign));
                    if (sign != std::string_view::npos) {
                        const auto addend = whole_number(value.substr(value[sign] == '+' ? sign + 1 : sign));
                        if (!addend)
                            return error(
                                fmt::format("'{}' in variable '{}': lockstep knows addresses with a "
                                            "number added, and no other expressions",
                                            value, variable.name));
                        relocation.addend = *addend;
                    }
                    variable.relocations.push_back(std::move(relocation));
                } else {
                    return error(fmt::format("'{}' is no number", value));
                }
                for (int i = 0; i < bytes; ++i)
                    variable.bytes.push_back(static_cast<std::uint8_t>(bits >> 8 * i));
            }
        } else if (word == ".zero" || word == ".skip" || word == ".space") {
            const auto count = whole_number(take_word(rest));
            if (!count || *count < 0 || *count > largest) return error(fmt::format("'{}' is no size", rest));
            if (section_ == Section::zero)
                variable.size =
                    std::max(variable.size, variable.bytes.size() + static_cast<std::uint64_t>(*count));
            else
                variable.bytes.resize(variable.bytes.size() + static_cast<std::size_t>(*count));
        } else if (word == ".ascii" || word == ".asciz" || word == ".string") {
            const auto text = quoted_text(rest);
            if (!text) return error("this string does not end");
            variable.bytes.insert(variable.bytes.end(), text->begin(), text->end());
            if (word != ".ascii") variable.bytes.push_back(0);
        }
        return {};
    }

    // .file 1 "folder" "name" md5 0x…
    void file(std::string_view rest) {
        const std::size_t space = rest.find(' ');
        const auto number = whole_number(rest.substr(0, space));
        if (!number || *number < 0 || *number > 100'000 || space == std::string_view::npos) return;
        rest = rest.substr(space);
        std::vector<std::string> parts;
        for (std::size_t at = rest.find('"'); at != std::string_view::npos && parts.size() < 2;
             at = rest.find('"', at)) {
            const std::size_t end = rest.find('"', at + 1);
            if (end == std::string_view::npos) break;
            parts.emplace_back(rest.substr(at + 1, end - at - 1));
            at = end + 1;
        }
        if (parts.empty()) return;
        std::string path = parts.back();
        if (parts.size() == 2 && !path.starts_with("/")) path = parts[0] + "/" + path;
        const auto index = static_cast<std::size_t>(*number);
        if (module_.files.size() <= index) module_.files.resize(index + 1);
        module_.files[index] = std::move(path);
    }

    void location(std::string_view rest) {
        const std::size_t space = rest.find(' ');
        if (space == std::string_view::npos) return;
        const auto file = whole_number(rest.substr(0, space));
        rest = trimmed(rest.substr(space));
        const auto line = whole_number(rest.substr(0, rest.find(' ')));
        if (!file || !line || *line <= 0 || *file < 0) return;  // line 0: what the compiler made itself
        source_ = static_cast<int>(module_.lines.size());
        module_.lines.push_back({static_cast<int>(*file), static_cast<int>(*line)});
    }

    Result<Module> finish() {
        // What clang lists for linkers to keep; no program names it.
        std::erase_if(module_.variables,
                      [](const Variable& variable) { return variable.name == "__clang_gpu_used_external"; });
        for (Variable& variable : module_.variables)
            variable.size = std::max<std::uint64_t>(variable.size, variable.bytes.size());
        for (Code& code : codes_) {
            const auto described = std::ranges::find_if(
                descriptors_, [&](const auto& descriptor) { return descriptor.first == code.name; });
            if (described == descriptors_.end()) {
                module_.functions.push_back(std::move(code));
                continue;
            }
            Kernel kernel;
            kernel.code = std::move(code);
            kernel.descriptor = std::move(described->second);
            kernel.lds_bytes = static_cast<std::uint32_t>(kernel.described("group_segment_fixed_size"));
            kernel.scratch_bytes = static_cast<std::uint32_t>(kernel.described("private_segment_fixed_size"));
            kernel.kernarg_bytes = static_cast<std::uint32_t>(kernel.described("kernarg_size"));
            module_.kernels.push_back(std::move(kernel));
        }
        if (auto read = read_metadata(metadata_, module_); !read) return read.error();
        if (module_.target.empty()) return error("there is no .amdgcn_target: this is no AMDGCN assembly");
        take_in_functions(module_);
        return std::move(module_);
    }

    std::string_view text_;
    Module module_;
    int line_ = 0;
    int source_ = -1;
    Section section_ = Section::code;
    std::uint64_t alignment_ = 1;
    std::set<std::string, std::less<>> functions_;
    std::vector<Code> codes_;
    Code* code_ = nullptr;
    std::vector<std::pair<std::string, std::map<std::string, std::int64_t, std::less<>>>> descriptors_;
    std::map<std::string, std::int64_t, std::less<>>* kernel_ = nullptr;
    std::string metadata_;
    bool in_metadata_ = false;
};

}  // namespace

bool is_assembly(std::string_view text) {
    return text.substr(0, 4096).find(".amdgcn_target") != std::string_view::npos;
}

std::string producer_of(std::string_view text) {
    const std::size_t at = text.find(".ident");  // those of linked libraries follow
    if (at == std::string_view::npos) return "an unknown compiler";
    const std::string_view line = text.substr(at + 6, text.find('\n', at) - at - 6);
    return quoted_text(line).value_or("an unknown compiler");
}

Result<Instruction> parse_instruction(std::string_view text) {
    text = trimmed(text);
    Instruction instruction;
    instruction.text = std::string(text);
    const std::size_t space = text.find_first_of(" \t");
    std::string_view name = text.substr(0, space);
    const auto takes_off = [&](std::string_view suffix) {
        if (!name.ends_with(suffix)) return false;
        name.remove_suffix(suffix.size());
        return true;
    };
    instruction.sdwa = takes_off("_sdwa");
    instruction.dpp = takes_off("_dpp");
    if (!takes_off("_e32")) {
        const bool wide = takes_off("_e64");
        if (wide && takes_off("_dpp")) instruction.dpp = true;
    }
    instruction.name = std::string(name);
    if (instruction.name.empty()) return Error{"this is no instruction", {}};
    if (space != std::string_view::npos)
        if (auto read = read_operands(text.substr(space), instruction); !read) return read.error();
    if (instruction.name.ends_with("_dpp8")) instruction.dpp = true;
    return instruction;
}

namespace {

bool reads(const Instruction& instruction, std::uint16_t vector) {
    // What multiplies and adds reads its result, too.
    const std::size_t first = instruction.name.starts_with("v_fmac") ? 0 : 1;
    for (std::size_t i = first; i < instruction.operands.size(); ++i)
        if (const Operand& one = instruction.operands[i];
            one.kind == Operand::Kind::vector && one.first <= vector && vector < one.first + one.count)
            return true;
    return false;
}

// v_dual_mul_f32 v0, v1, v2: as v_mul_f32, but for a condition that goes without saying.
Result<Instruction> parse_half(std::string_view text) {
    constexpr std::string_view prefix = "v_dual_";
    if (!text.starts_with(prefix)) return Error{fmt::format("'{}' is no half of a pair", text), {}};
    auto half = parse_instruction("v_" + std::string(text.substr(prefix.size())));
    if (!half) return half;
    if (half->operands.empty() || half->operands[0].kind != Operand::Kind::vector)
        return Error{fmt::format("'{}' writes no vector register", text), {}};
    if (half->name == "v_cndmask_b32" && half->operands.size() == 3) {
        Operand condition;
        condition.kind = Operand::Kind::vcc, condition.part = 0;
        half->operands.push_back(condition);
    }
    return half;
}

}  // namespace

Result<std::vector<Instruction>> parse_instructions(std::string_view text) {
    constexpr std::string_view between = " :: ";
    const std::size_t at = text.find(between);
    if (at == std::string_view::npos) {
        auto one = parse_instruction(text);
        if (!one) return one.error();
        return std::vector{std::move(*one)};
    }
    auto x = parse_half(trimmed(text.substr(0, at))),
         y = parse_half(trimmed(text.substr(at + between.size())));
    if (!x) return x.error();
    if (!y) return y.error();
    x->text = y->text = std::string(trimmed(text));
    const bool x_first = !reads(*y, x->operands[0].first), y_first = !reads(*x, y->operands[0].first);
    if (!x_first && !y_first) {
        if (x->name != "v_mov_b32" || y->name != "v_mov_b32")
            return Error{
                fmt::format("{}: each half reads what the other writes, which is not supported", text), {}};
        x->name = "v_swap_b32";
        return std::vector{std::move(*x)};
    }
    if (!x_first) std::swap(*x, *y);
    y->joined = true;
    return std::vector{std::move(*x), std::move(*y)};
}

Result<Module> parse(std::string_view text, std::string name) { return Parser(text, std::move(name)).run(); }

}  // namespace lockstep::gcn
