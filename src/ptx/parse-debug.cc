// .file, .loc and .section. Of the DWARF sections only .debug_str is read: .loc names inlined functions by
// labels in it.
#include <limits>

#include "ptx/parser-state.h"

namespace lockstep::ptx {
namespace {

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// A quote or a backslash in a name has a backslash before it; LLVM writes what is not ASCII as \343.
std::string unescaped(std::string_view text) {
    std::string name;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view rest = text.substr(i);
        if (rest.size() > 3 && rest[0] == '\\' && rest[1] <= '3' && is_octal(rest[1]) && is_octal(rest[2]) &&
            is_octal(rest[3])) {
            name += static_cast<char>((rest[1] - '0') << 6 | (rest[2] - '0') << 3 | (rest[3] - '0'));
            i += 3;
            continue;
        }
        const bool escape = rest.size() > 1 && rest[0] == '\\' && (rest[1] == '"' || rest[1] == '\\');
        name += text[escape ? ++i : i];
    }
    return name;
}

}  // namespace

// .file 1 "a.cu" and, from older compilers, a time and a size
bool Parser::parse_file() {
    advance();
    std::uint64_t index = 0;
    if (!expect_count(index, 65535, "the file's number")) return false;
    if (token_.kind != Token::Kind::string) return fail_here("the file's name in quotes");
    if (module_.files.size() <= index) module_.files.resize(index + 1);
    module_.files[index] = unescaped(token_.text);
    advance();
    while (accept(',')) {
        std::uint64_t ignored = 0;
        if (!expect_count(ignored, ~0ull, "a number")) return false;
    }
    return true;
}

bool Parser::parse_place(Location& location) {
    constexpr std::uint64_t most = std::numeric_limits<int>::max();
    std::uint64_t file = 0, line = 0, column = 0;
    if (!expect_count(file, 65535, "the file's number") || !expect_count(line, most, "the line") ||
        !expect_count(column, most, "the column"))
        return false;
    location.file = static_cast<int>(file);
    location.line = static_cast<int>(line);
    location.column = static_cast<int>(column);
    return true;
}

// .loc 1 14 5, function_name $L__info_string0, inlined_at 1 20 3
bool Parser::parse_loc() {
    advance();
    Location location;
    if (!parse_place(location)) return false;
    while (accept(',')) {
        std::string_view word;
        if (!expect_name(word, "function_name or inlined_at")) return false;
        if (word == "function_name") {
            if (!expect_name(location.function, "the label of the function's name")) return false;
            std::int64_t ignored = 0;
            if (token_.is('+') && !parse_offset(ignored)) return false;
        } else if (word == "inlined_at") {
            Location caller;
            if (!parse_place(caller)) return false;
            // The caller's place is that of an earlier .loc, which says where it was inlined in turn.
            auto key = std::tuple(caller.file, caller.line, caller.column);
            auto [known, fresh] = last_location_.try_emplace(key, static_cast<int>(locations_.size()));
            if (fresh) locations_.push_back(caller);
            location.parent = known->second;
        } else {
            return fail(token_, "expected function_name or inlined_at, found '" + std::string(word) + "'");
        }
    }
    location_ = static_cast<int>(locations_.size());
    last_location_[{location.file, location.line, location.column}] = location_;
    locations_.push_back(location);
    return true;
}

// The current .loc in Module::lines. Only those that an instruction has get there.
int Parser::current_source() {
    std::vector<int> chain;
    for (int i = location_; i != -1 && locations_[static_cast<std::size_t>(i)].interned == -1;) {
        chain.push_back(i);
        i = locations_[static_cast<std::size_t>(i)].parent;
    }
    for (std::size_t i = chain.size(); i-- > 0;) {
        Location& location = locations_[static_cast<std::size_t>(chain[i])];
        int parent =
            location.parent == -1 ? -1 : locations_[static_cast<std::size_t>(location.parent)].interned;
        auto key = std::tuple(location.file, location.line, location.column, parent, location.function);
        auto [entry, fresh] = lines_.try_emplace(key, static_cast<int>(module_.lines.size()));
        if (fresh) {
            module_.lines.push_back({location.file, location.line, location.column, parent, {}});
            line_functions_.push_back(location.function);
        }
        location.interned = entry->second;
    }
    return location_ == -1 ? -1 : locations_[static_cast<std::size_t>(location_)].interned;
}

bool Parser::parse_section() {
    advance();
    bool strings = token_.is_dot(".debug_str");
    if (token_.kind != Token::Kind::dot && token_.kind != Token::Kind::word)
        return fail_here("the section's name");
    advance();
    Token open = token_;
    if (!expect('{', "after the section's name")) return false;
    std::string* current = nullptr;
    std::uint64_t depth = 1;
    while (depth != 0) {
        if (token_.kind == Token::Kind::end) return fail(open, "this section is not closed: expected '}'");
        if (token_.is('{')) ++depth;
        if (token_.is('}')) --depth;
        if (strings && token_.kind == Token::Kind::word && next_.is(':')) {
            current = &debug_strings_[token_.text];
            current->clear();
        }
        if (current != nullptr && token_.kind == Token::Kind::number) {
            const auto number = parse_number(token_.text);
            const char byte = number ? static_cast<char>(number->bits) : '\0';
            if (byte == 0)
                current = nullptr;
            else
                current->push_back(byte);
        }
        advance();
    }
    return true;
}

void Parser::name_inlined_functions() {
    for (std::size_t i = 0; i < module_.lines.size(); ++i) {
        auto found = debug_strings_.find(line_functions_[i]);
        if (found != debug_strings_.end()) module_.lines[i].function = found->second;
    }
}

}  // namespace lockstep::ptx
