#include "device/cast-alignments.h"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <optional>

#include "device/changes.h"

namespace lockstep::device {
namespace {

// Where a pointer comes from by casts and elements of arrays; nothing where it is that of a struct's member.
llvm::Value* root_of(llvm::Value* pointer) {
    for (;;) {
        if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(pointer)) {
            pointer = cast->getPointerOperand();
        } else if (auto* element = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
            for (auto i = llvm::gep_type_begin(element); i != llvm::gep_type_end(element); ++i)
                if (i.isStruct()) return nullptr;
            pointer = element->getPointerOperand();
        } else {
            return pointer;
        }
    }
}

// clang knows a variable's alignment, and for any other pointer takes the type's.
llvm::Type* variable_type(const llvm::Value* root) {
    if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(root)) return variable->getValueType();
    if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(root)) return variable->getAllocatedType();
    return nullptr;
}

// Whether it points into a variable that is an array of numbers.
bool is_in_array(llvm::Value* pointer) {
    const llvm::Value* root = root_of(pointer);
    llvm::Type* type = root ? variable_type(root) : nullptr;
    while (type && type->isArrayTy()) type = type->getArrayElementType();
    return type && !type->isStructTy();
}

// Of CUDA's vector types; clang keeps no type's alignment.
std::optional<llvm::Align> vector_alignment(const llvm::Type* type, const llvm::DataLayout& layout) {
    const auto* members = llvm::dyn_cast_or_null<llvm::StructType>(type);
    if (!members || members->isLiteral() || !members->isSized()) return {};
    llvm::StringRef name = members->getName();
    if (!name.consume_front("struct.") || name.empty()) return {};
    const char count = name.back();
    name = name.drop_back();
    name.consume_front("u");
    static constexpr llvm::StringLiteral elements[] = {"char",     "short", "int",   "long",
                                                       "longlong", "float", "double"};
    if (!llvm::is_contained(elements, name)) return {};
    constexpr std::uint64_t widest = 16;
    if (count == '2' || count == '4')
        return llvm::Align(std::min(
            widest, layout.getTypeAllocSize(const_cast<llvm::StructType*>(members)).getFixedValue()));
    return {};
}

// The alignment of the type that is copied, as far as this end of the copy shows it.
std::optional<llvm::Align> type_alignment(llvm::Value* pointer, llvm::Align known,
                                          const llvm::DataLayout& layout) {
    const auto* element = llvm::dyn_cast<llvm::GEPOperator>(pointer);
    if (element && element->getNumIndices() != 1) return {};
    if (element)
        if (const auto alignment = vector_alignment(element->getSourceElementType(), layout))
            return alignment;
    const llvm::Value* root = root_of(pointer);
    if (!root || llvm::isa<llvm::Constant>(root) || llvm::isa<llvm::Argument>(root)) return {};
    if (llvm::Type* type = variable_type(root)) return vector_alignment(type, layout);
    return known;
}

bool raise(llvm::Value* pointer, llvm::Align& alignment, llvm::Align wanted) {
    if (alignment >= wanted || !is_in_array(pointer)) return false;
    alignment = wanted;
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(root_of(pointer)))
        variable->setAlignment(std::max(variable->getAlign(), wanted));
    return true;
}

bool raise(llvm::MemCpyInst& copy, const llvm::DataLayout& layout) {
    // Only a struct's, and not one that the program asks for by name.
    if (!copy.hasMetadata(llvm::LLVMContext::MD_tbaa_struct)) return false;
    llvm::Align to = copy.getDestAlign().valueOrOne(), from = copy.getSourceAlign().valueOrOne();
    auto wanted = type_alignment(copy.getRawDest(), to, layout);
    if (!wanted) wanted = type_alignment(copy.getRawSource(), from, layout);
    if (!wanted) return false;
    const bool raised = raise(copy.getRawDest(), to, *wanted) | raise(copy.getRawSource(), from, *wanted);
    copy.setDestAlignment(to);
    copy.setSourceAlignment(from);
    return raised;
}

template <class Access>
bool raise(Access& access, llvm::Type* type, const llvm::DataLayout& layout) {
    llvm::Align alignment = access.getAlign();
    if (!raise(access.getPointerOperand(), alignment, layout.getABITypeAlign(type))) return false;
    access.setAlignment(alignment);
    return true;
}

}  // namespace

llvm::PreservedAnalyses CastAlignments::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    const llvm::DataLayout& layout = function.getParent()->getDataLayout();
    return same_branches(change_instructions(function, [&](llvm::Instruction& instruction) {
        if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
            return raise(*load, load->getType(), layout);
        if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
            return raise(*store, store->getValueOperand()->getType(), layout);
        auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction);
        return copy && raise(*copy, layout);
    }));
}

}  // namespace lockstep::device
