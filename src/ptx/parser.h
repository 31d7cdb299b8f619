// PTX text to syntax tree.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "ptx/ast.h"

namespace lockstep::ptx {

struct ParseOutcome {
    Module module;              // what could be read; complete only if there are no errors
    std::vector<Error> errors;  // in the order of the text; at most 100
};

// Reads a whole module and goes on after an error, at the next ';' or directive. `name` stands in the
// messages' places.
ParseOutcome parse_all(std::string_view text, std::string name);

// The same for callers who need just one answer: the module, or the first error (which says how many more
// there are).
Result<Module> parse(std::string_view text, std::string name);

// What `function` holds that lockstep knows but does not execute: one error an instruction, with its place.
std::vector<Error> unsupported(const Module& module, const Function& function);

}  // namespace lockstep::ptx
