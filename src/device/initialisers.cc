#include "device/initialisers.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "device/changes.h"
#include "device/grid-constants.h"

namespace lockstep::device {
namespace {

// A table of more bytes stays one.
constexpr std::uint64_t largest_initialiser = 4096;

// Larger structs are read where they are, unless they are written.
constexpr std::uint64_t largest_copied_parameter = 128;

struct InitialValue {
    llvm::Constant* value;
    std::uint64_t offset;
};

void collect_values(llvm::Constant* value, std::uint64_t offset, const llvm::DataLayout& layout,
                    std::vector<InitialValue>& values) {
    llvm::Type* type = value->getType();
    if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
        for (unsigned i = 0; i < record->getNumElements(); ++i)
            collect_values(value->getAggregateElement(i),
                           offset + layout.getStructLayout(record)->getElementOffset(i), layout, values);
    } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
        for (unsigned i = 0; i < array->getNumElements(); ++i)
            collect_values(value->getAggregateElement(i),
                           offset + i * layout.getTypeAllocSize(array->getElementType()), layout, values);
    } else if (!llvm::isa<llvm::UndefValue>(value)) {
        values.push_back({value, offset});
    }
}

bool store_values(llvm::MemCpyInst& copy) {
    auto* table = llvm::dyn_cast<llvm::GlobalVariable>(copy.getSource()->stripPointerCasts());
    const auto* length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
    if (!table || !length || copy.isVolatile() || !table->isConstant() || !table->hasLocalLinkage() ||
        !table->hasInitializer() || !llvm::isa<llvm::AllocaInst>(copy.getDest()->stripPointerCasts()))
        return false;
    const llvm::DataLayout& layout = copy.getModule()->getDataLayout();
    if (layout.getTypeAllocSize(table->getValueType()) != length->getZExtValue() ||
        length->getZExtValue() > largest_initialiser)
        return false;
    std::vector<InitialValue> values;
    collect_values(table->getInitializer(), 0, layout, values);
    llvm::IRBuilder<> builder(&copy);
    for (const InitialValue& value : values)
        builder.CreateAlignedStore(
            value.value,
            builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), copy.getDest(), value.offset),
            llvm::commonAlignment(copy.getDestAlign().valueOrOne(), value.offset));
    copy.eraseFromParent();
    return true;
}

// A struct that is passed by value is a variable of its own; what no register can hold of it stays in
// local memory.
bool copy_parameters(llvm::Function& function) {
    bool changed = false;
    for (llvm::Argument& argument : function.args()) {
        llvm::Type* type = argument.getParamByValType();
        if (!type || argument.use_empty() ||
            function.getAttributes().hasParamAttr(argument.getArgNo(), grid_constant))
            continue;
        const std::uint64_t size = function.getParent()->getDataLayout().getTypeAllocSize(type);
        if (size >= largest_copied_parameter) continue;
        llvm::IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
        const llvm::Align alignment = argument.getParamAlign().valueOrOne();
        llvm::AllocaInst* variable = builder.CreateAlloca(type);
        variable->setAlignment(alignment);
        argument.replaceAllUsesWith(variable);
        builder.CreateMemCpy(variable, alignment, &argument, alignment, size);
        changed = true;
    }
    return changed;
}

}  // namespace

llvm::PreservedAnalyses Initialisers::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    const bool copied = copy_parameters(function);
    const bool stored = change_instructions(function, [](llvm::Instruction& instruction) {
        auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction);
        return copy && store_values(*copy);
    });
    return same_branches(copied || stored);
}

}  // namespace lockstep::device
