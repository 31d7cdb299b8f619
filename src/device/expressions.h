// What integer arithmetic and addresses of a function compute the same, wherever they stand.
#pragma once
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <vector>

namespace lockstep::device {

class Expressions {
  public:
    explicit Expressions(const llvm::DominatorTree& tree);

    // Equal for values that are computed alike.
    unsigned number(const llvm::Value* value);
    // Whether the value is known before `at`, or can be computed there.
    bool is_possible(const llvm::Value* value, const llvm::Instruction* at) const;
    // The value before `at`: itself, or computed there.
    llvm::Value* bring(llvm::Value* value, llvm::Instruction* at) const;
    // Before all of these, which are in the order of the code: the first of them, if it is in the block that
    // is on the way to all.
    llvm::Instruction* place_before(llvm::ArrayRef<llvm::Instruction*> instructions) const;

  private:
    using Key = std::vector<std::uintptr_t>;

    const llvm::DominatorTree& tree_;
    llvm::DenseMap<const llvm::Value*, unsigned> numbers_;
    std::map<Key, unsigned> known_;
    unsigned next_ = 0;
};

}  // namespace lockstep::device
