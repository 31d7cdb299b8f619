// Of which variable of shared memory an address was made.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernel/ir.h"

namespace lockstep::kernel {

struct SharedVariable {
    std::string name;
    std::uint64_t offset = 0, size = 0;  // in the block's shared memory; 0: as much as a launch says
};

// For each register of a function, the variable from whose address its value is counted. Sums keep it; what
// is loaded, or made of two addresses, has none.
class SharedVariables {
  public:
    // `offsets`: where variables lie, by name.
    SharedVariables(const Function& function, const std::map<std::string, std::uint64_t>& offsets);

    // Of an address operand; null: it is not known to be of one.
    const SharedVariable* of(const ptx::Operand& operand) const;

  private:
    int raw(const ptx::Operand& operand) const;
    int variable(const ptx::Operand& operand) const;
    bool visit(const ptx::Instruction& instruction);

    const Function& function_;
    std::vector<SharedVariable> variables_;
    std::map<std::string, int> by_name_;
    std::vector<int> of_;  // by register: a variable, or one of the values below
};

}  // namespace lockstep::kernel
