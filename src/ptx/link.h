// Joins modules that were compiled separately (nvcc -dc) into one.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "ptx/ast.h"

namespace lockstep::ptx {

// Whether other files may mean it by its name.
bool is_public(Linkage linkage);

struct Linked {
    Module module;
    // What a name means in each of the texts: indices into module.functions and module.variables.
    std::vector<std::map<std::string, std::uint32_t, std::less<>>> functions, variables;
};

// A declaration without a body or an `.extern` variable takes the definition of that name from another
// module, and one definition stands for all weak ones of a name. Two plain definitions of a name are an
// error, and so is a declaration that does not fit its definition. What is static stays apart, and so do
// kernels. No two shared variables have the same name afterwards.
Result<Linked> link(std::vector<Module> modules);

// For a joined module that is to become a text again: what was static in its file, or a block's, may share
// its name with something else, which references by number do not mind. What is public keeps its name.
void name_apart(Module& module);

}  // namespace lockstep::ptx
