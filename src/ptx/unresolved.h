// What a module uses and nobody has defined.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "ptx/ast.h"

namespace lockstep::ptx {

struct Unresolved {
    std::string name;
    bool function = false;  // else a variable
};

// `.extern` functions and variables that instructions or initialisers name; `supplied`: functions that the
// system has.
std::vector<Unresolved> unresolved(const Module& module,
                                   const std::function<bool(const std::string&)>& supplied);

}  // namespace lockstep::ptx
