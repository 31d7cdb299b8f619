#include "compile/respelling.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <optional>
#include <vector>

#include "compile/files.h"
#include "compile/respelled-lines.h"
#include "compile/source-characters.h"

namespace lockstep::compile {
namespace {

namespace fs = std::filesystem;

// Walks over C++ as characters, and knows what comments and literals are.
class Walk {
  public:
    explicit Walk(std::string_view text) : text_(text) {}

    bool done(std::size_t at) const { return at >= text_.size(); }
    bool looking_at(std::size_t at, std::string_view what) const {
        return text_.substr(std::min(at, text_.size()), what.size()) == what;
    }
    std::size_t blanks(std::size_t at) const {
        while (!done(at) && is_blank(text_[at])) ++at;
        return at;
    }
    // Behind the comment or literal that begins at `at`; `at` itself where none does.
    std::size_t behind_opaque(std::size_t at) const {
        if (looking_at(at, "//")) return std::min(text_.find('\n', at), text_.size());
        if (looking_at(at, "/*")) return behind(text_.find("*/", at + 2), 2);
        if (looking_at(at, "R\"") && (at == 0 || !is_word(text_[at - 1]))) {
            const std::size_t open = text_.find('(', at);
            if (open == std::string_view::npos) return text_.size();
            const std::string end = ')' + std::string(text_.substr(at + 2, open - at - 2)) + '"';
            return behind(text_.find(end, open), end.size());
        }
        const char quote = text_[at];
        if (quote == '\'' && at > 0 && is_word(text_[at - 1])) return at;  // 1'000
        if (quote != '"' && quote != '\'') return at;
        std::size_t end = at + 1;
        while (!done(end) && text_[end] != quote && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
        return std::min(end + 1, text_.size());
    }

  private:
    std::size_t behind(std::size_t found, std::size_t length) const {
        return found == std::string_view::npos ? text_.size() : found + length;
    }
    std::string_view text_;
};

// `<<` blanks `<`, or `>>` blanks `>`, at `at`: its length; 0 where there is none.
std::size_t bracket_length(const Walk& walk, std::size_t at, const char* two, const char* one) {
    if (!walk.looking_at(at, two)) return 0;
    const std::size_t third = walk.blanks(at + 2);
    return walk.looking_at(third, one) ? third + 1 - at : 0;
}

bool is_operator_name(std::string_view text, std::size_t at) {
    while (at > 0 && is_blank(text[at - 1])) --at;
    constexpr std::string_view word = "operator";
    return at >= word.size() && text.substr(at - word.size(), word.size()) == word;
}

struct Launch {
    std::size_t open, open_length, close, close_length;
    std::vector<std::size_t> braces;  // that stand for dimensions
};

// The launch whose bracket opens at `open`, if it is one.
std::optional<Launch> find_launch(std::string_view text, const Walk& walk, std::size_t open,
                                  std::size_t length) {
    Launch launch{open, length, 0, 0, {}};
    int depth = 0, argument = 0;
    bool begins = true;  // an argument
    for (std::size_t at = open + length; !walk.done(at);) {
        if (const std::size_t next = walk.behind_opaque(at); next != at) {
            at = next;
            continue;
        }
        const char c = text[at];
        if (depth == 0) {
            if (const std::size_t closing = bracket_length(walk, at, ">>", ">")) {
                launch.close = at;
                launch.close_length = closing;
                return launch;
            }
            if (c == '{' && begins && argument < 2) launch.braces.push_back(at);
        }
        if (c == ';') return std::nullopt;
        if (c == '(' || c == '[' || c == '{') ++depth;
        if ((c == ')' || c == ']' || c == '}') && --depth < 0) return std::nullopt;
        if (c == ',' && depth == 0) {
            ++argument;
            begins = true;
        } else if (!is_blank(c)) {
            begins = false;
        }
        ++at;
    }
    return std::nullopt;
}

std::size_t begin_of_line(const std::string& text, int line) {
    std::size_t begin = 0;
    for (int n = 1; n < line; ++n) {
        begin = text.find('\n', begin);
        if (begin == std::string::npos) return text.size();
        ++begin;
    }
    return begin;
}

std::string without_colours(const std::string& messages) {
    std::string plain;
    for (std::size_t at = 0; at < messages.size(); ++at) {
        if (messages[at] == '\x1b') {
            at = std::min(messages.find_first_of("mK", at), messages.size() - 1);
            continue;
        }
        plain += messages[at];
    }
    return plain;
}

std::string yaml_string(std::string_view text) {  // for YAML
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? "''" : std::string(1, c);
    return result + "'";
}

struct Complaint {
    std::string file;
    int line = 0;
    std::string text;
    std::string rest;  // the notes that belong to it, and lines of the source
};

// The errors among clang's messages: `file:line:column: error: text`.
std::vector<Complaint> complaints(const std::string& messages) {
    std::vector<Complaint> found;
    const std::string plain = without_colours(messages);
    constexpr std::string_view mark = " error: ";
    for (std::size_t at = 0; (at = plain.find(mark, at)) != std::string::npos; at += mark.size()) {
        const std::size_t begin = plain.rfind('\n', at) + 1;
        std::string place = plain.substr(begin, at - begin);  // file:line:column:
        if (place.size() > 6 && place.ends_with("fatal")) place.resize(place.size() - 6);
        Complaint complaint;
        std::size_t end = place.size();
        for (int part = 0; part < 2 && end != std::string::npos && end > 0; ++part)
            end = place.rfind(':', end - 1);
        if (end == std::string::npos || end == 0) continue;
        const std::size_t before = place.rfind(':', end - 1);
        if (before == std::string::npos) continue;
        if (std::from_chars(&place[before + 1], &place[end], complaint.line).ptr != &place[end]) continue;
        complaint.file = place.substr(0, before);
        complaint.text =
            plain.substr(at + mark.size(), plain.find('\n', at + mark.size()) - at - mark.size());
        const std::size_t next = plain.find(mark, at + mark.size());
        complaint.rest =
            plain.substr(at + mark.size(), next == std::string::npos ? next : next - at - mark.size());
        found.push_back(std::move(complaint));
    }
    return found;
}

}  // namespace

std::string respell_launches(std::string_view text) {
    const Walk walk(text);
    std::string out;
    std::size_t copied = 0;
    const auto copy_to = [&](std::size_t end) {
        out.append(text.substr(copied, end - copied));
        copied = end;
    };
    for (std::size_t at = 0; !walk.done(at);) {
        if (const std::size_t next = walk.behind_opaque(at); next != at) {
            at = next;
            continue;
        }
        const std::size_t length = bracket_length(walk, at, "<<", "<");
        if (length == 0 || is_operator_name(text, at)) {
            ++at;
            continue;
        }
        const auto launch = find_launch(text, walk, at, length);
        if (!launch) {
            at += length;
            continue;
        }
        const auto close_up = [&](std::size_t place, std::size_t bracket, const char* closed) {
            copy_to(place);
            out += closed;
            out.append(text.substr(place + 2, bracket - 3));  // the blanks, behind it: lines stay
            copied = place + bracket;
        };
        close_up(launch->open, launch->open_length, "<<<");
        for (const std::size_t brace : launch->braces) {
            copy_to(brace);
            out += "dim3";
        }
        close_up(launch->close, launch->close_length, ">>>");
        at = copied;
    }
    copy_to(text.size());
    return out;
}

namespace {

// Where the name of a kernel, or another expression for one, begins that ends at `end`.
std::size_t begin_of_callee(std::string_view text, std::size_t end) {
    const auto skip_blanks = [&](std::size_t at) {
        while (at > 0 && is_blank(text[at - 1])) --at;
        return at;
    };
    // Back over brackets: `at` is behind the closing one. What is in round ones cannot end a template's.
    const auto skip_brackets = [&](std::size_t at) {
        int angles = 0, others = 0;
        while (at > 0) {
            const char c = text[--at];
            if (c == ')' || c == ']' || c == '}') ++others;
            if (c == '(' || c == '[' || c == '{') --others;
            if (others == 0 && c == '>' && (at == 0 || text[at - 1] != '-')) ++angles;
            if (others == 0 && c == '<') --angles;
            if (angles == 0 && others == 0) return at;
            if (c == ';') break;
        }
        return end;
    };
    std::size_t at = skip_blanks(end);
    if (at > 0 && text[at - 1] == ')') return skip_brackets(at);  // (*pointer)
    for (;;) {
        // A name with what stands in brackets behind it …
        bool brackets = false;
        while (at > 0 && (text[at - 1] == '>' || text[at - 1] == ')' || text[at - 1] == ']')) {
            const std::size_t before = skip_brackets(at);
            if (before == end) return end;
            at = skip_blanks(before);
            brackets = true;
        }
        const std::size_t word_end = at;
        while (at > 0 && is_word(text[at - 1])) --at;
        if (at == word_end && !brackets) return end;
        if (at == word_end) at = text.find_first_not_of(" \t\r\n", at);
        // … and what it is a member of.
        const std::size_t before = skip_blanks(at);
        const auto follows = [&](std::string_view link) {
            return before >= link.size() && text.substr(before - link.size(), link.size()) == link;
        };
        const std::size_t link = follows("::") || follows("->") ? 2 : follows(".") ? 1 : 0;
        if (link == 0) return at;
        at = before - link;
        if (follows("::")) {
            // Of a name that stands right before it; else ::kernel.
            if (at == 0 || !(is_word(text[at - 1]) || text[at - 1] == '>')) return at;
            continue;
        }
        at = skip_blanks(at);
    }
}

// Behind the parenthesis that closes the one at `open`; npos where none does.
std::size_t behind_arguments(std::string_view text, const Walk& walk, std::size_t open) {
    int depth = 0;
    for (std::size_t at = open; !walk.done(at);) {
        if (const std::size_t next = walk.behind_opaque(at); next != at) {
            at = next;
            continue;
        }
        if (text[at] == '(') ++depth;
        if (text[at] == ')' && --depth == 0) return at + 1;
        ++at;
    }
    return std::string_view::npos;
}

struct WholeLaunch {
    std::size_t begin, end;     // in the text
    int first_line, last_line;  // of the kernel's name and the brackets
};

// The same with blanks for comments and letters for literals: what is read backwards cannot know them.
std::string without_opaque(std::string_view text) {
    const Walk walk(text);
    std::string plain(text);
    for (std::size_t at = 0; !walk.done(at);) {
        const std::size_t next = walk.behind_opaque(at);
        const char with = text[at] == '/' ? ' ' : 'x';
        for (std::size_t i = at; i < next; ++i)
            if (text[i] != '\n') plain[i] = with;
        at = std::max(next, at + 1);
    }
    return plain;
}

std::vector<WholeLaunch> whole_launches(std::string_view text) {
    const Walk walk(text);
    const std::string plain = without_opaque(text);
    std::vector<WholeLaunch> found;
    int line = 1;
    std::size_t counted = 0;
    const auto line_of = [&](std::size_t at) {
        for (; counted < at; ++counted) line += text[counted] == '\n';
        return line;
    };
    for (std::size_t at = 0; !walk.done(at);) {
        if (const std::size_t next = walk.behind_opaque(at); next != at) {
            at = next;
            continue;
        }
        const std::size_t length = bracket_length(walk, at, "<<", "<");
        const auto launch = length == 0 ? std::nullopt : find_launch(text, walk, at, length);
        if (!launch) {
            at += std::max<std::size_t>(length, 1);
            continue;
        }
        const std::size_t begin = begin_of_callee(plain, at);
        const std::size_t open = walk.blanks(launch->close + launch->close_length);
        const std::size_t end =
            walk.looking_at(open, "(") ? behind_arguments(text, walk, open) : std::string_view::npos;
        at = launch->close + launch->close_length;
        if (begin == launch->open || end == std::string_view::npos) continue;
        const int first = line_of(begin);
        found.push_back({begin, end, first, line_of(at)});
    }
    return found;
}

}  // namespace

std::string nest_launches(std::string_view text, const std::set<int>& lines) {
    const std::vector<WholeLaunch> launches = whole_launches(text);
    const auto is_on = [](const WholeLaunch& launch, int line) {
        return launch.first_line <= line && line <= launch.last_line;
    };
    // A line without one uses a macro that has it.
    bool all = false;
    for (const int line : lines) {
        bool found = false;
        for (const WholeLaunch& launch : launches) found |= is_on(launch, line);
        all |= !found;
    }
    std::string out;
    std::size_t copied = 0;
    for (const WholeLaunch& launch : launches) {
        bool wanted = all;
        for (const int line : lines) wanted |= is_on(launch, line);
        if (!wanted || launch.begin < copied) continue;
        out.append(text.substr(copied, launch.begin - copied))
            .append("::lockstep_nested::launch([&] __host__ __device__ { ")
            .append(text.substr(launch.begin, launch.end - launch.begin))
            .append("; })");
        copied = launch.end;
    }
    return out.append(text.substr(copied));
}

std::string drop_unroll(std::string text, int line) {
    for (std::size_t at = begin_of_line(text, line); at != std::string::npos && at > 0;) {
        at = text.rfind('#', at - 1);
        if (at == std::string::npos) break;
        const Walk walk(text);
        std::size_t word = walk.blanks(at + 1);
        if (!walk.looking_at(word, "pragma")) continue;
        word = walk.blanks(word + 6);
        if (!walk.looking_at(word, "unroll")) continue;
        text.replace(at, 2, "//");
        break;
    }
    return text;
}

std::string escape_registers(std::string_view text) {
    const Walk walk(text);
    std::string out;
    std::size_t copied = 0;
    for (std::size_t at = 0; !walk.done(at);) {
        if (const std::size_t next = walk.behind_opaque(at); next != at) {
            at = next;
            continue;
        }
        std::size_t word = at;
        while (!walk.done(word) && is_word(text[word])) ++word;
        const std::string_view name = text.substr(at, word - at);
        at = std::max(word, at + 1);
        if (name != "asm" && name != "__asm__" && name != "__asm") continue;
        // Its parentheses: the literals before the first colon are PTX.
        std::vector<std::pair<std::size_t, std::size_t>> literals;
        bool operands = false;
        int depth = 0;
        for (std::size_t inside = at; !walk.done(inside);) {
            const std::size_t next = walk.behind_opaque(inside);
            const char c = text[inside];
            if (next != inside) {
                if (c == '"' && !operands) literals.emplace_back(inside, next);
                inside = next;
                continue;
            }
            if (c == ';' || (c == ')' && --depth <= 0)) break;
            if (c == '(') ++depth;
            if (c == ':' && depth == 1) operands = true;
            ++inside;
        }
        if (!operands) continue;  // then the text stands for itself
        for (const auto& [begin, end] : literals)
            for (std::size_t c = begin; c + 1 < end; ++c) {
                if (text[c] != '%') continue;
                if (!std::isalpha(static_cast<unsigned char>(text[c + 1])) && text[c + 1] != '_') {
                    ++c;  // %%, %0
                    continue;
                }
                out.append(text.substr(copied, c - copied)).append("%");
                copied = c;
            }
    }
    return out.append(text.substr(copied));
}

bool Respelling::update(const fs::path& file) {
    const auto original = read_file(file);
    if (!original) return false;
    std::error_code ignored;
    const std::string name = fs::absolute(file, ignored).lexically_normal().string();
    std::string text = respell_launches(*original);
    const Trouble& trouble = trouble_[file.string()];
    if (!trouble.nested.empty()) text = nest_launches(text, trouble.nested);
    if (trouble.registers) text = escape_registers(text);
    for (const int line : trouble.without_loop) text = drop_unroll(std::move(text), line);
    for (const int line : trouble.alignas_) text = free_alignas(std::move(text), line);
    for (const int line : trouble.operands) text = separate_operands(std::move(text), line);
    for (const int line : trouble.constructed) text = store_shared(std::move(text), line);
    if (text == *original) return false;
    const auto place =
        copies_.try_emplace(name, Copy{scratch_ / fmt::format("respelled-{}", copies_.size()), ""}).first;
    Copy& copy = place->second;
    if (copy.text == text || !write_file(copy.file, text)) return false;
    copy.text = std::move(text);
    std::string overlay = "version: 0\nuse-external-names: false\nroots:\n";
    for (const auto& [path, spelled] : copies_)
        overlay += fmt::format("  - {{ type: file, name: {}, external-contents: {} }}\n", yaml_string(path),
                               yaml_string(spelled.file.string()));
    return static_cast<bool>(write_file(scratch_ / "overlay.yaml", overlay));
}

void Respelling::add(const fs::path& file) { update(file); }

bool Respelling::learn(const std::string& messages) {
    bool changed = false;
    for (const Complaint& complaint : complaints(messages)) {
        const auto is_about = [&](const char* what) {
            return complaint.text.find(what) != std::string::npos;
        };
        Trouble& trouble = trouble_[complaint.file];
        if (is_about("loop to follow '#pragma unroll'") && trouble.without_loop.insert(complaint.line).second)
            warnings_ +=
                fmt::format("{}:{}: warning: there is no loop behind '#pragma unroll': it has no effect\n",
                            complaint.file, complaint.line);
        if (is_about("'alignas' attribute cannot be applied to types") ||
            is_about("an attribute list cannot appear here"))
            trouble.alignas_.insert(complaint.line);
        // The second: of a kernel that is a template, whose types follow from the arguments.
        if (is_about("reference to __global__ function") ||
            (is_about("no matching function") &&
             complaint.rest.find("call to __global__ function from") != std::string::npos))
            trouble.nested.insert(complaint.line);
        if (is_about("expected ')'")) trouble.operands.insert(complaint.line);
        if (is_about("initialization is not supported for __shared__ variables") &&
            trouble.constructed.insert(complaint.line).second && update(complaint.file)) {
            changed = true;
            warnings_ += fmt::format(
                "{}:{}: warning: the constructor of a __shared__ variable is not called (nvcc's 20054-D)\n",
                complaint.file, complaint.line);
        }
        if (is_about("invalid % escape in inline assembly")) trouble.registers = true;
        changed |= update(complaint.file);
    }
    return changed;
}

Arguments Respelling::arguments() const {
    if (copies_.empty()) return {};
    return {"-ivfsoverlay", (scratch_ / "overlay.yaml").string()};
}

}  // namespace lockstep::compile
