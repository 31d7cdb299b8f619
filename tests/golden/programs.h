// Conformance programs: kernels whose point is not one instruction but how the threads of warps and blocks
// behave together. Each is `kernel(unsigned* out, const unsigned* in)` in programs/FILE.ptx, which nvcc made
// from FILE.cu.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "golden/fragments.h"

namespace lockstep::golden {

struct Program {
    std::string file;  // without extension
    std::string kernel;
    std::uint32_t grid = 1, block = 32;
    std::uint32_t out_words = 0;      // zero before the launch
    std::vector<Fragment> fragments;  // what is in the input; where there are none, any words
};

inline constexpr std::uint32_t program_input_words = 4096;

// A list in programs/, and the family in recorded/ that its results are.
struct ProgramList {
    const char *file, *family;
};
inline constexpr ProgramList program_lists[] = {{"list.txt", "programs"}, {"matrix.txt", "matrix"}};

// Reads such a list: "FILE KERNEL GRID BLOCK OUT-WORDS [FRAGMENT …]" a line. Throws std::runtime_error.
std::vector<Program> read_programs(const std::string& path);
std::vector<std::uint32_t> program_input(const Program& program);

}  // namespace lockstep::golden
