#include "device/common-bases.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <map>

#include "device/changes.h"
#include "device/expressions.h"
#include "device/wide-index.h"

namespace lockstep::device {
namespace {

using Parts = llvm::SmallVector<llvm::Value*, 4>;

// array + scale * (a sum of 32 bits + constant) + offset
struct Element {
    llvm::GetElementPtrInst* address;
    llvm::Value* array;
    llvm::Value* index;  // as the code has it
    Parts parts;         // of the sum
    std::int64_t constant = 0, scale = 0, offset = 0;
    bool is_deep = false;       // the constant is added to one of the parts, not to the sum
    std::int64_t distance = 0;  // what of the constant is not in the index, but behind the address

    std::int64_t bytes() const { return constant * scale + offset; }
};

// Takes the sum apart.
void split(llvm::Value& value, Element& element) {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
        element.constant += constant->getSExtValue();
        return;
    }
    auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&value);
    const auto* choice = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&value);
    if (sum && (sum->getOpcode() == llvm::Instruction::Add || (choice && choice->isDisjoint()))) {
        split(*sum->getOperand(0), element);
        split(*sum->getOperand(1), element);
        return;
    }
    element.parts.push_back(&value);
}

// The element at a signed index, if that is the only one that the address has.
std::optional<Element> element_at(llvm::GetElementPtrInst& address) {
    if (address.getType()->isVectorTy()) return std::nullopt;
    const llvm::DataLayout& layout = address.getModule()->getDataLayout();
    const unsigned bits = layout.getIndexTypeSizeInBits(address.getType());
    llvm::MapVector<llvm::Value*, llvm::APInt> variable;
    llvm::APInt offset(bits, 0);
    if (!llvm::cast<llvm::GEPOperator>(address).collectOffset(layout, bits, variable, offset) ||
        variable.size() != 1)
        return std::nullopt;
    const auto* wide = llvm::dyn_cast<llvm::SExtInst>(variable.front().first);
    if (!wide || !wide->getOperand(0)->getType()->isIntegerTy(32)) return std::nullopt;
    llvm::Value& index = *wide->getOperand(0);
    Element element{&address,
                    address.getPointerOperand(),
                    &index,
                    {},
                    0,
                    variable.front().second.getSExtValue(),
                    offset.getSExtValue()};
    split(index, element);
    const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&index);
    element.is_deep = !sum || !llvm::isa<llvm::ConstantInt>(sum->getOperand(1));
    return element.parts.empty() || element.scale <= 0 ? std::nullopt : std::optional(element);
}

// The constant distance of the address from another, if it is that.
std::optional<std::int64_t> distance_of(const llvm::GetElementPtrInst& address) {
    const llvm::DataLayout& layout = address.getModule()->getDataLayout();
    llvm::APInt distance(layout.getIndexTypeSizeInBits(address.getType()), 0);
    if (address.getType()->isVectorTy() || !address.accumulateConstantOffset(layout, distance))
        return std::nullopt;
    return distance.getSExtValue();
}

// An element, or one at a constant distance behind its address: LLVM makes a distance of an index's constant.
std::optional<Element> element_of(llvm::GetElementPtrInst& address) {
    auto* const other = llvm::dyn_cast<llvm::GetElementPtrInst>(address.getPointerOperand());
    const auto distance = other ? distance_of(address) : std::nullopt;
    if (!distance) {
        const auto is_distance = [&](const llvm::User* user) {
            const auto* behind = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
            return behind && behind->getPointerOperand() == &address && distance_of(*behind);
        };
        return llvm::all_of(address.users(), is_distance) ? std::nullopt : element_at(address);
    }
    auto element = element_at(*other);
    if (!element) return std::nullopt;
    element->address = &address;
    element->offset += *distance;
    std::int64_t elements = element->offset / element->scale;
    if (elements * element->scale > element->offset) --elements;
    element->constant += elements;
    element->offset -= elements * element->scale;
    element->distance = elements;
    return element;
}

// Additions of a constant to an index may wrap, so that LLVM leaves them there.
void keep_constants(llvm::Value& index) {
    auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&index);
    if (!sum || sum->getOpcode() != llvm::Instruction::Add) return;
    if (llvm::isa<llvm::ConstantInt>(sum->getOperand(1))) sum->setHasNoSignedWrap(false);
    keep_constants(*sum->getOperand(0));
    keep_constants(*sum->getOperand(1));
}

bool has_product(const Element& element) {
    return llvm::any_of(element.parts, [](const llvm::Value* part) { return may_wrap(*part); });
}

class Group {
  public:
    Group(std::vector<Element> elements, const Expressions& expressions)
        : elements_(std::move(elements)), expressions_(expressions) {}

    bool share() {
        const Element base = elements_.front();
        const std::int64_t constant = constant_of_base();
        if (elements_.size() == 1) {
            if (constant == 0) return false;
            if (base.distance == 0) {
                keep_constants(*base.index);
                return true;
            }
        }
        llvm::SmallVector<llvm::Instruction*, 8> addresses;
        for (const Element& element : elements_) addresses.push_back(element.address);
        llvm::Instruction* const at = expressions_.place_before(addresses);
        const auto is_possible = [&](const llvm::Value* value) {
            return expressions_.is_possible(value, at);
        };
        if (!is_possible(base.array) || !llvm::all_of(base.parts, is_possible)) return false;

        llvm::IRBuilder<> builder(at);
        builder.SetCurrentDebugLocation(base.address->getDebugLoc());
        llvm::Value* index = sum(builder, *at);
        index = builder.CreateAdd(index, llvm::ConstantInt::getSigned(index->getType(), constant));
        llvm::Type* const wide = builder.getInt64Ty();
        llvm::Value* const scaled = builder.CreateMul(builder.CreateSExt(index, wide),
                                                      llvm::ConstantInt::getSigned(wide, base.scale));
        llvm::Value* const first = builder.CreatePtrAdd(expressions_.bring(base.array, at), scaled);
        for (const Element& element : elements_) {
            builder.SetInsertPoint(element.address);
            const std::int64_t distance = element.bytes() - constant * base.scale;
            element.address->replaceAllUsesWith(
                distance ? builder.CreatePtrAdd(first, llvm::ConstantInt::getSigned(wide, distance)) : first);
        }
        return true;
    }

  private:
    // What the base's index has beside the sum: the first one's constant, if all others lie behind that. A
    // positive one stays in the index only where it is deep in a sum that is used once.
    std::int64_t constant_of_base() const {
        const Element& first = elements_.front();
        const bool is_lowest = llvm::all_of(elements_, [&](const Element& other) {
            return other.constant != 0 && other.constant >= first.constant;
        });
        if (!is_lowest) return 0;
        if (first.constant < 0) return first.constant;
        return elements_.size() == 1 && first.is_deep && first.distance == 0 ? first.constant : 0;
    }
    // The sum without a constant.
    llvm::Value* sum(llvm::IRBuilder<>& builder, llvm::Instruction& at) const {
        // One that may wrap is made anew, so that nobody takes it for one that does not.
        const auto product = llvm::find_if(elements_, has_product);
        const bool may_wrap = product != elements_.end();
        for (const Element& element : elements_)
            if (!may_wrap && element.constant == element.distance)
                return expressions_.bring(element.index, &at);
        llvm::Value* sum = nullptr;
        for (llvm::Value* part : (may_wrap ? *product : elements_.front()).parts) {
            part = expressions_.bring(part, &at);
            sum = sum ? builder.CreateAdd(sum, part) : part;
        }
        return sum;
    }

    std::vector<Element> elements_;
    const Expressions& expressions_;
};

}  // namespace

llvm::PreservedAnalyses CommonBases::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    Expressions expressions(analyses.getResult<llvm::DominatorTreeAnalysis>(function));
    std::map<std::tuple<unsigned, std::int64_t, std::vector<unsigned>>, std::size_t> places;
    std::vector<std::vector<Element>> groups;  // in the order of the code
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
        auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
        auto element = address ? element_of(*address) : std::nullopt;
        if (!element) continue;
        std::vector<unsigned> sum;
        for (const llvm::Value* part : element->parts) sum.push_back(expressions.number(part));
        llvm::sort(sum);
        const auto [place, is_new] =
            places.try_emplace({expressions.number(element->array), element->scale, sum}, groups.size());
        if (is_new) groups.emplace_back();
        groups[place->second].push_back(std::move(*element));
    }
    bool changed = false;
    for (std::vector<Element>& group : groups)
        if (indices == all || llvm::any_of(group, has_product))
            changed |= Group(std::move(group), expressions).share();
    return same_branches(changed);
}

}  // namespace lockstep::device
