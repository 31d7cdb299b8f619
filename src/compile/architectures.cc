#include "compile/architectures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace lockstep::compile {
namespace {

constexpr int known[] = {20, 21, 30, 32, 35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};
// What nvcc 12.5 means by -arch=all and -arch=all-major.
constexpr int all[] = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};
constexpr int all_major[] = {50, 60, 70, 80, 90};

}  // namespace

std::vector<int> listed_architectures() { return {std::begin(all), std::end(all)}; }

int sm_number(const std::string& name) {
    if (name.rfind("sm_", 0) != 0 && name.rfind("compute_", 0) != 0) return 0;
    return std::atoi(name.c_str() + name.find('_') + 1);
}

std::vector<int> specific_architectures(const std::vector<std::string>& names) {
    std::vector<int> numbers;
    for (const std::string& name : names)
        if (sm_number(name) != 0 && name.ends_with('a')) numbers.push_back(sm_number(name));
    return numbers;
}

std::string architecture_name(int architecture, const std::vector<int>& specific) {
    const bool is_specific = std::find(specific.begin(), specific.end(), architecture) != specific.end();
    return fmt::format("{}{}", architecture, is_specific ? "a" : "");
}

int clang_architecture(int capability) {
    const auto* above = std::upper_bound(std::begin(known), std::end(known), capability);
    return above == std::begin(known) ? known[0] : above[-1];
}

std::vector<int> choose_architectures(const std::vector<std::string>& asked, const std::vector<int>& gpus,
                                      std::vector<std::string>& warnings) {
    std::set<int> chosen;
    int newest = 0;
    for (const std::string& name : asked) {
        if (name == "all") chosen.insert(std::begin(all), std::end(all));
        if (name == "all-major") chosen.insert(std::begin(all_major), std::end(all_major));
        if (name == "native")
            for (const int gpu : gpus) chosen.insert(clang_architecture(gpu));
        const int number = sm_number(name);
        newest = std::max(newest, number);
        if (std::binary_search(std::begin(known), std::end(known), number)) chosen.insert(number);
    }
    if (chosen.empty() && newest > 0) {
        chosen.insert(clang_architecture(newest));
        warnings.push_back(
            fmt::format("sm_{} is not known to clang 19; compiled for sm_{}", newest, *chosen.begin()));
    }
    if (chosen.empty())
        for (const int gpu : gpus) chosen.insert(clang_architecture(gpu));
    return {chosen.begin(), chosen.end()};
}

}  // namespace lockstep::compile
