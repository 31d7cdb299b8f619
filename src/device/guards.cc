#include "device/guards.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include "device/changes.h"

namespace lockstep::device {

void guard(llvm::Instruction& instruction, llvm::StringRef why) {
    llvm::IRBuilder<> builder(instruction.getNextNode());
    llvm::CallInst* const behind = builder.CreateIntrinsic(llvm::Intrinsic::sideeffect, {}, {});
    behind->addFnAttr(llvm::Attribute::NoMerge);
    behind->addFnAttr(llvm::Attribute::get(instruction.getContext(), why));
}

bool unguard(llvm::Function& function, llvm::StringRef why) {
    return change_instructions(function, [&](llvm::Instruction& instruction) {
        const auto* behind = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        if (!behind || !behind->hasFnAttr(why)) return false;
        instruction.eraseFromParent();
        return true;
    });
}

}  // namespace lockstep::device
