#include "device/for-checks.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "ptx/system-header.h"

namespace lockstep::device {

llvm::PreservedAnalyses KeepUndefinedReads::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    constexpr unsigned shared = 3;
    for (llvm::GlobalVariable& variable : module.globals())
        if (variable.getAddressSpace() == shared && !variable.isDeclaration())
            variable.setExternallyInitialized(true);
    return llvm::PreservedAnalyses::all();
}

llvm::PreservedAnalyses LoopLines::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
        const llvm::DebugLoc start = loop->getStartLoc();
        llvm::SmallVector<llvm::BasicBlock*> latches;
        loop->getLoopLatches(latches);
        for (llvm::BasicBlock* latch : latches)
            if (start && loop->getLoopID()) latch->getTerminator()->setDebugLoc(start);
    }
    return llvm::PreservedAnalyses::all();
}

namespace {

// How far back a value is looked at.
constexpr int most_steps = 4;

bool computes(const llvm::Value* value) {
    return llvm::isa<llvm::CastInst, llvm::BinaryOperator, llvm::UnaryOperator, llvm::CmpInst>(value);
}

// The load that a value is made of, if it is made of one; parameters and constants are always there.
const llvm::LoadInst* loaded(const llvm::Value* value, int steps = most_steps) {
    constexpr unsigned constant = 4, parameter = 101;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value)) {
        const unsigned space = load->getPointerAddressSpace();
        return space == constant || space == parameter ? nullptr : load;
    }
    if (!computes(value) || steps == 0) return nullptr;
    for (const llvm::Value* operand : llvm::cast<llvm::Instruction>(value)->operands())
        if (const llvm::LoadInst* load = loaded(operand, steps - 1)) return load;
    return nullptr;
}

bool rests_on(const llvm::Value* value, const llvm::LoadInst* load, int steps = most_steps) {
    if (value == load) return true;
    return computes(value) && steps != 0 &&
           llvm::any_of(llvm::cast<llvm::Instruction>(value)->operands(),
                        [&](const llvm::Use& operand) { return rests_on(operand, load, steps - 1); });
}

bool may_hide_undefined(const llvm::SelectInst& choice) {
    if (choice.getType()->isIntegerTy(1) || choice.getType()->isVectorTy()) return false;
    return llvm::any_of(llvm::ArrayRef{choice.getTrueValue(), choice.getFalseValue()},
                        [&](const llvm::Value* value) {
                            const llvm::LoadInst* load = loaded(value);
                            return load && !rests_on(choice.getCondition(), load);
                        });
}

}  // namespace

llvm::PreservedAnalyses ChoicesAsBranches::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    llvm::SmallVector<llvm::SelectInst*> choices;
    for (llvm::Instruction& instruction : llvm::instructions(function))
        if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(&instruction);
            choice && may_hide_undefined(*choice))
            choices.push_back(choice);
    for (llvm::SelectInst* choice : choices) {
        llvm::Instruction *chosen = nullptr, *other = nullptr;
        llvm::SplitBlockAndInsertIfThenElse(choice->getCondition(), choice->getIterator(), &chosen, &other);
        auto* value = llvm::PHINode::Create(choice->getType(), 2, "", choice->getIterator());
        value->addIncoming(choice->getTrueValue(), chosen->getParent());
        value->addIncoming(choice->getFalseValue(), other->getParent());
        value->setDebugLoc(choice->getDebugLoc());
        choice->replaceAllUsesWith(value);
        choice->eraseFromParent();
    }
    return choices.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

llvm::PreservedAnalyses UserLines::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
        const llvm::DILocation* at = instruction.getDebugLoc();
        while (at && at->getInlinedAt() &&
               ptx::is_system_header((at->getDirectory() + "/" + at->getFilename()).str()))
            at = at->getInlinedAt();
        if (at != instruction.getDebugLoc().get()) instruction.setDebugLoc(at);
    }
    return llvm::PreservedAnalyses::all();
}

}  // namespace lockstep::device
