#include "device/byte-vectors.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>

#include "device/changes.h"

namespace lockstep::device {
namespace {

constexpr unsigned bytes = 4, global_memory = 1;

bool is_of_bytes(const llvm::Type& type, unsigned memory) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
    return vector && vector->getNumElements() == bytes && vector->getElementType()->isIntegerTy(8) &&
           memory == global_memory;
}

bool is_at(const llvm::Value* index, std::uint64_t place) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(index);
    return constant && constant->getZExtValue() == place;
}

// Whether the byte goes to the same place of another vector, and nowhere else.
bool is_copied(const llvm::ExtractElementInst& byte) {
    const auto place = llvm::cast<llvm::ConstantInt>(byte.getIndexOperand())->getZExtValue();
    return llvm::all_of(byte.users(), [&](const llvm::User* user) {
        return llvm::isa<llvm::InsertElementInst>(user) && is_at(user->getOperand(2), place);
    });
}

// Whether each of the four bytes is used alone, and not all of them only as a copy, which is of a word.
bool is_cut_up(const llvm::LoadInst& load) {
    return is_of_bytes(*load.getType(), load.getPointerAddressSpace()) && load.isSimple() &&
           !load.use_empty() &&
           llvm::all_of(load.users(),
                        [](const llvm::User* user) {
                            const auto* part = llvm::dyn_cast<llvm::ExtractElementInst>(user);
                            return part && llvm::isa<llvm::ConstantInt>(part->getIndexOperand());
                        }) &&
           !llvm::all_of(load.users(), [](const llvm::User* user) {
               return is_copied(*llvm::cast<llvm::ExtractElementInst>(user));
           });
}

// What is made of a byte is made of its register, whose upper half is zero.
void use_register(llvm::Instruction& byte, llvm::Value& whole) {
    llvm::Value* narrow = nullptr;
    for (llvm::User* user : llvm::make_early_inc_range(byte.users())) {
        llvm::IRBuilder<> builder(llvm::cast<llvm::Instruction>(user));
        if (llvm::isa<llvm::ZExtInst>(user)) {
            user->replaceAllUsesWith(builder.CreateZExtOrTrunc(&whole, user->getType()));
        } else if (llvm::isa<llvm::UIToFPInst>(user)) {
            user->replaceAllUsesWith(builder.CreateUIToFP(&whole, user->getType()));
        } else {
            if (!narrow) narrow = llvm::IRBuilder<>(&byte).CreateTrunc(&whole, byte.getType());
            user->replaceUsesOfWith(&byte, narrow);
            continue;
        }
        llvm::cast<llvm::Instruction>(user)->eraseFromParent();
    }
    byte.eraseFromParent();
}

// A register, and the constant that the access adds to it.
struct Address {
    llvm::Value* base;
    llvm::Value* distance;
};

Address address_of(llvm::Instruction& access, llvm::Value& pointer) {
    const llvm::DataLayout& layout = access.getModule()->getDataLayout();
    llvm::APInt distance(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
    llvm::Value* const base =
        pointer.stripAndAccumulateConstantOffsets(layout, distance, /*AllowNonInbounds=*/true);
    return {base, llvm::ConstantInt::get(access.getContext(), distance)};
}

// Whether the kernel writes nothing there: it may be read through the cache for constants.
bool is_constant(const llvm::LoadInst& load) {
    const auto* argument =
        llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(load.getPointerOperand()));
    return load.hasMetadata(llvm::LLVMContext::MD_invariant_load) ||
           (argument && argument->onlyReadsMemory() && argument->hasNoAliasAttr());
}

void load_registers(llvm::LoadInst& load) {
    llvm::IRBuilder<> builder(&load);
    const auto [base, distance] = address_of(load, *load.getPointerOperand());
    const llvm::SmallVector<llvm::Type*, bytes> registers(bytes, builder.getInt16Ty());
    auto* const type = llvm::FunctionType::get(llvm::StructType::get(load.getContext(), registers),
                                               {base->getType(), distance->getType()}, false);
    const std::string text =
        std::string(is_constant(load) ? "ld.global.nc" : "ld.global") + ".v4.u8 {$0, $1, $2, $3}, [$4+$5];";
    llvm::CallInst* const call =
        builder.CreateCall(llvm::InlineAsm::get(type, text, "=h,=h,=h,=h,l,n", false), {base, distance});
    call->setMemoryEffects(llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::Ref));
    call->setDoesNotThrow();
    for (llvm::User* user : llvm::make_early_inc_range(load.users())) {
        auto* const part = llvm::cast<llvm::ExtractElementInst>(user);
        const auto index = llvm::cast<llvm::ConstantInt>(part->getIndexOperand())->getZExtValue();
        use_register(*part, *builder.CreateExtractValue(call, static_cast<unsigned>(index)));
    }
    load.eraseFromParent();
}

// Of a register only the lower half is stored.
llvm::Value* register_of(llvm::IRBuilder<>& builder, llvm::Value& byte) {
    const auto* narrowed = llvm::dyn_cast<llvm::TruncInst>(&byte);
    return narrowed ? builder.CreateZExtOrTrunc(narrowed->getOperand(0), builder.getInt16Ty())
                    : builder.CreateZExt(&byte, builder.getInt16Ty());
}

bool store_registers(llvm::StoreInst& store) {
    llvm::SmallVector<llvm::Value*> parts;
    for (unsigned index = 0; index < bytes; ++index)
        parts.push_back(llvm::findScalarElement(store.getValueOperand(), index));
    // What was not cut up stays a word.
    if (llvm::any_of(parts, [](const llvm::Value* byte) {
            return !byte || llvm::isa<llvm::ExtractElementInst>(byte);
        }))
        return false;
    llvm::IRBuilder<> builder(&store);
    const auto [base, distance] = address_of(store, *store.getPointerOperand());
    llvm::SmallVector<llvm::Value*> operands = {base, distance};
    for (llvm::Value* byte : parts) operands.push_back(register_of(builder, *byte));
    llvm::SmallVector<llvm::Type*> types;
    for (const llvm::Value* operand : operands) types.push_back(operand->getType());
    llvm::CallInst* const call = builder.CreateCall(
        llvm::InlineAsm::get(llvm::FunctionType::get(builder.getVoidTy(), types, false),
                             "st.global.v4.u8 [$0+$1], {$2, $3, $4, $5};", "l,n,h,h,h,h", true),
        operands);
    call->setMemoryEffects(llvm::MemoryEffects::argMemOnly(llvm::ModRefInfo::Mod));
    call->setDoesNotThrow();
    store.eraseFromParent();
    return true;
}

}  // namespace

llvm::PreservedAnalyses ByteVectors::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    llvm::SmallVector<llvm::LoadInst*> loads;
    llvm::SmallVector<llvm::StoreInst*> stores;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
        if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && is_cut_up(*load))
            loads.push_back(load);
        if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
            store && store->isSimple() &&
            is_of_bytes(*store->getValueOperand()->getType(), store->getPointerAddressSpace()))
            stores.push_back(store);
    }
    for (llvm::LoadInst* load : loads) load_registers(*load);
    bool changed = !loads.empty();
    for (llvm::StoreInst* store : stores) changed |= store_registers(*store);
    return same_branches(changed);
}

}  // namespace lockstep::device
