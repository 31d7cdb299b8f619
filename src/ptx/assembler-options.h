// What ptxas is told on its command line that changes the code it makes of PTX. Compilers keep the words in
// fat binaries, so that whoever assembles the PTX later can do as they were told.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "ptx/ast.h"

namespace lockstep::ptx {

struct AssemblerOptions {
    int max_registers = 0;               // -maxrregcount; 0: not given
    std::optional<Modifier> load_cache;  // -dlcm: how loads are cached that do not say so themselves
    bool operator==(const AssemblerOptions&) const = default;
};

// Reads "-dlcm=cg -v  -maxrregcount=24 " into `options`; what does not change the code is passed over.
Result<void> read_assembler_options(std::string_view words, AssemblerOptions& options);

// The words that say this; empty: nothing to be said.
std::string to_string(const AssemblerOptions& options);

// The module as if its text said so itself. What a kernel or a load says of its own comes first, as it does
// for ptxas.
void apply(const AssemblerOptions& options, Module& module);

// The text that says so itself, for these words of a fat binary. What cannot be parsed, or nothing is to be
// said of, stays as it is.
std::string assembled(std::string text, std::string_view words);

}  // namespace lockstep::ptx
