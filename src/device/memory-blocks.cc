#include "device/memory-blocks.h"

#include <llvm/ADT/bit.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

namespace lockstep::device {
namespace {

constexpr std::uint64_t loop_from = 128;     // bytes
constexpr std::uint64_t largest_word = 4;    // bytes
constexpr std::uint64_t widest_access = 16;  // bytes

// A memcpy or memset of a known size.
class MemoryBlock {
  public:
    MemoryBlock(llvm::MemIntrinsic& intrinsic, std::uint64_t size, std::uint64_t alignment)
        : intrinsic_(intrinsic),
          copy_(llvm::dyn_cast<llvm::MemCpyInst>(&intrinsic)),
          size_(size),
          alignment_(alignment),
          word_(std::min({largest_word, alignment, size & -size})) {}

    void unroll() {
        llvm::IRBuilder<> builder(&intrinsic_);
        std::vector<llvm::Value*> values;  // all loads before all stores, so that each are neighbours
        for (std::uint64_t at = 0; at < size_; at += word_)
            values.push_back(value(builder, builder.getInt64(at)));
        for (std::uint64_t at = 0; at < size_; at += word_)
            store(builder, values[at / word_], builder.getInt64(at));
        intrinsic_.eraseFromParent();
    }

    void loop() {
        llvm::BasicBlock* before = intrinsic_.getParent();
        llvm::BasicBlock* after = llvm::SplitBlock(before, &intrinsic_);
        llvm::BasicBlock* body =
            llvm::BasicBlock::Create(before->getContext(), "", before->getParent(), after);
        before->getTerminator()->setSuccessor(0, body);
        llvm::IRBuilder<> builder(body);
        builder.SetCurrentDebugLocation(intrinsic_.getDebugLoc());
        llvm::PHINode* at = builder.CreatePHI(builder.getInt64Ty(), 2);
        at->addIncoming(builder.getInt64(0), before);
        store(builder, value(builder, at), at);
        llvm::Value* next = builder.CreateAdd(at, builder.getInt64(word_));
        at->addIncoming(next, body);
        builder.CreateCondBr(builder.CreateICmpULT(next, builder.getInt64(size_)), body, after);
        intrinsic_.eraseFromParent();
    }

  private:
    llvm::Type* type(llvm::IRBuilder<>& builder) const {
        return builder.getIntNTy(static_cast<unsigned>(word_ * 8));
    }
    llvm::Align alignment(const llvm::Value* at) const {
        const auto* offset = llvm::dyn_cast<llvm::ConstantInt>(at);
        return offset ? llvm::commonAlignment(llvm::Align(alignment_), offset->getZExtValue())
                      : llvm::Align(word_);
    }
    llvm::Value* place(llvm::IRBuilder<>& builder, llvm::Value* base, llvm::Value* at) const {
        return builder.CreateInBoundsGEP(builder.getInt8Ty(), base, at);
    }
    llvm::Value* value(llvm::IRBuilder<>& builder, llvm::Value* at) const {
        if (copy_)
            return builder.CreateAlignedLoad(type(builder), place(builder, copy_->getSource(), at),
                                             alignment(at));
        llvm::Value* byte = llvm::cast<llvm::MemSetInst>(intrinsic_).getValue();
        llvm::Value* word = builder.CreateZExt(byte, type(builder));
        return builder.CreateMul(
            word,
            llvm::ConstantInt::get(type(builder), 0x01010101U & (word_ == 4 ? ~0U : (1U << word_ * 8) - 1)));
    }
    void store(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Value* at) const {
        builder.CreateAlignedStore(value, place(builder, intrinsic_.getDest(), at), alignment(at));
    }

    llvm::MemIntrinsic& intrinsic_;
    llvm::MemCpyInst* copy_;
    std::uint64_t size_, alignment_, word_;
};

std::uint64_t known_size(const llvm::MemIntrinsic& intrinsic) {
    const auto* length = llvm::dyn_cast<llvm::ConstantInt>(intrinsic.getLength());
    const bool is_ours = llvm::isa<llvm::MemCpyInst>(intrinsic) || llvm::isa<llvm::MemSetInst>(intrinsic);
    return length && is_ours && !intrinsic.isVolatile() ? length->getZExtValue() : 0;
}

std::uint64_t stated_alignment(const llvm::MemIntrinsic& intrinsic) {
    std::uint64_t alignment = intrinsic.getDestAlign().valueOrOne().value();
    if (const auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(&intrinsic))
        alignment = std::min(alignment, copy->getSourceAlign().valueOrOne().value());
    return alignment;
}

std::uint64_t known_alignment(const llvm::MemIntrinsic& intrinsic) {
    const llvm::DataLayout& layout = intrinsic.getModule()->getDataLayout();
    const auto of = [&](llvm::Value* address, std::uint64_t stated) {
        return std::max(stated, llvm::getKnownAlignment(address, layout).value());
    };
    std::uint64_t alignment = of(intrinsic.getDest(), intrinsic.getDestAlign().valueOrOne().value());
    if (const auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(&intrinsic))
        alignment = std::min(alignment, of(copy->getSource(), copy->getSourceAlign().valueOrOne().value()));
    return alignment;
}

// An array has the alignment of the largest access that it is a multiple of.
void align_array(llvm::AllocaInst& variable) {
    if (!variable.getAllocatedType()->isArrayTy() || !variable.isStaticAlloca()) return;
    const llvm::DataLayout& layout = variable.getModule()->getDataLayout();
    const std::uint64_t size = layout.getTypeAllocSize(variable.getAllocatedType());
    if (!size) return;
    const llvm::Align alignment(std::min(widest_access, size & -size));
    if (alignment > variable.getAlign()) variable.setAlignment(alignment);
}

}  // namespace

llvm::PreservedAnalyses MemoryBlocks::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    std::vector<llvm::MemIntrinsic*> blocks;
    for (llvm::Instruction& instruction : llvm::instructions(function))
        if (auto* block = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction))
            if (known_size(*block)) blocks.push_back(block);
    for (llvm::Instruction& instruction : llvm::instructions(function))
        if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) align_array(*variable);
    for (llvm::MemIntrinsic* block : blocks) {
        const std::uint64_t size = known_size(*block);
        if (size >= loop_from)
            MemoryBlock(*block, size, stated_alignment(*block)).loop();
        else
            MemoryBlock(*block, size, known_alignment(*block)).unroll();
    }
    return llvm::PreservedAnalyses::none();
}

}  // namespace lockstep::device
