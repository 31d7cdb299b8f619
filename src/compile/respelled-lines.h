// Single lines that nvcc takes and clang does not, found by clang's complaint of them. Lines stay as they
// are; a text in which there is nothing to mend comes back unchanged.
#pragma once
#include <string>

namespace lockstep::compile {

// `alignas` on that line is `_Alignas`, which may stand among a declaration's words wherever it likes.
std::string free_alignas(std::string text, int line);

// Operands of inline PTX, of which one begins on that line, get the comma between them that nvcc does not
// miss.
std::string separate_operands(std::string text, int line);

// The `__shared__` variable of that line, whose constructor nvcc does not call and clang refuses, is a
// reference to memory of its type: lockstep/shared-storage.h.
std::string store_shared(std::string text, int line);

}  // namespace lockstep::compile
