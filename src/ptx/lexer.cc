#include "ptx/lexer.h"

#include <array>

namespace lockstep::ptx {
namespace {

enum : std::uint8_t { ident_start = 1, ident_part = 2, digit = 4 };

constexpr auto char_classes = [] {
    std::array<std::uint8_t, 256> table{};
    for (int c = 'a'; c <= 'z'; ++c) table[c] = ident_start | ident_part;
    for (int c = 'A'; c <= 'Z'; ++c) table[c] = ident_start | ident_part;
    for (int c = '0'; c <= '9'; ++c) table[c] = ident_part | digit;
    table['_'] = table['$'] = ident_start | ident_part;
    return table;
}();

bool is(char c, std::uint8_t what) { return (char_classes[static_cast<unsigned char>(c)] & what) != 0; }

}  // namespace

Token Lexer::make(Token::Kind kind, std::size_t start, std::size_t length) const {
    return {kind, text_.substr(start, length), line_, static_cast<int>(start - line_start_) + 1, start};
}

Token Lexer::error(std::size_t start, std::size_t length, std::string message) {
    problem_ = std::move(message);
    return make(Token::Kind::error, start, length);
}

bool Lexer::skip_space() {
    while (pos_ < text_.size()) {
        char c = text_[pos_];
        if (c == '\n') {
            ++pos_;
            ++line_;
            line_start_ = pos_;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f') {
            ++pos_;
        } else if (c == '/' && at(pos_ + 1) == '/') {
            pos_ = std::min(text_.find('\n', pos_), text_.size());
        } else if (c == '/' && at(pos_ + 1) == '*') {
            std::size_t close = text_.find("*/", pos_ + 2);
            if (close == text_.npos) return false;
            for (; pos_ < close + 2; ++pos_) {
                if (text_[pos_] != '\n') continue;
                ++line_;
                line_start_ = pos_ + 1;
            }
        } else {
            break;
        }
    }
    return true;
}

// Everything that may belong to a number; literals.h decides whether it is one.
std::size_t Lexer::number_end(std::size_t from) const {
    std::size_t i = from;
    bool prefixed = at(i) == '0' && is(at(i + 1), ident_start) && at(i + 1) != 'e' && at(i + 1) != 'E';
    while (is(at(i), ident_part)) ++i;
    if (prefixed) return i;
    if (at(i) == '.' && is(at(i + 1), digit)) {
        ++i;
        while (is(at(i), ident_part)) ++i;
    } else if (at(i) == '.' && !is(at(i + 1), ident_start)) {
        ++i;
    }
    char last = at(i - 1);
    if ((last == 'e' || last == 'E') && (at(i) == '+' || at(i) == '-') && is(at(i + 1), digit)) {
        ++i;
        while (is(at(i), ident_part)) ++i;
    }
    return i;
}

Token Lexer::next() {
    if (!skip_space()) {
        Token token = error(pos_, 2, "this comment is not closed: expected '*/'");
        pos_ = text_.size();
        return token;
    }
    if (pos_ == text_.size()) return make(Token::Kind::end, pos_, 0);

    std::size_t start = pos_;
    char c = text_[start];
    if (is(c, ident_start) || (c == '%' && is(at(start + 1), ident_part))) {
        ++pos_;
        while (is(at(pos_), ident_part)) ++pos_;
        return make(Token::Kind::word, start, pos_ - start);
    }
    if (is(c, digit)) {
        pos_ = number_end(start);
        return make(Token::Kind::number, start, pos_ - start);
    }
    if (c == '.' && is(at(start + 1), ident_part)) {
        ++pos_;
        while (true) {
            while (is(at(pos_), ident_part)) ++pos_;
            if (at(pos_) != ':' || at(pos_ + 1) != ':' || !is(at(pos_ + 2), ident_part)) break;
            pos_ += 2;
        }
        return make(Token::Kind::dot, start, pos_ - start);
    }
    if (c == '"') {
        std::size_t i = start + 1;
        while (i < text_.size() && text_[i] != '"' && text_[i] != '\n')
            i += text_[i] == '\\' && (at(i + 1) == '"' || at(i + 1) == '\\') ? 2 : 1;
        if (at(i) != '"') {
            pos_ = std::min(i, text_.size());
            return error(start, pos_ - start,
                         "this string is not closed: expected '\"' before the end of the line");
        }
        pos_ = i + 1;
        Token token = make(Token::Kind::string, start, pos_ - start);
        token.text = text_.substr(start + 1, i - start - 1);
        return token;
    }
    ++pos_;
    constexpr std::string_view known = "{}()[]<>,;:+-*/%&|^~!?=@";
    if (known.find(c) != known.npos) return make(Token::Kind::punct, start, 1);
    constexpr char hex[] = "0123456789ABCDEF";
    auto byte = static_cast<unsigned char>(c);
    if (c > ' ' && c < 0x7F) return error(start, 1, std::string("unexpected character '") + c + "'");
    return error(start, 1, std::string("unexpected byte 0x") + hex[byte >> 4] + hex[byte & 15]);
}

}  // namespace lockstep::ptx
