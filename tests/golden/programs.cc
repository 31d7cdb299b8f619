#include "golden/programs.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "golden/inputs.h"

namespace lockstep::golden {

std::vector<Program> read_programs(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    std::vector<Program> programs;
    std::string line;
    while (std::getline(file, line)) {
        if (line.empty() || line.starts_with("//")) continue;
        std::istringstream words(line);
        Program p;
        if (!(words >> p.file >> p.kernel >> p.grid >> p.block >> p.out_words))
            throw std::runtime_error(path + ": bad line: " + line);
        for (std::string fragment; words >> fragment;) p.fragments.push_back(parse_fragment(fragment));
        programs.push_back(p);
    }
    return programs;
}

std::vector<std::uint32_t> program_input(const Program& program) {
    std::uint64_t state = hash_bytes(program.kernel.data(), program.kernel.size());
    if (!program.fragments.empty())
        return fragment_words(program.fragments, program.grid * program.block / 32, state);
    std::vector<std::uint32_t> words(program_input_words);
    for (std::uint32_t& word : words) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        word = static_cast<std::uint32_t>(state >> 33);
    }
    return words;
}

}  // namespace lockstep::golden
