#include "device/cluster-dims.h"

#include <llvm/IR/Constants.h>

namespace lockstep::device {
namespace {

constexpr const char* annotation_name = "lockstep.cluster_dims";  // include/host_defines.h

// An annotation: what it is of, its text, file, line, and its arguments.
void apply(const llvm::ConstantStruct& annotation, std::string& ptx) {
    const auto* kernel = llvm::dyn_cast<llvm::Function>(annotation.getOperand(0)->stripPointerCasts());
    const auto* text = llvm::dyn_cast<llvm::GlobalVariable>(annotation.getOperand(1)->stripPointerCasts());
    const auto* words = text && text->hasInitializer()
                            ? llvm::dyn_cast<llvm::ConstantDataSequential>(text->getInitializer())
                            : nullptr;
    if (!kernel || !words || !words->isCString() || words->getAsCString() != annotation_name) return;
    const auto* arguments =
        annotation.getNumOperands() > 4
            ? llvm::dyn_cast<llvm::GlobalVariable>(annotation.getOperand(4)->stripPointerCasts())
            : nullptr;
    if (!arguments || !arguments->hasInitializer()) return;
    std::string directive = "\n.explicitcluster\n.reqnctapercluster ";
    for (unsigned axis = 0; axis < 3; ++axis) {
        const llvm::Constant* value = arguments->getInitializer()->getAggregateElement(axis);
        const auto* number = value ? llvm::dyn_cast<llvm::ConstantInt>(value) : nullptr;
        directive += (axis ? ", " : "") + std::to_string(number ? number->getZExtValue() : 1);
    }
    // Its definition: a declaration ends with a semicolon behind the parameters.
    const std::string head = ".entry " + kernel->getName().str() + "(";
    const std::size_t at = ptx.find(head);
    if (at == std::string::npos) return;
    const std::size_t end = ptx.find(')', at);
    if (end != std::string::npos) ptx.insert(end + 1, directive);
}

}  // namespace

std::string with_cluster_dims(std::string ptx, const llvm::Module& module) {
    const llvm::GlobalVariable* all = module.getNamedGlobal("llvm.global.annotations");
    const auto* list =
        all && all->hasInitializer() ? llvm::dyn_cast<llvm::ConstantArray>(all->getInitializer()) : nullptr;
    if (!list) return ptx;
    for (const llvm::Use& one : list->operands())
        if (const auto* annotation = llvm::dyn_cast<llvm::ConstantStruct>(one)) apply(*annotation, ptx);
    return ptx;
}

}  // namespace lockstep::device
