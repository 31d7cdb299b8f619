#include "exec/jit/first-writes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace lockstep::exec::jit {
namespace {

using llvm::Instruction;

// The store that gives the memory its first value, if no load sees that value; null: there is none, or it is
// needed.
llvm::StoreInst* unread_zero(llvm::AllocaInst& memory, const llvm::DominatorTree& tree) {
    llvm::StoreInst* zero = nullptr;
    std::vector<Instruction*> loads, stores;
    for (llvm::User* user : memory.users()) {
        auto* inst = llvm::cast<Instruction>(user);
        if (llvm::isa<llvm::LoadInst>(inst)) {
            loads.push_back(inst);
            continue;
        }
        auto* store = llvm::dyn_cast<llvm::StoreInst>(inst);
        if (!store || store->getPointerOperand() != &memory) return nullptr;  // seen from elsewhere
        auto* value = llvm::dyn_cast<llvm::Constant>(store->getValueOperand());
        if (!zero && value && value->isNullValue() && store->getParent() == memory.getParent())
            zero = store;
        else
            stores.push_back(store);
    }
    if (!zero || stores.empty()) return nullptr;
    // The first of the other stores, where all of them are in one block.
    Instruction* first = stores.front();
    for (Instruction* store : stores) {
        if (store->getParent() != first->getParent()) return nullptr;
        if (store->comesBefore(first)) first = store;
    }
    if (first->getParent() == zero->getParent()) return nullptr;
    return llvm::all_of(loads, [&](Instruction* load) { return tree.dominates(first, load); }) ? zero
                                                                                               : nullptr;
}

}  // namespace

llvm::PreservedAnalyses FirstWritesPass::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager& analyses) {
    const auto& tree = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
    std::vector<llvm::StoreInst*> unread;
    for (Instruction& inst : function.getEntryBlock())
        if (auto* memory = llvm::dyn_cast<llvm::AllocaInst>(&inst))
            if (llvm::StoreInst* zero = unread_zero(*memory, tree)) unread.push_back(zero);
    for (llvm::StoreInst* zero : unread) zero->eraseFromParent();
    return llvm::PreservedAnalyses::allInSet<llvm::CFGAnalyses>();
}

}  // namespace lockstep::exec::jit
