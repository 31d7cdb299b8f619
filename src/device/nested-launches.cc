#include "device/nested-launches.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "device/kernels.h"

namespace lockstep::device {
namespace {

constexpr const char* configure = "__cudaPushCallConfiguration";  // grid, block, shared memory, stream

bool is_configuration(const llvm::CallInst& call) {
    const llvm::Function* callee = call.getCalledFunction();
    return callee && callee->getName() == configure;
}

// The configuration that a launch follows: the nearest that stands before it on
// every way.
llvm::CallInst* configuration_of(llvm::CallInst& launch, llvm::ArrayRef<llvm::CallInst*> configurations,
                                 const llvm::DominatorTree& tree) {
    llvm::CallInst* nearest = nullptr;
    for (llvm::CallInst* one : configurations)
        if (tree.dominates(one, &launch) && (!nearest || tree.dominates(nearest, one))) nearest = one;
    return nearest;
}

// A kernel that another file defines looks like any function. Its call is the
// last before the two ways that a configuration leads to meet again.
llvm::CallInst* launch_of_declared(llvm::CallInst& configuration) {
    const llvm::BranchInst* branch = nullptr;
    for (llvm::User* compare : configuration.users())
        for (llvm::User* user : compare->users())
            if (auto* found = llvm::dyn_cast<llvm::BranchInst>(user)) branch = found;
    if (!branch || !branch->isConditional()) return nullptr;
    for (llvm::BasicBlock* block : llvm::predecessors(branch->getSuccessor(0))) {
        if (block == branch->getParent()) continue;
        for (llvm::Instruction& instruction : llvm::reverse(*block)) {
            auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
            if (!call || llvm::isa<llvm::IntrinsicInst>(call)) continue;
            const llvm::Function* callee = call->getCalledFunction();
            return callee && callee->isDeclaration() ? call : nullptr;
        }
    }
    return nullptr;
}

// Puts the arguments where the kernel's parameters lie: one behind the other,
// each at its own alignment.
void store_arguments(llvm::IRBuilder<>& builder, llvm::CallInst& launch, const llvm::Function& kernel,
                     llvm::Value* buffer) {
    const llvm::DataLayout& layout = kernel.getParent()->getDataLayout();
    std::uint64_t offset = 0;
    for (unsigned i = 0; i < launch.arg_size(); ++i) {
        llvm::Value* value = launch.getArgOperand(i);
        llvm::Type* type = kernel.hasParamAttribute(i, llvm::Attribute::ByVal) ? kernel.getParamByValType(i)
                                                                               : value->getType();
        const bool in_memory =
            type != value->getType() || kernel.hasParamAttribute(i, llvm::Attribute::ByVal);
        const llvm::Align align =
            in_memory ? std::max(kernel.getParamAlign(i).valueOrOne(), layout.getABITypeAlign(type))
                      : layout.getABITypeAlign(type);
        offset = llvm::alignTo(offset, align);
        llvm::Value* place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), buffer, offset);
        const std::uint64_t size = layout.getTypeAllocSize(type);
        if (in_memory)
            builder.CreateMemCpy(place, align, value, launch.getParamAlign(i), size);
        else
            builder.CreateAlignedStore(value, place, align);
        offset += size;
    }
}

void rewrite(llvm::CallInst& launch, llvm::CallInst& configuration) {
    llvm::Module& module = *launch.getModule();
    llvm::Function& kernel = *launch.getCalledFunction();
    llvm::LLVMContext& context = module.getContext();
    llvm::Type* pointer = llvm::PointerType::get(context, 0);
    llvm::Type* i32 = llvm::Type::getInt32Ty(context);
    llvm::Type* dim3 = configuration.getParamByValType(0);
    llvm::FunctionCallee reserve =
        module.getOrInsertFunction("__cudaCDP2GetParameterBufferV2",
                                   llvm::FunctionType::get(pointer, {pointer, dim3, dim3, i32}, false));
    llvm::FunctionCallee submit = module.getOrInsertFunction(
        "__cudaCDP2LaunchDeviceV2", llvm::FunctionType::get(i32, {pointer, pointer}, false));
    llvm::IRBuilder<> builder(&launch);
    // As values, which then need no memory.
    const auto extent = [&](unsigned argument) {
        return builder.CreateLoad(dim3, configuration.getArgOperand(argument));
    };
    llvm::CallInst* buffer = builder.CreateCall(
        reserve, {&kernel, extent(0), extent(1), builder.CreateTrunc(configuration.getArgOperand(2), i32)});
    // Without one the launch has failed already, and the device runtime keeps
    // why.
    llvm::Instruction* then =
        llvm::SplitBlockAndInsertIfThen(builder.CreateIsNotNull(buffer), launch.getIterator(), false);
    builder.SetInsertPoint(then);
    builder.SetCurrentDebugLocation(launch.getDebugLoc());
    store_arguments(builder, launch, kernel, buffer);
    builder.CreateCall(submit, {buffer, configuration.getArgOperand(3)});
    launch.eraseFromParent();
}

void rewrite_launches(llvm::Function& function, const llvm::SmallPtrSetImpl<llvm::Function*>& kernels) {
    llvm::SmallVector<llvm::CallInst*> configurations, launches;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (!call) continue;
        if (is_configuration(*call)) configurations.push_back(call);
        if (call->getCalledFunction() && kernels.contains(call->getCalledFunction()))
            launches.push_back(call);
    }
    if (configurations.empty()) return;
    llvm::SmallVector<std::pair<llvm::CallInst*, llvm::CallInst*>> pairs;
    const llvm::DominatorTree tree(function);
    for (llvm::CallInst* launch : launches)
        if (llvm::CallInst* configuration = configuration_of(*launch, configurations, tree))
            pairs.emplace_back(launch, configuration);
    for (const auto& [launch, configuration] : pairs) rewrite(*launch, *configuration);
    for (llvm::CallInst* configuration : configurations) {
        if (llvm::none_of(pairs, [&](const auto& pair) { return pair.second == configuration; }))
            if (llvm::CallInst* launch = launch_of_declared(*configuration)) {
                note_kernel(*launch->getCalledFunction());
                rewrite(*launch, *configuration);
            }
        configuration->replaceAllUsesWith(llvm::ConstantInt::get(configuration->getType(), 0));
        configuration->eraseFromParent();
    }
}

}  // namespace

llvm::PreservedAnalyses NestedLaunches::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    if (!module.getFunction(configure)) return llvm::PreservedAnalyses::all();
    llvm::SmallPtrSet<llvm::Function*, 8> kernels;
    for (llvm::Function* kernel : kernels_of(module)) kernels.insert(kernel);
    for (llvm::Function& function : module) rewrite_launches(function, kernels);
    return llvm::PreservedAnalyses::none();
}

}  // namespace lockstep::device
