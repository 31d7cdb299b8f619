#include "cli/work-source.h"

#include <fmt/format.h>

#include <cstdlib>

namespace lockstep::cli {
namespace {

// What a rank tells rank 0: the first character says what follows. Rank 0 answers `ask` with a number, or
// with nothing if no point is left.
constexpr char ask = '?', result = '=', failure = '!';

}  // namespace

std::optional<std::size_t> OwnWork::next() {
    if (next_ == outcomes_.size()) return {};
    return next_++;
}

void OwnWork::done(std::size_t number, sweep::Outcome outcome) {
    outcomes_[number] = std::move(outcome);
    ++done_;
}

void OwnWork::attend() {
    while (ranks_) {
        const auto message = ranks_->poll();
        if (!message) return;
        const char kind = message->text.empty() ? '\0' : message->text[0];
        const std::string rest = message->text.empty() ? "" : message->text.substr(1);
        if (kind == ask) {
            const auto number = next();
            if (!number) --working_;
            ranks_->send(message->from, number ? std::to_string(*number) : "");
        } else if (kind == result) {
            const std::size_t end = rest.find('\n');
            auto outcome = sweep::decode(rest.substr(end + 1));
            if (!outcome) {
                sweep::Outcome broken;
                broken.failure = outcome.error().message;
                outcome = std::move(broken);
            }
            done(std::strtoull(rest.c_str(), nullptr, 10), std::move(*outcome));
        } else if (kind == failure) {
            --working_;
            failures_.push_back(fmt::format("rank {}, {}", message->from, rest));
        }
    }
}

std::optional<std::size_t> AssignedWork::next() {
    if (dismissed_) return {};
    ranks_.send(0, std::string(1, ask));
    const std::string answer = ranks_.receive().text;
    dismissed_ = answer.empty();
    if (dismissed_) return {};
    return std::strtoull(answer.c_str(), nullptr, 10);
}

void AssignedWork::done(std::size_t number, sweep::Outcome outcome) {
    ranks_.send(0, fmt::format("{}{}\n{}", result, number, sweep::encode(outcome)));
}

void AssignedWork::fail(const std::string& reason) {
    dismissed_ = true;
    ranks_.send(0, fmt::format("{}{}: {}", failure, ranks_.machine(), reason));
}

}  // namespace lockstep::cli
