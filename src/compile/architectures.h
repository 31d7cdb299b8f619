// The GPU generations that device code is compiled for, as numbers: 90 stands for sm_90, compute
// capability 9.0.
#pragma once
#include <string>
#include <vector>

namespace lockstep::compile {

// Of names like "sm_90a", whose code has what no later GPU has, the numbers.
std::vector<int> specific_architectures(const std::vector<std::string>& names);

// "90", or "90a" where `specific` has it.
std::string architecture_name(int architecture, const std::vector<int>& specific);

// The number in "sm_90" or "compute_90a"; 0 if it is not of that form.
int sm_number(const std::string& name);

// What clang compiles for a GPU: the newest generation that it knows and that is not newer.
int clang_architecture(int capability);

// What a program is compiled for, oldest first: all that is asked for (the values of -arch, or of each
// -gencode) and known to clang. If nothing is, or "native": `gpus`, the compute capabilities of those that it
// is meant for. A warning where clang knows none that is as new as asked.
std::vector<int> choose_architectures(const std::vector<std::string>& asked, const std::vector<int>& gpus,
                                      std::vector<std::string>& warnings);

// Of several, what CUDA's driver takes for a GPU: the newest that is not newer than it. The end: all are.
template <class Range, class Number>
auto loadable(Range& range, int capability, Number number_of) {
    auto best = range.end();
    for (auto it = range.begin(); it != range.end(); ++it)
        if (number_of(*it) <= capability && (best == range.end() || number_of(*it) > number_of(*best)))
            best = it;
    return best;
}

// Those that `--list-gpu-arch` names, oldest first.
std::vector<int> listed_architectures();

}  // namespace lockstep::compile
