#include "device/member-copies.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>

#include "device/changes.h"
#include "device/vectors.h"

namespace lockstep::device {
namespace {

struct Member {
    std::uint64_t offset, size;
    llvm::Metadata* type;  // of TBAA
};

// nvcc copies larger structs in a loop of bytes or words, or by a call.
constexpr std::size_t most_members = 64;

// From !tbaa.struct: offset, size, type, and again. None where there is something that no register holds.
std::optional<std::vector<Member>> members_of(const llvm::MemCpyInst& copy, const llvm::MDNode& node) {
    const auto* length = llvm::dyn_cast<llvm::ConstantInt>(copy.getLength());
    if (!length) return {};
    std::vector<Member> members;
    for (unsigned i = 0; i + 2 < node.getNumOperands(); i += 3) {
        const auto number = [&](unsigned at) {
            return llvm::mdconst::extract<llvm::ConstantInt>(node.getOperand(at))->getZExtValue();
        };
        const Member member{number(i), number(i + 1), node.getOperand(i + 2)};
        if (member.offset + member.size > length->getZExtValue()) return {};
        // An array of a simple type is one entry, as is a union.
        const bool is_register = member.size == 1 || member.size == 2 || member.size == 4 || member.size == 8;
        if (!is_register || member.offset % member.size) return {};
        // One with gaps is copied as it lies in memory.
        const std::uint64_t end = members.empty() ? 0 : members.back().offset + members.back().size;
        if (member.offset != end) return {};
        members.push_back(member);
    }
    if (!members.empty() && members.back().offset + members.back().size != length->getZExtValue()) return {};
    if (members.empty() || members.size() > most_members) return {};
    return members;
}

llvm::StringRef type_name(const llvm::Metadata* type) {
    const auto* access = llvm::dyn_cast_or_null<llvm::MDNode>(type);
    const auto* node = access && access->getNumOperands()
                           ? llvm::dyn_cast_or_null<llvm::MDNode>(access->getOperand(0))
                           : nullptr;
    const auto* name = node && node->getNumOperands()
                           ? llvm::dyn_cast_or_null<llvm::MDString>(node->getOperand(0))
                           : nullptr;
    return name ? name->getString() : "";
}

llvm::Type* register_type(const Member& member, llvm::LLVMContext& context) {
    const llvm::StringRef name = type_name(member.type);
    if (name == "float" && member.size == 4) return llvm::Type::getFloatTy(context);
    if (name == "double" && member.size == 8) return llvm::Type::getDoubleTy(context);
    if (name.contains("pointer") && member.size == 8) return llvm::PointerType::get(context, 0);
    return llvm::Type::getIntNTy(context, static_cast<unsigned>(member.size * 8));
}

constexpr std::uint64_t widest_vector = 16;  // bytes

// Marks the accesses of a copy that are aligned to be parts of a vector.
template <class Access>
void mark_vectors(const std::vector<Access*>& accesses, const std::vector<Member>& members,
                  llvm::Align alignment) {
    for (std::size_t i = 0; i < members.size();) {
        const std::uint64_t size = members[i].size;
        std::size_t length = 4;
        const auto fits = [&] {
            if (i + length > members.size() || size * length > widest_vector ||
                llvm::commonAlignment(alignment, members[i].offset).value() < size * length)
                return false;
            for (std::size_t j = i; j < i + length; ++j)
                if (members[j].size != size) return false;
            return true;
        };
        while (length > 1 && !fits()) length /= 2;
        if (length > 1)
            for (std::size_t j = 0; j < length; ++j)
                mark_vector_part(*accesses[i + j], static_cast<unsigned>(j), static_cast<unsigned>(length));
        i += length;
    }
}

bool expand(llvm::MemCpyInst& copy) {
    const llvm::MDNode* node = copy.getMetadata(llvm::LLVMContext::MD_tbaa_struct);
    if (!node || copy.isVolatile()) return false;
    const auto members = members_of(copy, *node);
    if (!members) return false;
    llvm::IRBuilder<> builder(&copy);
    // All loads before all stores: the two may be the same object.
    std::vector<llvm::LoadInst*> loads;
    const auto place = [&](llvm::Value* base, const Member& member) {
        return member.offset ? builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, member.offset)
                             : base;
    };
    for (const Member& member : *members) {
        llvm::LoadInst* load = builder.CreateAlignedLoad(
            register_type(member, copy.getContext()), place(copy.getSource(), member),
            llvm::commonAlignment(copy.getSourceAlign().valueOrOne(), member.offset));
        load->setMetadata(llvm::LLVMContext::MD_tbaa, llvm::dyn_cast_or_null<llvm::MDNode>(member.type));
        loads.push_back(load);
    }
    std::vector<llvm::StoreInst*> stores;
    for (std::size_t i = 0; i < loads.size(); ++i) {
        const Member& member = (*members)[i];
        llvm::StoreInst* store = builder.CreateAlignedStore(
            loads[i], place(copy.getDest(), member),
            llvm::commonAlignment(copy.getDestAlign().valueOrOne(), member.offset));
        store->setMetadata(llvm::LLVMContext::MD_tbaa, llvm::dyn_cast_or_null<llvm::MDNode>(member.type));
        stores.push_back(store);
    }
    mark_vectors(loads, *members, copy.getSourceAlign().valueOrOne());
    mark_vectors(stores, *members, copy.getDestAlign().valueOrOne());
    copy.eraseFromParent();
    return true;
}

}  // namespace

llvm::PreservedAnalyses MemberCopies::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return same_branches(change_instructions(function, [](llvm::Instruction& instruction) {
        auto* copy = llvm::dyn_cast<llvm::MemCpyInst>(&instruction);
        return copy && expand(*copy);
    }));
}

}  // namespace lockstep::device
