// A reason whose cost the timing model finds by running without it: what proves it, and what to do.
#pragma once
#include <algorithm>
#include <span>
#include <string>

#include "explain/facts.h"
#include "explain/finding.h"

namespace lockstep::explain {

struct Rule {
    timing::Change change{};
    const char* id;
    const char* title;
    const char* advice;
    bool attainable;                                     // the advice can save all that the cost says
    double (*amount)(const report::InstructionCounts&);  // of it at an instruction; null: it has no place
    void (*prove)(const Facts&, Finding&);               // null: by the instructions that `amount` counts
};

std::span<const Rule> thread_rules();  // of CUDA's kernels
std::span<const Rule> wave_rules();    // of AMD's machine code

// For rules to prove themselves by.
void prove_banks(const Facts& facts, Finding& finding);
void prove_block_size(const Facts& facts, Finding& finding);

// "the model, if …"
std::string imagined_from(timing::Change change);

inline void add(Finding& finding, std::string name, double value, std::string text) {
    finding.evidence.push_back({std::move(name), value, std::move(text)});
}
inline double per(double part, double whole) { return whole > 0 ? part / whole : 0; }
inline double surplus(std::uint64_t has, std::uint64_t needs) {
    return static_cast<double>(has - std::min(has, needs));
}
inline double executed_if(const report::InstructionCounts& at, bool wanted) {
    return wanted ? static_cast<double>(at.executed) : 0;
}

}  // namespace lockstep::explain
