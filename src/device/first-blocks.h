// Where something that several blocks need is made first.
#pragma once
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Dominators.h>

namespace lockstep::device {

// The first of `blocks` on the way to this one, which is one of them.
inline llvm::BasicBlock* first_with(const llvm::SmallPtrSetImpl<llvm::BasicBlock*>& blocks,
                                    llvm::BasicBlock* block, const llvm::DominatorTree& tree) {
    llvm::BasicBlock* first = block;
    for (const llvm::DomTreeNode* node = tree.getNode(block); node; node = node->getIDom())
        if (blocks.contains(node->getBlock())) first = node->getBlock();
    return first;
}

}  // namespace lockstep::device
