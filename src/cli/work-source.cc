#include "cli/work-source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace lockstep::cli {
namespace {

// What a rank tells rank 0: the first character says what follows.
constexpr char ask = '?', result = '=', failure = '!', here = '.';
// What rank 0 tells a rank, beside `here`: a point's number behind `point`, or that it is not needed any
// more, since all is done or, so that nobody waits for the others at the end, since one of them is gone.
constexpr char point = '#', enough = '-', enough_and_lost = 'x';

bool is_due(Clock::time_point& told) {
    const Clock::time_point now = Clock::now();
    if (now - told < between_words) return false;
    told = now;
    return true;
}

}  // namespace

OwnWork::OwnWork(std::vector<std::optional<sweep::Outcome>> known, sweep::Ranks* ranks,
                 std::function<void(std::size_t, const sweep::Outcome&)> keep)
    : outcomes_(std::move(known)), ranks_(ranks), keep_(std::move(keep)) {
    if (ranks_) others_.resize(static_cast<std::size_t>(ranks_->size()));
    if (!others_.empty()) others_[0].state = Rank::State::dismissed;
    for (std::size_t p = 0; p < outcomes_.size(); ++p)
        if (outcomes_[p])
            ++done_;
        else
            left_.push_back(p);
}

std::optional<std::size_t> OwnWork::next() {
    if (left_.empty()) return {};
    const std::size_t number = left_.front();
    left_.pop_front();
    return number;
}

void OwnWork::done(std::size_t number, sweep::Outcome outcome) {
    handed_out_.erase(number);
    // A rank that was taken for gone may have done it after all.
    if (number >= outcomes_.size() || outcomes_[number]) return;
    std::erase(left_, number);
    if (keep_) keep_(number, outcome);
    outcomes_[number] = std::move(outcome);
    ++done_;
}

int OwnWork::working() const {
    return static_cast<int>(std::count_if(others_.begin(), others_.end(), [](const Rank& rank) {
        return rank.state == Rank::State::working || rank.state == Rank::State::waiting;
    }));
}

std::vector<sweep::Outcome> OwnWork::take() {
    std::vector<sweep::Outcome> all;
    for (auto& outcome : outcomes_) all.push_back(std::move(*outcome));
    return all;
}

void OwnWork::attend() {
    if (!ranks_) return;
    while (const auto message = ranks_->poll()) take(*message);
    look_for_gone();
    const bool tell = is_due(told_);
    for (int rank = 1; rank < ranks_->size(); ++rank) {
        const Rank::State state = others_[static_cast<std::size_t>(rank)].state;
        if (state == Rank::State::waiting) answer(rank);
        if (tell && (state == Rank::State::working || state == Rank::State::waiting))
            ranks_->send(rank, std::string(1, here));
    }
}

void OwnWork::take(const sweep::Message& message) {
    Rank& rank = others_[static_cast<std::size_t>(message.from)];
    rank.last = Clock::now();
    const char kind = message.text.empty() ? '\0' : message.text[0];
    const std::string rest = message.text.empty() ? "" : message.text.substr(1);
    if (kind == ask) {
        rank.state = rank.state == Rank::State::gone ? rank.state : Rank::State::waiting;
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
        rank.state = Rank::State::dismissed;
        failures_.push_back(fmt::format("rank {}, {}", message.from, rest));
    }
}

// A rank that finds nothing to do waits: another's points may come back.
void OwnWork::answer(int number) {
    Rank& rank = others_[static_cast<std::size_t>(number)];
    if (!left_.empty()) {
        const std::size_t given = left_.front();
        left_.pop_front();
        handed_out_[given] = number;
        rank.state = Rank::State::working;
        ranks_->send(number, fmt::format("{}{}", point, given));
    } else if (done_ == outcomes_.size()) {
        rank.state = Rank::State::dismissed;
        ranks_->send(number, std::string(1, lost_ ? enough_and_lost : enough));
    }
}

void OwnWork::look_for_gone() {
    for (int number = 1; number < ranks_->size(); ++number) {
        Rank& rank = others_[static_cast<std::size_t>(number)];
        if (rank.state == Rank::State::dismissed || rank.state == Rank::State::gone ||
            Clock::now() - rank.last < most_silence)
            continue;
        rank.state = Rank::State::gone;
        lost_ = true;
        std::size_t taken_back = 0;
        for (auto given = handed_out_.begin(); given != handed_out_.end();)
            if (given->second == number) {
                left_.push_front(given->first);
                ++taken_back;
                given = handed_out_.erase(given);
            } else {
                ++given;
            }
        failures_.push_back(
            fmt::format("rank {} has been silent for {} s and is taken for dead; others run "
                        "the {} point{} that it had begun",
                        number, most_silence.count(), taken_back, taken_back == 1 ? "" : "s"));
    }
}

std::optional<std::size_t> AssignedWork::next() {
    if (!dismissed_ && !given_ && !asked_) {
        ranks_.send(0, std::string(1, ask));
        asked_ = true;
    }
    attend();
    return std::exchange(given_, std::nullopt);
}

void AssignedWork::attend() {
    while (const auto message = ranks_.poll()) {
        heard_ = Clock::now();
        const char kind = message->text.empty() ? '\0' : message->text[0];
        if (kind == point) {
            given_ = std::strtoull(message->text.c_str() + 1, nullptr, 10);
            asked_ = false;
        } else if (kind != here) {
            dismissed_ = true;
            lost_ = kind == enough_and_lost;
        }
    }
    if (dismissed_) return;
    if (is_due(told_)) ranks_.send(0, std::string(1, here));
    if (Clock::now() - heard_ > 3 * most_silence) dismissed_ = lost_ = true;
}

void AssignedWork::done(std::size_t number, sweep::Outcome outcome) {
    ranks_.send(0, fmt::format("{}{}\n{}", result, number, sweep::encode(outcome)));
}

void AssignedWork::fail(const std::string& reason) {
    dismissed_ = true;
    ranks_.send(0, fmt::format("{}{}: {}", failure, ranks_.machine(), reason));
}

}  // namespace lockstep::cli
