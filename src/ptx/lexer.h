// Cuts PTX text into tokens. Never fails: what is no token comes out as Kind::error, whose text is the
// message.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep::ptx {

struct Token {
    enum class Kind : std::uint8_t {
        end,
        word,    // add  %r1  _  $L__BB0_2
        dot,     // .global  .shared::cta   (text includes the dot)
        number,  // 12  0x1F  0f3F800000  1.5e3: literals.h reads it
        string,  // text is what stands between the quotes
        punct,   // one character
        error,   // Lexer::problem() says what is wrong
    };
    Kind kind = Kind::end;
    std::string_view text;
    int line = 1;
    int column = 1;
    std::size_t offset = 0;  // of the first character

    bool is(char c) const { return kind == Kind::punct && text[0] == c; }
    bool is_dot(std::string_view word) const { return kind == Kind::dot && text == word; }
    bool is_word(std::string_view word) const { return kind == Kind::word && text == word; }
};

class Lexer {
  public:
    explicit Lexer(std::string_view text) : text_(text) {}

    Token next();
    const std::string& problem() const { return problem_; }  // of the last error token
    std::string_view text() const { return text_; }

  private:
    bool skip_space();  // false: a comment has no end
    Token make(Token::Kind kind, std::size_t start, std::size_t length) const;
    Token error(std::size_t start, std::size_t length, std::string message);
    std::size_t number_end(std::size_t from) const;
    char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

    std::string_view text_;
    std::size_t pos_ = 0;
    std::size_t line_start_ = 0;
    int line_ = 1;
    std::string problem_;
};

}  // namespace lockstep::ptx
