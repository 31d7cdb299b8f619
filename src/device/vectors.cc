#include "device/vectors.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "device/changes.h"

namespace lockstep::device {
namespace {

constexpr const char* mark = "lockstep.vector";
constexpr unsigned longest = 4;             // members of a vector
constexpr std::uint64_t largest_gap = 4;    // bytes of a member, where some may be left out
constexpr std::size_t most_distance = 400;  // instructions between a vector's first access and another

std::uint64_t size_of(const llvm::Type* type, const llvm::DataLayout& layout) {
    return layout.getTypeStoreSize(const_cast<llvm::Type*>(type));
}

std::optional<VectorPart> part_at(llvm::Instruction& access, unsigned index, unsigned length) {
    const llvm::DataLayout& layout = access.getModule()->getDataLayout();
    const auto size = static_cast<std::int64_t>(size_of(llvm::getLoadStoreType(&access), layout));
    std::int64_t offset = 0;
    const llvm::Value* base =
        llvm::GetPointerBaseWithConstantOffset(llvm::getLoadStorePointerOperand(&access), offset, layout);
    return VectorPart{base, offset - index * size, index, length};
}

class Block {
  public:
    Block(llvm::BasicBlock& block, llvm::AAResults& aliases, const llvm::DominatorTree& tree)
        : block(block), aliases(aliases), tree(tree), layout(block.getModule()->getDataLayout()) {}

    bool complete_stores() {
        bool changed = false;
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(block))
            if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) changed |= complete(*store);
        return changed;
    }

    bool widen_loads() {
        bool changed = false;
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(block))
            if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) changed |= widen(*load);
        return changed;
    }

  private:
    llvm::Value* place(llvm::IRBuilder<>& builder, llvm::Instruction& access, std::int64_t offset) {
        llvm::Value* pointer = llvm::getLoadStorePointerOperand(&access);
        return offset ? builder.CreatePtrAdd(pointer, builder.getInt64(static_cast<std::uint64_t>(offset)))
                      : pointer;
    }

    // Where the vector can be loaded that a store is part of, if it comes from a copy, too, and not from a
    // value for each member: here, or where another part of it is loaded.
    llvm::Instruction* place_of_load(llvm::StoreInst& store, const VectorPart& part) {
        const auto is_part = [&](llvm::Instruction& instruction) {
            if (!llvm::isa<llvm::LoadInst>(instruction)) return false;
            const auto other = marked_vector_part(instruction);
            return other && other->same_vector(part) && tree.dominates(&instruction, &store);
        };
        if (llvm::any_of(block, is_part)) return &store;
        llvm::Instruction* place = nullptr;
        const llvm::MemoryLocation location =
            llvm::MemoryLocation::getBeforeOrAfter(store.getPointerOperand());
        for (llvm::Instruction& instruction : llvm::instructions(*block.getParent())) {
            if (!place && is_part(instruction)) place = &instruction;
            const auto own = llvm::isa<llvm::StoreInst>(instruction) && instruction.getParent() == &block
                                 ? marked_vector_part(instruction)
                                 : std::nullopt;
            if (!(own && own->same_vector(part)) && instruction.mayWriteToMemory() &&
                llvm::isModSet(aliases.getModRefInfo(&instruction, location)))
                return nullptr;
        }
        return place;
    }

    // What LLVM has left out of a vector because it is what memory holds already is written all the same.
    bool complete(llvm::StoreInst& first) {
        const auto part = marked_vector_part(first);
        if (!part || !first.isSimple()) return false;
        llvm::Instruction* const load_at = place_of_load(first, *part);
        if (!load_at) return false;
        const std::int64_t load_index = marked_vector_part(*load_at)->index;
        unsigned present = 1U << part->index;
        first.setMetadata(mark, nullptr);
        for (auto it = std::next(first.getIterator()); it != block.end(); ++it) {
            auto* store = llvm::dyn_cast<llvm::StoreInst>(&*it);
            if (!store) {
                if (it->mayWriteToMemory()) break;
                continue;
            }
            const auto other = marked_vector_part(*store);
            if (!other || !other->same_vector(*part) || (present >> other->index & 1)) continue;
            present |= 1U << other->index;
            store->setMetadata(mark, nullptr);
        }
        llvm::Type* type = first.getValueOperand()->getType();
        const auto size = static_cast<std::int64_t>(size_of(type, layout));
        llvm::IRBuilder<> builder(&first), loads(load_at);
        bool changed = false;
        for (unsigned i = 0; i < part->length; ++i) {
            if (present >> i & 1) continue;
            const std::int64_t away = (std::int64_t{i} - std::int64_t{part->index}) * size;
            const llvm::Align alignment =
                llvm::commonAlignment(llvm::Align(static_cast<std::uint64_t>(size) * part->length),
                                      i * static_cast<std::uint64_t>(size));
            llvm::Value* pointer = place(builder, first, away);
            llvm::LoadInst* value = loads.CreateAlignedLoad(
                type, place(loads, *load_at, (std::int64_t{i} - load_index) * size), alignment);
            mark_vector_part(*value, i, part->length);
            builder.CreateAlignedStore(value, pointer, alignment);
            changed = true;
        }
        return changed;
    }

    // The part of a vector that a load is, by its mark, or as one that begins with a member aligned as the
    // whole.
    std::optional<VectorPart> part_of(llvm::LoadInst& load) {
        if (!load.isSimple() || load.getType()->isVectorTy() || load.use_empty()) return {};
        if (auto marked = marked_vector_part(load)) return marked;
        const std::uint64_t size = size_of(load.getType(), layout);
        if (size > largest_gap || load.getAlign().value() < size * longest ||
            llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(load.getPointerOperand())))
            return {};
        return part_at(load, 0, longest);
    }

    bool widen(llvm::LoadInst& first) {
        const auto part = part_of(first);
        if (!part) return false;
        const std::uint64_t size = size_of(first.getType(), layout);
        const bool is_marked = first.hasMetadata(mark);
        std::vector<std::pair<llvm::LoadInst*, unsigned>> loads = {{&first, part->index}};
        std::vector<llvm::Instruction*> writes;
        std::size_t distance = 0;
        for (auto it = std::next(first.getIterator()); it != block.end() && ++distance < most_distance;
             ++it) {
            if (it->mayWriteToMemory()) writes.push_back(&*it);
            auto* load = llvm::dyn_cast<llvm::LoadInst>(&*it);
            if (!load || !load->isSimple() || load->use_empty() || load->getType()->isVectorTy() ||
                size_of(load->getType(), layout) != size)
                continue;
            if (!is_marked && load->getType() != first.getType()) continue;
            const auto own = part_at(*load, 0, part->length);
            const std::int64_t away = own->start - part->start;
            const auto bytes = static_cast<std::int64_t>(size);
            if (own->base != part->base || away < 0 || away >= bytes * part->length || away % bytes) continue;
            const llvm::MemoryLocation location = llvm::MemoryLocation::get(load);
            if (llvm::any_of(writes, [&](llvm::Instruction* write) {
                    return llvm::isModSet(aliases.getModRefInfo(write, location));
                }))
                continue;
            loads.emplace_back(load, static_cast<unsigned>(away / bytes));
        }
        unsigned needed = 0;
        for (const auto& [load, index] : loads) needed |= 1U << index;
        // One member alone is loaded alone. Two neighbours of something that is no copy are LLVM's to join.
        if (is_marked ? (needed & (needed - 1)) == 0 : needed < 0b100 || needed == 0b1) return false;
        const bool is_mixed =
            llvm::any_of(loads, [&](const auto& load) { return load.first->getType() != first.getType(); });
        llvm::Type* member = is_mixed || first.getType()->isPointerTy()
                                 ? llvm::Type::getIntNTy(first.getContext(), static_cast<unsigned>(size * 8))
                                 : first.getType();
        llvm::IRBuilder<> builder(&first);
        llvm::LoadInst* whole =
            builder.CreateAlignedLoad(llvm::FixedVectorType::get(member, part->length),
                                      place(builder, first, -static_cast<std::int64_t>(part->index * size)),
                                      llvm::Align(size * part->length));
        if (first.hasMetadata(llvm::LLVMContext::MD_invariant_load))
            whole->setMetadata(llvm::LLVMContext::MD_invariant_load,
                               first.getMetadata(llvm::LLVMContext::MD_invariant_load));
        for (const auto& [load, index] : loads) {
            load->replaceAllUsesWith(
                builder.CreateBitOrPointerCast(builder.CreateExtractElement(whole, index), load->getType()));
            if (load != &first) load->setMetadata(mark, nullptr);
        }
        return true;
    }

    llvm::BasicBlock& block;
    llvm::AAResults& aliases;
    const llvm::DominatorTree& tree;
    const llvm::DataLayout& layout;
};

}  // namespace

void mark_vector_part(llvm::Instruction& access, unsigned index, unsigned length) {
    llvm::LLVMContext& context = access.getContext();
    llvm::Type* number = llvm::Type::getInt32Ty(context);
    const auto constant = [&](unsigned value) {
        return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(number, value));
    };
    access.setMetadata(mark, llvm::MDNode::get(context, {constant(index), constant(length)}));
}

std::optional<VectorPart> marked_vector_part(llvm::Instruction& access) {
    const llvm::MDNode* node = access.getMetadata(mark);
    if (!node) return {};
    const auto number = [&](unsigned at) {
        return static_cast<unsigned>(
            llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(at))->getZExtValue());
    };
    return part_at(access, number(0), number(1));
}

llvm::PreservedAnalyses Vectors::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    auto& aliases = analyses.getResult<llvm::AAManager>(function);
    bool changed = false;
    const auto& tree = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
    // All stores first: what they need is loaded before.
    for (llvm::BasicBlock& block : function) changed |= Block(block, aliases, tree).complete_stores();
    for (llvm::BasicBlock& block : function) changed |= Block(block, aliases, tree).widen_loads();
    return same_branches(changed);
}

}  // namespace lockstep::device
