#include "device/shared-casts.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>

namespace lockstep::device {
namespace {

constexpr unsigned shared = 3;

// Constant expressions become instructions where they are used.
void write_out_constants(llvm::Module& module) {
    llvm::SmallVector<llvm::Constant*> variables;
    for (llvm::GlobalVariable& variable : module.globals())
        if (variable.getAddressSpace() == shared) variables.push_back(&variable);
    llvm::convertUsersOfConstantsToInstructions(variables);
}

llvm::Value* convert(llvm::IRBuilder<>& builder, const char* instruction, llvm::Value* address) {
    llvm::Type* type = builder.getInt64Ty();
    const auto function = llvm::FunctionType::get(type, {type}, false);
    return builder.CreateCall(
        llvm::InlineAsm::get(function, std::string(instruction) + " $0, $1;", "=l,l", false), {address});
}

// A generic null pointer becomes an address that nothing in shared memory has. Whether there was one.
bool replace_null(llvm::Module& module, llvm::Constant* nowhere) {
    llvm::Constant* null = llvm::ConstantExpr::getAddrSpaceCast(
        llvm::ConstantPointerNull::get(llvm::PointerType::get(module.getContext(), 0)), nowhere->getType());
    if (null->use_empty()) return false;
    null->replaceAllUsesWith(nowhere);
    return true;
}

// `nowhere`: what a null pointer may have become before, if anything.
void rewrite(llvm::AddrSpaceCastInst& cast, llvm::Constant* nowhere) {
    llvm::IRBuilder<> builder(&cast);
    llvm::Value* result = nullptr;
    if (cast.getSrcAddressSpace() == shared) {
        llvm::Value* address = builder.CreateZExt(
            builder.CreatePtrToInt(cast.getPointerOperand(), builder.getInt32Ty()), builder.getInt64Ty());
        result = builder.CreateIntToPtr(convert(builder, "cvta.shared.u64", address), cast.getType());
        if (nowhere)
            result = builder.CreateSelect(builder.CreateICmpEQ(cast.getPointerOperand(), nowhere),
                                          llvm::Constant::getNullValue(cast.getType()), result);
    } else {
        llvm::Value* address =
            convert(builder, "cvta.to.shared.u64",
                    builder.CreatePtrToInt(cast.getPointerOperand(), builder.getInt64Ty()));
        result = builder.CreateIntToPtr(builder.CreateTrunc(address, builder.getInt32Ty()), cast.getType());
    }
    cast.replaceAllUsesWith(result);
    cast.eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses SharedCasts::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    llvm::Constant* nowhere = llvm::ConstantExpr::getIntToPtr(
        llvm::ConstantInt::get(llvm::Type::getInt32Ty(module.getContext()), ~0u),
        llvm::PointerType::get(module.getContext(), shared));
    if (!replace_null(module, nowhere)) nowhere = nullptr;
    write_out_constants(module);
    for (llvm::Function& function : module)
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
            auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction);
            if (cast && (cast->getSrcAddressSpace() == shared || cast->getDestAddressSpace() == shared))
                rewrite(*cast, nowhere);
        }
    return llvm::PreservedAnalyses::none();
}

}  // namespace lockstep::device
