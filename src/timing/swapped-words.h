// Words that warps compare and swap until it works: who changes one makes all that have read it try again.
// The records have warps one after the other, in which only lanes of one warp make each other fail; when
// warps meet, and how often they try in vain, is found here.
#pragma once
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "counters/failed-rounds.h"
#include "timing/trace.h"

namespace lockstep::timing {

class SwappedWords {
  public:
    struct Pace {
        double apart = 0;      // cycles from one change of a word to the next
        double round = 0;      // in which a warp tries once, at least …
        double attempt = 0;    // … and for each of the warps that try so many
        bool in_turn = false;  // who has changed a word goes on until all of its lanes have
    };
    struct Changed {
        double at = 0;      // when all of the words are changed
        double rounds = 0;  // that fail before, as far as those are known that try meanwhile
    };
    // `elsewhere`: where blocks share a word, each warp that is replayed stands for so many.
    explicit SwappedWords(double elsewhere = 1) : elsewhere_(elsewhere) {}

    // Warps that wait at `now` for the word that most of them want, and one more: who asks.
    double contenders(std::span<const Word> words, WarpNumber warp, double now);
    // A warp's lanes want to change the words at `now`: one of each word's with this access, or all of them.
    Changed change(const Access& access, std::span<const Word> words, WarpNumber warp, double now,
                   const Pace& pace);
    // When no more comes.
    void finish();
    // By all that were through when somebody else came, or at the end.
    const counters::FailedRounds& failed() const { return failed_; }

  private:
    struct Waiting {
        double end = 0, tried = 0;          // Turns::tried when it came
        std::uint32_t site = 0, lanes = 0;  // 0: its rounds are counted with another word
    };
    struct Turns {
        double last = 0, apart = 0;      // when the last change is that is known, and from the one before
        WarpNumber warp = 0;             // who makes it
        bool shared = false;             // by blocks
        double tried = 0, tried_at = 0;  // rounds of who has been there from the beginning, and until when
        double round = 0, attempt = 0;   // as the last one's pace was
        std::vector<Waiting> waiting;    // by their ends
    };
    // Changes that a warp will make in turn.
    struct Held {
        std::uint64_t address = 0;
        double last = 0;
        std::uint32_t left = 0;
    };
    double times(const Turns& turns) const { return turns.shared ? elsewhere_ : 1; }
    Turns& turns_of(std::uint64_t address, WarpNumber warp);
    void leave(Turns& turns, double now);
    struct Next {
        double at = 0, end = 0;  // of the change, and of all that the warp has to do there
        bool in_turn = false;
        bool comes = false;  // it was not there yet
    };
    Next next_change(const Word& word, WarpNumber warp, double now, bool all_lanes, const Pace& pace);

    double elsewhere_;
    std::unordered_map<std::uint64_t, Turns> words_;
    std::unordered_map<WarpNumber, std::vector<Held>> held_;
    counters::FailedRounds failed_;
};

}  // namespace lockstep::timing
