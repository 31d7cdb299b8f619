#include "device/check-events.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <optional>

#include "ptx/check-events.h"

namespace lockstep::device {
namespace {

using ptx::CheckEvent;

constexpr const char* name_of(CheckEvent event) {
    return event == CheckEvent::index ? "lockstep.index" : "lockstep.overflow";
}

// void mark(i1 done): touches nothing that code can see, and stays.
llvm::FunctionCallee mark_of(llvm::Module& module, CheckEvent event) {
    llvm::LLVMContext& context = module.getContext();
    llvm::AttrBuilder attributes(context);
    attributes.addAttribute(llvm::Attribute::NoUnwind)
        .addAttribute(llvm::Attribute::WillReturn)
        .addAttribute(llvm::Attribute::NoCallback)
        .addMemoryAttr(llvm::MemoryEffects::inaccessibleMemOnly());
    return module.getOrInsertFunction(
        name_of(event), llvm::AttributeList::get(context, llvm::AttributeList::FunctionIndex, attributes),
        llvm::Type::getVoidTy(context), llvm::Type::getInt1Ty(context));
}

// ---- indices ----

// An element of an array: `getelementptr [N x T], base, 0, index`, as clang writes a[index].
struct Indexed {
    llvm::Value* base = nullptr;
    llvm::Value* index = nullptr;
    std::uint64_t count = 0;
    llvm::ArrayType* type = nullptr;
};

std::optional<Indexed> indexed_in(llvm::Value* value) {
    auto* address = llvm::dyn_cast<llvm::GEPOperator>(value);
    if (!address || address->getNumIndices() != 2) return std::nullopt;
    auto* array = llvm::dyn_cast<llvm::ArrayType>(address->getSourceElementType());
    auto* first = llvm::dyn_cast<llvm::ConstantInt>(address->getOperand(1));
    if (!array || !first || !first->isZero()) return std::nullopt;
    return Indexed{address->getPointerOperand(), address->getOperand(2), array->getNumElements(), array};
}

constexpr std::uint64_t unknown = ~std::uint64_t{0};

// Elements from an offset in a type on, to the end of the outermost array that consists of rows of this type;
// 0: the row is not one of several.
std::uint64_t elements_from(const llvm::DataLayout& layout, llvm::Type* type, std::uint64_t offset,
                            llvm::ArrayType* row) {
    while (type != row) {
        if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
            if (offset >= layout.getTypeAllocSize(structure)) return 0;
            const llvm::StructLayout* members = layout.getStructLayout(structure);
            const unsigned member = members->getElementContainingOffset(offset);
            offset -= members->getElementOffset(member);
            type = structure->getElementType(member);
            continue;
        }
        auto* array = llvm::dyn_cast<llvm::ArrayType>(type);
        if (!array) return 0;
        llvm::Type* element = array;
        while (element != row && element->isArrayTy()) element = element->getArrayElementType();
        const std::uint64_t all = layout.getTypeAllocSize(array);
        if (element == row && offset < all)
            return (all - offset) / layout.getTypeAllocSize(row->getElementType());
        type = array->getElementType();
        offset %= std::max<std::uint64_t>(layout.getTypeAllocSize(type), 1);
    }
    return 0;
}

// A row that the source names by a number, t[0][i]: whoever goes beyond it means the array as a whole. How
// many elements there are from its begin, or unknown; 0: it is no such row.
std::uint64_t elements_from_fixed_row(const Indexed& element, const llvm::DataLayout& layout) {
    if (llvm::isa<llvm::Constant>(element.base)) {
        llvm::APInt offset(layout.getIndexTypeSizeInBits(element.base->getType()), 0);
        const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(
            element.base->stripAndAccumulateConstantOffsets(layout, offset, true));
        return variable && !offset.isNegative()
                   ? elements_from(layout, variable->getValueType(), offset.getZExtValue(), element.type)
                   : 0;
    }
    const auto* at = llvm::dyn_cast<llvm::GEPOperator>(element.base);
    if (!at || at->getResultElementType() != element.type) return 0;
    const auto row = indexed_in(element.base);
    // A pointer to rows: how many there are is not known.
    if (!row)
        return at->getNumIndices() == 1 && llvm::isa<llvm::ConstantInt>(at->getOperand(1)) ? unknown : 0;
    const auto* number = llvm::dyn_cast<llvm::ConstantInt>(row->index);
    if (!number || number->getValue().uge(row->count)) return 0;
    if (elements_from_fixed_row(*row, layout) == unknown) return unknown;
    return (row->count - number->getZExtValue()) * element.count;
}

// It is known where a variable of shared memory ends, and an element of it is as far from there as from the
// array's end.
bool is_whole_shared_variable(const llvm::Value* base, const llvm::Type* array) {
    constexpr unsigned shared = 3;
    const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(base->stripPointerCasts());
    return variable && variable->getAddressSpace() == shared && variable->getValueType() == array;
}

// Whether the element itself is accessed; else its address may be that behind the last one.
bool is_accessed(const llvm::Value& address) {
    return llvm::any_of(address.uses(), [](const llvm::Use& use) {
        const llvm::User* user = use.getUser();
        if (llvm::isa<llvm::LoadInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::MemIntrinsic>(user))
            return true;
        if (llvm::isa<llvm::StoreInst>(user)) return use.getOperandNo() == 1;
        if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(user)) return is_accessed(*cast);
        // A member or a row of it.
        if (auto* part = llvm::dyn_cast<llvm::GetElementPtrInst>(user))
            return part->getNumIndices() > 1 && is_accessed(*part);
        auto* call = llvm::dyn_cast<llvm::CallBase>(user);
        if (!call || !call->isArgOperand(&use)) return false;
        // What is bound to a reference, and the address of an atomic operation.
        const unsigned argument = call->getArgOperandNo(&use);
        const llvm::Function* callee = call->getCalledFunction();
        return call->getParamDereferenceableBytes(argument) > 0 ||
               (callee && callee->getName().contains("atomic"));
    });
}

void mark_index(llvm::GetElementPtrInst& address) {
    const auto element = indexed_in(&address);
    // Arrays of one element or none, at the end of a structure, are as long as what was allocated.
    if (!element || element->count < 2) return;
    if (is_whole_shared_variable(element->base, element->type) &&
        !element->type->getElementType()->isArrayTy())
        return;
    std::uint64_t most = element->count - (is_accessed(address) ? 1 : 0);
    if (const std::uint64_t all = elements_from_fixed_row(*element, address.getDataLayout())) {
        if (all == unknown) return;
        most = std::max(most, all - 1);
    }
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(element->index))
        if (number->getValue().ule(most)) return;
    llvm::IRBuilder<> builder(&address);
    builder.CreateCall(
        mark_of(*address.getModule(), CheckEvent::index),
        {builder.CreateICmpUGT(element->index, llvm::ConstantInt::get(element->index->getType(), most))});
}

// ---- overflow ----

void mark_overflow(llvm::BinaryOperator& operation) {
    const auto* type = llvm::dyn_cast<llvm::IntegerType>(operation.getType());
    if (!type || type->getBitWidth() < 32 || type->getBitWidth() > 64) return;
    const auto checked =
        operation.getOpcode() == llvm::Instruction::Add   ? llvm::Intrinsic::sadd_with_overflow
        : operation.getOpcode() == llvm::Instruction::Sub ? llvm::Intrinsic::ssub_with_overflow
        : operation.getOpcode() == llvm::Instruction::Mul ? llvm::Intrinsic::smul_with_overflow
                                                          : llvm::Intrinsic::not_intrinsic;
    if (checked == llvm::Intrinsic::not_intrinsic || !operation.hasNoSignedWrap()) return;
    llvm::IRBuilder<> builder(&operation);
    llvm::Value* both =
        builder.CreateBinaryIntrinsic(checked, operation.getOperand(0), operation.getOperand(1));
    builder.CreateCall(mark_of(*operation.getModule(), CheckEvent::overflow),
                       {builder.CreateExtractValue(both, 1)});
    // What LLVM would make of the result if it could not be: there is a mark that says it can.
    operation.setHasNoSignedWrap(false);
}

template <class Instruction>
llvm::PreservedAnalyses each(llvm::Module& module, void (*mark)(Instruction&)) {
    for (llvm::Function& function : module) {
        llvm::SmallVector<Instruction*> found;
        for (llvm::Instruction& instruction : llvm::instructions(function))
            if (auto* one = llvm::dyn_cast<Instruction>(&instruction)) found.push_back(one);
        for (Instruction* one : found) mark(*one);
    }
    return llvm::PreservedAnalyses::none();
}

// ---- events ----

void tell(llvm::CallInst& mark, CheckEvent event) {
    llvm::Value* done = mark.getArgOperand(0);
    if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(done); known && known->isZero()) {
        mark.eraseFromParent();
        return;
    }
    llvm::IRBuilder<> builder(&mark);
    const std::string text = "pmevent.mask " + std::to_string(static_cast<std::uint32_t>(event)) + ";";
    llvm::SmallVector<llvm::Type*, 1> types;
    llvm::SmallVector<llvm::Value*, 1> values;
    const bool always = llvm::isa<llvm::Constant>(done);
    if (!always) {
        types.push_back(done->getType());
        values.push_back(done);
    }
    auto* function = llvm::FunctionType::get(builder.getVoidTy(), types, false);
    builder.CreateCall(function,
                       llvm::InlineAsm::get(function, always ? text : "@$0 " + text, always ? "" : "b", true),
                       values);
    mark.eraseFromParent();
}

}  // namespace

llvm::PreservedAnalyses MarkIndices::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    return each<llvm::GetElementPtrInst>(module, mark_index);
}

llvm::PreservedAnalyses MarkOverflows::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    return each<llvm::BinaryOperator>(module, mark_overflow);
}

llvm::PreservedAnalyses TellMarks::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    for (const CheckEvent event : {CheckEvent::index, CheckEvent::overflow}) {
        llvm::Function* const mark = module.getFunction(name_of(event));
        if (!mark) continue;
        for (llvm::User* user : llvm::make_early_inc_range(mark->users()))
            if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) tell(*call, event);
        mark->eraseFromParent();
    }
    return llvm::PreservedAnalyses::none();
}

}  // namespace lockstep::device
