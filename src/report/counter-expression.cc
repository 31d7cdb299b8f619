#include "report/counter-expression.h"

#include <fmt/format.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>

namespace lockstep::report {
namespace {

class FormulaReader {
  public:
    FormulaReader(std::string_view text, const CounterLookup& lookup) : text_(text), lookup_(lookup) {}

    CounterValue run() {
        const double value = sum();
        if (skip() != '\0') bad();
        if (!missing_.empty()) return {{}, missing_};
        return undefined_ ? CounterValue{} : CounterValue{value, ""};
    }

  private:
    double sum() {
        double value = product();
        for (;;) {
            const char c = skip();
            if (c != '+' && c != '-') return value;
            ++at_;
            const double next = product();
            value = c == '+' ? value + next : value - next;
        }
    }
    double product() {
        double value = term();
        for (;;) {
            const char c = skip();
            if (c != '*' && c != '/') return value;
            ++at_;
            const double next = term();
            if (c == '/' && next == 0) undefined_ = true;
            value = c == '*' ? value * next : next == 0 ? 0 : value / next;
        }
    }
    double term() {
        const char c = skip();
        if (c == '(') {
            ++at_;
            const double value = sum();
            if (skip() != ')') bad();
            ++at_;
            return value;
        }
        const std::size_t from = at_;
        const bool name = std::isalpha(static_cast<unsigned char>(c)) != 0;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) ||
                                      text_[at_] == '_' || (!name && text_[at_] == '.')))
            ++at_;
        if (from == at_) bad();
        const std::string word(text_.substr(from, at_ - from));
        if (!name) return std::strtod(word.c_str(), nullptr);
        const auto value = lookup_(word);
        if (!value && missing_.empty()) missing_ = word;
        return value.value_or(0);
    }
    char skip() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    [[noreturn]] void bad() const {
        fmt::print(stderr, "lockstep: formula '{}' is wrong at {}\n", text_, at_);
        std::abort();
    }

    std::string_view text_;
    const CounterLookup& lookup_;
    std::size_t at_ = 0;
    bool undefined_ = false;
    std::string missing_;
};

}  // namespace

CounterValue evaluate(std::string_view formula, const CounterLookup& lookup) {
    return FormulaReader(formula, lookup).run();
}

}  // namespace lockstep::report
